"""StatDP (Ding et al., arXiv 1805.10277), on its own eleven functions.

The peer is the clone FOLDER/statdp with an environment of its own, FOLDER/statdp/.venv, in which
it is installed; it takes NumPy before 1.24. It runs with its default iterations on its pairs of
vectors of length 5, in one process, and rejects where its p-value is at most .05. Its draws
follow from no seed.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from numpy.random import Generator

from audit.blackbox.python import PythonBlackBox
from audit.case import Case
from mechanisms import CATALOG
from tests.benchmarks.peer_pairs import on_all_pairs
from tests.benchmarks.peers.runs import Audited, audited, exceeds, printed, rate
from tests.canaries.bounds import loaded

NAME = "statdp"
TITLE = "StatDP (all of its pairs of vectors of length 5, ε = .7, α = .05)"
ALPHA, EPSILON, LENGTH = 0.05, 0.7, 5
BUDGET = 1_000_000
SEEDS, NULLS = 3, 20
"""Audits of each wrong function, and by the peer of each right one."""
_PART = 20
"""By which the peer's iterations are divided for right functions."""
_EVENTS, _DETECTIONS = 100_000, 500_000
"""StatDP's own iterations: on each dataset of each pair for the event, then of one for the test."""
_DRIVER = """\
import json
import logging
import resource
import sys

from statdp import ALL_DIFFER, ONE_DIFFER, algorithms, detect_counterexample

logging.disable(logging.CRITICAL)


def spent():
    who = resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN
    return sum(sum(resource.getrusage(one)[:2]) for one in who)


def detected(name, arguments, length, events, detections):
    sensitivity = ONE_DIFFER if name.startswith("histogram") else ALL_DIFFER
    ((_, p, *_),) = detect_counterexample(
        getattr(algorithms, name), arguments["epsilon"], arguments, num_input=length, cores=1,
        event_iterations=events, detect_iterations=detections, sensitivity=sensitivity, quiet=True,
    )
    return p


detected("histogram", {"epsilon": 1.0}, 5, 1_000, 1_000)  # compiles its test
for line in sys.stdin:
    begun = spent()
    print(detected(*json.loads(line)), spent() - begun)
"""


@dataclass(frozen=True, slots=True)
class Function:
    """One of StatDP's eleven.

    Attributes:
        own: its name there.
        entry: its name in the catalogue.
        arguments: of it, beside the queries and epsilon.
    """

    own: str
    entry: str
    arguments: dict[str, float]

    @property
    def keeps(self) -> bool:
        """True if it keeps its claim."""
        return CATALOG[self.entry].truth.keeps

    def line(self, part: int = 1) -> str:
        """What the driver reads, for so large a part of the default iterations."""
        arguments = {"epsilon": EPSILON, **self.arguments}
        return json.dumps([self.own, arguments, LENGTH, _EVENTS // part, _DETECTIONS // part])

    @property
    def catalogued(self) -> Case:
        """The mechanism of the catalogue, which is written for many outputs a call."""
        return on_all_pairs(CATALOG[self.entry], LENGTH)

    def case(self, algorithms: Any) -> Case:
        """StatDP's function itself."""
        function = getattr(algorithms, self.own)

        def release(data: Any, rng: Generator) -> Any:
            return function(rng, data.tolist(), EPSILON, **self.arguments)

        return replace(self.catalogued, box=PythonBlackBox(release))

    @property
    def runs(self) -> int:
        """Runs of the peer."""
        return 2 * (len(self.catalogued.pairs) * _EVENTS + _DETECTIONS)


FUNCTIONS = (
    Function("noisy_max_v1a", "statdp-noisy-max-1a", {}),
    Function("noisy_max_v2a", "statdp-noisy-max-2a", {}),
    Function("histogram", "statdp-histogram", {}),
    Function("SVT", "statdp-sparse-vector", {"N": 1, "T": 0.5}),
    Function("noisy_max_v1b", "statdp-noisy-max-1b", {}),
    Function("noisy_max_v2b", "statdp-noisy-max-2b", {}),
    Function("histogram_eps", "statdp-histogram-epsilon", {}),
    *(
        Function(f"iSVT{k}", f"statdp-sparse-vector-wrong-{k}", {"N": 1, "T": 1})
        for k in range(1, 5)
    ),
)
"""Those that keep their claim first."""


@dataclass(frozen=True, slots=True)
class Ended:
    """One audit of the peer: its p-value and processor seconds."""

    p_value: float
    seconds: float

    @property
    def rejected(self) -> bool:
        return self.p_value <= ALPHA


def answers(lines: Sequence[str]) -> list[Ended]:
    """The driver's lines, read."""
    return [Ended(*map(float, line.split())) for line in lines]


def peer(folder: Path, cells: Sequence[str]) -> list[Ended]:
    """Audits by the peer, all in one process."""
    return answers(printed([folder / NAME / ".venv/bin/python", "-c", _DRIVER], cells))


def own(case: Case, seed: int) -> Audited:
    """One audit of this tool up to a violation."""
    return audited(case, alpha=ALPHA, samples=BUDGET, seed=seed)


def level(folder: Path) -> Iterator[str]:
    """False rejections of the right functions by the peer."""
    right = [function for function in FUNCTIONS if function.keeps]
    found = peer(folder, [function.line(_PART) for function in right for _ in range(NULLS)])
    wrong = [
        sum(one.rejected for one in found[place * NULLS : (place + 1) * NULLS])
        for place in range(len(right))
    ]
    told = ", ".join(
        f"{function.own} {count}" for function, count in zip(right, wrong, strict=True)
    )
    total, audits = sum(wrong), len(found)
    kept = "fails here" if exceeds(total, audits, ALPHA) else "holds here"
    yield (
        f"Of {NULLS} audits of each right function, with 1/{_PART} of its default iterations, "
        f"StatDP rejects: {told}; together {rate(total, audits)}. StatDP's level {kept}."
    )


def power(folder: Path) -> Iterator[str]:
    """The wrong functions at StatDP's default iterations, and here up to the violation."""
    algorithms = loaded(folder / NAME / "statdp/algorithms.py")
    wrong = [function for function in FUNCTIONS if not function.keeps]
    found = peer(folder, [function.line() for function in wrong for _ in range(SEEDS)])
    yield (
        "| wrong function | StatDP rejects | runs | seconds | here: refuted | runs "
        "| seconds | ÷ | from the catalogue: refuted | runs | seconds | ÷ |"
    )
    yield "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|"
    for place, function in enumerate(wrong):
        theirs = found[place * SEEDS : (place + 1) * SEEDS]
        here = [own(function.case(algorithms), seed) for seed in range(SEEDS)]
        vectors = [own(function.catalogued, seed) for seed in range(SEEDS)]
        seconds = median(one.seconds for one in theirs)
        yield (
            f"| {function.own} | {sum(one.rejected for one in theirs)} of {SEEDS} "
            f"| {function.runs:,} | {seconds:.1f} | {_middle(here, seconds)} "
            f"| {_middle(vectors, seconds)} |"
        )
    yield ""
    yield (
        f"Medians. *Here*: the same Python functions, at most {BUDGET:,} runs; *from the "
        "catalogue*: the same mechanisms in NumPy, written for many outputs a call, of which an "
        "audit takes one a call as well, so that each call costs more; ÷: seconds as a multiple "
        "of StatDP's, whose runs are fixed beforehand."
    )


def _middle(games: Sequence[Audited], of: float) -> str:
    runs, seconds = median(game.runs for game in games), median(game.seconds for game in games)
    refuted = f"{sum(game.refuted for game in games)} of {len(games)}"
    return f"{refuted} | {runs:,.0f} | {seconds:.1f} | {seconds / of:.2f}"


def calls(folder: Path) -> Iterator[str]:
    """Cost of one call of each wrong function, in words."""
    algorithms = loaded(folder / NAME / "statdp/algorithms.py")
    wrong = [function for function in FUNCTIONS if not function.keeps]
    own_cost = [_microseconds(function.case(algorithms)) for function in wrong]
    vectors = [_microseconds(function.catalogued) for function in wrong]
    costs = ", ".join(
        f"{function.own} {one:.0f} and {other:.0f}"
        for function, one, other in zip(wrong, own_cost, vectors, strict=True)
    )
    yield (
        "Microseconds of a call of StatDP's function and of the catalogue's, through the black "
        f"box: {costs}. The rest of the seconds here goes mostly into choosing pairs and "
        "events, at every look anew."
    )


def _microseconds(case: Case, times: int = 5_000) -> float:
    bound, rng = case.box.bind(case.pairs[0].dataset), np.random.default_rng(0)
    start = time.process_time()
    for _ in range(times):
        bound.draw(rng, 1)
    return (time.process_time() - start) / times * 1e6
