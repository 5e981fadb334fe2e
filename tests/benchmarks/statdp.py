"""Verdicts on StatDP's eleven mechanisms, on all of its pairs of vectors of length 5."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import partial

import numpy as np

from audit.case import Budget, Settings
from audit.engine.steps import audit_case
from audit.sampling.draws import INDEPENDENT_CALLS
from audit.sampling.workers import in_parallel
from audit.verdict.result import Verdict
from mechanisms import CATALOG
from tests.benchmarks.peer_pairs import on_all_pairs

TITLE = "StatDP's eleven (all of its pairs of vectors of length 5, α = .05, at most 1,000,000 runs)"
NAMES = tuple(name for name in CATALOG if name.startswith("statdp-"))
SEEDS = range(5)
_LENGTH, _ALPHA, _BUDGET = 5, 0.05, 1_000_000


@dataclass(frozen=True)
class Played:
    """One audit.

    Attributes:
        refuted: whether it showed a violation.
        runs: of the mechanism, witness and tables included.
        seconds: of processor time.
    """

    refuted: bool
    runs: int
    seconds: float


def played(name: str, seed: int) -> Played:
    """Audit one mechanism."""
    case = on_all_pairs(CATALOG[name], _LENGTH)
    start = time.process_time()
    budget, assume = Budget(max_samples=_BUDGET), (INDEPENDENT_CALLS,)
    settings = Settings(budget=budget, alpha=_ALPHA, seed=seed, assume=assume)
    result = audit_case(case, settings)
    return Played(result.verdict is Verdict.VIOLATION, result.samples, time.process_time() - start)


def table(workers: int) -> dict[str, list[Played]]:
    """All audits, by mechanism."""
    tasks = (partial(played, name, seed) for name in NAMES for seed in SEEDS)
    games = list(in_parallel(workers, tasks))
    many = len(SEEDS)
    return {name: games[i * many : (i + 1) * many] for i, name in enumerate(NAMES)}


def markdown(rows: dict[str, list[Played]]) -> list[str]:
    """The table as Markdown lines."""
    refuted = f"refuted, of {len(SEEDS)} seeds"
    head = ["mechanism", "keeps its claim", refuted]
    head += ["runs, median", "worst", "processor s, median", "worst"]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    right = 0
    for name, found in rows.items():
        keeps = CATALOG[name].truth.keeps
        right += all(v.refuted is not keeps for v in found)
        runs, seconds = [v.runs for v in found], [v.seconds for v in found]
        lines.append(
            f"| {name.removeprefix('statdp-')} | {'yes' if keeps else 'no'} "
            f"| {sum(v.refuted for v in found)} | {np.median(runs):,.0f} | {max(runs):,} "
            f"| {np.median(seconds):.1f} | {max(seconds):.1f} |"
        )
    return [*lines, "", f"{right} of {len(rows)} are right at all seeds."]


if __name__ == "__main__":
    print("\n".join(markdown(table(1))))
