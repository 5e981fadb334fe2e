"""Functions bet on call by call: what a call pays, and that no dependence inside it helps."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from audit.betting.confirmation.call_wealth import CallWealth
from audit.betting.confirmation.function_bet import FunctionBet
from audit.betting.functions import Functions
from audit.betting.inequalities import Inequalities
from audit.claim import Claim, RenyiDP, ZeroConcentratedDP
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import OUTPUT, encode
from audit.outcomes.features import Part

LEFT, RIGHT = np.array([0.25, 0.75, 0.0]), np.array([0.6, 0.4, 0.0])
"""Laws of an output 0 or 1 on D and on its neighbor; nothing else ever comes."""
CLAIMS: list[tuple[Claim, int]] = [(ZeroConcentratedDP(0.3), 0), (ZeroConcentratedDP(0.3), 2)]
CLAIMS += [(RenyiDP(2.0, 0.5), 0)]


def exact(claim: Claim, place: int, forward: bool) -> Claim:
    """The claim at the level that these laws keep exactly, as far as this divergence goes."""
    own, other = (LEFT, RIGHT) if forward else (RIGHT, LEFT)
    order = float(claim.divergences(claim.level)[place, 0])
    own, other = own[:2], other[:2]
    if order == 1.0:
        found = float(own @ np.log(own / other))
    else:
        found = math.log(float((own**order * other ** (1.0 - order)).sum())) / (order - 1.0)
    return claim.at(found * claim.level / float(claim.divergences(claim.level)[place, 1]))


def bet_on(claim: Claim, place: int, forward: bool) -> FunctionBet:
    own, other = (LEFT, RIGHT) if forward else (RIGHT, LEFT)
    divergences = claim.divergences(claim.level)
    order = float(divergences[place, 0])
    ratio = np.append(own[:2] / other[:2], 1.0)
    values = np.log(ratio)
    if order > 1.0:
        dual = order / (order - 1.0)
        values = ratio ** (order - 1.0) / float(other @ ratio**order) ** (1.0 / dual)
    function = Functions.of(np.array([place]), np.array([forward]), values[None], divergences)
    joint = np.round(1000 * np.outer(LEFT, RIGHT)).astype(np.int64)
    binning = Binning.of([1.0])
    return FunctionBet(0, Part(OUTPUT), binning, forward, joint, function=function)


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize(("claim", "place"), CLAIMS)
def test_a_call_pays_the_mean_of_what_its_pairs_pay(
    claim: Claim, place: int, forward: bool
) -> None:
    bet, promised = bet_on(claim, place, forward), Inequalities.at(claim, claim.level)
    left, right = [0, 1, 1, 1], [0, 0, 1, 0]
    sums = bet.sums(encode(np.array(left, float), 4), encode(np.array(right, float), 4), 4)
    each, cost = bet.coefficients(promised)
    paid = float(sums[0] @ each) / 4.0 - cost
    assert paid == pytest.approx(float(bet.payoffs(promised)[left, right].mean()))
    assert (sums >= 0).all()


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize(("claim", "place"), CLAIMS)
def test_a_call_that_repeats_one_output_is_fair_at_the_claim_and_gains_below(
    claim: Claim, place: int, forward: bool
) -> None:
    tight = exact(claim, place, forward)
    for level, gains in ((tight.level, False), (0.7 * tight.level, True)):
        bet, mean = bet_on(tight, place, forward), 0.0
        for left, right in product((0, 1), (0, 1)):
            wealth = CallWealth.against(tight.at(level), level, 0.05, 1.0, [bet], 8)
            here, there = (encode(np.full(8, float(side)), 8) for side in (left, right))
            wealth.add([bet.sums(here, there, 8)])
            mean += float(LEFT[left] * RIGHT[right]) * math.exp(wealth.log_wealth(level))
        assert (mean > 1.0 + 1e-6) is gains


@pytest.mark.parametrize("forward", [True, False])
@pytest.mark.parametrize(("claim", "place"), CLAIMS)
def test_people_are_shown_means_that_reach_the_line_exactly_at_the_claim(
    claim: Claim, place: int, forward: bool
) -> None:
    tight = exact(claim, place, forward)
    bet = bet_on(tight, place, forward)
    own, other = bet.shown
    assert own.min() >= 0.0 and own.max() == 1.0 and other.max() == 1.0
    laws = (LEFT, RIGHT) if forward else (RIGHT, LEFT)
    p, q = float(laws[0] @ own), float(laws[1] @ other)
    slope, offset = bet.line(Inequalities.at(tight, tight.level))
    assert p == pytest.approx(slope * q + offset, abs=2e-3)
    slope, offset = bet.line(Inequalities.at(tight, 0.7 * tight.level))
    assert p > slope * q + offset + 2e-3
