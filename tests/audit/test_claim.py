"""Claims hold what they promise: their lines bound every pair of distributions that keeps them."""

from __future__ import annotations

import math
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import integrate, optimize, stats

from audit.claims import (
    ZCDP,
    ApproxDP,
    Claim,
    GaussianDP,
    PureDP,
    RenyiDP,
    claim_from,
)
from audit.errors import ClaimError

pytestmark = pytest.mark.lowest

Floats = NDArray[np.float64]
EPSILONS = np.concatenate([[0.0], np.geomspace(1e-3, 8.0, 25)])
CLAIMS: tuple[Claim, ...] = (
    PureDP(0.1),
    PureDP(3),
    ApproxDP(1.0, 1e-5),
    ApproxDP(0.3, 0.2),
    ApproxDP(1e-300, 1e-300),
    ZCDP(0.02),
    ZCDP(2.0),
    RenyiDP(2.0, 0.5),
    RenyiDP(1.05, 0.1),
    RenyiDP(32.0, 1.0),
    GaussianDP(0.2),
    GaussianDP(3.0),
)

exactly = settings(derandomize=True, database=None, deadline=None, max_examples=60)


def excess(p: Floats, q: Floats, epsilon: float) -> float:
    """Largest P(E) - e^epsilon Q(E) over all events E, the empty one included."""
    events = np.array(list(product([0.0, 1.0], repeat=len(p))))
    return float((events @ p - math.exp(epsilon) * (events @ q)).max())


def renyi(p: Floats, q: Floats, order: float) -> float:
    """Rényi divergence of two positive distributions, the larger of both directions."""
    logs = np.log(p), np.log(q)
    return max(
        float(np.logaddexp.reduce(order * a + (1.0 - order) * b)) / (order - 1.0)
        for a, b in (logs, logs[::-1])
    )


def positive(draw: st.DrawFn, size: int) -> Floats:
    weights = draw(st.lists(st.floats(1e-3, 1.0), min_size=size, max_size=size))
    return np.array(weights) / sum(weights)


@st.composite
def positive_pairs(draw: st.DrawFn) -> tuple[Floats, Floats]:
    size = draw(st.integers(2, 5))
    return positive(draw, size), positive(draw, size)


@pytest.mark.parametrize(
    ("sigma", "epsilon", "delta", "within"),
    [
        (3.73063, 1.0, 1e-5, 1e-8),
        (1.87788, 1.0, 0.01, 1e-6),
        (1.0, 1.0, 0.127, 5e-4),
        (math.sqrt(4.845), 1.0, 0.00357, 5e-6),
        (math.sqrt(4.845), 1.791, 1e-5, 1e-7),
        (0.134, 1.0, 0.9997, 5e-5),
        (math.sqrt(2 * math.log(1.25 / 1e-5)), 1.0, 4.1e-8, 5e-10),
        (math.sqrt(2 * math.log(1.25 / 1e-5)) / 5, 5.0, 1.3e-6, 5e-8),
        (math.sqrt(2 * math.log(1.25 / 0.1)) / 10, 10.0, 0.406, 5e-4),
        (3.73063 / math.sqrt(10), 3.62, 1e-5, 2e-7),
    ],
)
def test_gaussian_profile_at_known_values(
    sigma: float, epsilon: float, delta: float, within: float
) -> None:
    assert GaussianDP(1.0 / sigma).delta(epsilon) == pytest.approx(delta, abs=within)


@pytest.mark.parametrize("mu", [0.05, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("epsilon", [0.0, 0.2, 1.0, 4.0])
def test_gaussian_profile_is_the_integral_over_the_worst_event(mu: float, epsilon: float) -> None:
    def gain(x: float) -> float:
        return float(stats.norm.pdf(x, mu) - math.exp(epsilon) * stats.norm.pdf(x))

    edge = epsilon / mu + mu / 2
    area, _ = integrate.quad(gain, edge, edge + 40.0, points=[edge + 1.0, edge + 4.0], limit=200)
    assert GaussianDP(mu).delta(epsilon) == pytest.approx(area, rel=1e-6, abs=1e-12)


@pytest.mark.parametrize("epsilon", [0.01, 1.0, 4.0])
@pytest.mark.parametrize("delta", [0.0, 1e-6, 0.1, 0.6])
def test_profile_of_approximate_claims_is_that_of_their_worst_pair(
    epsilon: float, delta: float
) -> None:
    """The pair on which any (epsilon, delta)-DP mechanism can be simulated (1311.0776)."""
    truth = 1.0 / (1.0 + math.exp(-epsilon))
    p = np.array([delta, (1.0 - delta) * truth, (1.0 - delta) * (1.0 - truth), 0.0])
    claim = ApproxDP(epsilon, delta) if delta else PureDP(epsilon)
    for x in EPSILONS:
        assert claim.delta(x) == pytest.approx(excess(p, p[::-1], x), abs=1e-12)


def test_total_variation_of_randomized_response() -> None:
    assert PureDP(1.0).delta(0.0) == pytest.approx(0.46211716, abs=1e-8)


@pytest.mark.parametrize("rho", [1e-4, 0.05, 0.5, 5.0])
@pytest.mark.parametrize("factor", [1.0, 2.0, 4.0])
def test_zcdp_profile_is_the_best_order_of_the_conversion(rho: float, factor: float) -> None:
    epsilon = rho + factor * 2.0 * math.sqrt(rho)

    def log_delta(log_excess: float) -> float:
        order = 1.0 + math.exp(log_excess)
        bound = (order - 1.0) * (order * rho - epsilon) - math.log(order - 1.0)
        return bound + order * math.log1p(-1.0 / order)

    best = optimize.minimize_scalar(log_delta, bounds=(-7.0, 12.0), method="bounded")
    assert ZCDP(rho).delta(epsilon) == pytest.approx(math.exp(best.fun), rel=1e-3)


@pytest.mark.parametrize("mu", [0.01, 0.3, 1.0, 2.0])
def test_conversions_are_upper_bounds_for_gaussians_and_not_far_off(mu: float) -> None:
    exact = GaussianDP(mu)
    rho = mu**2 / 2
    for x in rho + mu * np.array([0.0, 0.5, 1.0, 2.0, 3.0]):
        true = exact.delta(x)
        assert true <= ZCDP(rho).delta(x) <= 12.0 * true
        for order in (1.01, 1.5, 2.0, 8.0, 100.0):
            assert RenyiDP(order, order * rho).delta(x) >= true
    assert exact.delta(0.0) <= ZCDP(rho).delta(0.0) <= 1.5 * exact.delta(0.0) + 0.1


@exactly
@given(positive_pairs(), st.sampled_from([1.001, 1.2, 2.0, 3.5, 10.0, 200.0]))
def test_renyi_lines_hold_for_every_event_of_pairs_that_keep_the_claim(
    pair: tuple[Floats, Floats], order: float
) -> None:
    p, q = pair
    claim = RenyiDP(order, max(renyi(p, q, order), 1e-12))
    for x in EPSILONS:
        assert excess(p, q, x) <= claim.delta(x) + 1e-9
        assert excess(q, p, x) <= claim.delta(x) + 1e-9


@pytest.mark.slow
@exactly
@given(positive_pairs())
def test_zcdp_lines_hold_for_every_event_of_pairs_that_keep_the_claim(
    pair: tuple[Floats, Floats],
) -> None:
    p, q = pair
    orders = 1.0 + np.geomspace(1e-5, 1e4, 300)
    rho = max(renyi(p, q, a) / a for a in orders)
    claim = ZCDP(max(1.0001 * rho, 1e-12))
    for x in EPSILONS:
        assert max(excess(p, q, x), excess(q, p, x)) <= claim.delta(x) + 1e-9


@exactly
@given(
    st.floats(0.05, 3.0),
    st.lists(st.floats(-4.0, 6.0), min_size=1, max_size=5, unique=True).map(sorted),
)
def test_gaussian_lines_hold_for_every_event_of_rounded_gaussians(
    mu: float, edges: list[float]
) -> None:
    ends = np.array([-np.inf, *edges, np.inf])
    p, q = (np.diff(stats.norm.cdf(ends, loc)) for loc in (mu, 0.0))
    for x in EPSILONS:
        assert max(excess(p, q, x), excess(q, p, x)) <= GaussianDP(mu).delta(x) + 1e-12


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_profiles_fall_with_epsilon_and_stay_between_zero_and_one(claim: Claim) -> None:
    deltas = [claim.delta(x) for x in np.linspace(0.0, 30.0, 400)]
    assert all(0.0 <= delta <= 1.0 for delta in deltas)
    assert all(b <= a + 1e-15 for a, b in pairwise(deltas))


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_lines_are_the_profile_and_only_grow_with_the_level(claim: Claim) -> None:
    levels = [claim.level * factor for factor in (1e-6, 0.1, 0.9, 1.0, 1.1, 3.0, 20.0)]
    lines = [claim.lines(level) for level in levels]
    assert len({part.shape for part in lines}) == 1
    for level, part in zip(levels, lines, strict=True):
        assert (part[:, 0] >= 1.0).all()
        profile = [claim.at(level).delta(math.log(slope)) for slope in part[:, 0]]
        assert part[:, 1] == pytest.approx(profile, rel=1e-6, abs=1e-12)
    for low, high in pairwise(lines):
        assert (high >= low - 1e-15).all()


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_at_changes_only_the_level(claim: Claim) -> None:
    moved = claim.at(2.0 * claim.level)
    assert moved.level == 2.0 * claim.level
    assert moved.at(claim.level) == claim
    assert type(moved) is type(claim)
    assert claim.as_json()["kind"] == claim.kind
    assert f"{claim.level:g}" in str(claim)


@pytest.mark.parametrize(
    "claim",
    [
        PureDP(300),
        PureDP(1e-12),
        ApproxDP(300, 1e-300),
        ZCDP(300),
        ZCDP(1e-12),
        RenyiDP(1.0000001, 300),
        RenyiDP(1e9, 1e-9),
        RenyiDP(1e308, 1.0),
        GaussianDP(300),
        GaussianDP(40),
        GaussianDP(1e-9),
    ],
    ids=str,
)
def test_extreme_claims_stay_finite(claim: Claim) -> None:
    lines = claim.lines(claim.level)
    assert np.isfinite(lines**2).all()
    assert ((lines[:, 1] >= 0) & (lines[:, 1] <= 1)).all()


@pytest.mark.parametrize(
    ("given_parameters", "claim"),
    [
        ({}, None),
        ({"epsilon": 1.0}, PureDP(1.0)),
        ({"epsilon": 1.0, "delta": 0.0}, PureDP(1.0)),
        ({"epsilon": 1, "delta": 1e-5}, ApproxDP(1, 1e-5)),
        ({"rho": 0.5}, ZCDP(0.5)),
        ({"mu": 2.0}, GaussianDP(2.0)),
        ({"renyi": (2.0, 0.5)}, RenyiDP(2.0, 0.5)),
        ({"epsilon": np.float32(0.5), "delta": np.float32(0.25)}, ApproxDP(0.5, 0.25)),
        ({"renyi": [np.int64(2), np.float64(0.5)]}, RenyiDP(2, 0.5)),
    ],
)
def test_parameters_state_a_claim(given_parameters: dict[str, object], claim: object) -> None:
    assert claim_from(**given_parameters) == claim  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("given_parameters", "named"),
    [
        ({"epsilon": -1e-300}, "-1e-300 is not a number of at least 0"),
        ({"epsilon": -1.0}, "-1.0"),
        ({"epsilon": math.nan}, "nan"),
        ({"epsilon": math.inf}, "inf"),
        ({"epsilon": 301.0}, "up to 300"),
        ({"epsilon": True}, "True"),
        ({"epsilon": "1"}, "'1'"),
        ({"epsilon": 1.0, "delta": 1.0}, "delta 1.0"),
        ({"epsilon": 1.0, "delta": -0.1}, "delta -0.1"),
        ({"epsilon": 1.0, "delta": math.nan}, "delta nan"),
        ({"delta": 0.1}, "needs an epsilon"),
        ({"rho": 0.0}, "rho 0.0"),
        ({"mu": -2.0}, "mu -2.0"),
        ({"renyi": (1.0, 0.5)}, "order 1.0"),
        ({"renyi": (math.inf, 0.5)}, "order inf"),
        ({"epsilon": 1.0, "rho": 0.5}, "epsilon and rho"),
        ({"epsilon": 10**5000}, "epsilon of thousands of digits"),
        ({"epsilon": "x" * 1000}, "epsilon 'x{59}… is not"),
        ({"epsilon": 1.0, "delta": "tiny"}, "delta 'tiny'"),
        ({"epsilon": 1.0, "delta": []}, r"delta \[\]"),
        ({"epsilon": 1.0, "delta": False}, "delta False"),
        ({"renyi": (2.0, 0.0)}, "Rényi epsilon 0.0"),
        ({"renyi": 2.0}, "renyi 2.0 is not an order and an epsilon"),
        ({"renyi": (2.0,)}, r"renyi \(2.0,\)"),
        ({"renyi": ("2", 0.5)}, "order '2'"),
        ({"renyi": (10**400, 0.5)}, "order 1000"),
    ],
)
def test_claims_that_make_no_sense_are_refused_by_name(
    given_parameters: dict[str, object], named: str
) -> None:
    with pytest.raises(ClaimError, match=named):
        claim_from(**given_parameters)  # type: ignore[arg-type]


@pytest.mark.parametrize("order", [1.0000001, 2, 1.1, 32.0])
def test_an_order_is_shown_with_all_its_digits(order: float) -> None:
    claim = RenyiDP(order, 1.0)
    assert str(claim) == f"Rényi ({str(order).removesuffix('.0')}, 1)"
    assert claim.condition == f"of order {str(order).removesuffix('.0')}"
