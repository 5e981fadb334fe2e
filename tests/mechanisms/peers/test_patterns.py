"""The input pairs of StatDP and dp-sniper, and the largest ratios published for them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from mechanisms import CATALOG
from mechanisms.parts.local import Rappor, murmur3
from mechanisms.parts.selection import NoisyMax, SparseVector
from mechanisms.peers.dp_sniper import FiniteGeometric
from mechanisms.peers.patterns import input_patterns
from tests.mechanisms.truth.exact import laplace_below, pattern, winner

Floats = NDArray[np.float64]
PROBABILITY = 0.01


def largest_ratio(on_data: Floats, on_neighbor: Floats) -> float:
    """Log of the largest odds, either way, of an event of probability 0.01 on the rarer side."""

    def one_way(left: Floats, right: Floats) -> float:
        order = np.argsort(-left / np.maximum(right, 1e-300))
        share = np.clip((PROBABILITY - np.cumsum(right[order]) + right[order]) / right[order], 0, 1)
        return float((share * left[order]).sum() / PROBABILITY)

    with np.errstate(divide="ignore", invalid="ignore"):
        return math.log(max(one_way(on_data, on_neighbor), one_way(on_neighbor, on_data)))


def outcomes(vector: SparseVector, queries: Sequence[float]) -> Floats:
    """Probabilities of all outputs of a sparse vector with a cutoff of 1."""
    scales = (vector.threshold_factor / vector.epsilon, vector.query_factor / vector.epsilon)
    first_above = [
        pattern(queries[: stop + 1], [0] * stop + [1], *scales, vector.threshold)
        for stop in range(len(queries))
    ]
    none_above = pattern(queries, [0] * len(queries), *scales, vector.threshold)
    return np.array([*first_above, none_above])


def test_pairs_come_in_a_fixed_order_and_differ_by_at_most_one() -> None:
    pairs = input_patterns(5)
    assert list(pairs) == [
        "one above",
        "one below",
        "one above, rest below",
        "one below, rest above",
        "half above, half below",
        "all above",
        "all below",
        "crossed",
    ]
    changes = {name: (right - left).tolist() for name, (left, right) in pairs.items()}
    assert changes["one above"] == [1, 0, 0, 0, 0]
    assert changes["one below, rest above"] == [-1, 1, 1, 1, 1]
    assert changes["half above, half below"] == [1, 1, -1, -1, -1]
    assert pairs["crossed"][0].tolist() == [1, 1, 0, 0, 0]
    assert pairs["crossed"][1].tolist() == [0, 0, 1, 1, 1]
    assert all(np.abs(change).max() == 1 for change in changes.values())


def test_a_single_entry_only_moves_alone() -> None:
    assert list(input_patterns(1)) == ["one above", "one below"]


@pytest.mark.parametrize("number", [1, 2, 4])
def test_sparse_vectors_have_the_published_ratio_on_their_pair(number: int) -> None:
    published = {1: 0.0885, 2: 0.0882, 4: 0.1725}
    entry = CATALOG[f"sniper-sparse-vector-{number}"]
    assert isinstance(entry.mechanism, SparseVector)
    left, right = (
        outcomes(entry.mechanism, list(data)) for data in (entry.data, entry.neighbors[0])
    )
    assert left.sum() == pytest.approx(1.0)
    assert largest_ratio(left, right) == pytest.approx(published[number], abs=6e-5)


@pytest.mark.parametrize(("number", "published"), [(5, 1.7627), (6, 0.2828)])
def test_sparse_vectors_without_cutoff_have_the_published_ratio(
    number: int, published: float
) -> None:
    """Equal queries are exchangeable, so the counts above in each half say everything."""
    entry = CATALOG[f"sniper-sparse-vector-{number}"]
    assert isinstance(entry.mechanism, SparseVector)
    sides = [
        _counts(entry.mechanism, data[0], data[-1]) for data in (entry.data, entry.neighbors[0])
    ]
    assert largest_ratio(*sides) == pytest.approx(published, abs=6e-5)


def _counts(vector: SparseVector, first: float, second: float) -> Floats:
    scales = (vector.threshold_factor / vector.epsilon, vector.query_factor / vector.epsilon)
    ways = stats.binom(5, 0.5).pmf(np.arange(6)) * 2**5
    queries = [first] * 5 + [second] * 5
    table = [
        ways[i] * ways[j] * pattern(queries, _ones(i) + _ones(j), *scales, vector.threshold)
        for i in range(6)
        for j in range(6)
    ]
    return np.array(table)


def _ones(count: int) -> list[int]:
    return [1] * count + [0] * (5 - count)


@pytest.mark.parametrize(("number", "published"), [(1, 0.0946), (2, 0.1)])
def test_noisy_max_has_the_published_ratio(number: int, published: float) -> None:
    entry = CATALOG[f"sniper-noisy-max-{number}"]
    assert isinstance(entry.mechanism, NoisyMax)
    scale, exponential = 2 / entry.mechanism.epsilon, entry.mechanism.noise == "exponential"
    sides = [
        np.array([winner(list(data), index, scale, exponential) for index in range(5)])
        for data in (entry.data, entry.neighbors[0])
    ]
    assert np.log(sides[0] / sides[1]).max() == pytest.approx(published, abs=6e-5)


def test_largest_noisy_values_have_the_published_ratios() -> None:
    """The events are: the value is at most t, with probability 0.01 on the higher answers."""
    point = stats.laplace.ppf(PROBABILITY ** (1 / 5), scale=20)
    laplace = laplace_below(np.array([point + 1]), 20.0)[0] ** 5 / PROBABILITY
    assert math.log(laplace) == pytest.approx(0.25)
    point = stats.expon.ppf(PROBABILITY ** (1 / 5), scale=20)
    exponential = stats.expon.cdf(point + 1, scale=20) ** 5 / PROBABILITY
    assert math.log(exponential) == pytest.approx(0.3557, abs=2e-4)


def test_finite_geometric_is_exact_and_rounds_epsilon_up() -> None:
    mechanism = FiniteGeometric()
    sides = [mechanism.probabilities(count) for count in range(6)]
    assert all(side.sum() == pytest.approx(1.0) for side in sides)
    ratios = [np.abs(np.log(left / right)).max() for left, right in pairwise(sides)]
    assert ratios == pytest.approx([math.log1p(1 / 8)] * 5)
    drawn = mechanism.release([1], np.random.default_rng(1), 100_000)
    expected = sides[1] * 100_000
    assert stats.chisquare(np.bincount(drawn, minlength=6), expected).pvalue > 1e-9


@pytest.mark.parametrize(
    ("text", "seed", "value"),
    [(b"", 0, 0), (b"", 1, 0x514E28B7), (b"foo", 0, -156908512), (b"hello, world", 0, 0x149BBB7F)],
)
def test_murmur_hash_has_its_published_values(text: bytes, seed: int, value: int) -> None:
    assert murmur3(text, seed) == value


@pytest.mark.parametrize(
    ("name", "published", "claimed"),
    [("sniper-rappor", 0.3001, 0.4001), ("sniper-one-time-rappor", 0.6005, 0.8007)],
)
def test_rappor_differs_in_six_bits_as_published(
    name: str, published: float, claimed: float
) -> None:
    entry = CATALOG[name]
    assert isinstance(entry.mechanism, Rappor)
    zero, one = entry.mechanism.chances
    filters = [entry.mechanism.filter_of(int(data[0])) for data in (entry.data, entry.neighbors[0])]
    per_bit = math.log(one / zero)
    assert (filters[0] != filters[1]).sum() == 6
    assert 6 * per_bit == pytest.approx(published, abs=6e-5)
    assert entry.mechanism.claim.level == pytest.approx(claimed, abs=6e-5)
    assert entry.truth.epsilon == pytest.approx(entry.mechanism.claim.level)


@pytest.mark.parametrize("responses", ["both", "permanent"])
@pytest.mark.parametrize("chances", [(0.45, 0.55), (0.8, 0.3)])
def test_rappor_says_what_its_definition_says(
    responses: Literal["both", "permanent"], chances: tuple[float, float]
) -> None:
    """Word for word: a coin where the bit lies, the bit else, and a report on what came out."""
    zero, one = chances
    mechanism = Rappor(responses=responses, report_zero=zero, report_one=one)
    bits, rng = mechanism.filter_of(3), np.random.default_rng(5)
    lies = rng.random((2000, mechanism.bits))
    permanent = np.where(lies < mechanism.lie, lies < mechanism.lie / 2, bits)
    expected = permanent
    if responses == "both":
        expected = rng.random(lies.shape) < np.where(permanent == 1, one, zero)
    assert (mechanism.release([3], np.random.default_rng(5), 2000) == expected).all()


@pytest.mark.parametrize("name", ["sniper-rappor", "sniper-one-time-rappor"])
def test_rappor_reports_ones_with_its_chances(name: str) -> None:
    entry = CATALOG[name]
    assert isinstance(entry.mechanism, Rappor)
    bits = entry.mechanism.filter_of(1)
    reported = entry.mechanism.release([1], np.random.default_rng(2), 20_000)
    for bit, chance in enumerate(np.where(bits == 1, *entry.mechanism.chances[::-1])):
        ones = int(reported[:, bit].sum())
        assert (
            min(stats.binom.cdf(ones, 20_000, chance), stats.binom.sf(ones - 1, 20_000, chance))
            > 5e-10
        )
