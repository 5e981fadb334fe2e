"""Which of the bets that won breaks the claim on fresh draws as well."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.audit_session import AuditSession
from audit.betting.confirmation.event_bet import EventBet
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.inequalities import Inequalities
from audit.betting.record import BettingRecord, CapitalRecord
from audit.claim import Claim
from audit.sampling.stream import Address, Stage
from audit.verdict.bounded_means import mean_of
from audit.verdict.estimate import Estimate
from audit.verdict.fresh_draws import FEWEST, drawn_afresh, fresh_draws

_SHOWN = 50
_BATCH = 4096
_AGAIN = 4
"""How many times as long the longest look is as the bets were."""
_OTHERS = 5
"""Bets that are looked at beside the one that is easiest to read."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What fresh draws show of one bet.

    Attributes:
        bet: on an event or a function.
        p: the mean of what is bet on, on its side; a probability where that is an event.
        q: the mean of what it is compared with, on the other.
        other: the mean there of what is bet on.
        draws: on each side.
        excess: how far the intervals of p and q are beyond what the claim allows; negative
            where they are not.
    """

    bet: LeadingBet
    p: Estimate
    q: Estimate
    other: Estimate
    draws: int
    excess: float

    @classmethod
    def of(cls, bet: LeadingBet, claim: Claim, counts: NDArray[np.int64], alpha: float) -> Seen:
        """Both means with their intervals.

        Args:
            bet: on an event or a function.
            claim: what is bet against.
            counts: draws in each of its bins, on its side and on the other, shape (2, bins).
            alpha: chance that one of the intervals of p and q misses, each.
        """
        own, other = bet.shown
        slope, offset = bet.line(Inequalities.at(claim, claim.level))
        p, q = mean_of(counts[0], own, alpha), mean_of(counts[1], other, alpha)
        there, draws = mean_of(counts[1], own, alpha), int(counts[0].sum())
        return cls(bet, p, q, there, draws, p.low - slope * q.high - offset)


def candidates(won: CapitalRecord) -> tuple[LeadingBet, ...]:
    """The bet that is easiest to read, and behind it those on its pair that earned most."""
    first, best = won.shown, won.best
    if first is None or best is None:
        return ()
    promised = Inequalities.at(won.claim, won.claim.level)
    kept = [first]
    for bet in (best, *(bet.single(promised) for bet in won.against)):
        if bet.pair == first.pair and not any(_alike(bet, held) for held in kept):
            kept.append(bet)
    return tuple(kept[: 1 + _OTHERS])


def _alike(one: LeadingBet, other: LeadingBet) -> bool:
    """Whether two bets are on the same bins of one table, in the same direction."""
    if one.joint is not other.joint or one.forward != other.forward:
        return False
    return np.array_equal(one.shown[0], other.shown[0])


def clearest(
    session: AuditSession, record: BettingRecord, bets: Sequence[LeadingBet], sides: Sequence[Any]
) -> Seen:
    """The first of these bets if its intervals come to exclude the claim, else the clearest.

    What won may have won by luck, beside others that did not; so all are fixed before the
    draws that they are shown by. The first is looked at until its intervals exclude what the
    claim allows, K times at most, those of the k-th look at level alpha/(k (k + 1)). These
    levels add up to alpha (1 - 1/(K + 1)); where no look was enough, what is left of alpha
    is shared by the others, on the draws of the last one. So, by the union bound, all
    intervals that may be shown hold together with probability 1 - 3 alpha, three for each bet
    and look (with that of a function's mean on its own side in the other dataset), whichever is
    chosen of them; those of one kind with 1 - alpha.

    Args:
        session: draws.
        record: of the bets.
        bets: on one pair, the easiest to read first; see `candidates`.
        sides: the datasets of that pair, first the one on whose side the first bet is.
    """
    claim, first = record.claim.claim, bets[0]
    wanted, most = _draws(session, record, first)
    looks = 1 + math.ceil(math.log2(max(1.0, most / wanted)))
    tally = _Tally(session, bets, sides)
    for look in range(1, looks + 1):
        tally.draw_up_to(max(1, min(wanted << (look - 1), most)))
        alpha = session.settings.alpha / (look * (look + 1))
        seen = Seen.of(first, claim, tally.counts[0], alpha)
        if seen.excess > 0.0:
            return seen
    others = list(zip(bets, tally.counts, strict=True))[1:]
    left = session.settings.alpha / (looks + 1) / max(1, len(others))
    found = [seen, *(Seen.of(bet, claim, counts, left) for bet, counts in others)]
    return max(found, key=lambda shown: shown.excess)


def _draws(session: AuditSession, record: BettingRecord, bet: LeadingBet) -> tuple[int, int]:
    """Runs on each side for the first look, and at most."""
    wanted = max(fresh_draws(session.sampler, record), _enough(bet))
    longest = _AGAIN * record.drawn if session.sampler.box.many else record.drawn // 2
    spare = max(FEWEST, 2 * session.beside // 5)
    most = min(session.left // 4, spare, max(wanted, longest))
    return wanted, max(1, session.in_time("witness", 4 * most) // 4)


def _enough(bet: LeadingBet) -> int:
    """Draws that should show an event as rare as this one a few dozen times."""
    if not isinstance(bet, EventBet):
        return 0
    seen, _, drawn = bet.counts
    return math.ceil(_SHOWN * max(1, drawn) / max(1, seen))


class _Tally:
    """Fresh draws on both sides, counted in the bins of several bets.

    Attributes:
        counts: for each bet the draws in each bin, on its side and on the other.
    """

    def __init__(
        self, session: AuditSession, bets: Sequence[LeadingBet], sides: Sequence[Any]
    ) -> None:
        self._sampler, self._bets = session.sampler, bets
        self._sources = [session.source(data) for data in sides]
        self._drawn = 0
        self.counts = [np.zeros((2, bet.binning.count), np.int64) for bet in bets]

    def draw_up_to(self, target: int) -> None:
        """Draw until there are so many on each side, batch by batch."""
        while self._drawn < target:
            size = min(_BATCH, target - self._drawn)
            # Numbered by where they begin, so that looks of any length go on from each other.
            address = Address(Stage.WITNESS, self._bets[0].pair, self._drawn)
            for side, source in enumerate(self._sources):
                outcomes = drawn_afresh(self._sampler, address, source, size, side)
                for bet, counts in zip(self._bets, self.counts, strict=True):
                    own = side if bet.forward == self._bets[0].forward else 1 - side
                    bins = bet.binning.code(bet.feature.read(outcomes))
                    counts[own] += np.bincount(bins, minlength=bet.binning.count)
            self._drawn += size
