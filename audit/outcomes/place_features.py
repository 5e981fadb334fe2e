"""Which parts of an output stand out: the largest beside what a label says, and the gaps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.column import Column, column_of
from audit.outcomes.features import numbers
from audit.outcomes.outcomes import Outcomes
from audit.outcomes.symbols import MISSING, is_text

_MOST_PARTS, _MOST_CELLS = 64, 256
_MOSTLY = 0.5
_SELDOM = 0.01
Sides = tuple[Outcomes, Outcomes]


@dataclass(frozen=True, slots=True)
class LabelBeside:
    """What a part says, and which of the numbers is the largest or the smallest.

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
        rows = numbers(outcomes, self.names)
        sign = 1.0 if self.extreme == "largest" else -1.0
        known = np.asarray(np.isfinite(rows))
        places = np.where(known, sign * rows, -np.inf).argmax(axis=1).tolist()
        said = _said(outcomes.column(self.label))
        read = zip(said, places, np.any(known, axis=1).tolist(), strict=True)
        leaves = [
            f"{text} beside {self.names[place]}" if text and any_known else MISSING
            for text, place, any_known in read
        ]
        return column_of(leaves, outcomes.size)


@dataclass(frozen=True, slots=True)
class PlacesOfGaps:
    """Which of several parts are no numbers.

    Attributes:
        names: the parts.
    """

    names: tuple[str, ...]
    fitted: ClassVar[bool] = False

    @property
    def words(self) -> str:
        return "parts of the output that are no numbers"

    def read(self, outcomes: Outcomes) -> Column:
        patterns, which = _patterns(outcomes, self.names)
        told = [
            ", ".join(name for name, gap in zip(self.names, pattern, strict=True) if gap) or "none"
            for pattern in patterns.tolist()
        ]
        return column_of([told[place] for place in which.tolist()], outcomes.size)


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
    gaps = max(float(pattern[which].mean()) for pattern, which in held)
    # Few parts with gaps are read one by one as it is.
    if gaps > _SELDOM and all(2 < len(pattern) <= _MOST_CELLS for pattern, _ in held):
        yield PlacesOfGaps(names)


def _labels(sides: Sides) -> Iterator[tuple[str, int]]:
    """Parts that are texts, of which there are few, and how many."""
    parts = dict.fromkeys(name for side in sides for name in side.parts)
    for label in islice(parts, _MOST_PARTS):
        said = [text for side in sides for text in _said(side.column(label))]
        different = len(set(said))
        if said.count("") < _MOSTLY * len(said) and different > 1:
            yield label, different


def _said(column: Column) -> list[str]:
    """The texts of a part, draw by draw; empty where there is none."""
    texts = [name if is_text(name) else "" for name in column.names]
    if column.symbols is None:
        return [""] * len(column.values)
    return [texts[code] for code in column.symbols.tolist()]


def _patterns(
    outcomes: Outcomes, names: Sequence[str]
) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """The different sets of parts that are no numbers, and which each draw has."""
    gaps = ~np.isfinite(numbers(outcomes, tuple(names)))
    patterns, which = np.unique(gaps, axis=0, return_inverse=True)
    return patterns, which.reshape(-1)
