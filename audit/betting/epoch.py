"""Choices of one epoch: units of each pair, the best bets and their stakes, when to stop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from audit.betting.bet import MOST_OUTPUTS, SHARES, Design
from audit.betting.past import PairPast
from audit.betting.portfolio import CASH, Expert, Tally
from audit.betting.power import floor_units
from audit.betting.screening import Offer
from audit.betting.wealth import NO_END, Interval, Wealth
from audit.case import Until
from audit.claims import LARGEST_EPSILON
from audit.outcomes.column import Floats
from audit.sampling.units import UnitKind, UnitSource

FEWEST = 4
"""Units of a pair in an epoch."""
_EXPLORE = 0.05
"""Part of an epoch that all pairs share evenly."""
_FURTHER = 2.0
"""Outputs that a leading pair gets at most, as a multiple of those that it has had."""
QUICK, _ALMOST = 2.0**-9, 0.95
"""Seconds of a unit below which runs matter more than time, and part of the largest growth a run
that suffices there: as long as averaging loses next to nothing, a call gives several outputs."""
_LIKELY = 0.7
"""Part of the goal that an interval is expected to reach, if it is aimed at."""
_STRETCH = 3.0
"""Outputs of a unit over those that its best bet asks for, at most."""
_AMPLE = 4.0
"""Log wealth expected of the runs that are left, as a multiple of the goal, if time matters."""
_BELOW, _AFFORDED = 0.4, 10.0
"""Part of the largest growth a run that suffices below the claim, where units are slow, and
seconds that an epoch may take there if others take less."""
_MANY, _ROOM = 200, 4
"""Units that the budget has to be enough for, and those as a multiple of the fewest that refute."""
_PER_INTERVAL = 6
_BESIDE = 0.05
"""Weight of pairs beside one whose rare outputs may refute the claim."""
_TEMPER = 0.7
_STAKE = 0.999
"""Part of the best stake: at the largest one, a loss could leave nothing."""
_LIGHTEST = 0.01


def most_outputs(wealth: Wealth, budget: int) -> int:
    """Outputs of a unit at most, so that the budget has room for the units of a refutation."""
    units = max(_MANY, _ROOM * floor_units(wealth.claim, wealth.alpha))
    return min(MOST_OUTPUTS, budget // units)


@dataclass(frozen=True, slots=True)
class Allotment:
    """Everything that designs and numbers of units follow from.

    Attributes:
        source: of the units.
        wealth: against the claim.
        active: pairs that get units.
        designs: of the youngest units of each pair; those of the next ones are put in.
        rule: when to stop.
        runs: outputs so far.
        budget: outputs that an audit may draw.
        most: outputs of a unit at most.
    """

    source: UnitSource
    wealth: Wealth
    active: Sequence[PairPast]
    designs: dict[int, Design]
    rule: Until
    runs: int
    budget: int
    most: int = MOST_OUTPUTS

    def counts(self, step: int) -> dict[int, int]:
        """Choose a design for each pair.

        Pairs lead by the level that an epoch of their own is expected to refute, then by growth
        there. The best of many events in few outputs is lucky; so no leader more than triples the
        outputs it has had, and the next ones take what is left.

        Args:
            step: outputs of the epoch.

        Returns:
            Units of each pair.
        """
        levels, growth = np.array([self._designed(past, step) for past in self.active]).T
        ahead = np.array([lopsided(past, self.wealth) for past in self.active])
        chosen = ahead if ahead.any() else growth > 0.0
        runs, left = np.zeros(len(self.active)), (1.0 - _EXPLORE) * step
        for place in np.lexsort((-growth, -levels, ~chosen))[: chosen.sum()]:
            runs[place] = min(left, _FURTHER * self.active[place].runs)
            left -= runs[place]
        runs += (_EXPLORE * step + left) / len(runs)
        return {
            past.pair: max(FEWEST, round(part / self.designs[past.pair].runs))
            for past, part in zip(self.active, runs.tolist(), strict=True)
        }

    def _designed(self, past: PairPast, step: int) -> tuple[float, float]:
        """Choose the design of a pair's next units.

        Returns:
            The level that they may refute, and expected log-growth with one output.
        """
        before, wealth = self.designs[past.pair], self.wealth
        held = self._target(past, before, step)
        unit, output = self.source.costs()
        found: list[tuple[Design, float, float]] = []
        for share in self._shares():
            offers = past.screen.offers(wealth.claim, held, Design(before.n, share))
            if not offers:
                continue
            offer = offers[0]
            for n in self._sizes(offer, before, share):
                design = Design(n, share)
                growth = offer.grown(design)
                seconds = (1 if share is not None else 2) * (unit + n * output)
                found.append((design, growth / design.runs, growth / seconds))
        self.designs[past.pair], rate = self._best(found, held, step) if found else (before, 0.0)
        return held.high, rate

    def _best(
        self, found: Sequence[tuple[Design, float, float]], held: Interval, step: int
    ) -> tuple[Design, float]:
        """The design with the most growth a second of those with enough growth a run.

        Args:
            found: designs with their log-growth for one output and for one second.
            held: the target. Slow units do not spend all they can on one below the claim.
            step: outputs of the epoch.
        """
        quick = self.source.costs()[0] < QUICK
        if below := held.high < self.wealth.claim.level and not quick:
            found = _affordable(found, step)
        largest = max(rate for _, rate, _ in found) * (_BELOW if below else 1.0)
        if quick:
            least = _ALMOST * largest
        elif self.wealth.refuted:
            least = 0.0
        else:
            least = min(_AMPLE * self.wealth.goal / max(1, self.budget - self.runs), largest)
        design, rate, _ = max((one for one in found if one[1] >= least), key=lambda one: one[2])
        return design, rate

    def _target(self, past: PairPast, design: Design, step: int) -> Interval:
        """The claim's own interval, or the highest that the next epoch may refute."""
        wealth = self.wealth
        if self.rule is Until.VIOLATION:
            own = (h for h in wealth.open() if h.high >= wealth.claim.level)
            return next(own, wealth.intervals[-1])
        found, units = None, step // design.runs
        for held in wealth.open():
            if found is None:
                found = held
            elif held.past:
                offers = past.screen.offers(wealth.claim, held, design)[:1]
                low = held.log_wealth(wealth.claim, held.low)
                if not offers or low + offers[0].growth * units < _LIKELY * wealth.goal:
                    break
                found = held
        return found or wealth.intervals[-1]

    def _shares(self) -> Iterator[float | None]:
        yield None
        if self.source.coins:
            for share in SHARES:
                yield share
                if share != 0.5:
                    yield 1.0 - share

    def _sizes(self, offer: Offer, before: Design, share: float | None) -> Iterator[int]:
        """Numbers of outputs that a unit may give, powers of two."""
        yield 1
        if share is None and not self.source.pairs:
            return
        if self.source.kind is not UnitKind.LIFE and share is not None:
            return
        stretch = 1.0 if self.rule is Until.VIOLATION else _STRETCH
        wanted = stretch * offer.outputs * before.effect(offer.alike)
        most = min(max(4.0 * wanted, 8.0), max(8, 4 * before.n), self.most)
        n = 2
        while n <= most:
            yield n
            n *= 2


def _affordable(
    found: Sequence[tuple[Design, float, float]], step: int
) -> list[tuple[Design, float, float]]:
    """Designs of which an epoch takes no more seconds than it may, or the quickest."""
    # Growth for one second is the growth for one output over its seconds.
    seconds = [step * rate / max(quick, 1e-300) for _, rate, quick in found]
    afforded = max(_AFFORDED, min(seconds))
    return [one for one, took in zip(found, seconds, strict=True) if took <= afforded]


def lopsided(past: PairPast, wealth: Wealth) -> bool:
    """True if outputs that are rare on one dataset, and absent on the other, may refute the claim.

    Growth is estimated from counts, lowered by their errors, and these counts stay few for long.
    """
    pure = not wealth.claim.lines(wealth.claim.level)[:, 1].any()
    return pure and not wealth.refuted and past.same.lopsided


@dataclass(frozen=True, slots=True)
class Choices:
    """Bets of one epoch.

    Attributes:
        active: pairs that are bet on.
        designs: of their units.
        counts: units of each.
        tallies: of all bets so far, by their keys.
        leading: by wealth, the best offers against its lowest open interval that has any, and
            the best one against each above: rarer events may lose more.
    """

    active: Sequence[PairPast]
    designs: Mapping[int, Design]
    counts: Mapping[int, int]
    tallies: dict[tuple[object, ...], Tally] = field(default_factory=dict)
    leading: dict[str, list[Offer]] = field(default_factory=dict)

    def offers(self, name: str, wealth: Wealth, held: Interval) -> list[tuple[float, Offer]]:
        """Best offers of all pairs with their expected log-growth, the best first."""
        found: dict[tuple[float, ...], tuple[float, Offer]] = {}
        ahead = np.array([name == "claim" and lopsided(past, wealth) for past in self.active])
        factors = np.where(ahead | ~ahead.any(), 1.0, _BESIDE)
        for past, factor in zip(self.active, factors.tolist(), strict=True):
            screen = past.leaks if name == "leaks" else past.screen
            design, count = self.designs[past.pair], self.counts[past.pair]
            for offer in screen.offers(wealth.claim, held, design):
                # Several features often show one and the same event.
                same = past.pair, offer.mean, offer.variance, offer.top
                found.setdefault(same, (factor * offer.growth * count, offer))
        return sorted(found.values(), key=lambda one: -one[0])[:_PER_INTERVAL]

    def note(self, name: str, offers: Sequence[tuple[float, Offer]]) -> None:
        """Keep the first offers against a wealth, and the best one at each higher level."""
        if found := [offer for _, offer in offers]:
            held = self.leading.setdefault(name, [])
            held += found[:1] if held else found

    def experts(self, offers: Sequence[tuple[float, Offer]], gains: Floats) -> Iterator[Expert]:
        """Experts on the best offers, with a tally for each bet."""
        weights = np.exp(_TEMPER * (gains - gains.max()))
        weights *= (1.0 - CASH) / weights.sum()
        for weight, (_, offer) in zip(weights.tolist(), offers, strict=True):
            if weight < _LIGHTEST:
                continue
            bet = offer.bet
            design = self.designs[bet.pair]
            tally = self.tallies.get(bet.key)
            if tally is None:
                tally = self.tallies[bet.key] = Tally(bet, design.share)
            yield Expert(tally, _STAKE * offer.stake(design), weight)


SETTLED = 0.95
"""Part of the plug-in level at which a bound is good enough."""
_NO_END = 6.0
"""The same as `NO_END` for units other than fresh instances."""
_DEAR, _LONGER = 0.05, 4
"""Seconds of a unit that is slow; for slow ones, factor in outputs since the refutation."""


def settled(
    wealth: Wealth, leading: Sequence[Offer], source: UnitSource, runs: int, refuted_at: int
) -> bool:
    """True if more units would hardly raise the bound, or cost too much.

    Args:
        wealth: its claim is refuted.
        leading: the best offers at the frontier, and the best one at each level above. One that
            grows slowly at the frontier may go further.
        source: of the units.
        runs: outputs so far.
        refuted_at: outputs when the claim was refuted.
    """
    if sum(source.costs()) > _DEAR and runs >= _LONGER * refuted_at:
        return True
    if not leading:
        return False
    claim, stated = wealth.claim, wealth.claim.stated
    # What is best at higher levels counts up to there: its own limit is that of a few outputs.
    lowest = leading[0].level
    largest = max(o.limit(claim) if o.level <= lowest else o.level for o in leading)
    if largest >= LARGEST_EPSILON:
        no_end = NO_END if source.kind is UnitKind.LIFE else _NO_END
        return stated(wealth.bound) >= max(no_end, 1.1 * stated(claim.level))
    return stated(wealth.bound) >= SETTLED * stated(largest)
