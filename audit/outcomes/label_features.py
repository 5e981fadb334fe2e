"""Features of labels among the parts: their order, numbers that stand with one, gaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.column import Column, Floats, same_symbol, symbol_column
from audit.outcomes.features import Feature, as_column, numbers
from audit.outcomes.number_features import alike, distinct
from audit.outcomes.outcomes import KIND, Outcomes, Sides
from audit.outcomes.symbols import MISSING, is_text

_FEWEST, _MOST_PARTS = 2, 64
_MOSTLY = 0.5

_KINDS: dict[str, Callable[[Floats], Floats]] = {
    "number of different texts": distinct,
    "number of texts like the one before": alike,
    "number of texts not before the last one in the alphabet": lambda ranks: (
        np.diff(ranks, axis=1) >= 0
    ).sum(axis=1),
}


@dataclass(frozen=True, slots=True)
class ShapeOfTexts(Feature):
    """Equality pattern and order of parts that are texts, whatever they say.

    Attributes:
        kind: what is counted.
        names: the parts.
    """

    kind: str
    names: tuple[str, ...]
    form: ClassVar[str] = "{0.kind} in the output"

    def read(self, outcomes: Outcomes) -> Column:
        columns = [outcomes.column(name) for name in self.names]
        held = sorted({name for column in columns for name in column.names if is_text(name)})
        # What is no text has the first place in the alphabet.
        places = {name: place for place, name in enumerate(held, start=1)}
        ranks = np.zeros((outcomes.size, len(columns)))
        for part, column in enumerate(columns):
            known = np.array([places.get(name, 0) for name in column.names], np.float64)
            ranks[:, part] = known[column.codes]
        return as_column(_KINDS[self.kind](ranks), 0.0)


def of_labels(sides: Sides) -> Iterator[ShapeOfTexts]:
    """Readings of the parts of outputs that are texts, where there are several."""
    texts = text_parts(sides)
    if len(texts) >= _FEWEST:
        held = tuple(texts[:_MOST_PARTS])
        yield from (ShapeOfTexts(kind, held) for kind in _KINDS)


def text_parts(sides: Sides) -> list[str]:
    """Names of the parts that are texts, on either side."""
    names = dict.fromkeys(name for side in sides for name in side.parts)
    return [name for name in names if all(_mostly_texts(side.column(name)) for side in sides)]


def _mostly_texts(column: Column) -> bool:
    told = np.array([is_text(name) for name in column.names])
    return bool(told[column.codes].mean() > _MOSTLY)


_MOST_NUMBERS, _MOST_CELLS = 64, 256
_SELDOM = 0.01
_MOST_LABELS, _MOST_LABELLED, _MOST_TEXTS = 2, 2, 6
"""Parts that hold labels, numbers that are read by them, and labels of a part."""


@dataclass(frozen=True, slots=True)
class LabelBeside(Feature):
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
    form: ClassVar[str] = "({0.label}, place of the {0.extreme} number)"

    def read(self, outcomes: Outcomes) -> Column:
        rows, label = numbers(outcomes, self.names), outcomes.column(self.label)
        if label.symbols is None:
            return same_symbol(MISSING, outcomes.size)
        sign = 1.0 if self.extreme == "largest" else -1.0
        known = np.asarray(np.isfinite(rows))
        places = np.where(known, sign * rows, -np.inf).argmax(axis=1)
        texts = np.array([is_text(name) for name in label.names])
        told = texts[label.symbols] & np.any(known, axis=1)
        cells = np.where(told, label.symbols * len(self.names) + places, -1)
        held, which = np.unique(cells, return_inverse=True)
        places_of = (divmod(cell, len(self.names)) for cell in held.tolist())
        words = [
            MISSING if text < 0 else f"({label.names[text]}, {self.names[place]})"
            for text, place in places_of
        ]
        return symbol_column(words, which)


OTHER_LABEL = "another label"


@dataclass(frozen=True, slots=True)
class NumberWith(Feature):
    """A number in the outputs that have one label, as the count of a winner that is named.

    Attributes:
        label: the part that holds it.
        text: the symbol of the label, or a number in its place.
        number: the part that is read.
    """

    label: str
    text: str | float
    number: str
    form: ClassVar[str] = "{0.number} where {0.label} is {0.text}"

    def read(self, outcomes: Outcomes) -> Column:
        label, number = outcomes.column(self.label), outcomes.column(self.number)
        if isinstance(self.text, float):
            inside = np.asarray(label.floats == self.text)
        else:
            inside = np.array([name == self.text for name in label.names])[label.codes]
        symbols = np.where(inside, np.where(number.codes > 0, number.codes + 1, 0), 1)
        values = np.where(symbols == 0, number.values, 0.0)
        return Column(values, symbols, ("", OTHER_LABEL, *number.names[1:]))


def of_labelled(columns: Mapping[str, Column], numeric: tuple[str, ...]) -> Iterator[NumberWith]:
    """Readings of a number by the label that it stands with, of columns of both sides by name."""
    labels = {name: _few_labels(column) for name, column in columns.items() if name != KIND}
    told = [name for name, texts in labels.items() if texts][:_MOST_LABELS]
    for number in [name for name in numeric if not labels.get(name)][:_MOST_LABELLED]:
        yield from (NumberWith(name, text, number) for name in told for text in labels[name])


def _few_labels(column: Column) -> list[str | float]:
    """Labels that a part has, texts or whole numbers; none if there is one, or many."""
    values = np.unique(column.numbers)
    if len(values) > _MOST_TEXTS or (values != np.round(values)).any():
        return []
    texts = filter(is_text, (column.names[place] for place in np.flatnonzero(column.tally)))
    found: list[str | float] = [*values.tolist(), *texts]
    return found if 1 < len(found) <= _MOST_TEXTS else []


@dataclass(frozen=True, slots=True)
class PlacesOfGaps(Feature):
    """Places of the parts that are no numbers."""

    names: tuple[str, ...]
    form: ClassVar[str] = "the list of parts that are no numbers"

    def read(self, outcomes: Outcomes) -> Column:
        patterns, which = _patterns(outcomes, self.names)
        told = [
            ", ".join(name for name, gap in zip(self.names, pattern, strict=True) if gap) or "none"
            for pattern in patterns.tolist()
        ]
        return symbol_column(told, which)


def of_places(sides: Sides, names: tuple[str, ...]) -> Iterator[LabelBeside | PlacesOfGaps]:
    """Readings of which of the parts that are numbers are told apart from the others."""
    names = names[:_MOST_NUMBERS]
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


def _patterns(
    outcomes: Outcomes, names: Sequence[str]
) -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """The different sets of parts that are no numbers, and which each draw has."""
    gaps = ~np.isfinite(numbers(outcomes, tuple(names)))
    patterns, which = np.unique(gaps, axis=0, return_inverse=True)
    return patterns, which.reshape(-1)
