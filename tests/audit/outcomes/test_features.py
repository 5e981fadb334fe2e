"""Features read the same off an output everywhere, and round what they calculate."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.outcomes.binning import Binning
from audit.outcomes.column import rounding_for, unit_for
from audit.outcomes.encoding import OUTPUT, Column, Outcomes, encode
from audit.outcomes.feature_selection import features_for
from audit.outcomes.features import (
    BinnedScore,
    Distance,
    Feature,
    LowBits,
    Part,
    Pattern,
    Summary,
    TwoParts,
    as_column,
    low_bit_features,
)
from audit.outcomes.fitted_features import (
    binned_score,
    location_score,
)

pytestmark = pytest.mark.lowest

exactly = settings(derandomize=True, database=None, deadline=None, max_examples=100)
UNIT = 2.0**-20


def entries(column: Column) -> list[float | str]:
    """A column as plain numbers and symbols."""
    symbols = np.zeros(len(column.values), int) if column.symbols is None else column.symbols
    pairs = zip(column.values, symbols, strict=True)
    return [float(v) if s == 0 else column.names[s] for v, s in pairs]


def read(feature: Feature, *outputs: Any) -> list[float | str]:
    return entries(feature.read(encode(list(outputs), len(outputs))))


def vectors(seed: int, size: int, width: int, shift: float = 0.0) -> Outcomes:
    rng = np.random.default_rng(seed)
    return encode(rng.laplace(size=(size, width)) + shift, size)


@pytest.mark.parametrize(
    ("value", "lowest"),
    [
        (1.0, 0.0),
        (3.0, 0.0),
        (0.75, -2.0),
        (6.0, 1.0),
        (-0.5, -1.0),
        (0.1, -55.0),
        (5e-324, -1074.0),
        (1 + 2**-52, -52.0),
        (0.0, 2000.0),
        (2.0**1000, 1000.0),
    ],
)
def test_low_bits(value: float, lowest: float) -> None:
    assert read(LowBits(OUTPUT), value) == [lowest]


@exactly
@given(st.floats(allow_nan=False, allow_infinity=False).filter(bool))
def test_low_bits_are_the_coarsest_grid(value: float) -> None:
    (power,) = read(LowBits(OUTPUT), value)
    assert isinstance(power, float)
    assert Fraction(value) / Fraction(2) ** int(power) % 2 == 1


def test_only_columns_with_fractions_have_low_bits() -> None:
    left = encode([[1.0, 0.5, "a"], [2.0, 0.25, "b"]], 2)
    assert low_bit_features(left, left) == [LowBits("output[1]")]
    assert low_bit_features(encode([1.0, 2.0], 2), encode([3.0, 4.0], 2)) == []


def test_a_column_without_noise_on_one_side_has_no_low_bits() -> None:
    noisy, exact = encode([0.3, 0.7], 2), encode([0.5, 0.5], 2)
    assert low_bit_features(noisy, noisy) == [LowBits(OUTPUT)]
    assert low_bit_features(noisy, exact) == low_bit_features(exact, noisy) == []


def test_parts_and_distances() -> None:
    assert read(Part(OUTPUT), 1.5, "a", None) == [1.5, "'a'", "None"]
    assert read(Distance(OUTPUT, 1.0), 1.5, -2.0, math.nan) == [0.5, 3.0, "nan"]
    assert read(Distance(OUTPUT, -1e308), 1.7e308) == [pytest.approx(1.7976931348623157e308)]


def test_differences_are_rounded_and_undefined_beside_a_symbol() -> None:
    feature = TwoParts("output[0]", "-", "output[1]", UNIT)
    assert read(feature, [0.3, 0.1], [0.1 + 0.2, 0.1], [1.0, None], [1.7e308, -1.7e308]) == [
        round(0.2 / UNIT) * UNIT,
        round(0.2 / UNIT) * UNIT,
        "undefined",
        "undefined",
    ]


@exactly
@given(st.permutations([0.1, 0.2, 0.3, 1e3, -7.7]))
def test_sums_do_not_depend_on_the_order_of_their_terms(terms: list[float]) -> None:
    summary = Summary("sum", (), unit_for(1e3))
    assert read(summary, np.array(terms)) == read(summary, np.array(sorted(terms)))


def test_summaries() -> None:
    vector = np.array([3.0, -4.0, 0.0])
    found = {
        kind: read(Summary(kind, (), UNIT), vector)[0]
        for kind in ("sum", "largest", "smallest", "position of the largest", "Euclidean norm")
    }
    assert found == {
        "sum": -1.0,
        "largest": 3.0,
        "smallest": -4.0,
        "position of the largest": 0.0,
        "Euclidean norm": 5.0,
    }
    assert read(Summary("sum", (), UNIT), "no vector") == ["undefined"]
    assert read(Summary("Euclidean norm", (), UNIT), np.array([1e308, 1e308])) == ["undefined"]
    assert read(Summary("sum", (), UNIT), np.array([np.inf, 1.0])) == [1.0]


def test_patterns_tell_all_combinations_apart() -> None:
    feature = Pattern(("output[0]", "output[1]"), (0.0, 0.0))
    assert read(feature, [1, "a"], [1, None], [True, "a"], [0.5, 2]) == [
        "(1, 'a')",
        "(1, None)",
        "(1, 'a')",
        "(0.5, 2)",
    ]
    first, second = read(feature, [1_000_001, 0], [1_000_002, 0])
    assert first != second


def test_patterns_do_not_tell_last_bits_apart() -> None:
    feature = Pattern(("output[0]", "output[1]"), (rounding_for(np.array([0.1, 0.3])), 0.0))
    assert len(set(read(feature, [0.1 + 0.2, 1], [0.3, 1], [0.1 + 0.2 - 1e-16, 1]))) == 1
    assert len(set(read(feature, [0.3, 1], [0.3001, 1]))) == 2
    assert rounding_for(np.array([1.0, 3.0, 1e15])) == 0.0


def test_the_position_of_the_largest_is_not_decided_by_last_bits() -> None:
    place = Summary("position of the largest", (), unit_for(1.0))
    assert read(place, np.array([0.3, 0.1 + 0.2]), np.array([0.1 + 0.2, 0.3])) == [0.0, 0.0]
    assert read(place, np.array([0.3, 0.3001])) == [1.0]


@exactly
@given(st.lists(st.floats(), min_size=1, max_size=6), st.sampled_from([2.0**-20, 1.0, 2.0**30]))
def test_calculated_columns_lie_on_their_grid(values: list[float], unit: float) -> None:
    for value, entry in zip(values, entries(as_column(np.array(values), unit)), strict=True):
        if isinstance(entry, str):
            assert entry == "undefined"
            assert not abs(value) <= 1e307
        else:
            assert abs(entry - value) <= unit / 2 + 1e-15 * abs(value)
            assert (entry / unit) % 1 == 0


@pytest.mark.parametrize(
    "magnitude", [0.0, 5e-324, 1e-300, 1e-5, 1.0, 1e9, 1e301, math.inf, math.nan]
)
def test_units_are_powers_of_two(magnitude: float) -> None:
    unit = unit_for(magnitude)
    assert math.frexp(unit)[0] == 0.5
    if 1e-290 < magnitude < 1e300:
        assert 2.0**-30 * magnitude <= unit <= 2.0**-29 * magnitude


def test_every_discovered_feature_reads_an_output_alone_as_in_its_batch() -> None:
    left, right = vectors(1, 300, 4, 0.5), vectors(2, 300, 4)
    found = features_for(left, right)
    assert len({type(feature) for feature in found}) >= 5
    for feature in found:
        whole = entries(feature.read(left))
        alone = [entries(feature.read(left.take(slice(i, i + 1))))[0] for i in range(0, 300, 29)]
        assert whole[::29] == alone


def test_scores_order_outputs_by_the_side_they_look_like() -> None:
    left, right = vectors(3, 400, 6, 0.5), vectors(4, 400, 6)
    parts: tuple[Feature, ...] = tuple(Part(f"output[{i}]") for i in range(6))
    scores: list[Feature] = [
        location_score(left, right, parts),
        binned_score(left, right, parts),
    ]
    fresh_left, fresh_right = vectors(5, 400, 6, 0.5), vectors(6, 400, 6)
    for score in scores:
        assert score.fitted
        gap = score.read(fresh_left).values.mean() - score.read(fresh_right).values.mean()
        assert gap > 0.1


@pytest.mark.parametrize("shift", [0.0, 0.5])
def test_every_feature_reads_no_outputs_at_all(shift: float) -> None:
    """By coins one dataset may have none in a batch."""
    left, right = vectors(3, 400, 6, shift), vectors(4, 400, 6)
    for feature in features_for(left, right):
        assert feature.read(left.take(slice(0, 0))).values.size == 0, feature.words


def test_scores_of_parts_without_numbers_on_one_side() -> None:
    left, right = encode([[1.0, None]] * 4, 4), encode([[2.0, 3.0]] * 4, 4)
    parts: tuple[Feature, ...] = (Part("output[0]"), Part("output[1]"))
    assert entries(location_score(left, right, parts).read(left)) == ["undefined"] * 4
    assert binned_score(left, right, parts).read(left).values.tolist() != [0.0] * 4


def test_nothing_varies_but_there_is_a_feature() -> None:
    same = encode([1.0] * 8, 8)
    (found,) = features_for(same, same)
    assert found.words == "kind of output"


def test_binned_scores_add_the_scores_of_their_bins() -> None:
    binning = Binning.of([0.0])
    parts = tuple((Part(f"output[{i}]"), binning, (-1.0, 2.0, 5.0)) for i in range(2))
    score = BinnedScore(parts)
    assert read(score, [-1.0, 1.0], [1.0, 1.0], [1.0, None]) == [1.0, 4.0, 7.0]


@pytest.mark.parametrize("size", [1.0, 1e12])
def test_the_position_of_the_largest_is_whole_at_any_size(size: float) -> None:
    vector = size * np.array([1.0, 2.0, 3.0, 9.0, 4.0])
    assert read(Summary("position of the largest", (), unit_for(9.0 * size)), vector) == [3.0]
