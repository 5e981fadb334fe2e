"""Features that seldom tell anything, offered for a first look at few past outputs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, islice, pairwise
from typing import ClassVar

import numpy as np

from audit.outcomes.binning import whole_numbers
from audit.outcomes.checksums import same_parities, same_remainders, single_bits
from audit.outcomes.column import Column, Floats, quietly, unit_for
from audit.outcomes.features import Feature, Part, TwoParts, as_column, numbers
from audit.outcomes.fitted_features import gaussian_scores
from audit.outcomes.number_features import (
    SHAPES,
    Decimals,
    FirstDigit,
    Remainder,
    ShapeOfParts,
    SumRemainder,
    common_step,
    many_sizes,
    step_between,
)
from audit.outcomes.outcomes import (
    Outcomes,
    Sides,
    characters_apart,
    codes_in,
    entry_name,
    moments_in,
    others_in,
    words_apart,
)
from audit.outcomes.relations import common_relations, few_part_relations
from audit.outcomes.symbols import MOST_COLUMNS
from audit.outcomes.text import SECONDS, SUMS

_MOST_COMPARED = 1 << 19
"""Numbers that are looked at on each side."""
_CLIP = 3.0
"""Spreads from the middle beyond which numbers count no more."""


def every_number(outcomes: Outcomes, names: tuple[str, ...]) -> tuple[Floats, tuple[str, ...]]:
    """All numbers of outputs, shape (n, d), and what the d parts are called.

    Names are those of the parts with a name of their own that are numbers.
    """
    matrix = outcomes.matrix
    if matrix is None or matrix.shape[1] <= MOST_COLUMNS:
        return numbers(outcomes, names), names
    others = matrix[:, MOST_COLUMNS:]
    entries = (entry_name(place) for place in range(MOST_COLUMNS, matrix.shape[1]))
    return np.concatenate([numbers(outcomes, names), others], axis=1), (*names, *entries)


def most_telling(left: Outcomes, right: Outcomes, names: tuple[str, ...], most: int) -> list[str]:
    """The numbers that differ most in place or in spread, the most telling first.

    Outputs of both sides were drawn together, row for row. Names are as in `every_number`.
    """
    rows = slice(-max(8, _MOST_COMPARED // max(1, left.width)), None)
    sides, known = [], names
    for side in (left, right):
        values, known = every_number(side.take(rows), names)
        sides.append(values)
    pooled = np.concatenate(sides)
    with np.errstate(invalid="ignore", over="ignore"):
        middle = np.nan_to_num(np.median(pooled, axis=0))
        spread = np.median(np.abs(pooled - middle), axis=0)
        spread = np.where((spread > 0.0) & np.isfinite(spread), spread, 1.0)
        sides = [np.clip((side - middle) / spread, -_CLIP, _CLIP) for side in sides]
        sides = [np.where(np.isnan(side), 2.0 * _CLIP, side) for side in sides]
    scores = np.maximum(_score(sides[0] - sides[1]), _score(abs(sides[0]) - abs(sides[1])))
    order = np.argsort(-scores, kind="stable")
    return [known[place] for place in order[:most].tolist() if scores[place] > 0.0]


def _score(differences: Floats) -> Floats:
    """Distance of each column's mean to 0 in standard errors, with one more of each sign."""
    total = np.abs(differences.sum(axis=0))
    return np.asarray(total / np.sqrt((differences**2).sum(axis=0) + 1.0))


_MODULI = tuple(map(float, range(2, 17)))
_STEPS = (1.0, 0.5, 0.25, 0.1, 0.01, 0.001, 2.0, 5.0, 10.0, 100.0)
_MOST_NUMBERS, _MOST_PARTS, _MOST_TEXTS = 9, 24, 4
_PAIRWISE = 4
_WORDS, _CHARACTERS = 8, 4
_NEARLY_ALL = 0.8


def of_numbers(sides: Sides, names: tuple[str, ...]) -> Iterator[Feature]:
    """Remainders and decimals of single numbers."""
    for name in names[:_MOST_NUMBERS]:
        each = [numbers(side, (name,))[:, 0] for side in sides]
        held = np.concatenate(each)
        held = held[np.isfinite(held)]
        if many_sizes(held):
            yield FirstDigit(name)
        yield from single_bits(held, name)
        if whole_numbers(held):
            moduli = [step for step in _MODULI if np.ptp(held) >= step]
            moduli += sorted(_steps(uneven_modulus, each))
            yield from (Remainder(name, step, True) for step in moduli)
        else:
            yield from _of_fractions(name, each)


def _of_fractions(name: str, each: list[Floats]) -> Iterator[Feature]:
    yield Decimals(name)
    yield from (Remainder(name, step, False) for step in _STEPS)
    grids = _steps(common_step, each)
    found = _steps(step_between, each) | grids
    found |= {step * times for step in grids for times in _MODULI}
    yield from (Remainder(name, step, False) for step in sorted(found - set(_STEPS)))


def _steps(step_of: Callable[[Floats], float | None], each: list[Floats]) -> set[float]:
    """Steps of the numbers on each side, of those that have one."""
    return {step for step in map(step_of, each) if step is not None}


def of_parts(
    sides: Sides, chooser: Sides, names: tuple[str, ...], unit: float
) -> Iterator[Feature]:
    """Readings of several numbers at once, from a glimpse of past draws.

    Relations may be found in the half that chooses; calculated numbers are rounded to the unit.
    """
    whole = () if sides[0].matrix is not None else names
    yield from (ShapeOfParts(kind, whole, unit) for kind in SHAPES)
    few = names[:_MOST_PARTS]
    rows = [numbers(side, few) for side in sides]
    held = np.concatenate(rows)
    if whole_numbers(held[np.isfinite(held)]):
        yield from (SumRemainder(whole, step) for step in _MODULI)
    size = unit * 2.0**30
    for side in chooser:
        yield from common_relations(numbers(side, few), few, size)
        yield from few_part_relations(*every_number(side, names), size)
        every = numbers(side, names)
        yield from same_remainders(every, names)
        yield from same_parities(every, names)
    yield from gaussian_scores(*chooser, few)
    yield from sign_products(*chooser, few)
    pairs = combinations(few, 2) if len(few) <= _PAIRWISE else pairwise(few)
    for left, right in pairs:
        yield TwoParts(left, "/", right, _ratio_unit(held, few.index(left), few.index(right)))
        yield TwoParts(left, "*", right, unit_for(size * size))


def _ratio_unit(rows: Floats, at: int, by: int) -> float:
    """Rounding unit of the ratio of two columns, above its usual rounding errors."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.abs(rows[:, at] / rows[:, by])
    ratios = ratios[np.isfinite(ratios)]
    return unit_for(float(np.quantile(ratios, 0.9))) if len(ratios) else 1.0


def of_texts(sides: Sides, names: Iterable[str]) -> Iterator[Feature]:
    """Readings of texts beside the numbers in them."""
    for name in islice(names, _MOST_TEXTS):
        left, right = (side.column(name) for side in sides)
        yield from map(Part, words_apart(left, right, name, _WORDS))
        yield from map(Part, characters_apart(left, right, name, _CHARACTERS))
        moments = moments_in(left, right, name)
        yield from map(Part, moments)
        between = pairwise(dict.fromkeys(part for part in moments if part.startswith(SECONDS)))
        yield from (TwoParts(later, "-", sooner, 1e-6) for sooner, later in between)
        yield from map(Part, dict.fromkeys((*others_in(left, name), *others_in(right, name))))
        sums = [Part(f"{total} in {name}") for total in SUMS]
        yield from sums
        yield from (Remainder(total.name, step, True) for total in sums for step in _MODULI)
        for side in sides:
            yield from _of_codes(side, name)


def _of_codes(side: Outcomes, name: str) -> Iterator[Feature]:
    """Relations of the codes of a text's characters, such as check digits."""
    codes = tuple(codes_in(side.column(name), name))
    if codes:
        rows = numbers(side, codes)
        # Texts with something else where nearly all have a digit are left out: check digits
        # modulo 11 are written with a letter for ten.
        digits = (rows >= ord("0")) & (rows <= ord("9"))
        usual = digits[:, digits.mean(axis=0) > _NEARLY_ALL].all(axis=1)
        yield from same_remainders(rows[usual], codes)
        yield from same_parities(rows, codes)


_MOST_SIGNS = 12


@dataclass(frozen=True, slots=True)
class SignProduct(Feature):
    """Parity of the number of parts below their middles."""

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
    """The triple whose product of signs differs most between two sides, and all parts at once."""
    names = names[:_MOST_SIGNS]
    if len(names) < 3:
        return
    sides = [numbers(side, names) for side in (left, right)]
    pooled = np.concatenate(sides)
    if not np.isfinite(pooled).all():
        return
    for middles in _middles(pooled):
        best = _triple([np.sign(side - middles) for side in sides])
        for places in dict.fromkeys((best, tuple(range(len(names))))):
            yield SignProduct(
                tuple(names[k] for k in places), tuple(float(middles[k]) for k in places)
            )


def _triple(signs: Sequence[Floats]) -> tuple[int, ...]:
    """Places of the three signs whose product differs most between two sides in the mean."""
    triples = list(combinations(range(signs[0].shape[1]), 3))
    means = np.array([[s[:, triple].prod(axis=1).mean() for triple in triples] for s in signs])
    return triples[int(np.argmax(np.abs(means[0] - means[1])))]


def _middles(pooled: Floats) -> list[Floats]:
    """Zero, and the medians where they are something else; of two values what lies between."""
    low, high = pooled.min(axis=0), pooled.max(axis=0)
    two = ((pooled == low) | (pooled == high)).all(axis=0)
    zero = np.zeros(pooled.shape[1])
    medians = np.where(two, low / 2.0 + high / 2.0, np.median(pooled, axis=0))
    spread = np.abs(pooled - medians).mean(axis=0)
    return [zero] if (np.abs(medians) <= spread / 2).all() else [zero, medians]


_UNEVEN_MODULI = range(17, 257)
_FEWEST, _MOST = 16, 512
"""Numbers that are looked at."""
_RANGE = 4
"""Times the modulus that numbers have to spread over."""
_SHARE, _TIMES = 0.3, 4.0
"""Share of the numbers that must leave the same, and how many times what is even."""
_NEARLY = 0.95
_LARGEST = 2.0**53


def uneven_modulus(values: Floats) -> float | None:
    """The largest modulus by which the most whole numbers of one side leave the same remainder.

    Its divisors do as well, and say less. None where no remainder stands out. What is found on few
    numbers may be chance: it is looked at on others before it is bet on.
    """
    values = values[np.abs(values) < _LARGEST][:_MOST]
    if len(values) < _FEWEST:
        return None
    spread = float(np.ptp(values))
    moduli = [m for m in _UNEVEN_MODULI if spread >= _RANGE * m]
    whole = values.astype(np.int64)
    most = np.array([np.bincount(whole % m, minlength=m).max() for m in moduli], np.float64)
    if not len(most) or most.max() < _SHARE * len(values):
        return None
    best = int(np.flatnonzero(most >= _NEARLY * most.max())[-1])
    even = len(values) / moduli[best]
    return float(moduli[best]) if most[best] > _TIMES * even + _TIMES else None
