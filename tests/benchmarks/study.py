"""All benchmarks, as reports/studies/performance.md.

python -m tests.benchmarks.study [--section TITLE ...] [--peer .../jax_privacy/auditing.py]
    [--peers FOLDER]
"""

from __future__ import annotations

import argparse
import os
import platform
import tomllib
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path

import numpy as np

from audit.case import Until
from tests.benchmarks import (
    bounds,
    cost,
    divergences,
    instances,
    oracle,
    recorded,
    sniper,
    starting,
    statdp,
)
from tests.benchmarks.cases import laplace, many_counts, response
from tests.benchmarks.peers import section as side_by_side
from tests.benchmarks.play import play
from tests.benchmarks.test_reach import refuted
from tests.canaries.bounds import loaded

_RUNS = (10**4, 10**5, 10**6, 2 * 10**6)
_ROUNDS = {10**5: 4, 10**6: 2}
"""How often the cost of so many runs is measured; neighbors on a machine come and go."""
_SYSTEMS = (
    "noisy-average-clamped",
    "report-noisy-max",
    "primer-count",
    "primer-variance",
    "primer-median",
    "primer-correlation",
    "dp-sum-raw",
    "dp-sum-local",
    "dp-sum-global",
    "inf-tda",
)
"""Correct mechanisms of the five systems: their audits go on to the end of the budget."""


def soon() -> list[str]:
    """Share of whole audits that refute a few wrong claims."""
    cases = [
        ("ε = 1.5 sold as 1", laplace(1.5, claimed=1.0), 1_000, "all"),
        ("ε = 1.2 sold as 1", laplace(1.2, claimed=1.0), 1_000, "6 of 11"),
        ("randomized response, ε = 1.1 sold as 1", response(1.1, claimed=1.0), 6_500, "half"),
        ("half the noise, ε = .1", laplace(0.2, claimed=0.1), 1_000, "half"),
        ("half the noise, ε = .01", laplace(0.02, claimed=0.01), 10_000, "half"),
        ("ten counts sold as one, ε = 1", many_counts(1.0, 10), 100, "half"),
        ("ten counts sold as one, ε = .1", many_counts(0.1, 10), 1_000, "half"),
    ]
    lines = ["| wrong claim | pairs of runs | refuted (20 seeds, α = .05) | wanted |"]
    lines.append("|---|--:|--:|--:|")
    for name, case, most, wanted in cases:
        lines.append(f"| {name} | {most:,} | {refuted(case, most):.0%} | {wanted} |")
    return lines


def close() -> list[str]:
    """Lower bound on epsilon of Laplace, as a part of the true one."""
    lines = [
        "| ε | " + " | ".join(f"{runs:,} runs" for runs in _RUNS) + " |",
        "|---" * (len(_RUNS) + 1) + "|",
    ]
    for epsilon in (0.01, 0.1, 1.0, 3.0):
        cells = []
        for runs in _RUNS:
            seeds = range(9 if runs < 10**6 else 3)
            bounds = [
                play(laplace(epsilon), alpha=0.05, samples=runs, seed=s, until=Until.BUDGET).bound
                for s in seeds
            ]
            cells.append(f"{np.median(bounds) / epsilon:.3f}")
        lines.append(f"| {epsilon:g} | " + " | ".join(cells) + " |")
    return lines


def costs() -> list[str]:
    """Time against drawing, and memory."""
    bare, through = cost.microseconds_of_a_call()
    lines = [
        "Seconds, the fastest of several rounds: *called* is the function alone, called as often",
        "and for as many outputs at once as the audit calls it; *whole* is an audit on one pair",
        "with low-order bits, bounds and tables, to the end of the budget. Calls are assumed",
        "independent.",
        "",
        "Mechanisms of one line of numpy (4 rounds and 2):",
        "",
        _head("mechanism, runs"),
        *(
            _cost(f"{name}, {runs:,}", name, runs, rounds)
            for name in cost.ONE_LINE
            for runs, rounds in _ROUNDS.items()
        ),
        "",
        "Correct mechanisms of the five systems, 10,000 runs (2 rounds):",
        "",
        _head("mechanism"),
        *(_cost(name, name, 10**4, 2) for name in _SYSTEMS),
        "",
        f"One call for one output of a function that does nothing takes {bare:.2f} µs, and",
        f"{through:.2f} µs through the black box, with its copy of the data and its time limit.",
        "",
        "| runs of a Laplace count | peak memory of the process, MiB |",
        "|---|---|",
    ]
    return lines + [f"| {n:,} | {cost.peak_memory(n):.0f} |" for n in (10**4, 10**5, 10**6)]


def _head(first: str) -> str:
    cells = (first, "called", "whole", "whole ÷ called")
    return f"| {' | '.join(cells)} |\n{'|---' * len(cells)}|"


def _cost(label: str, name: str, runs: int, rounds: int) -> str:
    took = cost.seconds_afresh(name, runs, rounds)
    cells = [f"{t:.2f}" for t in (took.called, took.whole, took.whole / took.called)]
    return f"| {label} | " + " | ".join(cells) + " |"


def sections(
    workers: int, peer: Path | None, peers: Path | None
) -> dict[str, Callable[[], list[str]]]:
    """What makes each section, by its title."""
    beside = {} if peer is None else {recorded.TITLE: partial(recorded.section, loaded(peer))}
    if peers is not None:
        beside[side_by_side.TITLE] = partial(side_by_side.markdown, peers)
    return {
        instances.TITLE: instances.markdown,
        "How soon wrong claims are refuted": soon,
        "How close lower bounds come (Laplace, bound ÷ true ε, α = .05)": close,
        "How much of a loss is shown (wrong mechanisms of the catalogue, true ε at most 5)": (
            lambda: bounds.markdown(bounds.table(workers))
        ),
        divergences.TITLE: divergences.table,
        "Time and memory": costs,
        starting.TITLE: starting.markdown,
        statdp.TITLE: lambda: statdp.markdown(statdp.table(workers)),
        oracle.TITLE: lambda: oracle.markdown(oracle.table(workers)),
        sniper.TITLE: lambda: sniper.markdown(sniper.table(workers)),
        **beside,
    }


def page(workers: int, peer: Path | None, peers: Path | None) -> str:
    """The whole report."""
    made_by = f"dp-audit {version()}, {date.today()}, Python {platform.python_version()}"
    head = [
        "# Performance",
        "",
        f"{made_by}, {os.cpu_count()} cores. Reproduce: `python -m tests.benchmarks.study`.",
        "",
        "All figures are of whole audits: verdicts, bounds and runs as `audit` prints them, with",
        "checks, counterexample and tables. Except where fresh instances are named, calls are",
        "assumed to be independent, as all peers assume; verdicts, bounds and runs then follow",
        "from seeds. A *run* is one output of the mechanism, a *pair* one run on each dataset. An",
        "*oracle* knows the best event beforehand, draws independently and bets at the best stake.",
    ]
    body = [_section(title, make()) for title, make in sections(workers, peer, peers).items()]
    return "\n".join([*head, *body]) + "\n"


def _section(title: str, lines: list[str], mark: str = "##") -> str:
    return "\n".join(["", f"{mark} {title}", "", *lines])


def renewed(text: str, title: str, lines: list[str], mark: str = "##") -> str:
    """A page on which one section is made again, or is new behind the others."""
    begins = f"\n{mark} {title}\n"
    before, found, behind = text.partition(begins)
    _, following, rest = behind.partition(f"\n{mark} ") if found else ("", "", "")
    return before.rstrip("\n") + "\n" + _section(title, lines, mark) + "\n" + following + rest


def version() -> str:
    """That of the code that runs, which need not be the one that is installed."""
    project = Path(__file__).parents[2] / "pyproject.toml"
    return str(tomllib.loads(project.read_text(encoding="utf-8"))["project"]["version"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--section", action="append", help="the beginning of a title; all if none")
    parser.add_argument("--peer", type=Path, help="jax_privacy's module of auditing, a file")
    parser.add_argument("--peers", type=Path, help="folder of clones, see tests.benchmarks.peers")
    parser.add_argument("--report", type=Path, default=Path("reports/studies"))
    options = parser.parse_args()
    options.report.mkdir(parents=True, exist_ok=True)
    place = options.report / "performance.md"
    if not options.section:
        place.write_text(page(options.workers, options.peer, options.peers), encoding="utf-8")
        return
    text = place.read_text(encoding="utf-8")
    for title, make in sections(options.workers, options.peer, options.peers).items():
        if title.startswith(tuple(options.section)):
            command = f'`python -m tests.benchmarks.study --section "{title.partition(" (")[0]}"`'
            text = renewed(text, title, [f"Of version {version()}: {command}.", "", *make()])
    place.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
