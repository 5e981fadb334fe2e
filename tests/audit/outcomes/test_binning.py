"""Bins: exact, the same for small and large batches, and well placed."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from audit.outcomes.binning import Binning, learned
from audit.outcomes.encoding import Column

Floats = NDArray[np.float64]
exactly = settings(derandomize=True, database=None, deadline=None, max_examples=120)

FINITE = st.floats(allow_nan=False, allow_infinity=False)
DELICATE = st.sampled_from(
    [0.0, -0.0, 5e-324, -5e-324, 2.2e-308, 1.7e308, -1.7e308, 1.0, 1.0 + 2**-52, 2.0**53, 0.1, 0.3]
)
EDGES = st.lists(st.one_of(DELICATE, FINITE, st.integers(-5, 5).map(float)), max_size=12)


def around(edges: list[float]) -> list[float]:
    """Every edge with the floats just below and above it."""
    return [
        value
        for edge in edges
        for value in (edge, math.nextafter(edge, math.inf), math.nextafter(edge, -math.inf))
        if np.isfinite(value)
    ]


@exactly
@given(EDGES, st.lists(FINITE, max_size=20))
@example([0.1 * k for k in range(11)], [])
@example([0.0, 5e-324, 1e-323], [1e308])
@example([1.0, 1.0 + 2**-52, 1.0 + 2**-51], [])
@example([-1.7e308, 1.7e308], [0.0])
@example([float(k) for k in range(-30, 30)], [1e300, -1e300])
def test_codes_count_the_edges_at_or_below(edges: list[float], more: list[float]) -> None:
    binning = Binning.of(edges)
    values = np.array([*around(edges), *more, 0.0])
    expected = np.searchsorted(np.unique(edges), values, side="right")
    np.testing.assert_array_equal(binning.code(Column(values)), expected)
    assert values[-1] == 0.0


def test_symbols_have_bins_behind_the_numbers() -> None:
    binning = Binning.of([1.0, 2.0], ["nan", "'a'"])
    column = Column(
        np.array([0.5, 1.0, 2.0, 0.0, 0.0, 0.0]),
        np.array([0, 0, 0, 1, 2, 3]),
        ("", "'a'", "nan", "new"),
    )
    assert binning.code(column).tolist() == [0, 1, 2, 4, 3, 5]
    assert (binning.numeric, binning.count) == (3, 6)
    assert [binning.label(code) for code in range(6)] == [
        "< 1.0",
        "in [1.0, 2.0)",
        ">= 2.0",
        "is nan",
        "is 'a'",
        "is any other value",
    ]


def test_labels_of_bins_that_hold_one_number_or_all() -> None:
    assert Binning.of([]).label(0) == "is a number"
    assert Binning.of([3.0, np.nextafter(3.0, 4.0)]).label(1) == "= 3.0"


def columns(*values: Floats) -> list[Column]:
    return [Column(np.asarray(part, np.float64)) for part in values]


@pytest.mark.slow
@exactly
@given(st.lists(FINITE, max_size=60), st.integers(1, 40))
def test_learned_bins_are_few_and_sorted(values: list[float], bins: int) -> None:
    binning = learned(columns(np.array(values), np.array(values[:3])), bins)
    assert np.array_equal(binning.edges, np.unique(binning.edges))
    assert binning.count <= 4 * bins + 40
    if values:
        codes = binning.code(Column(np.array(values)))
        assert ((codes >= 0) & (codes < binning.numeric)).all()


def test_atoms_have_bins_of_their_own() -> None:
    rng = np.random.default_rng(1)
    smooth = rng.normal(size=300)
    binning = learned(columns(np.append(smooth, np.full(60, 0.25))), 16)
    bin_of_atom = int(binning.code(Column(np.array([0.25])))[0])
    assert binning.label(bin_of_atom) == "= 0.25 up to rounding"
    whole = learned(columns(rng.integers(0, 5, 200).astype(float)), 16)
    codes = whole.code(Column(np.arange(5.0)))
    assert len(set(codes.tolist())) == 5


def test_continuous_numbers_get_about_equal_bins_and_finer_tails() -> None:
    values = np.random.default_rng(2).laplace(size=4000)
    binning = learned(columns(values[:2000], values[2000:]), 32)
    counts = np.bincount(binning.code(Column(values)), minlength=binning.numeric)[: binning.numeric]
    assert counts.max() <= 2 * 4000 / 32
    assert counts[0] <= 8
    assert counts[binning.numeric - 2] <= 8


@pytest.mark.parametrize(
    "far", [np.full(50, -1e6), np.full(3, 1e308), 1e5 * np.arange(1.0, 40.0)], ids=len
)
def test_far_values_do_not_swallow_the_bins_of_the_others(far: Floats) -> None:
    values = np.random.default_rng(3).normal(size=1000)
    binning = learned(columns(np.append(values, far)), 32)
    counts = np.bincount(binning.code(Column(values)), minlength=binning.numeric)
    assert counts.max() <= 4 * 1000 / 32


def test_two_distant_groups_both_have_bins() -> None:
    values = np.random.default_rng(4).normal(size=1000)
    binning = learned(columns(values, values + 1e9), 32)
    for group in (values, values + 1e9):
        assert len(set(binning.code(Column(group)).tolist())) >= 12


GRIDS = [0.1 * np.arange(-20, 21), 1e6 + 0.01 * np.arange(40), 1e-9 * np.arange(-3, 4)]


@pytest.mark.parametrize("grid", GRIDS, ids=len)
@pytest.mark.parametrize("size", [8, 2000])
def test_last_bits_do_not_decide_the_bin(grid: Floats, size: int) -> None:
    """Equal in real arithmetic, equal here; the bits are bet on separately."""
    rng = np.random.default_rng(6)
    drawn, shift = rng.choice(grid, size), 0.7 * np.abs(grid).max()
    binning = learned(columns(drawn[::2], drawn[1::2] + shift - shift), 16)
    near = np.nextafter(grid, 1e9), grid - shift * 1e-16
    for other in (grid + shift - shift, grid * 3 / 3, *near):
        np.testing.assert_array_equal(
            binning.code(Column(grid)), binning.code(Column(np.asarray(other)))
        )


def test_small_noise_on_large_numbers_is_still_told_apart() -> None:
    for centre in (1e6, 1e9, 1e12):
        values = centre + np.random.default_rng(7).laplace(size=4000)
        binning = learned(columns(values), 32)
        assert np.bincount(binning.code(Column(values))).max() <= 3 * 4000 / 32


def test_events_name_atoms_by_their_number() -> None:
    binning = learned(columns(np.array([0.3, 0.1 + 0.2, 0.3, 0.5, 0.5])), 8)
    codes = binning.code(Column(np.array([0.1 + 0.2, 0.5])))
    labels = [binning.label(int(code)) for code in codes]
    assert labels == ["= 0.3 up to rounding", "= 0.5 up to rounding"]


def test_frequent_symbols_come_first_and_repeated_names_add_up() -> None:
    column = Column(np.zeros(6), np.array([1, 2, 2, 3, 3, 3]), ("", "a", "b", "a"))
    assert learned([column], 4).symbols == ("a", "b")
    many = Column(np.zeros(100), np.arange(1, 101), ("", *map(str, range(100))))
    assert len(learned([many], 4).symbols) == 40


def test_columns_without_numbers_have_one_bin_for_them() -> None:
    nothing = Column(np.zeros(2), np.array([1, 1]), ("", "nan"))
    binning = learned([nothing], 8)
    assert binning.numeric == 1
    assert binning.code(nothing).tolist() == [1, 1]
