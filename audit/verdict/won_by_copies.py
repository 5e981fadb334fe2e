"""A refutation won again by copies of a black box, each of them one bet.

What may keep a part of its noise from call to call gives runs that are draws of its law one by
one, and not together: within one process the kept part is a number like any other. Copies that
were never called draw it anew. So each of some copies gives n outputs on D and n on D', and
counts as one call does (see `call_wealth`): the mean of what they pay is linear in them, so that
its expectation is at most 0 where the claim is kept, whatever a copy keeps from run to run, and
the wealth on independent copies reaches 1/alpha with probability at most alpha (Ville).

A copy multiplies the wealth by no more than 1 + 1/(a + b) on the line (a, b) of a claim, however
large n is. Where a claim allows much, or what breaks it is little, that takes more copies than
can be made, and nothing may be said.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from audit.audit_session import AuditSession
from audit.betting.confirmation.call_wealth import CallWealth, suiting
from audit.betting.confirmation.confirm import share_of_try
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.confirmation.odds_event import OddsEvent
from audit.betting.confirmation.plan import COSTS, MOST_BETS
from audit.betting.inequalities import Inequalities
from audit.betting.record import BettingRecord, CapitalRecord
from audit.case import Until
from audit.sampling.batch import Sides
from audit.verdict.asked_copies import best_of, copies_of, drawn_by

_MOST_COPIES, _MOST_STARTED = 512, 128
"""Copies that a refutation may be expected to take, and where each starts a program."""
_COPIES_FOR_BOUND, _STARTED_FOR_BOUND = 128, 32
"""The same for a lower bound where the claim stands."""
_HALVINGS = 12
_PILOT = 4
"""Copies after which it is known how long they take."""
_AS_MUCH_AS = 256
"""Runs of a quick black box that take as long as a copy does."""
_LARGEST = 1 << 12
"""Runs of a copy on either side at most."""
_WAVE = 0.25
"""Part of the copies that are expected to be enough, made at once."""
_LONGER = 1.5
"""How many times as many copies as were expected are made at most."""
_NOT_AGAIN = (
    "the bets won, but copies of the black box that had not been called before did not win again "
    "what was won here{within}: it may keep a part of its noise from call to call, so that its "
    "runs are not draws of its law{advice}"
)
_NO_ACCIDENT = 1e-6
_ALIKE = (
    "the bets won, but all copies of the black box that had not been called before gave the same "
    "outputs, which do vary: it has noise in store that was drawn before its first call, so that "
    "nothing tells whether it keeps a part of it from call to call; let it draw noise in every run"
)
_OUT_OF_REACH = (
    "the bets won, but the black box may keep a part of its noise from call to call, and no number "
    "of copies that could be made would win this again, as too much is allowed or too little was "
    "won; audit it with nothing that it keeps between calls, as a function or a program that is "
    "started for every run"
)
_UNASKED = (
    "the bets won, but the black box may keep a part of its noise from call to call, and no copy "
    "of it could be made and called to see whether it does; audit it by its address, with audit "
    "python FILE.py:FUNCTION, or as a program"
)


@dataclass(frozen=True, slots=True)
class Won:
    """What copies won of what bets had won.

    Attributes:
        level: the largest that they refuted, with all below; 0 for none.
        doubt: why they did not refute the claim, where bets had; else empty.
    """

    level: float = 0.0
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class _Plan:
    """So many copies, with so many runs on either side each, to refute a level."""

    level: float
    copies: int
    size: int


@dataclass(frozen=True, slots=True)
class ByCopies:
    """Has copies win what one capital has won.

    Attributes:
        session: what is audited.
        capital: what it came to.
        bets: on one pair, fixed before the first copy.
        commonest: share of the output that came most often there, on either side.
        runs: that may be spent.
    """

    session: AuditSession
    capital: CapitalRecord
    bets: Sequence[LeadingBet]
    commonest: tuple[float, float]
    runs: int

    @classmethod
    def of(
        cls, session: AuditSession, record: BettingRecord, capital: CapitalRecord, runs: int
    ) -> ByCopies:
        """With the bets that won most, in pairs."""
        best = best_of(capital)
        others = [bet for bet in capital.leading if best and bet.pair == best.pair]
        chosen = [] if best is None else [best, *(bet for bet in others if bet is not best)]
        bets = [b.in_pairs if isinstance(b, OddsEvent) else b for b in chosen[:MOST_BETS]]
        shares = (1.0, 1.0) if best is None else record.pairs[best.pair].commonest
        return cls(session, capital, bets, shares, runs)

    def won(self, first: int) -> Won:
        """What copies win, the first of which has this number."""
        refuted, plan = self.capital.refuted, self._planned()
        if plan is None:
            return Won(doubt=_OUT_OF_REACH if refuted else "")
        asked = copies_of(self.session, self.bets[0], plan.size)
        wealth, deadline = self._wealth(plan), self.session.deadline("check")
        began, made = deadline.now(), 0
        longest = int(_LONGER * plan.copies) if refuted else plan.copies
        most = min(longest, self.runs // (2 * plan.size))
        firsts: list[Sides] = []
        while made < most:
            wave = min(max(1, math.ceil(_WAVE * plan.copies)), most - made)
            if not deadline.never:
                wave = min(wave, max(_PILOT, made))
            if not deadline.affords(wave, made, began):
                break
            given = drawn_by(self.session, asked, wave, first + made)
            if given is None:
                return Won(doubt=_UNASKED if refuted else "")
            for sides, *_ in given:
                wealth.add([bet.sums(*sides, plan.size) for bet in self.bets])
                _add_first(firsts, sides)
            made += wave
            if refuted and wealth.look(plan.level) and self._is_enough(made, plan):
                break
        if made and self._begin_alike(firsts, made):
            return Won(doubt=_ALIKE if refuted else "")
        level = wealth.lower_bound() if made else 0.0
        if refuted and level < self.capital.claim.level:
            return Won(doubt=self._lost(made >= longest))
        return Won(level)

    def _is_enough(self, made: int, plan: _Plan) -> bool:
        return self.session.settings.budget.rule is Until.VIOLATION or made >= plan.copies

    def _wealth(self, plan: _Plan) -> CallWealth:
        capital = self.capital
        return CallWealth.against(
            capital.claim, plan.level, capital.alpha, self._share, self.bets, plan.size
        )

    @property
    def _share(self) -> float:
        return share_of_try(len(self.session.memory.budgets))

    def _planned(self) -> _Plan | None:
        """For the claim where it was refuted, else for the largest level within reach."""
        program = hasattr(self.session.case.box, "restart")
        if not self.bets:
            return None
        if self.capital.refuted:
            level = self.capital.claim.level
            return self._plan(level, _MOST_STARTED if program else _MOST_COPIES)
        low, high, found = 0.0, self.capital.level, None
        for _ in range(_HALVINGS if high > 0.0 else 0):
            middle = (low + high) / 2.0
            plan = self._plan(middle, _STARTED_FOR_BOUND if program else _COPIES_FOR_BOUND)
            reached = plan is not None and 2 * plan.copies * plan.size <= self.runs
            low, high, found = (middle, high, plan) if reached else (low, middle, found)
        return found

    def _plan(self, level: float, most: int) -> _Plan | None:
        """What takes least time of all that should be enough; with few runs, what takes fewest."""
        goal = COSTS - math.log(self.capital.alpha * self._share)
        promised = Inequalities.at(self.capital.claim, level)
        plans = []
        for size in (1 << power for power in range(_LARGEST.bit_length())):
            growth = _growth(self.bets[0], promised, size)
            if growth > 0.0 and goal / growth <= most:
                plans.append(_Plan(level, math.ceil(goal / growth), size))
        enough = [plan for plan in plans if 2 * plan.copies * plan.size <= self.runs]
        quickest = min(enough, key=lambda p: p.copies * (2 * p.size + _AS_MUCH_AS), default=None)
        return quickest or min(plans, key=lambda plan: plan.copies * plan.size, default=None)

    def _begin_alike(self, firsts: list[Sides], made: int) -> bool:
        """Whether the first runs of copies are always the same, but for who is first.

        Where copies are independent the two sides of each fall into one of two cells of
        probability at most p with probability at most 2 p: into those of the first and of another
        one of them.
        """
        alike = self.session.sampler.coupled
        likeliest = min(self.commonest) if alike else math.prod(self.commonest)
        accident = made * min(1.0, 2.0 * likeliest) ** max(0, made - 2)
        return len(firsts) < 3 and accident < _NO_ACCIDENT

    def _lost(self, enough: bool) -> str:
        """What to say where copies did not win, as many as should have been enough or not."""
        if enough:
            return _NOT_AGAIN.format(
                within="", advice="; let it draw all of its noise in every run"
            )
        settings = self.session.settings
        if self.session.deadline("check").met:
            more = f"more than --max-seconds {settings.max_seconds:g}"
            return _NOT_AGAIN.format(within=" in the time there was", advice=f"; give {more}")
        more = f"--max-samples {2 * settings.max_samples} or more"
        return _NOT_AGAIN.format(within=" with the runs that were left", advice=f"; give {more}")


def _add_first(firsts: list[Sides], sides: Sides) -> None:
    """Add the first run on either side to those that there are, if it is another one."""
    first = sides[0].take(slice(1)), sides[1].take(slice(1))
    if len(firsts) < 3 and not any(_equal(first, other) for other in firsts):
        firsts.append(first)


def _equal(one: Sides, other: Sides) -> bool:
    return all(a.equals(b) for a, b in zip(one, other, strict=True))


def _growth(bet: LeadingBet, promised: Inequalities, size: int) -> float:
    """Log-wealth that a copy earns with so many runs on either side; 0 where it is none."""
    mean, variance = bet.moments(promised)
    if mean <= 0.0:
        return 0.0
    stake = min(bet.largest_stake(promised), suiting((mean, variance), size))
    return stake * mean - 0.5 * stake**2 * (variance / size + mean**2)
