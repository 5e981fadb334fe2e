"""What bets have won, confirmed on fresh calls before it is said.

The bets take the outputs of a call for independent draws, which makes them cheap and
proves nothing where they are not. So a violation, a leak or a bound is stated only
as far as it is won again call by call (see `call_wealth`), by events and stakes that
are fixed before the first of those calls. The chance that a level is stated which
the mechanism keeps is then at most alpha, whatever the bets were.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from audit.batch import Draft, Job, Sides
from audit.call_wealth import CallWealth
from audit.crew import Crew
from audit.events import Counts
from audit.fund import Fund
from audit.leading import LeadingBet, leading_bets
from audit.neighbors import Pair
from audit.sampling import Sampler
from audit.stream import Address, Stage
from audit.trace import Misaligned, Trace

FIRST_SHARE = 0.9
"""Of the wealth, bet at the first try; each later try has this share of what is left."""
_COSTS = 3.0
"""Log-wealth that typically stays behind in other stakes and events."""
_SLACK = 1.5
"""How many times the expected pairs a level may take to be within reach."""
_MOST_BETS = 3
_BLOCK = 8
"""Calls that make one block where the black box keeps state between them."""
_LARGEST_CALL = 1 << 12
_LARGEST_BATCH = 1 << 14
_FEWEST_CALLS = 50
_WAVE, _FIRST_WAVE = 1.25, 0.25
_HALVINGS = 30


@dataclass(frozen=True, slots=True)
class _CallDraft(Draft):
    """Pairs of calls that are going to be drawn.

    Attributes:
        outputs: of each call; `size` of them in all on each side.
    """

    outputs: int

    def drawn(self, sampler: Sampler) -> tuple[Sides | None, Trace]:
        """See `Draft.drawn`."""
        calls = self.size // self.outputs
        return sampler.apart(
            self.address,
            lambda alike: alike.calls(self.address, self.left, self.right, calls, self.outputs),
        )


@dataclass(frozen=True, slots=True)
class _CallJob(Job):
    """Calls to draw, and to count by what `LeadingBet.happened` tells of every block of them.

    Attributes:
        block: outputs of one block.
    """

    block: int

    def count(self, reader: Any, sides: Sides) -> Counts:
        """See `Job.count`; the readers are bets."""
        happened: Counts = reader.happened(*sides, self.block)
        return happened


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is going to be confirmed, and how.

    Attributes:
        level: what is meant to be refuted.
        bets: with which bets, all on one pair.
        outputs: of each call.
        calls: in each block.
        blocks: about how many it takes.
    """

    level: float
    bets: tuple[LeadingBet, ...]
    outputs: int
    calls: int
    blocks: int

    @property
    def block(self) -> int:
        """Outputs of one block on each side."""
        return self.outputs * self.calls


@dataclass(slots=True)
class Confirmer:
    """Confirms what funds have won, on calls of their own.

    Attributes:
        sampler: where draws come from.
        crew: who draws.
        pairs: the datasets, by the numbers that bets have for them.
        share: of the level, for this try and those that follow it; earlier budgets of
            a store have had the rest.
        places: numbers for the addresses of calls, each used once.
    """

    sampler: Sampler
    crew: Crew
    pairs: Sequence[Pair]
    share: float
    places: Iterator[int] = field(default_factory=count)

    def confirmed(self, fund: Fund, runs: int, most: int) -> CallWealth | None:
        """Win again what a fund has won.

        Args:
            fund: has bet; its claim's level is meant to be refuted where it was, else
                its lower bound.
            runs: to be spent on the largest level within their reach.
            most: runs to be spent on a claim that was refuted.

        Returns:
            The wealth, which knows its lower bound; None where nothing was won.
        """
        bets = leading_bets(fund, fund.level)
        plan = self._plan(fund, bets, runs) if fund.level > 0.0 else None
        if plan is None:
            return None
        wealth = self._won(fund, plan, FIRST_SHARE, runs, most)
        if wealth is None:
            # A call for many outputs failed, and what it was to show with it.
            single = replace(plan, outputs=1, blocks=plan.blocks * plan.outputs)
            wealth = self._won(fund, single, 1.0 - FIRST_SHARE, runs, most)
        return wealth

    def _plan(self, fund: Fund, bets: Sequence[LeadingBet], runs: int) -> _Plan | None:
        """The largest level that so many runs should refute, at least that of a refuted claim."""
        claim, goal = fund.claim, fund.goal + _COSTS - math.log(self.share)

        def needed(bet: LeadingBet, level: float) -> float:
            growth = bet.growth(claim.lines(level))
            return goal / growth if growth > 0 else math.inf

        def reached(level: float) -> bool:
            return min(needed(bet, level) for bet in bets) <= runs / (2.0 * _SLACK)

        low = claim.level if fund.refuted else 0.0
        high = max(low, fund.level)
        if bets and not reached(high):
            for _ in range(_HALVINGS):
                middle = (low + high) / 2.0
                low, high = (middle, high) if reached(middle) else (low, middle)
            high = low
        if not bets or high <= 0.0:
            return None
        best = sorted(bets, key=lambda bet: needed(bet, high))
        chosen = [b for b in best if b.pair == best[0].pair and b.growth(claim.lines(high)) > 0]
        pairs = needed(best[0], high)
        if not chosen or math.isinf(pairs):
            return None
        return self._sized(fund, high, tuple(chosen[:_MOST_BETS]), pairs)

    def _sized(
        self, fund: Fund, level: float, bets: tuple[LeadingBet, ...], pairs: float
    ) -> _Plan:
        """Calls as large as they may be without costing wealth.

        The best stake for means of n payoffs is n times that for one, as long as it is
        allowed: n mean/variance up to the largest stake. Half of that is left for what
        the mean is not known to.
        """
        lines = fund.claim.lines(level)
        mean, variance = bets[0].moments(lines)
        block = 0.5 * bets[0].largest_stake(lines) * variance / mean
        most = min(_LARGEST_CALL, pairs / _FEWEST_CALLS)
        block = max(1, int(min(block, most)))
        calls = _BLOCK if self.sampler.stateful else 1
        singly = (Stage.BET, bets[0].pair) in self.sampler.singly or not self.sampler.box.many
        outputs = 1 if singly else max(1, block // calls)
        return _Plan(level, bets, outputs, calls, math.ceil(pairs / (outputs * calls)))

    def _won(
        self, fund: Fund, plan: _Plan, share: float, runs: int, most: int
    ) -> CallWealth | None:
        """Bet until the level is won or the runs are spent; None where a call failed."""
        start, place = self.sampler.samples, next(self.places)
        wealth = CallWealth.against(
            fund.claim, plan.level, fund.alpha, share * self.share, plan.bets, plan.block
        )
        sizes = (plan.blocks * _FIRST_WAVE * _WAVE**wave for wave in count())
        drafts = _drafts(plan, self.pairs[plan.bets[0].pair], place)
        try:
            for wanted in sizes:
                spent = self.sampler.samples - start
                limit = runs if wealth.level >= fund.claim.level or not fund.refuted else most
                blocks = min(math.ceil(wanted) - wealth.calls, (limit - spent) // (2 * plan.block))
                if blocks <= 0 and spent + 2 * plan.block > limit:
                    break
                self._bet(wealth, plan, drafts(blocks))
                if wealth.look(plan.level):
                    break
                if fund.refuted:
                    wealth.look(fund.claim.level)
        except Misaligned:
            return None
        wealth.lower_bound()
        return wealth

    def _bet(self, wealth: CallWealth, plan: _Plan, drafts: Iterator[_CallDraft]) -> None:
        readers: Any = plan.bets
        jobs = (_CallJob(draft, readers, False, plan.block) for draft in drafts)
        for done in self.crew.run(self.sampler, jobs):
            self.sampler.adopt(done.trace)
            if done.batch is not None:
                wealth.add(done.batch.counts)


def _drafts(plan: _Plan, pair: Pair, place: int) -> Callable[[int], Iterator[_CallDraft]]:
    """A function that gives batches of the next so many blocks."""
    batches = count()
    most = max(1, _LARGEST_BATCH // plan.block)

    def of(blocks: int) -> Iterator[_CallDraft]:
        while blocks > 0:
            some = min(blocks, most)
            address = Address(Stage.CONFIRM, place, next(batches))
            yield _CallDraft(
                address, pair.dataset, pair.neighbor, some * plan.block, plan.outputs
            )
            blocks -= some

    return of
