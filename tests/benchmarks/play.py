"""Bets alone, without search, witness or tables: what the benchmarks measure."""

from __future__ import annotations

import time
from dataclasses import dataclass

from audit.betting.capital import Capital
from audit.betting.gambler import Gambler
from audit.betting.portfolios import Portfolios, Role
from audit.betting.schedule import Schedule
from audit.case import Case, Until
from audit.declaration import Entry
from audit.outcomes.blas_threads import in_one_thread
from audit.preparation import case_for
from audit.sampling.pair_draws import PairDraws
from audit.sampling.sampler import Sampler
from audit.sampling.source import sources_of


@dataclass(frozen=True)
class Played:
    """One game.

    Attributes:
        pairs: pairs of runs it took.
        refuted: whether the claim was refuted.
        bound: lower bound on the claim's level.
        seconds: wall time.
        log_wealth: the largest there was.
    """

    pairs: int
    refuted: bool
    bound: float
    seconds: float
    log_wealth: float


@in_one_thread
def play(
    mechanism: Entry | Case,
    *,
    alpha: float,
    samples: int,
    seed: int = 0,
    coupled: bool = True,
    until: Until = Until.VIOLATION,
) -> Played:
    """Bet on the given pairs of a mechanism with a number of runs."""
    case = mechanism if isinstance(mechanism, Case) else case_for(mechanism, search=False)
    start = time.perf_counter()
    sampler = Sampler.of(case.box, seed, coupled=coupled)
    capital = Capital(case.claim, alpha)
    pairs = [PairDraws(i, *sources_of(case.box, pair)) for i, pair in enumerate(case.pairs)]
    Gambler(sampler, Portfolios({Role.CLAIM: capital}), pairs, Schedule(until)).play(samples)
    seconds = time.perf_counter() - start
    bound = capital.lower_bound()
    return Played(sampler.samples // 2, capital.refuted, bound, seconds, capital.best)
