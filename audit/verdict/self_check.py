"""Whether bets on each dataset against itself stay poor."""

from __future__ import annotations

from collections.abc import Iterable

from audit.betting.capital import Capital
from audit.betting.gambler import Gambler
from audit.betting.portfolios import Portfolios, Role
from audit.betting.record import BettingRecord, PairRecord
from audit.betting.schedule import FIRST, PACE, Schedule
from audit.claim import PureDP
from audit.sampling.deadline import Deadline
from audit.sampling.pair_draws import PairDraws
from audit.sampling.sampler import Sampler
from audit.sampling.source import Sources
from audit.sampling.stream import Stage
from audit.sampling.workers.interface import WorkerPool

ALIKE = PureDP(1e-3)
"""What holds for a dataset against itself, whatever the mechanism claims."""
_FEWEST = 8000
"""Runs of the self-check at least, where one call gives many: batches have to grow."""
_CALLS = 32
"""Calls as large as those of the bets that the runs of a check should be enough for."""


def self_check(
    record: BettingRecord,
    sides: Sources,
    index: int,
    sampler: Sampler,
    pool: WorkerPool,
    limits: Iterable[int],
    deadline: Deadline | None = None,
) -> bool:
    """Whether bets on each dataset of a pair against itself stay poor.

    See `bets_against_itself`.
    """
    capital = bets_against_itself(record, sides, index, sampler, pool, limits, deadline)
    return not capital.refuted


def bets_against_itself(
    record: BettingRecord,
    sides: Sources,
    index: int,
    sampler: Sampler,
    pool: WorkerPool,
    limits: Iterable[int],
    deadline: Deadline | None = None,
) -> Capital:
    """What bets on each dataset of a pair against itself come to.

    A black box that keeps state between calls can win bets without breaking any
    claim. It then wins these bets as well: two independent draws on one dataset are
    alike, so that the smallest of claims is bet against, which sees the most. Calls
    grow as large as those of the bets were.

    Args:
        record: of the bets.
        sides: the black box on the datasets that are checked.
        index: of their pair in the record.
        sampler: where draws come from.
        pool: who draws.
        limits: runs to be made at most, for each budget there was: a check that has
            failed once has failed, also where a later budget would make it longer.
        deadline: when it has to be done; None for never.
    """
    many = sampler.many_on(index)
    drawn = record.pairs[index]
    check = Sampler.of(sampler.box, sampler.seed, coupled=False, turns=False)
    check.singly = {(Stage.CHECK, place) for place in (0, 1)} if not many else set()
    check.rate, check.watch, check.stateful = sampler.rate, sampler.watch, sampler.stateful
    check.runs = sampler.runs.anew()
    wanted = runs_wanted(drawn, many)
    capital = Capital(ALIKE, record.claim.alpha)
    pairs = [PairDraws(place, side, side, Stage.CHECK) for place, side in enumerate(sides)]
    budgets = [min(wanted, limit) for limit in limits]
    # A budget for less than one pair of runs on each of them draws nothing.
    earliest = next((runs for runs in budgets if runs >= 2 * len(pairs)), 0)
    first = _first(drawn.largest, earliest)
    schedule = Schedule(first=first, deadline=deadline or Deadline())
    player = Gambler(check, Portfolios({Role.CLAIM: capital}), pairs, schedule, pool=pool)
    for runs in budgets:
        player.play(runs)
    sampler.join(check)
    return capital


def runs_wanted(drawn: PairRecord, many: bool) -> int:
    """Runs that a self-check should make, if there are so many left."""
    return max(2 * drawn.drawn, _FEWEST) if many else drawn.drawn


def _first(largest: int, runs: int) -> int:
    """Pairs of the first epoch, so that later calls are as large as those of the bets."""
    return max(FIRST, min(largest // PACE, runs // (4 * _CALLS)))
