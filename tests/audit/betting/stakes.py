"""Stakes up to which no unit makes the wealth negative, from a bet alone."""

from __future__ import annotations

from audit.betting.bet import Bet
from audit.betting.functions import UNIT, Functions
from audit.claims import Claim, Divergences
from audit.outcomes.column import Floats


def largest_stake(bet: Bet, claim: Claim, level: float, share: float | None) -> float:
    """Of units of coins, or of pairs where the share is None."""
    terms = bet.terms(claim, level)
    return 1.0 / (terms.cost * bet.largest_cost(share) + terms.offset)


def largest_stakes(functions: Functions, divergences: Divergences) -> Floats:
    """Of pairs, shape (functions,)."""
    _, offset = functions.terms(divergences)
    largest: Floats = 1.0 / (functions.cost.max(axis=1) / UNIT + offset)
    return largest
