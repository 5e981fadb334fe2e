"""Stopping rule of the lower bound. Any rule is valid: the bound holds at all times at once."""

from __future__ import annotations

from collections.abc import Sequence

from audit.betting.bet import Bet, EventBet
from audit.betting.screening import Offer
from audit.betting.wealth import NO_END, Wealth
from audit.claims import LARGEST_EPSILON, Claim
from audit.sampling.units import UnitKind, UnitSource

SETTLED = 0.95
"""Part of the plug-in level at which a bound is good enough."""
_NO_END = 6.0
"""The same as `NO_END` for units other than fresh instances."""
_DEAR, _LONGER = 0.05, 4
"""Seconds of a unit that is slow; for slow ones, factor in outputs since the refutation."""
_STEPS = 40


def settled(
    wealth: Wealth, leading: Sequence[Offer], source: UnitSource, runs: int, refuted_at: int
) -> bool:
    """True if more units would hardly raise the bound, or cost too much.

    Args:
        wealth: its claim is refuted.
        leading: the best offers at the frontier. One that grows slowly there may go further.
        source: of the units.
        runs: outputs so far.
        refuted_at: outputs when the claim was refuted.
    """
    if sum(source.costs()) > _DEAR and runs >= _LONGER * refuted_at:
        return True
    if not leading:
        return False
    claim, stated = wealth.claim, wealth.claim.stated
    largest = max(limit_of(offer, claim) for offer in leading)
    if largest >= LARGEST_EPSILON:
        no_end = NO_END if source.kind is UnitKind.LIFE else _NO_END
        return stated(wealth.bound) >= max(no_end, 1.1 * stated(claim.level))
    return stated(wealth.bound) >= SETTLED * stated(largest)


def limit_of(offer: Offer, claim: Claim) -> float:
    """The level that the frequencies of an offer would refute without end.

    An event that never happened on the side that must not have it has no limit.
    """
    bet = offer.bet
    if isinstance(bet, EventBet) and bet.counts[1] == 0:
        return LARGEST_EPSILON

    def beyond(level: float) -> bool:
        if not isinstance(bet, EventBet):
            return _mean(offer, bet, claim, level) > 0.0
        terms = bet.terms(claim, level)
        own, other, pairs = bet.counts
        mean = (terms.gain * own - terms.cost * other) / max(1, pairs)
        return bool(mean > terms.offset / bet.events)

    low, high = claim.level * 1e-3, claim.level
    while beyond(high) and high < LARGEST_EPSILON:
        low, high = high, 2.0 * high
    for _ in range(_STEPS):
        middle = (low + high) / 2.0
        low, high = (middle, high) if beyond(middle) else (low, middle)
    return low


def _mean(offer: Offer, bet: Bet, claim: Claim, level: float) -> float:
    """Plug-in mean of a function's bracket at another level than it was offered at."""
    now, then = (bet.terms(claim, one) for one in (offer.level, level))
    gain = (offer.mean + offer.cost + now.offset) / max(now.gain, 1e-300)
    return then.gain * gain - offer.cost - then.offset
