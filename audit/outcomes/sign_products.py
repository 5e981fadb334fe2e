"""Products of signs: of three parts, which no pair of them shows, and of all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import ClassVar

import numpy as np

from audit.outcomes.column import Column, Floats
from audit.outcomes.features import as_column, numbers
from audit.outcomes.outcomes import Outcomes
from audit.outcomes.rounding import quietly

_MOST_PARTS = 12


@dataclass(frozen=True, slots=True)
class SignProduct:
    """Parity of the number of parts below their middles.

    Attributes:
        names: parts that are numbers.
        middles: of each.
    """

    names: tuple[str, ...]
    middles: tuple[float, ...]
    fitted: ClassVar[bool] = True

    @property
    def words(self) -> str:
        terms = (
            f"({name} - {middle:.4g})" if middle else name
            for name, middle in zip(self.names, self.middles, strict=True)
        )
        return f"sign of {' * '.join(terms)}"

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        signs = np.sign(numbers(outcomes, self.names) - np.array(self.middles))
        return as_column(signs.prod(axis=1), 0.0)


def sign_products(left: Outcomes, right: Outcomes, names: tuple[str, ...]) -> Iterator[SignProduct]:
    """The triple whose product of signs differs most between two sides, and all parts at once.

    Args:
        left: past outputs on D.
        right: past outputs on D'.
        names: parts that are numbers.
    """
    names = names[:_MOST_PARTS]
    if len(names) < 3:
        return
    sides = [numbers(side, names) for side in (left, right)]
    pooled = np.concatenate(sides)
    if not np.isfinite(pooled).all():
        return
    for middles in _middles(pooled):
        signs = [np.sign(side - middles) for side in sides]
        triples = list(combinations(range(len(names)), 3))
        apart = [abs(_mean(signs[0], triple) - _mean(signs[1], triple)) for triple in triples]
        best = triples[int(np.argmax(apart))]
        chosen = {best, tuple(range(len(names)))}
        for places in sorted(chosen, key=len):
            held = tuple(names[k] for k in places), tuple(float(middles[k]) for k in places)
            yield SignProduct(*held)


def _middles(pooled: Floats) -> list[Floats]:
    """Zero, and the medians where they are something else; of two values what lies between."""
    low, high = pooled.min(axis=0), pooled.max(axis=0)
    two = ((pooled == low) | (pooled == high)).all(axis=0)
    zero = np.zeros(pooled.shape[1])
    medians = np.where(two, low / 2.0 + high / 2.0, np.median(pooled, axis=0))
    spread = np.abs(pooled - medians).mean(axis=0)
    return [zero] if (np.abs(medians) <= spread / 2).all() else [zero, medians]


def _mean(signs: Floats, places: tuple[int, ...]) -> float:
    return float(signs[:, list(places)].prod(axis=1).mean())
