"""Bets on calls, try by try, and what calls showed of how independent they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import numpy as np

from audit.betting.confirmation.call_wealth import CallWealth
from audit.betting.confirmation.calls import CallJob, CallPlan, plans_of, repeats
from audit.betting.confirmation.odds_event import OddsEvent
from audit.betting.confirmation.odds_wealth import OddsWealth
from audit.betting.confirmation.plan import Plan
from audit.betting.e_process import Floats
from audit.betting.record import CapitalRecord
from audit.outcomes.column import Column, joined_column
from audit.outcomes.seen_values import plain
from audit.sampling.batch import Sides
from audit.sampling.deadline import Deadline
from audit.sampling.in_a_row import any_more_alike, more_alike_in_a_row
from audit.sampling.in_turn import any_in_turn
from audit.sampling.sampler import Sampler
from audit.sampling.source import Sources
from audit.sampling.stream import Address
from audit.sampling.trace import Misaligned
from audit.sampling.workers.interface import WorkerPool

_LATER = 16
"""Blocks of calls that are made once more at the end, for a look at how alike they are."""
_IN_A_ROW = 1e-4
"""Chance of a doubt by what calls gave, and by what they add up to, where they are independent."""
_FOLLOWED, _MOST_OUTPUTS = 1 << 12, 1 << 20
"""Calls whose first outputs are kept, to see whether they come in turn: those made first, and
no more than give so many outputs."""
_BATCHES = 32
"""Sides of first batches whose outputs are looked at likewise, call by call, at most: of eight
tries, and of as many that are made once more."""


@dataclass(slots=True)
class CallBets:
    """Makes calls and bets on them, by events and stakes that are fixed before.

    Attributes:
        sampler: where draws come from.
        pool: who draws.
        pairs: the black box on both datasets of each, by the numbers that bets have for them.
        share: of the level, for this try and those that follow it; earlier budgets of
            a store have had the rest.
        places: numbers for the addresses of calls, each used once.
        commonest: of each pair, how often the bets saw the output they saw most often.
        deadline: when it has to be done.
        repeating: whether calls gave the same again, as draws of those outputs would not.
        alike: whether calls made in a row gave outputs more alike than calls made apart.
        tries: what calls were bet on so far, plan by plan.
        firsts: what bets read off the first outputs of calls, by their place and side.
    """

    sampler: Sampler
    pool: WorkerPool
    pairs: Sequence[Sources]
    share: float
    places: Iterator[int] = field(default_factory=count)
    commonest: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    deadline: Deadline = field(default_factory=Deadline)
    repeating: bool = False
    alike: bool = False
    tries: list[tuple[Plan, CallWealth]] = field(default_factory=list)
    firsts: dict[tuple[int, int], list[Column]] = field(default_factory=dict)

    def opened(self, capital: CapitalRecord, plan: Plan, share: float) -> CallWealth:
        """Wealth to bet by a plan, from this share of what is to be had here; one more try."""
        at_odds = isinstance(plan.bets[0], OddsEvent)
        wealth = (OddsWealth if at_odds else CallWealth).against(
            capital.claim, plan.level, capital.alpha, share * self.share, plan.bets, plan.block
        )
        self.tries.append((plan, wealth))
        return wealth

    def bet(self, wealth: CallWealth, plan: Plan, plans: Iterator[CallPlan]) -> None:
        """Make calls and bet on them; the first ones are looked at, too.

        Raises:
            Misaligned: a call failed.
        """
        for done in self.pool.run(self.sampler, _jobs(wealth, plan, plans)):
            self.sampler.adopt(done.trace)
            if done.batch is not None:
                wealth.add(done.batch.counts)
                if done.batch.outcomes is not None:
                    self._follow(done.batch.outcomes, plan, done.trace.address)
                    if done.trace.address.batch == 0:
                        self._look_at(done.batch.outcomes, plan)

    def _follow(self, sides: Sides, plan: Plan, address: Address) -> None:
        """Keep what the bet reads off the first output of each call."""
        for side, outcomes in enumerate(sides):
            feature = plain(plan.bets[0].feature)
            first = feature.read(outcomes.take(slice(None, None, plan.outputs)))
            self.firsts.setdefault((address.pair, side), []).append(first)

    def _look_at(self, sides: Sides, plan: Plan) -> None:
        """Whether outputs repeat each other, or are more alike from call to call than apart."""
        shares = self.commonest.get(plan.bets[0].pair, (1.0, 1.0))
        self.repeating |= any(
            repeats(side, plan.outputs, share) for side, share in zip(sides, shares, strict=True)
        )
        firsts = slice(None, None, plan.outputs)
        self.alike |= any(
            more_alike_in_a_row(side.take(firsts).table(), _IN_A_ROW / _BATCHES) for side in sides
        )

    def later(self, runs: int, level: float) -> list[Floats]:
        """What blocks of calls paid against a level when they were bet on, and what some pay now.

        Args:
            runs: to be spent on looking again, at most.
            level: of the claim.

        Returns:
            For each of the tries, payoffs in the order in which the calls were made.
        """
        found, bet_on = [], [(plan, wealth) for plan, wealth in self.tries if wealth.calls]
        for plan, wealth in bet_on:
            blocks = min(_LATER, runs // len(bet_on) // (2 * plan.block))
            plans = plans_of(plan, self.pairs[plan.bets[0].pair], next(self.places))
            now = replace(wealth, sums=[])
            with suppress(Misaligned):
                self.bet(now, plan, plans(blocks))
            found.append(np.concatenate([one.payoffs(level) for one in (wealth, now) if one.calls]))
        return found

    @property
    def in_turn(self) -> bool:
        """Whether calls follow each other in an order that comes again, by their first outputs."""
        return any_in_turn([joined_column(c).side_by_side() for c in self.firsts.values()])

    @property
    def in_a_row(self) -> bool:
        """Whether calls made one after the other came out more alike than those made apart."""
        sums = [np.concatenate(wealth.sums) for _, wealth in self.tries if wealth.calls]
        tables = [one.reshape(len(one), -1) for one in sums]
        return self.alike or any_more_alike(tables, _IN_A_ROW)


def _jobs(wealth: CallWealth, plan: Plan, plans: Iterator[CallPlan]) -> Iterator[CallJob]:
    """Calls to make; outputs of the first batch come back, and those of calls to be followed."""
    readers: Any = plan.bets
    made, most = wealth.calls * plan.calls, min(_FOLLOWED, _MOST_OUTPUTS // plan.outputs)
    for calls in plans:
        yield CallJob(calls, readers, calls.address.batch == 0 or made < most, plan.block)
        made += calls.size // plan.outputs
