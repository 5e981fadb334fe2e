"""Numbers that were seen before: noise that takes few values, as where its seed is a short one.

A mechanism whose noise follows from one of 65,536 seeds gives one of as many numbers on D, each
too rare to be an event of its own, and nearly all of them impossible on D'. What was seen before
on one side alone is an event that grows with the number of runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from audit.outcomes.column import Column, Floats
from audit.outcomes.features import Feature, Part
from audit.outcomes.outcomes import Outcomes
from audit.outcomes.rounding import rounding_for

_FEWEST_AGAIN, _SHARE_AGAIN = 8, 0.01
"""Numbers that came again, on both sides together, and their share: none of continuous noise does,
and of single precision one in a thousand, whose gaps are those of its floats."""
_MOST = 1 << 14
"""Numbers of a side that are kept."""
_NAMES = ("", "on D alone", "on its neighbor alone", "on both or neither")


@dataclass(frozen=True, slots=True)
class SeenBefore:
    """On which side alone a number was seen in earlier runs.

    Attributes:
        name: of the part.
        unit: what numbers are rounded to; those kept are in such units.
        left: numbers seen on D and not on its neighbor, ascending.
        right: the other way round.
    """

    name: str
    unit: float
    left: tuple[float, ...]
    right: tuple[float, ...]
    fitted: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return f"earlier occurrence of {self.name}"

    def read(self, outcomes: Outcomes) -> Column:
        column = outcomes.column(self.name)
        keys = _in_units(column.values, self.unit)
        code = np.full(len(keys), 3)
        for place, seen in ((1, self.left), (2, self.right)):
            code[_among(keys, np.array(seen))] = place
        if column.symbols is not None:
            code[column.symbols > 0] = 3
        return Column(np.zeros(len(keys)), code, _NAMES)


def plain(feature: Feature) -> Feature:
    """Feature without the values of earlier runs, which may be the ones to test."""
    return Part(feature.name) if isinstance(feature, SeenBefore) else feature


def seen_values(left: Outcomes, right: Outcomes, name: str) -> Iterator[SeenBefore]:
    """That reading of a part, where some of its numbers came again and are no whole ones."""
    sides = [_finite(outcomes.column(name)) for outcomes in (left, right)]
    unit = rounding_for(np.concatenate(sides)) if all(map(len, sides)) else 0.0
    if not unit:
        return
    keys = [_in_units(values, unit) for values in sides]
    seen = [np.unique(side) for side in keys]
    drawn, different = sum(map(len, keys)), sum(map(len, seen))
    if drawn - different < max(_FEWEST_AGAIN, _SHARE_AGAIN * drawn):
        return
    alone = (np.setdiff1d(seen[0], seen[1]), np.setdiff1d(seen[1], seen[0]))
    here, there = (tuple(map(float, side[:_MOST])) for side in alone)
    yield SeenBefore(name, unit, here, there)


def _in_units(values: Floats, unit: float) -> Floats:
    with np.errstate(over="ignore", invalid="ignore"):
        return np.asarray(np.round(values / unit))


def _among(keys: Floats, seen: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Mask of numbers that are among others, which are sorted."""
    if not len(seen):
        return np.zeros(len(keys), bool)
    place = np.minimum(np.searchsorted(seen, keys), len(seen) - 1)
    return np.asarray(seen[place] == keys)


def _finite(column: Column) -> Floats:
    held = np.isfinite(column.values)
    if column.symbols is not None:
        held &= column.symbols == 0
    return column.values[held]
