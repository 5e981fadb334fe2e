"""InfTDA: budget and distances by formula, exact distributions, and where its table is too small.

Sampled assertions spend 1e-9 each on fixed seeds.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng
from numpy.typing import NDArray
from scipy import stats

from audit.claims import ZCDP, ApproxDP, GaussianDP
from audit.declaration import Entry
from audit.errors import InputError
from mechanisms.systems.inf_tda.entries import ENTRIES
from mechanisms.systems.inf_tda.hierarchy import hierarchy, keyed_counts
from mechanisms.systems.inf_tda.top_down import InfTda, rho_of

EXAMPLE = pd.Series(
    [100, 200, 300, 400],
    index=pd.MultiIndex.from_product([["Male", "Female"], [">= 18", "< 18"]]),
)
BY_NAME = {entry.name: entry for entry in ENTRIES}
Pmf = NDArray[np.float64]


def discrete_gaussian(sigma: float, shift: int, reach: int) -> Pmf:
    """Probabilities of -reach..reach."""
    mass = np.exp(-0.5 * ((np.arange(-reach, reach + 1) - shift) / sigma) ** 2)
    return np.asarray(mass / mass.sum())


def first_of_two(total: int, difference: Pmf, reach: int) -> Pmf:
    """Distribution of x = 2·first - total, when two noisy counts are fitted to a total.

    Their difference keeps its parity or is rounded away from 0; 0 is rounded up.
    """
    support = np.arange(-reach, reach + 1)
    odd = (support - total) % 2 == 1
    rounded = support + np.where(odd, np.where(support >= 0, 1, -1), 0)
    found = np.bincount(rounded + reach + 1, weights=difference, minlength=2 * reach + 3)
    return found.astype(np.float64)


def hockey_stick(p: Pmf, q: Pmf, epsilon: float) -> float:
    return float(np.maximum(p - math.exp(epsilon) * q, 0).sum())


def test_rho_is_the_usual_conversion() -> None:
    for epsilon, delta in ((1.0, 1e-6), (0.1, 1e-9), (5.0, 0.01)):
        rho = rho_of(epsilon, delta)
        assert rho + 2 * math.sqrt(rho * math.log(1 / delta)) == pytest.approx(epsilon)
        assert ZCDP(rho).delta(epsilon) <= delta


@pytest.mark.parametrize(
    ("privacy", "distinct", "expected"),
    [
        ("bounded", True, math.sqrt(6)),
        ("unbounded", True, math.sqrt(3)),
        ("bounded", False, math.sqrt(2) * 3),
        ("unbounded", False, 3.0),
    ],
)
def test_the_four_rows_of_the_table(privacy: str, distinct: bool, expected: float) -> None:
    mechanism = InfTda(1.0, 1e-6, 3, privacy, distinct)  # type: ignore[arg-type]
    assert mechanism.table_sensitivity == pytest.approx(expected)
    exchanged = InfTda(1.0, 1e-6, 3, privacy, not distinct, "exchanged")  # type: ignore[arg-type]
    assert exchanged.table_sensitivity == pytest.approx(expected)


@pytest.mark.parametrize("distinct", [True, False])
@pytest.mark.parametrize("sizes", [(1, 1, 1, 1, 1), (3, 2), (5,), (2, 2, 1)])
def test_distances_of_a_level_by_brute_force(sizes: tuple[int, ...], distinct: bool) -> None:
    """All ways in which a user of 3 tuples can come, or be exchanged for another."""
    nodes = [node for node, size in enumerate(sizes) for _ in range(size)]
    users = {
        tuple(np.bincount([nodes[t] for t in tuples], minlength=len(sizes)).tolist())
        for tuples in product(range(5), repeat=3)
        if not distinct or len(set(tuples)) == 3
    }
    added = max(math.hypot(*user) for user in users)
    moved = max(math.dist(a, b) for a, b in product(users, users))
    unbounded = InfTda(contribution=3, privacy_type="unbounded", distinct_tuples=distinct)
    bounded = InfTda(contribution=3, distinct_tuples=distinct)
    assert unbounded.level_sensitivity(np.array(sizes)) == pytest.approx(added)
    assert bounded.level_sensitivity(np.array(sizes)) >= moved - 1e-12


def test_the_table_is_too_small_above_distinct_tuples() -> None:
    mechanism = InfTda(contribution=3, privacy_type="unbounded")
    assert mechanism.table_sensitivity == pytest.approx(math.sqrt(3))
    assert mechanism.level_sensitivity(np.array([1] * 9)) == pytest.approx(math.sqrt(3))
    assert mechanism.level_sensitivity(np.array([3, 3, 3])) == pytest.approx(3.0)


@pytest.mark.parametrize(("privacy", "levels"), [("bounded", 2), ("unbounded", 3)])
def test_levels_share_the_budget_equally(privacy: str, levels: int) -> None:
    mechanism = InfTda(1.0, 1e-6, 2, privacy)  # type: ignore[arg-type]
    sigmas = mechanism.sigmas(hierarchy(keyed_counts(EXAMPLE)[0]))
    assert len(sigmas) == levels
    spent = sum(mechanism.table_sensitivity**2 / (2 * sigma**2) for sigma in sigmas)
    assert spent == pytest.approx(rho_of(1.0, 1e-6))


@pytest.mark.parametrize("privacy", ["bounded", "unbounded"])
def test_releases_are_consistent_whole_and_not_negative(privacy: str) -> None:
    data = pd.Series([0, 1, 2, 3, 0, 0], index=pd.MultiIndex.from_product([[0, 1], [5, 6, 7]]))
    mechanism = InfTda(privacy_type=privacy, output="hierarchy")  # type: ignore[arg-type]
    drawn = mechanism.release(data, default_rng(1), 5000)
    assert drawn.dtype == np.int64
    assert drawn.min() >= 0
    total, regions, leaves = drawn[:, 0], drawn[:, 1:3], drawn[:, 3:]
    assert np.array_equal(total, regions.sum(axis=1))
    assert np.array_equal(regions, leaves.reshape(-1, 2, 3).sum(axis=2))
    assert (np.unique(total).tolist() == [6]) == (privacy == "bounded")
    tuples = InfTda(privacy_type=privacy).release(data, default_rng(1), 5000)  # type: ignore[arg-type]
    assert np.array_equal(tuples, leaves)


@pytest.mark.parametrize("factor", [1.0, 0.7, 1.3])
def test_the_first_level_has_its_exact_distribution(factor: float) -> None:
    """Two noisy counts of 500 fitted to 1000: a difference of two discrete Gaussians, rounded."""
    data = EXAMPLE.copy()
    data[:] = [200, 300, 100, 400]
    mechanism = InfTda(output="hierarchy")
    sigma = factor * mechanism.sigmas(hierarchy(keyed_counts(EXAMPLE)[0]))[0]
    noise = discrete_gaussian(sigma, 0, 200)
    exact = first_of_two(1000, np.convolve(noise, noise), 400)
    drawn = mechanism.release(data, default_rng(2), 40_000)[:, 1]
    observed = np.bincount(2 * (drawn - 500) + 401, minlength=803)
    common = exact * 40_000 > 10
    rest = [observed[~common].sum(), 40_000 * exact[~common].sum()]
    p_value = stats.chisquare(
        [*observed[common], rest[0]], [*(40_000 * exact[common]), rest[1]]
    ).pvalue
    assert (p_value > 1e-9) == (factor == 1.0)


def test_an_unbounded_total_has_discrete_gaussian_noise() -> None:
    mechanism = InfTda(privacy_type="unbounded", output="hierarchy")
    sigma = mechanism.sigmas(hierarchy(keyed_counts(EXAMPLE)[0]))[0]
    drawn = mechanism.release(EXAMPLE, default_rng(3), 40_000)[:, 0] - 1000
    edges = np.arange(-20, 21, 4)
    exact = np.diff(stats.norm(0, sigma).cdf(edges - 0.5))
    observed = np.histogram(drawn, edges - 0.5)[0]
    expected = [*exact, 1 - exact.sum()]
    counted = [*observed, 40_000 - observed.sum()]
    assert stats.chisquare(counted, 40_000 * np.array(expected)).pvalue > 1e-9


def exact_shared(entry: Entry, epsilon: float) -> float:
    """delta(epsilon) of a pair whose tuples all lie below one node of two, without the tuples.

    Within a region all tuples move alike, which the fit undoes: the total and one of
    the two regions are all there is to see.
    """
    mechanism = entry.mechanism
    assert isinstance(mechanism, InfTda)
    sigmas = mechanism.sigmas(hierarchy(keyed_counts(entry.data)[0]))
    reach = 64 + math.ceil(8 * sigmas[-2])
    noise = discrete_gaussian(sigmas[-2], 0, reach)
    bounded = mechanism.privacy_type == "bounded"
    shift = 64 if bounded else 32
    still, moved = np.convolve(noise, noise), np.convolve(noise, np.roll(noise, shift))
    left, right = ([first_of_two(t, d, 2 * reach) for t in (0, 1)] for d in (still, moved))
    if bounded:
        return hockey_stick(right[0], left[0], epsilon)
    total = discrete_gaussian(sigmas[0], 0, reach)
    return sum(
        hockey_stick(p * right[int(t) % 2], q * left[int(t) % 2], epsilon)
        for t, p, q in zip(range(2 * reach + 1), np.roll(total, 32), total, strict=True)
    )


@pytest.mark.parametrize("privacy", ["bounded", "unbounded"])
def test_tuples_below_one_node_break_the_claim_by_as_much_as_stated(privacy: str) -> None:
    entry = BY_NAME[f"inf-tda-{privacy}-distinct-shared"]
    assert entry.truth.epsilon is not None
    assert exact_shared(entry, 1.0) > 1e-2
    assert exact_shared(entry, entry.truth.epsilon) == pytest.approx(1e-6, rel=0.05)


@pytest.mark.parametrize("privacy", ["bounded", "unbounded"])
def test_the_distance_of_each_level_keeps_the_claim_of_the_same_user(privacy: str) -> None:
    entry = BY_NAME[f"inf-tda-{privacy}-distinct-levels"]
    assert 0 < exact_shared(entry, 0.5) < 1e-5
    assert exact_shared(entry, 1.0) < 1e-6


@pytest.mark.parametrize(
    ("name", "square"),
    [("bounded-distinct-shared", 32), ("unbounded-distinct", 65 / 3), ("exchanged", 48)],
)
def test_stated_epsilons_follow_from_the_distances(name: str, square: float) -> None:
    """mu² in units of rho: squared distances seen through the fit, over the squared noise."""
    epsilon = BY_NAME[f"inf-tda-{name}"].truth.epsilon
    assert epsilon is not None
    mu = math.sqrt(square * rho_of(1.0, 1e-6))
    assert GaussianDP(mu).delta(epsilon) == pytest.approx(1e-6, rel=0.05)


def test_a_user_with_fewer_tuples_changes_an_exact_total() -> None:
    entry = BY_NAME["inf-tda-bounded-fewer"]
    totals = [
        set(entry.mechanism.release(data, default_rng(4), 50)[:, 0].tolist())
        for data in (entry.data, entry.neighbors[0])
    ]
    assert totals == [{4004}, {4001}]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_entries_move_their_user_and_share_randomness(entry: Entry) -> None:
    mechanism = entry.mechanism
    assert isinstance(mechanism, InfTda)
    states, counts = [], []
    for data in (entry.data, entry.neighbors[0]):
        rng = default_rng(5)
        assert len(mechanism.release(data, rng, 3)) == 3
        states.append(rng.bit_generator.state)
        counts.append(keyed_counts(data)[1])
    assert states[0] == states[1]
    came = np.maximum(counts[1] - counts[0], 0)
    assert came.sum() <= mechanism.contribution
    assert not mechanism.distinct_tuples or came.max(initial=0) <= 1
    fixed = mechanism.privacy_type == "bounded" and entry.name != "inf-tda-bounded-fewer"
    assert not fixed or counts[0].sum() == counts[1].sum()


def test_claim_and_bad_parameters() -> None:
    assert InfTda(2.0, 1e-9).claim == ApproxDP(2.0, 1e-9)
    for parameters in ({"epsilon": 0.0}, {"delta": 1.0}, {"contribution": 0}):
        with pytest.raises(InputError, match=next(iter(parameters))):
            InfTda(**parameters)
