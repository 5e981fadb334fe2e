"""The value that a broken sparse vector releases: the larger its losses, the rarer they are.

dp-sniper's SVT3 releases the noisy answer that it compared with its noisy threshold. The lower
that answer, the more it tells of the answers before it, which were lower still: losses grow
without end, and their chances fall with them. How much is shown is a matter of runs.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.stats import laplace

from audit.case import Until
from audit.sampling.workers import in_parallel
from mechanisms import CATALOG
from mechanisms.parts.selection.sparse_vector import SparseVector
from mechanisms.peers.patterns import input_patterns
from tests.benchmarks.known_event import KnownEvent
from tests.benchmarks.peer_pairs import on_all_pairs
from tests.benchmarks.play import play

NAME = "sniper-sparse-vector-3"
BUDGETS = (4_000_000, 40_000_000, 100_000_000)
"""Runs, all pairs together."""
TITLE = "The rarer, the larger: dp-sniper's SVT3 (all of its pairs, level .1)"
_ALPHA = 0.1
_QUERIES = 10
_VALUES = np.linspace(-400.0, 400.0, 40_001)
_EVERY = 250
_LEAST = 10.0
"""Times that an event is expected at least: an oracle does not hope either."""


def events(made: SparseVector) -> Iterator[KnownEvent]:
    """All queries before one are below, and its released value is at most, or at least, v."""
    for left, right in input_patterns(_QUERIES).values():
        ours, theirs = _chances(made, left), _chances(made, right)
        for one, other in zip(ours, theirs, strict=True):
            for p, q in ((one, other), (one[-1] - one, other[-1] - other)):
                for a, b in zip(p[::_EVERY], q[::_EVERY], strict=True):
                    often, seldom = max(a, b), min(a, b)
                    if seldom > 0.0 and often > seldom:
                        yield KnownEvent.apart(float(often), float(seldom))


def _chances(made: SparseVector, answers: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """By query, the chances that it is the first above and its value at most each of `_VALUES`.

    Given the noisy threshold t the queries are independent. A value v of query i has the density
    of its noise times the chance that t is at most v and all queries before it are below t.
    """
    step = _VALUES[1] - _VALUES[0]
    noise = laplace(scale=made.query_factor / made.epsilon)
    below = laplace(made.threshold, made.threshold_factor / made.epsilon).pdf(_VALUES)
    found = []
    for answer in answers:
        released = np.cumsum(below) * step * noise.pdf(_VALUES - answer)
        found.append(np.cumsum(released) * step)
        below = below * noise.cdf(_VALUES - answer)
    return found


def oracle(runs: int) -> float:
    """The largest epsilon that one bet on the best of these events shows with so many runs."""
    made, pairs = CATALOG[NAME].mechanism, runs // 2
    assert isinstance(made, SparseVector)
    hopeful = (event for event in events(made) if pairs * event.often >= _LEAST)
    best = 0.0
    for event in hopeful:
        if event.loss > best and _earns(event, best, pairs):
            best = event.shown(pairs, _ALPHA)
    return best


def _earns(event: KnownEvent, level: float, pairs: int) -> bool:
    """Whether a bet on it may show more than that."""
    stakes = np.linspace(0.0, math.exp(-level), 102)[1:-1] if level else ()
    needed = -math.log(_ALPHA)
    return not level or any(pairs * event.growth(level, s) > needed for s in stakes)


def bound(runs: int) -> float:
    """What bets on all of its pairs show with so many runs."""
    case = on_all_pairs(CATALOG[NAME])
    return play(case, alpha=_ALPHA, samples=runs, until=Until.BUDGET).bound


def markdown(workers: int) -> list[str]:
    """Bounds by runs beside the oracle's."""
    shown = in_parallel(workers, (partial(bound, runs) for runs in BUDGETS))
    lines = [
        "The larger a loss of it, the rarer: what can be shown is a matter of runs. The oracle",
        "knows the best pair, query and threshold for so many runs, and all of them are its.",
        "",
        "| runs | here | oracle | ÷ |",
        "|---" * 4 + "|",
    ]
    for runs, here in zip(BUDGETS, shown, strict=True):
        best = oracle(runs)
        lines.append(f"| {runs:,} | {here:.4f} | {best:.4f} | {here / best:.3f} |")
    return lines


if __name__ == "__main__":
    print("\n".join(markdown(1)))
