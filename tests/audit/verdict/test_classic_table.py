"""The classic table: bins of equal width, with numbers that can be checked by hand."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from audit.claims import PureDP
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import KIND, OUTPUT, Column, encode
from audit.outcomes.features import Part, Summary
from audit.verdict.intervals import compare
from audit.verdict.pair_table import (
    PairTable,
    counted,
    equal_width,
    merged,
    most_telling,
    table_feature,
    table_of,
)


def table(left: list[Any], right: list[Any], edges: list[float], **more: Any) -> PairTable:
    sides = encode(left, len(left)), encode(right, len(right))
    binning = Binning.of(edges, more.pop("symbols", ()))
    claim = PureDP(more.pop("epsilon", 1.0))
    alpha, families = more.pop("alpha", 0.05), more.pop("families", 1)
    counts = counted(Part(OUTPUT), binning, sides)
    found = compare(counts[0], counts[1], alpha, families)
    return table_of("D1", "one record less", Part(OUTPUT), binning, counts, found, claim)


def test_frequencies_ratios_and_intervals_calculated_by_hand() -> None:
    left = [0.5] * 30 + [1.5] * 60 + [2.5] * 10
    right = [0.5] * 60 + [1.5] * 30 + [2.5] * 10
    made = table(left, right, [1.0, 2.0])
    first, second, third = made.bins
    assert (first.low, first.high, third.low, third.high) == (-math.inf, 1.0, 2.0, math.inf)
    assert (first.p.estimate, first.q.estimate) == (0.3, 0.6)
    assert (first.ratio.estimate, first.reverse.estimate) == (0.5, 2.0)
    assert second.ratio.estimate == 2.0
    each = 0.05 / (4 * 4)
    low, high = stats.beta.ppf(each, 30, 71), stats.beta.isf(each, 31, 70)
    assert (first.p.low, first.p.high) == pytest.approx((low, high), rel=1e-9)
    assert second.ratio.low == pytest.approx(second.p.low / second.q.high)
    assert second.ratio.high == pytest.approx(second.p.high / second.q.low)
    assert made.max_ratio == 2.0
    assert made.draws == (100, 100)
    assert made.satisfied
    assert not any(row.flagged for row in made.bins)


def test_a_bin_beyond_the_claim_is_flagged() -> None:
    made = table([1.0] * 500 + [0.0] * 500, [1.0] * 50 + [0.0] * 950, [0.5])
    assert [row.flagged for row in made.bins] == [False, True]
    assert not made.satisfied
    assert made.max_ratio == 10.0
    assert table([1.0] * 500 + [0.0] * 500, [1.0] * 50 + [0.0] * 950, [0.5], epsilon=2.5).satisfied


def test_more_tables_share_the_same_alpha() -> None:
    one, three = (table([0.0, 1.0], [0.0, 1.0], [0.5], families=k) for k in (1, 3))
    assert one.bins[0].p.high < three.bins[0].p.high
    assert table([0.0, 1.0], [0.0, 1.0], [0.5], alpha=0.05 / 3).bins[0].p == three.bins[0].p


def test_gaps_are_shown_and_empty_ends_are_not() -> None:
    made = table([0.5, 3.5], [0.5, 3.5], [-1.0, 0.0, 1.0, 2.0, 3.0, 4.0])
    assert [row.label for row in made.bins] == [
        "in [-1.0, 0.0)",
        "in [0.0, 1.0)",
        "in [1.0, 2.0)",
        "in [2.0, 3.0)",
        "in [3.0, 4.0)",
    ]


def test_symbols_have_rows_without_ends() -> None:
    made = table([1.0, None, "a"], [1.0, 2.0, None], [], symbols=["None"])
    assert [(row.label, row.low, row.p.estimate) for row in made.bins] == [
        ("is a number", -math.inf, 1 / 3),
        ("is None", None, 1 / 3),
        ("is any other value", None, 1 / 3),
    ]


def test_a_table_has_at_most_two_hundred_rows() -> None:
    values = [float(k) for k in range(500)]
    assert len(table(values, values, values).bins) == 200


@dataclass
class Answer:
    """An output with one number."""

    total: float


@pytest.mark.parametrize(
    ("outputs", "words"),
    [
        ([1.0, 2.0], "output"),
        ([1.0, None], "output"),
        ([np.array([1.0, 2.0])], "sum of the output"),
        ([[1.0]], "output[0]"),
        ([[1.0, 2.0]], "sum of the output"),
        ([{"a": 1.0, "b": 2.0}], "sum of the output"),
        ([{"a": 1.0}], "output['a']"),
        ([Answer(1.0)], "output.total"),
        ([pd.Series([1.0], name="total")], "output[0]"),
        ([[]], KIND),
    ],
)
def test_what_a_table_shows(outputs: list[Any], words: str) -> None:
    assert table_feature([encode(outputs, len(outputs))]).words == words


def test_the_sum_of_a_list_does_not_count_its_length() -> None:
    outcomes = encode([[1.0, 2.0], [4.0, 8.0]], 2)
    feature = table_feature([outcomes])
    assert isinstance(feature, Summary)
    assert feature.read(outcomes).values.tolist() == [3.0, 12.0]


def columns(*parts: list[float]) -> list[Column]:
    return [Column(np.array(part)) for part in parts]


def test_bins_of_equal_width_over_the_common_range() -> None:
    found = equal_width(columns([0.0, 3.5], [1.0, 10.0]), 5)
    assert found.edges.tolist() == [2.0, 4.0, 6.0, 8.0]
    assert found.code(Column(np.array([-99.0, 10.0, 99.0]))).tolist() == [0, 4, 4]


def test_a_few_far_values_need_not_stretch_the_bins() -> None:
    values = [0.5 + k / 1000.0 for k in range(1000)] + [1e9]
    edges = equal_width(columns(values), 10, tail=0.005).edges
    assert edges[0] > 0.5
    assert edges[-1] < 1.5
    assert equal_width(columns(values), 10).edges[-1] > 1e8
    assert equal_width(columns([*[0.5] * 1000, 0.7]), 10, tail=0.005).edges[-1] < 0.7


@pytest.mark.parametrize(
    ("values", "bins", "labels"),
    [
        ([0.0, 1.0, 1.0], 20, ["= 0", "= 1"]),
        ([3.0, 3.0], 20, ["= 3"]),
        ([-1.0, 3.0], 5, ["= -1", "= 0", "= 1", "= 2", "= 3"]),
        ([1.0, 10.0], 4, ["1 to 3", "4 to 6", "7 to 9", "10 to 12"]),
    ],
)
def test_whole_numbers_get_bins_of_whole_numbers(
    values: list[float], bins: int, labels: list[str]
) -> None:
    binning = equal_width(columns(values), bins)
    inner = range(1, binning.numeric - 1)
    assert [binning.label(code) for code in inner] == labels
    assert set(binning.code(Column(np.array(values))).tolist()) <= set(inner)
    # The label is true of the whole numbers that the bin holds.
    numbers = np.arange(-5.0, 15.0)
    for number, code in zip(numbers, binning.code(Column(numbers)), strict=True):
        if code in inner:
            low, _, high = binning.label(int(code)).removeprefix("= ").partition(" to ")
            assert int(low) <= number <= int(high or low)


PLAIN = Binning.of([])
"""Of no event."""


def test_bins_merge_until_they_hold_something() -> None:
    rng = np.random.default_rng(1)
    parts = [Column(rng.laplace(0.0, 1.0, 500)), Column(rng.laplace(1.0, 1.0, 500))]
    binning = equal_width(parts, 40)
    made = merged(binning, parts, PLAIN)
    assert set(made.edges) < set(binning.edges)
    held = np.sum([np.bincount(made.code(p), minlength=made.count) for p in parts], axis=0)
    assert min(held[: made.numeric]) >= 10
    assert made.numeric >= 10


def test_bins_that_hold_enough_and_empty_ends_stay_as_they_are() -> None:
    parts = columns([0.0] * 30 + [1.0] * 30 + [4.0] * 30)
    binning = equal_width(parts, 20)
    assert merged(binning, parts, PLAIN).edges.tolist() == [0.0, 1.0, 2.0, 4.0, 5.0]
    assert merged(binning, parts, PLAIN).whole
    single = equal_width(columns([2.5] * 9), 20)
    assert merged(single, columns([2.5] * 9), PLAIN).edges.tolist() == single.edges.tolist()
    assert merged(Binning.of([], ["nan"]), columns([]), PLAIN).symbols == ("nan",)


@pytest.mark.parametrize("ends", [[4.7], [-0.31, 0.29], [-50.0, 50.0]])
def test_no_bin_reaches_beyond_the_ends_of_an_event(ends: list[float]) -> None:
    rng = np.random.default_rng(1)
    parts = [Column(rng.laplace(0.0, 1.0, 500)), Column(rng.laplace(1.0, 1.0, 500))]
    plain, made = (merged(equal_width(parts, 40), parts, Binning.of(cut)) for cut in ([], ends))
    assert not set(ends) & set(plain.edges)
    assert set(ends) <= set(made.edges)
    held = np.sum([np.bincount(made.code(p), minlength=made.count) for p in parts], axis=0)
    beside = np.isin(np.arange(made.numeric), 1 + np.flatnonzero(np.isin(made.edges, ends)))
    beside |= np.append(beside[1:], False)
    assert min(held[: made.numeric][~beside]) >= 10
    assert abs(made.numeric - plain.numeric) <= len(ends)


def test_an_event_may_end_as_far_from_a_bin_as_floats_reach() -> None:
    parts = columns(np.linspace(-0.85, 0.85, 60).tolist())
    parts = [Column(part.values * 1e308 * 2.0) for part in parts]
    with np.errstate(over="raise"):
        made = merged(equal_width(parts, 4), parts, Binning.of([-1.6e308]))
    assert -1.6e308 in made.edges


def test_ends_of_an_event_between_whole_numbers_are_whole() -> None:
    parts = columns([0.0] * 30 + [1.0] * 30 + [2.0] * 30)
    made = merged(equal_width(parts, 2), parts, Binning.of([0.5]))
    assert [made.label(code) for code in range(1, made.numeric - 1)] == ["= 0", "= 1", "2 to 3"]


def test_an_event_of_a_number_up_to_rounding_has_a_bin_of_that_name() -> None:
    low, high = math.nextafter(2.5, -math.inf), math.nextafter(2.5, math.inf)
    parts = columns([2.5] * 20 + np.linspace(0.0, 5.0, 40).tolist())
    made = merged(equal_width(parts, 4), parts, Binning.of([low, high], (), [2.5]))
    assert "= 2.5 up to rounding" in [made.label(code) for code in range(made.numeric)]


def test_rare_values_join_their_neighbors() -> None:
    parts = columns([0.0] * 500 + [1.0] * 500 + [2.0, 3.0, 4.0])
    made = merged(equal_width(parts, 20), parts, PLAIN)
    assert [made.label(code) for code in range(1, made.numeric - 1)] == ["= 0", "1 to 4"]


def test_the_largest_ratio_is_the_one_whose_interval_says_most() -> None:
    """A bin with two draws against none has an infinite ratio that says nothing."""
    left = [0.5] * 600 + [1.5] * 400 + [2.5] * 2
    right = [0.5] * 200 + [1.5] * 802
    made = table(left, right, [1.0, 2.0])
    assert math.isinf(max(row.ratio.estimate for row in made.bins))
    assert made.max_ratio == pytest.approx((600 / 1002) / (200 / 1002))
    assert most_telling(made.bins) == (0, made.bins[0].ratio)
    assert most_telling(()) is None


def test_ranges_that_are_one_number_none_or_all_floats() -> None:
    assert equal_width(columns([2.0, 2.0]), 5).label(1) == "= 2"
    nothing = Column(np.zeros(1), np.ones(1, np.int64), ("", "nan"))
    assert equal_width([nothing], 5).symbols == ("nan",)
    wide = equal_width(columns([-1.7e308, 1.7e308]), 4)
    assert wide.edges == pytest.approx([-8.5e307, 0.0, 8.5e307])
