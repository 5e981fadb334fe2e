"""Size of a floating-point leak, on first outputs of fresh units.

With Clopper-Pearson bounds for P[E | D] from below and for P[E | D′] from above, each at alpha/2,

    epsilon >= ln((P[E | D] − delta) / P[E | D′])

is false with probability at most alpha. An output without a number has no low-order bits; on the
side that must not have the event it counts as one of it.
"""

from __future__ import annotations

import math

import numpy as np

from audit.betting.bet import EventBet
from audit.betting.screening import Offer
from audit.claims import ApproxDP, Claim
from audit.sampling.draws import Draws
from audit.sampling.stream import Stage
from audit.verdict.fresh_units import FEWEST, Allowance, FreshTally, fresh_units
from audit.verdict.intervals import proportion


def leak_size(
    draws: Draws, offer: Offer, claim: Claim, alpha: float, bet: int, allowance: Allowance
) -> float | None:
    """A lower bound on epsilon at level alpha; None if too few runs are left, or none was shown.

    Args:
        draws: of the audit.
        offer: the leading event on low-order bits.
        claim: of the audit.
        alpha: chance that the bound is too large.
        bet: units that were bet on.
        allowance: outputs and time left.

    Raises:
        BlackBoxError: the black box cannot be run at all.
    """
    units = allowance.units(2 * fresh_units(draws, bet), draws.samples)
    if units < FEWEST or not isinstance(offer.bet, EventBet):
        return None
    tally = FreshTally(draws, [offer.bet], Stage.LEAK)
    tally.draw_up_to(units)
    own, other = (0, 1) if offer.bet.forward else (1, 0)
    counts, gain = tally.counts[0], offer.bet.gain[own]
    p = proportion(int(counts[own][gain > 0].sum()), units, alpha)
    cost = np.asarray(offer.bet.cost[other] > 0)
    q = proportion(int(counts[other][cost].sum()), units, alpha)
    delta = claim.delta_claimed if isinstance(claim, ApproxDP) else 0.0
    if p.low <= delta:
        return None
    lower = math.log((p.low - delta) / q.high)
    return lower if lower > 0.0 else None
