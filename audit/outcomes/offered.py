"""Ways to read outputs that seldom tell anything, offered to be looked at in a glimpse."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

import numpy as np

from audit.outcomes.binning import whole_numbers
from audit.outcomes.bit_relations import same_parities, single_bits
from audit.outcomes.column import Floats
from audit.outcomes.features import Feature, Part, TwoParts, numbers
from audit.outcomes.gaussian_score import gaussian_scores
from audit.outcomes.modular_relations import same_remainders
from audit.outcomes.number_features import (
    Decimals,
    FirstDigit,
    Remainder,
    common_step,
    many_sizes,
    step_between,
)
from audit.outcomes.outcomes import Outcomes
from audit.outcomes.part_features import (
    SHAPES,
    ShapeOfParts,
    SumRemainder,
)
from audit.outcomes.relation_search import few_part_relations
from audit.outcomes.relations import common_relations
from audit.outcomes.rounding import unit_for
from audit.outcomes.sign_products import sign_products
from audit.outcomes.telling import every_number
from audit.outcomes.text import SUMS
from audit.outcomes.text_columns import (
    SECONDS,
    characters_apart,
    codes_in,
    moments_in,
    others_in,
    words_apart,
)
from audit.outcomes.uneven_modulus import uneven_modulus

_MODULI = tuple(map(float, range(2, 17)))
_STEPS = (1.0, 0.5, 0.25, 0.1, 0.01, 0.001, 2.0, 5.0, 10.0, 100.0)
_MOST_NUMBERS, _MOST_PARTS, _MOST_TEXTS = 9, 24, 4
_PAIRWISE = 4
_WORDS, _CHARACTERS = 8, 4
_NEARLY_ALL = 0.8

Sides = tuple[Outcomes, Outcomes]


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
            yield from (Remainder(name, step, True) for step in _MODULI if np.ptp(held) >= step)
            found = {step for step in map(uneven_modulus, each) if step is not None}
            yield from (Remainder(name, step, True) for step in sorted(found))
            continue
        yield Decimals(name)
        yield from (Remainder(name, step, False) for step in _STEPS)
        found = {step for step in map(step_between, each) if step is not None}
        grids = {step for step in map(common_step, each) if step is not None}
        found |= grids | {step * times for step in grids for times in _MODULI}
        yield from (Remainder(name, step, False) for step in sorted(found - set(_STEPS)))


def of_parts(
    sides: Sides, chooser: Sides, names: tuple[str, ...], unit: float
) -> Iterator[Feature]:
    """Readings of several numbers at once.

    Args:
        sides: a glimpse of past draws.
        chooser: the half of them that relations may be found in.
        names: parts that are numbers.
        unit: what calculated numbers are rounded to.
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


def _ratio_unit(rows: np.ndarray[tuple[int, int], np.dtype[np.float64]], at: int, by: int) -> float:
    """Rounding unit of the ratio of two columns, above its usual rounding errors."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.abs(rows[:, at] / rows[:, by])
    ratios = ratios[np.isfinite(ratios)]
    return unit_for(float(np.quantile(ratios, 0.9))) if len(ratios) else 1.0


def of_texts(sides: Sides, names: tuple[str, ...]) -> Iterator[Feature]:
    """Readings of texts beside the numbers in them."""
    for name in names[:_MOST_TEXTS]:
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
            codes = tuple(codes_in(side.column(name), name))
            if codes:
                rows = numbers(side, codes)
                yield from same_remainders(_of_digits(rows), codes)
                yield from same_parities(rows, codes)


def _of_digits(rows: Floats) -> Floats:
    """Codes of texts, but for those with something else where nearly all have a digit.

    Check digits modulo 11 are written with a letter for ten.
    """
    digits = (rows >= ord("0")) & (rows <= ord("9"))
    return rows[digits[:, digits.mean(axis=0) > _NEARLY_ALL].all(axis=1)]
