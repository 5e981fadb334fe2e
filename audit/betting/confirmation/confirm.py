"""What bets have won, confirmed on fresh calls before it is said.

The bets take the outputs of a call for independent draws, which makes them cheap and
proves nothing where they are not. So a violation, a leak or a bound is stated only
as far as it is won again call by call (see `call_wealth`), by events and stakes that
are fixed before the first of those calls. The chance that a level is stated which
the mechanism keeps is then at most alpha, whatever the bets were.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

from audit.betting.confirmation.call_wealth import CallWealth
from audit.betting.confirmation.leading import LeadingBet
from audit.betting.record import CapitalRecord
from audit.claim import Lines
from audit.outcomes.counting import Counts
from audit.outcomes.encoding import Outcomes
from audit.sampling.batch import BatchPlan, Job, Sides
from audit.sampling.sampler import Sampler
from audit.sampling.source import Sources
from audit.sampling.stream import Address, Stage
from audit.sampling.trace import Misaligned, Trace
from audit.sampling.workers.interface import WorkerPool

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
_MOST_CALLS = 1 << 16
"""Calls to be spent on a bound that refutes nothing: some seconds where a call takes no time."""
_WAVE, _FIRST_WAVE = 1.25, 0.25
_HALVINGS = 30
_NO_ACCIDENT = 1e-9


@dataclass(frozen=True, slots=True)
class _CallPlan(BatchPlan):
    """Pairs of calls that are going to be drawn.

    Attributes:
        outputs: of each call; `size` of them in all on each side.
    """

    outputs: int

    def drawn(self, sampler: Sampler) -> tuple[Sides | None, Trace]:
        """See `BatchPlan.drawn`."""
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
    """Confirms what capitals have won, on calls of their own.

    Attributes:
        sampler: where draws come from.
        pool: who draws.
        pairs: the black box on both datasets of each, by the numbers that bets have for them.
        share: of the level, for this try and those that follow it; earlier budgets of
            a store have had the rest.
        places: numbers for the addresses of calls, each used once.
        commonest: of each pair, how often the bets saw the output they saw most often.
        repeating: whether calls gave the same again, as draws of those outputs would not.
    """

    sampler: Sampler
    pool: WorkerPool
    pairs: Sequence[Sources]
    share: float
    places: Iterator[int] = field(default_factory=count)
    commonest: Mapping[int, tuple[float, float]] = field(default_factory=dict)
    repeating: bool = False

    def confirmed(self, capital: CapitalRecord, runs: int, most: int) -> CallWealth | None:
        """Win again what a capital process has won.

        Args:
            capital: what it came to; the claim's level is meant to be refuted where it
                was, else the lower bound.
            runs: to be spent on the largest level within their reach.
            most: runs to be spent on a claim that was refuted.

        Returns:
            The wealth, which knows its lower bound; None where nothing was won.
        """
        plan = self._plan(capital, runs) if capital.leading else None
        if plan is None:
            return None
        ends = self.sampler.samples + runs, self.sampler.samples + most
        wealth = self._won(capital, plan, FIRST_SHARE, ends)
        if wealth is None:
            # A call for many outputs failed, and what it was to show with it.
            single = replace(plan, outputs=1, blocks=plan.blocks * plan.outputs)
            wealth = self._won(capital, single, 1.0 - FIRST_SHARE, ends)
        return wealth

    def _plan(self, capital: CapitalRecord, runs: int) -> _Plan | None:
        """The largest level that so many runs should refute, at least that of a refuted claim."""
        claim, bets = capital.claim, capital.leading
        goal = _COSTS - math.log(capital.alpha * self.share)

        def needed(bet: LeadingBet, level: float) -> float:
            growth = bet.growth(claim.lines(level))
            return goal / growth if growth > 0 else math.inf

        def reached(level: float) -> bool:
            return any(
                needed(bet, level) <= runs / (2.0 * _SLACK)
                and _calls_needed(bet, claim.lines(level), goal) <= _MOST_CALLS
                for bet in bets
            )

        low = claim.level if capital.refuted else 0.0
        high = max(low, capital.level)
        if not reached(high):
            for _ in range(_HALVINGS):
                middle = (low + high) / 2.0
                low, high = (middle, high) if reached(middle) else (low, middle)
            high = low
        if high <= 0.0:
            return None
        best = sorted(bets, key=lambda bet: needed(bet, high))
        chosen = [b for b in best if b.pair == best[0].pair and b.growth(claim.lines(high)) > 0]
        pairs = needed(best[0], high)
        if not chosen or math.isinf(pairs):
            return None
        return self._sized(capital, high, tuple(chosen[:_MOST_BETS]), pairs)

    def _sized(
        self, capital: CapitalRecord, level: float, bets: tuple[LeadingBet, ...], pairs: float
    ) -> _Plan:
        """Calls as large as they may be without costing wealth.

        The best stake for means of n payoffs is n times that for one, as long as it is
        allowed: n mean/variance up to the largest stake. Half of that is left for what
        the mean is not known to.
        """
        lines = capital.claim.lines(level)
        mean, variance = bets[0].moments(lines)
        block = 0.5 * bets[0].largest_stake(lines) * variance / max(mean, 1e-12)
        most = min(_LARGEST_CALL, pairs / _FEWEST_CALLS)
        block = max(1, int(min(block, most)), 0 if capital.refuted else int(pairs / _MOST_CALLS))
        calls = _BLOCK if self.sampler.stateful else 1
        many = self.sampler.many_on(bets[0].pair)
        outputs = max(1, block // calls) if many else 1
        return _Plan(level, bets, outputs, calls, math.ceil(pairs / (outputs * calls)))

    def _won(
        self, capital: CapitalRecord, plan: _Plan, share: float, ends: tuple[int, int]
    ) -> CallWealth | None:
        """Bet until the level is won or the runs are spent; None where a call failed."""
        wealth = CallWealth.against(
            capital.claim, plan.level, capital.alpha, share * self.share, plan.bets, plan.block
        )
        plans = _plans(plan, self.pairs[plan.bets[0].pair], next(self.places))
        try:
            for wave in count():
                # A refuted claim may take longer than the largest level within reach.
                open_claim = capital.refuted and wealth.level < capital.claim.level
                end = ends[1] if open_claim else ends[0]
                left = (end - self.sampler.samples) // (2 * plan.block)
                wanted = math.ceil(plan.blocks * _FIRST_WAVE * _WAVE**wave) - wealth.calls
                if left <= 0:
                    break
                self._bet(wealth, plan, plans(min(wanted, left)))
                if wealth.look(plan.level):
                    break
                if capital.refuted:
                    wealth.look(capital.claim.level)
        except Misaligned:
            return None
        wealth.lower_bound()
        # Both the bets and their confirmation have to show a bound.
        wealth.level = min(wealth.level, capital.level)
        return wealth

    def _bet(self, wealth: CallWealth, plan: _Plan, plans: Iterator[_CallPlan]) -> None:
        readers: Any = plan.bets
        jobs = (
            _CallJob(calls, readers, calls.address.batch == 0, plan.block) for calls in plans
        )
        for done in self.pool.run(self.sampler, jobs):
            self.sampler.adopt(done.trace)
            if done.batch is not None:
                wealth.add(done.batch.counts)
                if done.batch.outcomes is not None:
                    shares = self.commonest.get(plan.bets[0].pair, (1.0, 1.0))
                    self.repeating |= any(
                        _repeats(side, plan.outputs, share)
                        for side, share in zip(done.batch.outcomes, shares, strict=True)
                    )


def _repeats(outcomes: Outcomes, size: int, commonest: float) -> bool:
    """Whether every call gave what the first one gave, which is no accident.

    Independent draws, of which none is more frequent than the commonest, all agree
    with the first call with probability at most its share for each of them.
    """
    calls = outcomes.size // size
    first = outcomes.take(slice(0, size))
    return commonest ** (size * (calls - 1)) < _NO_ACCIDENT and all(
        outcomes.take(slice(call * size, (call + 1) * size)).equals(first)
        for call in range(1, calls)
    )


def _calls_needed(bet: LeadingBet, lines: Lines, goal: float) -> float:
    """About how many calls it takes however large they are: no stake may be too large."""
    mean, _ = bet.moments(lines)
    return 2.0 * goal / (bet.largest_stake(lines) * mean) if mean > 0.0 else math.inf


def _plans(plan: _Plan, pair: Sources, place: int) -> Callable[[int], Iterator[_CallPlan]]:
    """A function that gives batches of the next so many blocks."""
    batches = count()
    most = max(1, _LARGEST_BATCH // plan.block)

    def of(blocks: int) -> Iterator[_CallPlan]:
        while blocks > 0:
            some = min(blocks, most)
            address = Address(Stage.CONFIRM, place, next(batches))
            yield _CallPlan(address, *pair, some * plan.block, plan.outputs)
            blocks -= some

    return of
