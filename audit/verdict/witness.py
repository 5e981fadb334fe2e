"""The witness: one event, or one function, on one pair of datasets, measured on fresh units."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.betting.bet import Bet, EventBet, FunctionBet
from audit.betting.past import PairPast
from audit.betting.simplest import evidence_of, witnesses
from audit.claims import Claim
from audit.neighbors import Pair, beyond_shown, shown
from audit.neighbors.search.search_result import in_json
from audit.relation import NEIGHBOR
from audit.sampling.draws import Draws
from audit.sampling.source import Stage
from audit.sampling.units import UnitKind
from audit.verdict.evidence import Evidence
from audit.verdict.findings import FunctionShown, StrongestEvent, event_of
from audit.verdict.fresh_units import Allowance, FreshTally, Measured, fresh_units
from audit.verdict.intervals import Estimate, proportion
from audit.verdict.result import Witness

_SEEN = 50
"""Times that a rare event should be seen in fresh units."""
_SMALL_ENOUGH = 0.3
"""Of the evidence on the pair with the most: what the smallest pair needs to be the witness."""


def witness_of(
    draws: Draws,
    pairs: Sequence[Pair],
    evidence: Evidence,
    alpha: float,
    first: int | None,
    allowance: Allowance,
) -> tuple[Witness | None, Measured | None]:
    """The smallest counterexample, with the odds of its event on fresh units.

    Args:
        draws: of the audit.
        pairs: of the audit.
        evidence: that refuted the claim.
        alpha: chance that an interval misses, each.
        first: index of the smallest pair that the search refuted; None without a search.
        allowance: outputs and time left.

    Returns:
        The witness and what it was measured by; None if nothing was bet on.

    Raises:
        BlackBoxError: the black box cannot be run at all.
    """
    claim = evidence.claim.claim
    chosen = _pair(evidence, claim, first)
    if chosen is None:
        return None, None
    pair = pairs[chosen.pair]
    bets = witnesses(chosen, claim, larger(pair))
    if not bets:
        return None, None
    tally = FreshTally(draws, bets, Stage.WITNESS, fresh_units(draws, chosen.units, tables=True))
    tally.draw_up_to(max(1, allowance.units(_units(draws, bets[0], chosen.units))))
    seen = clearest(bets, tally.counts, claim, alpha)
    return _witness(seen, bets, claim, pair), Measured.of(tally, pair)


def unmeasured(pairs: Sequence[Pair], evidence: Evidence) -> str:
    """A note on the event that refuted the claim, before fresh runs of it; empty without one."""
    claim = evidence.claim.claim
    chosen = _pair(evidence, claim, None) if evidence.refuted else None
    if chosen is None:
        return ""
    pair = pairs[chosen.pair]
    bet = next(iter(witnesses(chosen, claim, larger(pair))), None)
    if not isinstance(bet, EventBet):
        return ""
    own, other, count = bet.counts
    left, right = ("D", NEIGHBOR) if bet.forward else (NEIGHBOR, "D")
    neighbor = in_json(pair.neighbor, pair.dataset)
    return (
        "no fresh runs measured a counterexample; in earlier runs, "
        f"{event_of(bet, claim).description} in {own:,} of {count:,} runs on {left} and in "
        f"{other:,} on {right}, where D is "
        f"{in_json(pair.dataset)} and {NEIGHBOR} is {neighbor}"
    )


def _pair(evidence: Evidence, claim: Claim, first: int | None) -> PairPast | None:
    """The smallest pair if it breaks the claim nearly as clearly as others, else the clearest."""
    found = {index: evidence_of(past, claim) for index, past in evidence.pairs.items()}
    if not found:
        return None
    best = max(found, key=lambda index: found[index])
    if first in found and found[first] >= min(_SMALL_ENOUGH * found[best], evidence.claim.goal):
        return evidence.pairs[first]
    return evidence.pairs[best]


def larger(pair: Pair) -> bool | None:
    """True if D has more records than D′, False if it has fewer, None for as many."""
    left, right = _size(pair.dataset), _size(pair.neighbor)
    return None if left == right else left > right


def _size(data: object) -> int:
    try:
        return len(data)  # type: ignore[arg-type]
    except TypeError:  # a single number
        return 0


@dataclass(frozen=True, slots=True)
class Seen:
    """Fresh outputs counted for one bet.

    Attributes:
        bet: an event or a function.
        p: mean of what is bet on, on its own side; a probability for an event.
        q: mean of what it is compared with, on the other side.
        other: mean of what is bet on, on the other side.
        draws: on each dataset.
        slope: p is claimed to be at most slope times q plus offset.
        offset: see slope.
    """

    bet: Bet
    p: Estimate
    q: Estimate
    other: Estimate
    draws: int
    slope: float
    offset: float

    @classmethod
    def of(cls, bet: Bet, claim: Claim, counts: NDArray[np.int64], alpha: float) -> Seen:
        """Means with their intervals, from counts on D and on D′, shape (2, bins)."""
        own, other = (counts[0], counts[1]) if bet.forward else (counts[1], counts[0])
        values, dual, slope, offset = line_of(bet, claim)
        p, q = mean_of(own, values, alpha), mean_of(other, dual, alpha)
        return cls(bet, p, q, mean_of(other, values, alpha), int(own.sum()), slope, offset)

    def witness(self, claim: Claim, **known: Any) -> Witness:
        """The witness with these means, and what else is known of it."""
        bet, function = self.bet, None
        if isinstance(bet, FunctionBet):
            function = FunctionShown.of(bet, claim, self.other)
        return Witness(
            event=event_of(bet, claim),
            p=self.p,
            q=self.q,
            slope=self.slope,
            offset=self.offset,
            draws=self.draws,
            function=function,
            **known,
        )

    @property
    def excess(self) -> float:
        """Distance of the intervals from what the claim allows; negative if they meet it."""
        return self.p.low - self.slope * self.q.high - self.offset


def line_of(
    bet: Bet, claim: Claim
) -> tuple[NDArray[np.float64], NDArray[np.float64], float, float]:
    """The values whose means are compared, and slope and offset of the inequality.

    Returns:
        Values from 0 to 1 of each bin on the bet's own side and on the other, slope, offset.
    """
    if isinstance(bet, EventBet):
        slope, offset = claim.lines(claim.level)[bet.line]
        event = bet.plus.astype(np.float64)
        return event, event, float(slope), float(offset)
    terms = bet.terms(claim, claim.level)
    gain, cost = bet.gain.sum(axis=0), bet.cost.sum(axis=0)
    most, dearest = max(1, int(gain.max())), max(1, int(cost.max()))
    scale = terms.gain * most
    return gain / most, cost / dearest, terms.cost * dearest / scale, terms.offset / scale


def clearest(
    bets: Sequence[Bet], counts: Sequence[NDArray[np.int64]], claim: Claim, alpha: float
) -> Seen:
    """The first of these bets if its intervals exclude the claim, else the clearest.

    All bets are fixed before the outputs that they are measured by. The first has half of alpha,
    the others share the other half. So by the union bound each kind of interval holds with
    probability 1 − alpha, whichever bet is chosen.

    Args:
        bets: at least one, the plainest first.
        counts: outputs in each bin of each bet, on D and on D′, shape (2, bins) each.
        claim: of the audit.
        alpha: chance that an interval misses, each.
    """
    parts = [0.5, *[0.5 / (len(bets) - 1)] * (len(bets) - 1)] if len(bets) > 1 else [1.0]
    found = [
        Seen.of(bet, claim, counted, alpha * part)
        for bet, counted, part in zip(bets, counts, parts, strict=True)
    ]
    return found[0] if found[0].excess > 0.0 else max(found, key=lambda seen: seen.excess)


def _units(draws: Draws, bet: Bet, units: int) -> int:
    """Fresh units to measure the bets by; more for a rare event, never more than were bet on.

    The fewest where a unit takes a process for each dataset.
    """
    enough, dear = 0, draws.units.kind is UnitKind.LIFE
    if isinstance(bet, EventBet):
        own, _, pairs = bet.counts
        enough = min(20_000, math.ceil(_SEEN * max(1, pairs) / max(1, own)))
    return max(fresh_units(draws, units, tables=dear), min(enough, units))


def _witness(seen: Seen, bets: Sequence[Bet], claim: Claim, pair: Pair) -> Witness:
    bet = seen.bet
    sides = shown(pair.dataset), shown(pair.neighbor, pair.dataset)
    datasets = pair.dataset, pair.neighbor
    if not bet.forward:
        sides, datasets = sides[::-1], datasets[::-1]
    return seen.witness(
        claim,
        pair=pair.name,
        dataset=sides[0],
        neighbor=sides[1],
        difference=pair.difference,
        direction=_direction(bet, pair),
        counts=bet.counts if isinstance(bet, EventBet) else None,
        strongest=_strongest(bet, bets, claim, pair),
        made=beyond_shown(*datasets) if pair.made else None,
    )


def _direction(bet: Bet, pair: Pair) -> str:
    return f"D over {pair.name}" if bet.forward else f"{pair.name} over D"


def _rates(bet: EventBet) -> tuple[float, float]:
    """Frequencies of the event on its own side and on the other."""
    own, other, pairs = bet.counts
    return own / max(1, pairs), other / max(1, pairs)


def _strongest(bet: Bet, bets: Sequence[Bet], claim: Claim, pair: Pair) -> StrongestEvent | None:
    """The event with the largest expected growth, if it is another one."""
    best = next((other for other in bets if other is not bet), None)
    if bet is not bets[0] or not isinstance(bet, EventBet) or not isinstance(best, EventBet):
        return None
    if _rates(best) == _rates(bet):
        return None
    return StrongestEvent(event_of(best, claim), _direction(best, pair), best.counts)


def mean_of(counts: NDArray[np.int64], values: NDArray[np.float64], alpha: float) -> Estimate:
    """The mean of a function of bins, with a two-sided interval at 1 - alpha.

    A probability where the function is 0 or 1, with its Clopper-Pearson interval; else
    the empirical Bernstein bound (arXiv 0907.3740, Theorem 4) for both ends at alpha/2.

    Args:
        counts: draws in each bin, shape (bins,); at least one in all.
        values: of the function, from 0 to 1, shape (bins,).
        alpha: chance that the interval misses the mean.
    """
    draws = int(counts.sum())
    if ((values == 0.0) | (values == 1.0)).all():
        return proportion(int(counts[values == 1.0].sum()), draws, alpha)
    mean = float(counts @ values) / draws
    if draws < 2:
        return Estimate(mean, 0.0, 1.0)
    variance = float(counts @ (values - mean) ** 2) / (draws - 1)
    needed = math.log(4.0 / alpha)
    reach = math.sqrt(2.0 * variance * needed / draws) + 7.0 * needed / (3.0 * (draws - 1))
    return Estimate(mean, max(0.0, mean - reach), min(1.0, mean + reach))
