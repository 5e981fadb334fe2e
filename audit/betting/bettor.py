"""The bettor: epochs of units, bets fixed before each, until the claim falls or the budget ends.

Everything that an epoch does follows from the units before it: readings, bets, stakes, weights, n,
the share of the coins, and how many units each pair gets. So its portfolios are fixed when its
first unit is drawn, as the theorems in `bet` and `wealth` need it; borders of epochs are numbers
of units, never times.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from time import perf_counter

import numpy as np

from audit.betting.bet import MOST_OUTPUTS, Design, EventBet, Ints
from audit.betting.epoch import FEWEST, QUICK, Allotment, Choices, most_outputs, settled
from audit.betting.past import PairPast
from audit.betting.portfolio import Portfolio, Tally
from audit.betting.sameness import constant, failing, unseen
from audit.betting.screening import Offer
from audit.betting.wealth import Interval, Wealth, feed
from audit.case import Until
from audit.errors import BlackBoxError
from audit.progress import Deadline, Looked, Subscriber, nobody
from audit.sampling.source import Stage
from audit.sampling.units import UnitBatch, UnitPlan, UnitSource

_PILOT = {True: (24, 8), False: (12, 1)}
"""Units and outputs of the pilot on a pair, for units with many outputs and with one."""
_PILOT_OUTPUTS = 32
"""Outputs of a unit of the pilot, if the budget allows so many for all of its units."""
_PILOT_RUNS = 0.04
"""Part of the budget that all pilots together may take."""
_GROWTH = 0.5
"""Size of an epoch as a part of all units before it."""
_CONSTANT = 10
"""One part in so many of the outputs; no bet is placed if all of these are one and the same."""
_LEAST_RUNS = 16
"""Outputs of an epoch."""
_PARTS = 8
"""Looks at the wealth in one epoch."""
_LEAST_GROWTH = 0.2
"""Expected log-growth below which an interval is not bet on."""
_OUT_OF_REACH = 2
"""Intervals in a row without a bet after which higher ones are not tried."""
_REFINED = 3
"""Intervals at the frontier that are cut after an epoch."""
_LEAK_RUNS = 60_000
"""Outputs after which low-order bits are not read any more."""
_BATCH_NUMBERS, _BATCH_OUTPUTS = 1 << 19, 1 << 16
_BATCH_SECONDS, _BATCH_UNITS = 0.25, 256
"""Seconds of a batch if units are slow or the time is limited, else units: equal at any speed,
because the global generators, which few mechanisms draw from, are seeded for each batch."""
_ENDLESS, _UNUSED = 1 << 62, 1 << 31


@dataclass(slots=True)
class Bettor:
    """Bets on units of several pairs of datasets.

    Attributes:
        source: draws units.
        wealths: against the claim, and others that share its units; "claim" decides.
        pasts: of the pairs that are bet on.
        until: when to stop, if the budget has not ended before.
        deadline: when to stop, whatever was found.
        stage: purpose of the draws, part of every address.
        on_event: hears of every look.
        optional: pairs that the search made up; one that cannot be drawn is left out.
        recorded: units of each pair if they were recorded before; None if they are drawn. Recorded
            pairs share outputs on D, so that all take equally many units from epoch to epoch.
        before: outputs that were drawn before the bets.
        budget: outputs that pilots are measured by.
        most: outputs of a unit at most.
        runs: outputs so far.
        units: units so far.
        bets: different bets so far.
        features: features read for them, in words.
        refuted_at: outputs when the claim was refuted; 0 before.
        left_out: pairs that could not be drawn or read, and why.
        designs: of the youngest units of each pair.
        leading: offers against the youngest frontier by wealth, the best first.
    """

    source: UnitSource
    wealths: dict[str, Wealth]
    pasts: list[PairPast]
    until: Until = Until.BOUND
    deadline: Deadline = field(default_factory=Deadline)
    stage: Stage = Stage.BET
    on_event: Subscriber = nobody
    optional: Collection[int] = ()
    recorded: Mapping[int, int] | None = None
    before: int = 0
    budget: int = 0
    most: int = MOST_OUTPUTS
    runs: int = 0
    units: int = 0
    bets: int = 0
    functions: int = 0
    features: dict[str, None] = field(default_factory=dict)
    refuted_at: int = 0
    left_out: dict[int, BlackBoxError] = field(default_factory=dict)
    designs: dict[int, Design] = field(default_factory=dict)
    leading: dict[str, Sequence[Offer]] = field(default_factory=dict)
    _rule: Until = Until.BOUND
    _piloted: set[int] = field(default_factory=set)
    _began: float = 0.0

    @property
    def claim(self) -> Wealth:
        """The wealth against the claim."""
        return self.wealths["claim"]

    def prepare(self, budget: int) -> None:
        """Draw the pilots of all pairs, which show what units cost."""
        if self.pasts and not self.deadline.never:
            # One small unit, which is not used, shows what others cost before the pilot is drawn.
            with suppress(BlackBoxError):
                self.source.drawn(UnitPlan(self.stage, self.pasts[0].pair, _UNUSED, 1))
        self._began = perf_counter()
        self.afford(budget)
        with suppress(_TimeEnded):
            self._pilots(self.pasts, budget)

    def afford(self, budget: int) -> None:
        """Choose designs as an audit of so many outputs does; one that goes on draws the same."""
        self.budget, self.most = budget, most_outputs(self.claim, budget)

    def play(
        self, limit: int, pairs: Collection[int] | None = None, until: Until | None = None
    ) -> None:
        """Bet until the rule of stopping holds or so many outputs were drawn.

        Args:
            limit: outputs of this bettor in all.
            pairs: indices of the pairs to bet on; None for all.
            until: rule of stopping; None for that of the audit.
        """
        self._began = self._began or perf_counter()
        self.budget = self.budget or limit
        self._rule = until or self.until
        # What led on other pairs does not say when these have shown enough.
        self.leading.pop("claim", None)
        active = self._lasting([p for p in self.pasts if pairs is None or p.pair in pairs])
        with suppress(_TimeEnded):
            self._pilots(active, limit)
            while (active := self._lasting(active)) and not self._over(active, limit):
                if not self._epoch(active, limit):
                    break
        self._look_at_all()

    def _lasting(self, pasts: Sequence[PairPast]) -> list[PairPast]:
        """Pairs of which units are left."""
        return [p for p in pasts if p.pair not in self.left_out and self._left(p)]

    def _left(self, past: PairPast) -> int:
        """Units that may still be drawn on a pair."""
        return _ENDLESS if self.recorded is None else self.recorded[past.pair] - past.units

    def _over(self, active: Sequence[PairPast], limit: int) -> bool:
        if self.deadline.met or self.runs + 2 > limit or self._alike(active, limit):
            return True
        if not self.claim.refuted or self._rule is Until.BUDGET:
            return False
        self.refuted_at = self.refuted_at or self.runs
        return self._rule is Until.VIOLATION or settled(
            self.claim, self.leading.get("claim", ()), self.source, self.runs, self.refuted_at
        )

    def _alike(self, active: Sequence[PairPast], limit: int) -> bool:
        """True if outputs that are all one and the same leave nothing to bet on."""
        pairs = [past.same for past in active]
        if self.recorded is not None or failing(pairs):
            return self.recorded is None
        spent = self._rule is not Until.BUDGET and self.runs * _CONSTANT >= limit
        return spent and constant(pairs) and not unseen(pairs, self.claim.claim)

    @property
    def _pilot(self) -> tuple[int, int]:
        """Units of a pilot, and outputs of each: one if another output costs another call."""
        count, n = _PILOT[self.source.pairs or self.source.coins]
        unit, output = self.source.costs()
        return count, 1 if unit < QUICK or output >= unit else n

    def _pilots(self, active: Sequence[PairPast], limit: int) -> None:
        """Units that are looked at and not bet on."""
        new = [past for past in active if past.pair not in self._piloted]
        for past in new:
            self._piloted.add(past.pair)
            count, n = self._pilot
            share = None if self.source.pairs or n == 1 else 0.5
            most = int(_PILOT_RUNS * self.budget / max(1, len(new)))
            n = max(1, min(n, most // (2 * FEWEST)))
            if n > 1:
                n = max(n, min(_PILOT_OUTPUTS, most // (2 * count)))
            count = max(FEWEST, min(count, most // (2 * n)))
            design = self.designs[past.pair] = Design(n, share)
            count = min(count, max(0, limit - self.runs) // design.runs)
            for batch in self._drawn(past, count, design):
                past.add(batch)

    def _drawn(self, past: PairPast, count: int, design: Design) -> Iterator[UnitBatch]:
        """Draw units of a pair, batch by batch.

        Raises:
            _TimeEnded: the time allows no more.
            BlackBoxError: the pair cannot be drawn, and somebody gave it.
        """
        unit, output = self.source.costs()
        seconds = unit + design.n * output
        size = max(1, min(_BATCH_NUMBERS // past.width, _BATCH_OUTPUTS) // design.runs)
        even = self.deadline.never and seconds < _BATCH_SECONDS / 4.0
        size = min(size, _BATCH_UNITS if even else max(1, int(_BATCH_SECONDS / max(seconds, 1e-9))))
        count = min(count, self._left(past))
        while count > 0:
            now = min(count, size)
            if not self.deadline.affords(now * design.runs, self.runs, self._began):
                raise _TimeEnded
            plan = UnitPlan(self.stage, past.pair, past.units, now, design.n, design.share)
            try:
                batch = self.source.drawn(plan)
            except BlackBoxError as error:
                if past.pair not in self.optional:
                    raise
                self.left_out[past.pair] = error
                return
            self.runs += plan.runs
            self.units += now
            count -= now
            yield batch

    def _epoch(self, active: Sequence[PairPast], limit: int) -> bool:
        """Fix portfolios, draw their units, look; False if the limit cuts the epoch short.

        Another epoch in what is left would not be one of an audit with a larger limit.
        """
        low_bits = "leaks" in self.wealths and self.runs < _LEAK_RUNS
        for past in active:
            design = self.designs.get(past.pair, Design())
            past.study(self.claim.claim, design, low_bits and not self.wealths["leaks"].refuted)
        step = max(_LEAST_RUNS, int(_GROWTH * sum(past.runs for past in active)))
        counts = self._allotted(active, step)
        choices = Choices(active, self.designs, counts)
        working = {name: self._open(name, each, choices) for name, each in self.wealths.items()}
        self._count(choices)
        whole = True
        for part in range(_PARTS):
            for past in active:
                planned = counts[past.pair]
                count = planned * (part + 1) // _PARTS - planned * part // _PARTS
                design = self.designs[past.pair]
                most = max(0, limit - self.runs) // design.runs
                whole &= count <= most
                if min(count, most) > 0 and past.pair not in self.left_out:
                    self._bet(past, min(count, most), design, choices.tallies.values())
            if self._look(active, limit):
                break
        self._look_at_all()
        for name, wealth in self.wealths.items():
            wealth.refine(working[name][:_REFINED])
        return whole

    def _count(self, choices: Choices) -> None:
        """Count the bets of an epoch, and name the features that are read for them."""
        for bet in (tally.bet for tally in choices.tallies.values()):
            self.bets += isinstance(bet, EventBet)
            self.functions += not isinstance(bet, EventBet)
            self.features[bet.feature.words] = None

    def _bet(self, past: PairPast, count: int, design: Design, tallies: Iterable[Tally]) -> None:
        own = [tally for tally in tallies if tally.bet.pair == past.pair]
        for batch in self._drawn(past, count, design):
            count -= batch.count
            codes: dict[tuple[int, int], tuple[Ints, Ints]] = {}
            for tally in own:
                bet = tally.bet
                reader = id(bet.feature), id(bet.binning)
                if reader not in codes:
                    left, right = (
                        bet.binning.code(bet.feature.read(side)).astype(np.int64)
                        for side in batch.sides
                    )
                    codes[reader] = left, right
                gain, cost = bet.sums(codes[reader], batch)
                tally.add(gain / design.n, cost / design.n)
            past.add(batch)
        if past.pair in self.left_out:
            # Units that cannot be read count as the worst there are: nothing is dropped.
            for tally in own:
                tally.add(np.zeros(count), np.full(count, tally.bet.largest_cost(tally.share)))

    def _look_at_all(self) -> None:
        for wealth in self.wealths.values():
            wealth.look()

    def _look(self, active: Sequence[PairPast], limit: int) -> bool:
        """Look at the wealth; True if nothing is left to bet for."""
        claim = self.claim
        claim.look()
        if claim.refuted and not self.refuted_at:
            self.refuted_at = self.runs
        stage = "bets" if self.stage is Stage.BET else "search"
        self.on_event(Looked(stage, self.before + self.runs, claim.best, claim.refuted))
        return self._over(active, limit)

    def _open(self, name: str, wealth: Wealth, choices: Choices) -> list[Interval]:
        """Add a portfolio to every interval within reach."""
        working: list[Interval] = []
        for held, offers in self._within_reach(name, wealth, choices):
            gains = np.array([gain for gain, _ in offers])
            part = feed(float(gains[0]), wealth.goal, len(held.past))
            held.past.append(Portfolio(list(choices.experts(offers, gains)), part))
            working.append(held)
        self.leading.update(choices.leading)
        return working

    def _within_reach(
        self, name: str, wealth: Wealth, choices: Choices
    ) -> Iterator[tuple[Interval, list[tuple[float, Offer]]]]:
        """Intervals that are worth a portfolio, with their offers."""
        without, level = 0, wealth.claim.level
        for held in wealth.open():
            if self._rule is Until.VIOLATION and held.low >= level:
                return
            offers = choices.offers(name, wealth, held)
            choices.note(name, offers)
            if offers and offers[0][0] >= _LEAST_GROWTH:
                without = 0
                yield held, offers
                continue
            without += 1
            if without >= _OUT_OF_REACH and held.low >= level * 0.999:
                return

    def _allotted(self, active: Sequence[PairPast], step: int) -> dict[int, int]:
        """Choose a design for each pair, and how many units of it the next epoch has."""
        if self.recorded is not None:
            size = max(FEWEST, int(_GROWTH * max(past.units for past in active)))
            return dict.fromkeys((past.pair for past in active), size)
        limits = self.runs, self.budget, self.most
        plan = Allotment(self.source, self.claim, active, self.designs, self._rule, *limits)
        return plan.counts(step)


class _TimeEnded(Exception):
    """The time allows no more units."""
