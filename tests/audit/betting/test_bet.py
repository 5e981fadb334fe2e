"""The unit theorem, by exact enumeration: fair at the claim, whatever outputs share."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
import pytest

from audit.betting.bet import SHARES, EventBet, FunctionBet
from audit.betting.functions import Functions
from audit.claims import ZCDP, ApproxDP, Claim, PureDP
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import OUTPUT, encode
from audit.outcomes.features import Part
from audit.sampling.units import UnitBatch
from tests.audit.betting.stakes import largest_stake

FEATURE = Part(OUTPUT)
BINNING = Binning.of([0.5])
ONE, ZERO = np.array([False, True]), np.array([True, False])
NONE = np.array([False, False])
WAYS = {"alike": 1, "independent": 3}
"""Different draws that the three outputs of one instance come from."""


def odds(epsilon: float) -> tuple[float, float]:
    """Probability of a 1 on D and on D′ under randomized response."""
    p = math.exp(epsilon) / (1.0 + math.exp(epsilon))
    return p, 1.0 - p


def laws(chance: float, draws: int) -> Iterator[tuple[float, list[int]]]:
    """Three outputs of one instance: all from one draw, or from one each."""
    for bits in itertools.product((0, 1), repeat=draws):
        weight = math.prod(chance if bit else 1.0 - chance for bit in bits)
        yield weight, [bits[0]] * 3 if draws == 1 else list(bits)


def pair_of(left: list[int], right: list[int]) -> UnitBatch:
    first, second = (encode(np.array(s, float), len(s)) for s in (left, right))
    return UnitBatch.of_pairs(first, second, 3)


def coins_of(outputs: list[int], behind: tuple[bool, ...], share: float) -> UnitBatch:
    """One unit of coins; D answers from the first instance's outputs as D′ does."""
    sides = []
    for side in (False, True):
        values = np.array([o for o, b in zip(outputs, behind, strict=True) if b is side], float)
        whole = encode(np.append(values, 0.0), len(values) + 1)
        sides.append(whole.take(slice(0, len(values))))
    units = tuple(np.zeros(side.size, np.intp) for side in sides)
    return UnitBatch((sides[0], sides[1]), (units[0], units[1]), 1, 3, share)


def factor(bet: EventBet | FunctionBet, claim: Claim, batch: UnitBatch, part: float) -> float:
    codes = tuple(BINNING.code(FEATURE.read(side)).astype(np.int64) for side in batch.sides)
    gain, cost = bet.sums((codes[0], codes[1]), batch)
    terms = bet.terms(claim, claim.level)
    stake = part * largest_stake(bet, claim, claim.level, batch.share)
    paid = terms.gain * gain[0] / 3 - terms.cost * cost[0] / 3 - terms.offset
    return float(1.0 + stake * paid)


def by_pairs(bet: EventBet | FunctionBet, claim: Claim, true: float, draws: int) -> float:
    """Expected factor of a pair of lives with three outputs each."""
    p, q = odds(true)
    return sum(
        wl * wr * factor(bet, claim, pair_of(left, right), 0.9)
        for wl, left in laws(p, draws)
        for wr, right in laws(q, draws)
    )


def by_coins(bet: EventBet, claim: Claim, true: float, draws: int, share: float) -> float:
    """Expected factor of one life whose three answers are on D with probability `share`.

    What it keeps is a truth value for each dataset, drawn once or for every answer.
    """
    p, q = odds(true)
    expected = 0.0
    for behind in itertools.product((False, True), repeat=3):
        coin = math.prod(1.0 - share if b else share for b in behind)
        for wl, left in laws(p, draws):
            for wr, right in laws(q, draws):
                outputs = [r if b else a for a, r, b in zip(left, right, behind, strict=True)]
                expected += (
                    coin * wl * wr * factor(bet, claim, coins_of(outputs, behind, share), 0.9)
                )
    return expected


SINGLE = EventBet.of(0, FEATURE, BINNING, (ONE, NONE), 0)
DOUBLE = EventBet.of(0, FEATURE, BINNING, (ONE, ZERO), 0)


@pytest.mark.parametrize("draws", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("bet", [SINGLE, DOUBLE], ids=["single", "double"])
def test_a_pair_is_fair_at_the_claim(bet: EventBet, draws: int) -> None:
    assert by_pairs(bet, PureDP(1.0), 1.0, draws) == pytest.approx(1.0)


@pytest.mark.parametrize("draws", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("bet", [SINGLE, DOUBLE], ids=["single", "double"])
def test_a_pair_gains_beyond_the_claim(bet: EventBet, draws: int) -> None:
    assert by_pairs(bet, PureDP(1.0), 1.5, draws) > 1.01


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("draws", WAYS.values(), ids=WAYS)
def test_coins_are_fair_at_the_claim(draws: int, share: float) -> None:
    assert by_coins(SINGLE, PureDP(1.0), 1.0, draws, share) == pytest.approx(1.0)


@pytest.mark.parametrize("share", SHARES)
@pytest.mark.parametrize("draws", WAYS.values(), ids=WAYS)
def test_coins_gain_beyond_the_claim(draws: int, share: float) -> None:
    assert by_coins(SINGLE, PureDP(1.0), 1.5, draws, share) > 1.005


@pytest.mark.parametrize("bet", [SINGLE, DOUBLE], ids=["single", "double"])
def test_delta_is_paid_once_for_each_event(bet: EventBet) -> None:
    """Without δ the bet is fair on average; with it a unit costs the stake times δ an event."""
    claim = ApproxDP(1.0, 0.1)
    stake = 0.9 * largest_stake(bet, claim, 1.0, None)
    expected = by_pairs(bet, claim, 1.0, 1)
    assert expected == pytest.approx(1.0 - stake * 0.1 * bet.events)


@pytest.mark.parametrize("share", [None, 0.5, 0.2])
@pytest.mark.parametrize("bet", [SINGLE, DOUBLE], ids=["single", "double"])
def test_no_unit_makes_the_wealth_negative(bet: EventBet, share: float | None) -> None:
    claim = ApproxDP(2.0, 0.01)
    found = []
    for outputs in itertools.product((0, 1), repeat=3):
        if share is None:
            rights = itertools.product((0, 1), repeat=3)
            batches = [pair_of(list(outputs), list(r)) for r in rights]
        else:
            sides = itertools.product((False, True), repeat=3)
            batches = [coins_of(list(outputs), b, share) for b in sides]
        if share is not None and bet is DOUBLE:
            continue
        found += [factor(bet, claim, batch, 1.0) for batch in batches]
    assert not found or (min(found) > -1e-9 and min(found) == pytest.approx(0.0, abs=1e-9))


@pytest.mark.parametrize("order", [1.0, 2.0])
@pytest.mark.parametrize("draws", WAYS.values(), ids=WAYS)
def test_a_function_is_fair_at_the_claim_and_gains_beyond(order: float, draws: int) -> None:
    """Randomized response has KL divergence (2p − 1) ε and a closed form of order 2."""
    p, q = odds(1.0)
    true = (2.0 * p - 1.0) if order == 1.0 else math.log(p * p / q + q * q / p)
    claim = ZCDP(true / order)
    divergences = claim.divergences(claim.level)
    place = int(np.flatnonzero(divergences[:, 0] == order)[0])
    ratio = np.log([q / p, p / q])
    values = np.clip(ratio, -5, 5) if order == 1.0 else np.exp(ratio) / math.exp(true / 2.0)
    functions = Functions.of(np.array([place]), np.array([True]), values[None, :], divergences)
    bet = FunctionBet.of(0, FEATURE, BINNING, functions, 0)
    fair = by_pairs(bet, claim, 1.0, draws)
    assert fair <= 1.0 + 1e-9
    assert fair > 0.995
    assert by_pairs(bet, claim, 1.6, draws) > 1.01


def test_an_absent_number_is_no_evidence_of_low_order_bits() -> None:
    """On the side that must not have the event, an output without a number counts as one."""
    from audit.outcomes.features import LowBits

    binning = Binning.of([0.5], ["None"])
    mask = np.array([False, True, False, False])
    bet = EventBet.of(0, LowBits(OUTPUT), binning, (mask, np.zeros(4, bool)), 0)
    assert bet.gain[0].tolist() == [0, 1, 0, 0]
    assert bet.cost[1].tolist() == [0, 1, 1, 1]
