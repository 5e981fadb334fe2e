"""Parts of an output that stand out: the largest with its label, and the gaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.column import Column, missing_column
from audit.outcomes.features import numbers
from audit.outcomes.label_features import text_parts
from audit.outcomes.outcomes import Outcomes
from audit.outcomes.symbols import MISSING, is_text

_MOST_PARTS, _MOST_CELLS = 64, 256
_SELDOM = 0.01
Sides = tuple[Outcomes, Outcomes]


@dataclass(frozen=True, slots=True)
class LabelBeside:
    """Label of a part, with the place of the largest or the smallest number.

    A winner that is named beside its scores says more than either of both.

    Attributes:
        label: the part.
        extreme: "largest" or "smallest"; of equal numbers the first counts.
        names: parts that are numbers.
    """

    label: str
    extreme: str
    names: tuple[str, ...]
    fitted: ClassVar[bool] = False

    @property
    def words(self) -> str:
        return f"{self.label} beside the place of the {self.extreme} number"

    def read(self, outcomes: Outcomes) -> Column:
        rows, label = numbers(outcomes, self.names), outcomes.column(self.label)
        if label.symbols is None:
            return missing_column(outcomes.size)
        sign = 1.0 if self.extreme == "largest" else -1.0
        known = np.asarray(np.isfinite(rows))
        places = np.where(known, sign * rows, -np.inf).argmax(axis=1)
        texts = np.array([is_text(name) for name in label.names])
        told = texts[label.symbols] & np.any(known, axis=1)
        cells = np.where(told, label.symbols * len(self.names) + places, -1)
        held, which = np.unique(cells, return_inverse=True)
        return _symbols([self._cell(label.names, cell) for cell in held.tolist()], which)

    def _cell(self, texts: Sequence[str], cell: int) -> str:
        """Joint symbol of one text and one place; none below 0."""
        text, place = divmod(cell, len(self.names))
        return MISSING if cell < 0 else f"{texts[text]} beside {self.names[place]}"


@dataclass(frozen=True, slots=True)
class PlacesOfGaps:
    """Places of the parts that are no numbers.

    Attributes:
        names: the parts.
    """

    names: tuple[str, ...]
    fitted: ClassVar[bool] = False

    @property
    def words(self) -> str:
        return "the list of parts that are no numbers"

    def read(self, outcomes: Outcomes) -> Column:
        patterns, which = _patterns(outcomes, self.names)
        told = [
            ", ".join(name for name, gap in zip(self.names, pattern, strict=True) if gap) or "none"
            for pattern in patterns.tolist()
        ]
        return _symbols(told, which)


def of_places(sides: Sides, names: tuple[str, ...]) -> Iterator[LabelBeside | PlacesOfGaps]:
    """Readings of which parts are told apart from the others.

    Args:
        sides: a glimpse of past draws on D and D'.
        names: parts that are numbers.
    """
    names = names[:_MOST_PARTS]
    if len(names) < 2:
        return
    for label, different in _labels(sides):
        if different * len(names) <= _MOST_CELLS:
            yield LabelBeside(label, "largest", names)
            yield LabelBeside(label, "smallest", names)
    held = [_patterns(side, names) for side in sides]
    gaps = max(float(patterns[which].mean()) for patterns, which in held)
    # Few sets of parts are read one by one as it is.
    if gaps > _SELDOM and all(2 < len(patterns) <= _MOST_CELLS for patterns, _ in held):
        yield PlacesOfGaps(names)


def _labels(sides: Sides) -> Iterator[tuple[str, int]]:
    """Parts that are texts, and how many different ones they hold."""
    for label in text_parts(sides):
        columns = [side.column(label).trimmed() for side in sides]
        different = {name if is_text(name) else "" for c in columns for name in c.names[1:]}
        if len(different) > 1:
            yield label, len(different)


def _symbols(names: Sequence[str], which: NDArray[np.intp]) -> Column:
    """A column of symbols: these names, and which of them each draw has."""
    return Column(np.zeros(which.size), which.reshape(-1) + 1, ("", *names))


def _patterns(
    outcomes: Outcomes, names: Sequence[str]
) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """The different sets of parts that are no numbers, and which each draw has."""
    gaps = ~np.isfinite(numbers(outcomes, tuple(names)))
    patterns, which = np.unique(gaps, axis=0, return_inverse=True)
    return patterns, which.reshape(-1)
