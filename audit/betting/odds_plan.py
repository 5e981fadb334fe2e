"""When to bet at odds: on which pair, in which direction, and how to share the money.

All of it is learned from past draws alone, which do not count for these bets.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from audit.betting.capital import Capital
from audit.betting.e_process import STAKES as PAIRED
from audit.betting.e_process import Floats, log_sum
from audit.betting.exact.last_runs import LastRuns
from audit.betting.odds import OddsPosition, Tally, tables_of
from audit.betting.odds_factors import log_factors, stakes_at, steep, times_for
from audit.betting.portfolio import Portfolio
from audit.betting.portfolios import Portfolios
from audit.betting.power import floor_pairs
from audit.betting.schedule import Schedule
from audit.claim import Lines
from audit.sampling.pair_draws import PairDraws
from audit.sampling.sampler import Sampler
from audit.sampling.stream import Address, Stage
from audit.sampling.workers.interface import WorkerPool

_BETTER = 1.25
"""How many times as much a run has to earn at odds."""
_UNSEEN = 0.3
"""How often what was never seen counts as seen."""
_SPREAD = 0.1
"""Share of the prior that stays spread evenly."""
_FIRST, _LATER = 0.1, 0.9
"""Of the cash, what the first bets at odds are opened with, and what later ones are."""
_AGAIN = 3
"""How many times as many runs on the other side later ones are learned from."""
_CLOSER = 0.05
"""Of the runs so far, how many more there are at the next look."""


@dataclass(slots=True)
class OddsPlan:
    """The bets at odds of a game.

    Attributes:
        sampler: where draws come from.
        portfolios: what is bet.
        schedule: knows how many runs a block takes.
        last: knows where exact tests of the last runs say more.
        positions: what the next draws count for, all on one side of one pair.
        known: runs on the other side that the youngest of them was learned from.
        draws: further runs, by pair and side.
    """

    sampler: Sampler
    portfolios: Portfolios
    schedule: Schedule
    last: LastRuns
    positions: list[OddsPosition] = field(default_factory=list)
    known: int = 0
    draws: dict[tuple[int, int], PairDraws] = field(default_factory=dict)

    @property
    def likely(self) -> bool:
        """Whether there will be such bets, as far as anybody can know now."""
        claim = self.portfolios.claim
        return (
            not claim.refuted
            and not self.sampler.lasting
            and not self.last.short
            and steep(_lines(claim))
        )

    def stop(self) -> None:
        """Bet no more at odds for the time being."""
        for position in self.positions:
            position.open = False
        self.positions, self.schedule.extra = [], 0

    def reconsider(self, pairs: Sequence[PairDraws]) -> None:
        """Bet at odds from now on where that looks better than pairs, after an epoch was opened.

        Not before half of the pairs were drawn that the fastest refutation takes: so what
        pairs cannot show in a budget is not shown at odds either (see `floor_pairs`).
        """
        self.stop()
        claim = self.portfolios.claim
        drawn = max((draws.drawn for draws in pairs), default=0)
        if self.likely and 2 * drawn >= floor_pairs(claim.claim, claim.alpha):
            self._open(pairs, (True, False))
            self.known = drawn

    def renew(self, pairs: Sequence[PairDraws]) -> None:
        """Open further bets where far more is known of the other side than when the last were.

        Those before them go on, with the same runs.
        """
        held = self.positions[-1] if self.positions else None
        for draws in (draws for draws in pairs if held and draws.index == held.pair):
            known = draws.drawn + 2 * self._beside(draws, self._side).drawn
            if held and known >= _AGAIN * self.known:
                self._open([draws], (held.forward,))
                self.known = known

    @property
    def _side(self) -> int:
        """The side that is drawn more often: 0 for D, 1 for D'."""
        return 1 if self.positions[0].forward else 0

    def _open(self, pairs: Sequence[PairDraws], ways: Sequence[bool]) -> None:
        claim = self.portfolios.claim
        money = (_LATER if self.positions else _FIRST) * claim.cash
        held = {draws.index: draws for draws in pairs if draws.kept}
        found = [
            learned(claim, position.portfolio, held[position.pair], self._seen(position.pair), way)
            for position in claim.epochs[-1].positions
            if position.pair in held
            for way in ways
        ]
        growth, best = max(found, key=lambda item: item[0], default=(0.0, None))
        if best is not None and growth > 0.0:
            best.money = money
            claim.bet_at_odds(best)
            self.positions.append(best)
            self.schedule.extra = best.times

    def through(self, pairs: Sequence[PairDraws], target: int) -> Iterator[int]:
        """A number of draws of each pair, and before it those at which to look in the meantime.

        Looks stand at numbers of runs that grow by a twentieth.
        """
        drawn = max((draws.drawn for draws in pairs), default=target)
        while self.positions:
            held = self.positions[0]
            runs = 2 * drawn + held.times * held.own.pairs
            drawn = drawn + max(1, int(_CLOSER * runs / (2 + held.times)))
            if drawn >= target:
                break
            yield drawn
        yield target

    def draw(self, draws: PairDraws, pool: WorkerPool) -> None:
        """Draw what is missing beside the pairs that were drawn."""
        if not self.positions or self.positions[0].pair != draws.index:
            return
        held = self.positions[0]
        beside = self._beside(draws, self._side)
        missing = held.times * held.own.pairs // 2 - held.beside.pairs
        beside.plan(missing, self.sampler.box.many)
        counted = [position.beside for position in self.positions]
        beside.draw(self.sampler, pool, beside.drawn + missing, counted)

    def restart(self, failed: Address) -> None:
        """Start again, as draws made so far may not be trusted.

        Args:
            failed: of the batch that showed it.
        """
        self.stop()
        for draws in self.draws.values():
            here = (draws.stage, draws.index) == (failed.stage, failed.pair)
            draws.forget(failed.batch if here else None)

    @property
    def drawn(self) -> int:
        """Runs that were made beside pairs, two and two."""
        return sum(draws.drawn for draws in self.draws.values())

    def _seen(self, pair: int) -> Mapping[int, PairDraws]:
        return {side: draws for (index, side), draws in self.draws.items() if index == pair}

    def _beside(self, draws: PairDraws, side: int) -> PairDraws:
        place = draws.index, side
        if place not in self.draws:
            source = draws.right if side else draws.left
            self.draws[place] = PairDraws.beside(draws.index, source, Stage.ODDS)
            self.sampler.as_for(self.draws[place].stage, draws.index)
        return self.draws[place]


def _lines(claim: Capital) -> Lines:
    return claim.claim.lines(claim.claim.level)


def learned(
    claim: Capital,
    portfolio: Portfolio,
    draws: PairDraws,
    seen: Mapping[int, PairDraws],
    forward: bool,
) -> tuple[float, OddsPosition | None]:
    """Bets in one direction, and by how much more a run earns than it does in pairs.

    Returns:
        The larger growth of log-wealth for a run, and 0 and None where pairs are better.
    """
    tables, lines = tables_of(portfolio), _lines(claim)
    if not tables or not len(lines):
        return 0.0, None
    counted = Tally.counted(portfolio, draws.past())
    here, there = (0, 1) if forward else (1, 0)
    own, other, runs = counted.happened(here), counted.happened(there), float(counted.pairs)
    own_rate = (own + _UNSEEN) / (runs + 1.0)
    if (beside := seen.get(there)) is not None and beside.kept:
        more = Tally.counted(portfolio, beside.past())
        other, runs = other + more.happened(None), runs + 2.0 * more.pairs
    other_rate = (other + _UNSEEN) / (runs + 1.0)
    times = times_for(lines)
    stakes = stakes_at(lines, times)
    factors, _ = log_factors(lines, stakes, times)
    chances = np.stack([own_rate, 1.0 - own_rate, times * other_rate], axis=-1)
    growth: Floats = np.einsum("ek,kls->els", chances, factors)
    best = float(growth.max())
    in_pairs = _in_pairs(own_rate, other_rate, lines)
    if best <= 0.0 or best / (2.0 + times) < _BETTER * in_pairs / 2.0:
        return 0.0, None
    base = np.concatenate([table.bets.weight[: len(table.bets.spans)] for table in tables])
    even = np.log(base / base.sum())[:, None, None] - math.log(stakes.size)
    earned = _expected(own_rate, other + _UNSEEN, runs, factors, times, claim.goal / best)
    learned = even + earned
    learned -= log_sum(learned)
    prior = np.logaddexp(math.log1p(-_SPREAD) + learned, math.log(_SPREAD) + even)
    position = OddsPosition(
        draws.index,
        forward,
        times,
        0.0,
        stakes,
        prior,
        Tally.of(tables),
        Tally.of(tables),
    )
    return best / (2.0 + times), position


def _expected(
    own: Floats, other: Floats, runs: float, factors: Floats, times: int, blocks: float
) -> Floats:
    """Log of the wealth to be expected after so many blocks, by what is known of both sides.

    The chance q on the other side is known by few events, if any: with a gamma law of shape
    k, the count, and of rate n, the runs, the mean of e^(-c q) is (1 + c/n)^-k.

    Args:
        own: chances on the own side, shape (events,).
        other: counts on the other side, larger than 0.
        runs: on the other side.
        factors: as from `log_factors`.
        times: runs on the other side for one.
        blocks: how many.
    """
    won, cost, lost = factors
    here = own[:, None, None] * won + (1.0 - own[:, None, None]) * cost
    there = other[:, None, None] * np.log1p(-blocks * times * lost / runs)
    return np.asarray(blocks * here - there)


def _in_pairs(own: Floats, other: Floats, lines: Lines) -> float:
    """What a pair earns by the best event and stake, if both sides were independent."""
    slope, offset = lines.T[:, None, :, None]
    stakes = PAIRED / (slope + offset)
    own, other = own[:, None, None], other[:, None, None]
    growth = np.zeros((len(own), len(lines), len(PAIRED)))
    for x, here in ((1.0, own), (0.0, 1.0 - own)):
        for y, there in ((1.0, other), (0.0, 1.0 - other)):
            growth += here * there * np.log1p(stakes * (x - slope * y - offset))
    return float(growth.max(initial=0.0))
