"""Bounds from exact intervals: monotone in the claim, at the right places."""

from __future__ import annotations

import math

import pytest

from audit.claims import ZCDP, ApproxDP, Claim, GaussianDP, PureDP, RenyiDP
from audit.verdict.intervals import Estimate
from audit.verdict.pair_table import Bin, PairTable
from audit.verdict.recorded.tables import Side, levels_of, sides_of


def table(p: tuple[float, float], q: tuple[float, float]) -> PairTable:
    """One bin with these bounds on the two sides."""
    left, right = (Estimate(sum(ends) / 2, *ends) for ends in (p, q))
    nothing = Estimate(1.0, 0.0, math.inf)
    cell = Bin(
        low=0.0, high=1.0, label="in [0, 1)", p=left, q=right,
        ratio=nothing, reverse=nothing, flagged=False,
    )  # fmt: skip
    return PairTable(
        name="D1", difference="", draws=(1000, 1000), bins=(cell,), max_ratio=1.0, satisfied=True
    )


def sides(p: tuple[float, float], q: tuple[float, float]) -> list[Side]:
    return list(sides_of([table(p, q)]))


def test_both_directions_are_read() -> None:
    forward, backward = sides((0.5, 0.6), (0.1, 0.2))
    assert (forward.left.low, forward.right.high) == (0.5, 0.2)
    assert (backward.left.low, backward.right.high) == (0.1, 0.6)


def test_the_bound_of_a_pure_claim_is_the_log_of_the_ratio() -> None:
    found = levels_of(sides((0.5, 0.6), (0.1, 0.2)), PureDP(1.0))
    assert found == {"epsilon_lower": pytest.approx(math.log(2.5))}


def test_the_bound_is_never_below_zero() -> None:
    assert levels_of(sides((0.1, 0.9), (0.1, 0.9)), PureDP(1.0)) == {"epsilon_lower": 0.0}


def test_an_impossible_event_has_no_bound() -> None:
    assert levels_of(sides((0.5, 0.6), (0.0, 0.0)), PureDP(1.0))["epsilon_lower"] == math.inf


@pytest.mark.parametrize(
    ("claim", "name"),
    [
        (ZCDP(0.5), "rho_lower"),
        (GaussianDP(1.0), "mu_lower"),
        (RenyiDP(2.0, 1.0), "renyi_lower"),
    ],
    ids=str,
)
def test_other_claims_have_a_bound_of_their_own_kind(claim: Claim, name: str) -> None:
    found = sides((0.8, 0.9), (0.01, 0.02))
    level = levels_of(found, claim)[name]
    assert any(side.margin(claim.at(level * 0.999)) > 0 for side in found)
    assert all(side.margin(claim.at(level * 1.001)) <= 0 for side in found)
    assert levels_of(sides((0.1, 0.9), (0.1, 0.9)), claim)[name] == 0.0


def test_margins_change_sign_at_the_claim() -> None:
    (side, _) = sides((0.5, 0.6), (0.1, 0.2))
    assert side.margin(PureDP(math.log(2.5) - 1e-9)) > 0
    assert side.margin(PureDP(math.log(2.5) + 1e-9)) < 0
    assert side.margin(ApproxDP(math.log(2.0), 0.1 + 1e-9)) < 0
    assert side.margin(ApproxDP(math.log(2.0), 0.1 - 1e-9)) > 0


@pytest.mark.parametrize("claim", [PureDP(0.5), ZCDP(0.1), GaussianDP(0.3)], ids=str)
def test_the_nearest_line_is_the_one_that_is_broken_by_most(claim: Claim) -> None:
    (side, _) = sides((0.8, 0.9), (0.01, 0.02))
    slope, offset = side.nearest_line(claim)
    assert side.margin(claim) == pytest.approx(math.log((0.8 - offset) / (slope * 0.02)))
    assert [slope, offset] in claim.lines(claim.level).tolist()
