"""Features of several parts that are texts: how many differ, which are in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from audit.outcomes.column import Column, Floats
from audit.outcomes.features import as_column
from audit.outcomes.outcomes import Outcomes
from audit.outcomes.part_features import distinct
from audit.outcomes.symbols import is_text

_FEWEST, _MOST_PARTS = 2, 64
_MOSTLY = 0.5


def _like_the_last(ranks: Floats) -> Floats:
    return np.asarray((ranks[:, 1:] == ranks[:, :-1]).sum(axis=1), np.float64)


def _ascending(ranks: Floats) -> Floats:
    return np.asarray((ranks[:, 1:] >= ranks[:, :-1]).sum(axis=1), np.float64)


_KINDS: dict[str, Callable[[Floats], Floats]] = {
    "number of different texts": distinct,
    "texts like the one before": _like_the_last,
    "texts not before the last one in the alphabet": _ascending,
}


@dataclass(frozen=True, slots=True)
class ShapeOfTexts:
    """Equality pattern and order of parts that are texts, whatever they say.

    Attributes:
        kind: what is counted.
        names: the parts.
    """

    kind: str
    names: tuple[str, ...]
    fitted: ClassVar[bool] = False

    @property
    def words(self) -> str:
        return f"{self.kind} in the output"

    def read(self, outcomes: Outcomes) -> Column:
        return as_column(_KINDS[self.kind](_ranks(outcomes, self.names)), 0.0)


def of_labels(sides: tuple[Outcomes, Outcomes]) -> Iterator[ShapeOfTexts]:
    """Readings of the parts of outputs that are texts, where there are several.

    Args:
        sides: past draws on D and D'.
    """
    texts = text_parts(sides)
    if len(texts) >= _FEWEST:
        held = tuple(texts[:_MOST_PARTS])
        yield from (ShapeOfTexts(kind, held) for kind in _KINDS)


def text_parts(sides: tuple[Outcomes, Outcomes]) -> list[str]:
    """Names of the parts that are texts, on either side."""
    names = dict.fromkeys(name for side in sides for name in side.parts)
    return [name for name in names if all(_mostly_texts(side.column(name)) for side in sides)]


def _mostly_texts(column: Column) -> bool:
    if column.symbols is None:
        return False
    told = np.array([is_text(name) for name in column.names])
    return bool(told[column.symbols].mean() > _MOSTLY)


def _ranks(outcomes: Outcomes, names: tuple[str, ...]) -> Floats:
    """Places in the alphabet of what the parts hold, equal where they are; shape (n, parts).

    What is no text has the first place.
    """
    columns = [outcomes.column(name) for name in names]
    held = sorted({name for column in columns for name in column.names if is_text(name)})
    places = {name: place for place, name in enumerate(held, start=1)}
    ranks = np.zeros((outcomes.size, len(columns)))
    for part, column in enumerate(columns):
        if column.symbols is not None:
            known = np.array([places.get(name, 0) for name in column.names], np.float64)
            ranks[:, part] = known[column.symbols]
    return ranks
