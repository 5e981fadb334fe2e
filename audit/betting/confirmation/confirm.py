"""What bets have won, confirmed on fresh calls before it is said.

Bets take the outputs of a call for independent draws, which is cheap and proves nothing
where they are not. So a violation, a leak or a bound is stated only as far as it is won
again call by call (see `call_wealth`), by events and stakes that are fixed before the first
of those calls. The chance that a level is stated which the mechanism keeps is then at most
alpha, whatever the bets were.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

from audit.betting.confirmation.beside import Beside
from audit.betting.confirmation.call_bets import CallBets
from audit.betting.confirmation.call_wealth import CallWealth
from audit.betting.confirmation.calls import plans_of
from audit.betting.confirmation.odds_wealth import OddsWealth
from audit.betting.confirmation.plan import Plan, Planner
from audit.betting.record import CapitalRecord
from audit.blackbox.interface import starts
from audit.sampling.trace import Misaligned

FIRST_SHARE = 0.9
"""Of the wealth, bet at the first try; each later try has this share of what is left."""
_LONGER = 2
"""How many times as many calls as were planned are made at most where each starts something."""
_WAVE, _FIRST_WAVE = 1.25, 0.25
_CROWDS = 32
"""Calls, or blocks of them, that a refutation takes where each shows an event for certain."""
_PILOT = 4
"""Blocks after which it is known how long they take."""
_APART = 1.1
"""How many times the claim's level a bound must be to be won apart from the refutation."""


@dataclass(slots=True)
class Confirmer(CallBets):
    """Confirms what capitals have won, on calls of their own.

    Attributes:
        beyond: whether a bound may be larger than the bets had it, and as much is spent on it.
        crowd: outputs of calls as large as those that refuted the claim, and the count of runs
            up to which such calls may be made where smaller ones do not win it again.
        crowded: outputs of the calls that won it again where smaller ones did not, 0 elsewhere.
    """

    beyond: bool = False
    crowd: tuple[int, int] = (0, 0)
    crowded: int = 0

    def confirmed(
        self, capital: CapitalRecord, runs: int, most: int, bound: bool = True
    ) -> CallWealth | None:
        """Win again what a capital process has won.

        A refutation is won again by itself, with calls and stakes that suit the claim's
        level: what was bet afterwards for a larger bound cannot lose it. The bound has a wealth
        of its own, and the two share the level. It is that of these calls alone, whose events and
        stakes were fixed before: it may be larger than that of the bets where that is asked for.

        Args:
            capital: what it came to; the claim's level is meant to be refuted where it
                was, else the lower bound.
            runs: to be spent on the largest level within their reach.
            most: runs to be spent on a claim that was refuted.
            bound: whether more than that is wanted where it was; where it is not, the
                refutation is worth no more calls than a bound.

        Returns:
            The wealth, which knows its lower bound; None where nothing was won.
        """
        start = self.sampler.samples
        ends = start + runs, start + most
        plan = self._planner(capital, FIRST_SHARE).within(runs) if capital.leading else None
        if plan is None:
            return None
        level = capital.claim.level
        bets = capital.leading
        if capital.best is not None:
            pair = capital.best.pair
            bets = (capital.best, *(bet for bet in bets if bet.pair == pair))
        if capital.refuted and not bound:
            planner = self._planner(capital, FIRST_SHARE)
            alone = planner.at(level, bets)
            if alone is None or alone.blocks * alone.calls > planner.most_calls:
                return None
            return self._won_somehow(capital, alone, FIRST_SHARE, ends)
        if not capital.refuted or plan.level <= _APART * level:
            return self._won_somehow(capital, plan, FIRST_SHARE, ends)
        half, began = FIRST_SHARE / 2.0, self.deadline.now()
        own = self._planner(capital, half).at(level, bets)
        first = None if own is None else self._won_somehow(capital, own, half, ends)
        if first is None or first.level < level:
            return first
        further = self._further(capital, half, runs, self.deadline.affordable(first.calls, began))
        if further is not None and self.crowded:
            further = further.for_calls(self.crowded, _CROWDS)
        second = None if further is None else self._won(capital, further, half, (ends[0], None))
        return first if second is None or second.level < first.level else second

    def _planner(self, capital: CapitalRecord, share: float) -> Planner:
        beyond = self.beyond and not starts(self.sampler.box)
        return Planner.of(capital, self.sampler, share * self.share, beyond)

    def _further(
        self, capital: CapitalRecord, share: float, runs: int, calls: float
    ) -> Plan | None:
        """A plan for a bound, with as many calls as there is time for."""
        planner = self._planner(capital, share)
        plan = planner.within(runs)
        if plan is None or calls >= planner.most_calls:
            return plan
        sooner = replace(planner, most_calls=max(1.0, calls)).within(runs)
        self.deadline.met |= sooner is None or sooner.level < plan.level
        return sooner

    def _won_somehow(
        self, capital: CapitalRecord, plan: Plan, share: float, ends: tuple[int, int]
    ) -> CallWealth | None:
        outputs, end = self._larger(plan)
        if capital.refuted and outputs:
            # What larger calls take is kept for them: not more than half, nor of what is planned.
            now, kept = self.sampler.samples, 4 * _CROWDS * outputs
            planned = 2 * plan.blocks * plan.runs
            least = max(end - kept, now + (end - now) // 2, now + planned)
            ends = min(ends[0], least), min(ends[1], least)
        wealth = self._won(capital, plan, share, ends)
        if wealth is None:
            # A call for many outputs failed, and what it was to show with it.
            single = replace(plan, outputs=1, blocks=plan.blocks * plan.outputs)
            return self._won(capital, single, 1.0 - FIRST_SHARE, ends)
        if not capital.refuted or wealth.level >= capital.claim.level:
            return wealth
        return self._won_in_a_crowd(capital, plan) or wealth

    def _larger(self, plan: Plan) -> tuple[int, int]:
        """See `crowd`; no outputs where no larger calls than those of a plan can be made."""
        outputs, end = self.crowd
        larger = outputs > plan.outputs and self.sampler.many_on(plan.bets[0].pair)
        return (outputs if larger else 0), end

    def _won_in_a_crowd(self, capital: CapitalRecord, plan: Plan) -> CallWealth | None:
        """Bet on calls as large as those that refuted the claim, which smaller ones did not.

        What a black box gives may follow another law where more is asked for at once.
        """
        outputs, end = self._larger(plan)
        if not outputs or self.repeating:
            return None
        level = capital.claim.level
        large = replace(plan.for_calls(outputs, _CROWDS), level=level, further=0.0)
        wealth = self._won(capital, large, 1.0 - FIRST_SHARE, (end, end))
        if wealth is None or wealth.level < level:
            return None
        self.crowded = outputs
        return wealth

    def _won(
        self,
        capital: CapitalRecord,
        plan: Plan,
        share: float,
        ends: tuple[int, int | None],
    ) -> CallWealth | None:
        """Bet until the level is won or runs or time are spent; None where a call failed.

        Args:
            capital: what is won again.
            plan: how.
            share: of the level.
            ends: counts of runs at which to end, and for as long as a refuted claim has not
                been won again; None where that is no matter here.
        """
        wealth = self.opened(capital, plan, share)
        place = next(self.places)
        plans = plans_of(plan, self.pairs[plan.bets[0].pair], place)
        beside = self._beside(wealth, plan, place)
        try:
            for blocks in self._waves(capital, plan, wealth, ends):
                self.bet(wealth, plan, plans(blocks))
                if beside is not None:
                    beside.draw(self.sampler, self.pool)
                if capital.refuted:
                    wealth.look(capital.claim.level)
                if wealth.look(plan.level) and wealth.look(plan.further):
                    break
        except Misaligned:
            return None
        wealth.lower_bound()
        if not (self.beyond and capital.refuted):
            # Nobody asked for more: the bets have to show a bound as well.
            wealth.level = min(wealth.level, capital.level)
        return wealth

    def _waves(
        self, capital: CapitalRecord, plan: Plan, wealth: CallWealth, ends: tuple[int, int | None]
    ) -> Iterator[int]:
        """How many blocks of calls are bet on next, as long as there are runs and time."""
        began = self.deadline.now()
        for wave in count():
            # A refuted claim may take longer than the largest level within reach.
            open_claim = capital.refuted and wealth.level < capital.claim.level
            end = ends[1] if open_claim and ends[1] is not None else ends[0]
            left = (end - self.sampler.samples) // plan.runs
            if starts(self.sampler.box) and end == ends[0]:
                left = min(left, _LONGER * plan.blocks - wealth.calls)
            wanted = math.ceil(plan.blocks * _FIRST_WAVE * _WAVE**wave) - wealth.calls
            if not self.deadline.never:
                wanted = min(wanted, max(_PILOT, wealth.calls))
            if left <= 0 or not self.deadline.affords(wanted, wealth.calls, began):
                return
            yield min(wanted, left)

    def _beside(self, wealth: CallWealth, plan: Plan, place: int) -> Beside | None:
        if not isinstance(wealth, OddsWealth):
            return None
        left, right = self.pairs[plan.bets[0].pair]
        return Beside.of(self.sampler, wealth, right if plan.bets[0].forward else left, place)


def share_of_try(budgets: int) -> float:
    """Part of alpha for this try: earlier budgets of a store have had theirs, later ones will.

    What the first leaves is split as 1 = 1/2 + 1/6 + 1/12 + ..., which falls so slowly that an
    audit can go on with a hundred budgets.
    """
    if budgets == 1:
        return FIRST_SHARE
    return (1.0 - FIRST_SHARE) / ((budgets - 1) * budgets)
