"""Bets alone, without search, witness or tables: what the benchmarks measure."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
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
    samples: int | Sequence[int],
    seed: int = 0,
    coupled: bool = True,
    until: Until = Until.VIOLATION,
    enough: float = math.inf,
) -> Played:
    """Bet on the given pairs of a mechanism with a number of runs.

    Args:
        mechanism: an entry of the catalogue, or a case.
        alpha: the level.
        samples: runs; of several numbers, each is how far one game goes on where its bound
            is not enough before. That is valid, as the bound holds at all times at once.
        seed: that all draws follow from.
        coupled: whether both sides of a pair share their randomness.
        until: when to stop.
        enough: bound beyond which no more runs are made.
    """
    case = mechanism if isinstance(mechanism, Case) else case_for(mechanism, search=False)
    start = time.perf_counter()
    sampler = Sampler.of(case.box, seed, coupled=coupled)
    capital = Capital(case.claim, alpha)
    pairs = [PairDraws(i, *sources_of(case.box, pair)) for i, pair in enumerate(case.pairs)]
    gambler = Gambler(sampler, Portfolios({Role.CLAIM: capital}), pairs, Schedule(until))
    bound = 0.0
    for runs in (samples,) if isinstance(samples, int) else samples:
        gambler.play(runs)
        bound = capital.lower_bound()
        if bound > enough:
            break
    seconds = time.perf_counter() - start
    return Played(sampler.samples // 2, capital.refuted, bound, seconds, capital.best)
