"""Probabilities to cross a boundary are those of all ways in which guesses may turn out."""

from __future__ import annotations

import math
from itertools import accumulate, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.canary.epsilon_test import crossing_probability, law_of
from audit.canary.guesses import SPARSE_STEP, Prefix, blocks_of, prefixes_of

Rates = tuple[float, float]


def computed(prefixes: tuple[Prefix, ...], rates: Rates, critical: list[int]) -> float:
    blocks = [law_of(b.ins, b.outs, *rates) for b in blocks_of(prefixes)]
    totals = [law_of(p.ins, p.outs, *rates) for p in prefixes]
    return crossing_probability(blocks, totals, critical)


def enumerated(prefixes: tuple[Prefix, ...], rates: Rates, critical: list[int]) -> float:
    """Over all patterns of right and wrong guesses, block by block."""
    each = [r for b in blocks_of(prefixes) for r in [rates[0]] * b.ins + [rates[1]] * b.outs]
    found = 0.0
    for right in product([0, 1], repeat=len(each)):
        sums = [0, *accumulate(right)]
        if any(sums[p.size] >= c for p, c in zip(prefixes, critical, strict=True)):
            found += math.prod(r if x else 1.0 - r for x, r in zip(right, each, strict=True))
    return found


PREFIXES = (Prefix(2, 1), Prefix(3, 3), Prefix(5, 4), Prefix(6, 5))


@settings(max_examples=30)
@given(
    st.lists(st.integers(0, 12), min_size=4, max_size=4),
    st.floats(0.5, 0.99),
    st.floats(0.5, 0.99),
)
def test_all_patterns(critical: list[int], first: float, second: float) -> None:
    rates = (first, second)
    assert computed(PREFIXES, rates, critical) == pytest.approx(
        enumerated(PREFIXES, rates, critical), rel=1e-9, abs=1e-12
    )


def test_the_enumeration_tells_boundaries_apart() -> None:
    loose, tight = [4, 7, 8, 9], [4, 7, 8, 10]
    assert enumerated(PREFIXES, (0.7, 0.7), loose) > enumerated(PREFIXES, (0.7, 0.7), tight) + 1e-3


def test_windows_of_large_numbers_change_nothing() -> None:
    """One prefix of 20,000 guesses is a single binomial tail."""
    prefixes = prefixes_of(10_000, 10_000)
    critical = [p.size + 1 for p in prefixes[:-1]] + [14_800]
    tail = law_of(10_000, 10_000, 0.73, 0.73).tail(14_800)
    assert computed(prefixes, (0.73, 0.73), critical) == pytest.approx(tail, rel=1e-9)


def test_prefixes_hold_each_other_and_end_with_all() -> None:
    for step in (0.5**0.25, SPARSE_STEP):
        for ins, outs in ((500, 500), (7, 3), (1, 0), (0, 30), (51, 50)):
            prefixes = prefixes_of(ins, outs, step)
            assert prefixes[-1] == Prefix(ins, outs)
            blocks = blocks_of(prefixes)
            assert all(b.ins >= 0 and b.outs >= 0 and b.size > 0 for b in blocks)
            assert sum(b.size for b in blocks) == ins + outs
    assert len(prefixes_of(500, 500)) > len(prefixes_of(500, 500, SPARSE_STEP)) > 3
