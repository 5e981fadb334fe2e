"""Whole audits by fresh instances, as a command runs them: verdicts, bounds, processor seconds.

python -m tests.benchmarks.instances
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

TITLE = "Fresh instances (`audit python` as it comes, α = .001)"
SEEDS = 3
MOST = 40_000
"""Runs of an audit that goes on until its bound has settled."""
_CODE = """\
from functools import lru_cache
from secrets import SystemRandom

import numpy as np


def seeded(scale):
    def release(data, rng):
        return len(data) + rng.laplace(0.0, scale)

    return release


def laplace(system, scale):
    return system.choice((-scale, scale)) * system.expovariate(1.0)


def unseeded(scale):
    system = SystemRandom()

    def release(data):
        return len(data) + laplace(system, scale)

    return release


class Held:
    def __init__(self, scale):
        self.scale, self.system = scale, SystemRandom()

    def __call__(self, data):
        return len(data) + laplace(self.system, self.scale)


@lru_cache
def exact(data):
    return len(data)


def cached(data, rng):
    return exact(tuple(data)) + rng.laplace()


def plain(data, rng):
    return len(tuple(data)) + rng.laplace()


def none(data, rng):
    return len(data)


box = {made}
"""


@dataclass(frozen=True, slots=True)
class Box:
    """A count with noise for one epsilon and a claim of another.

    Attributes:
        name: for the page.
        made: how the file makes it.
        claimed: epsilon.
        until: when an audit of it stops.
        wanted: processor seconds at most, the lower bound at least, or nothing.
    """

    name: str
    made: str
    claimed: float
    until: str
    wanted: str


BOXES = (
    Box("`f(data, rng)`, 1.2 sold as 1", "seeded(1 / 1.2)", 1.0, "violation", "4 s"),
    Box("`f(data, rng)`, 2 sold as 1", "seeded(1 / 2)", 1.0, "violation", "2 s"),
    Box("`f(data, rng)`, .2 sold as .1", "seeded(1 / 0.2)", 0.1, "violation", "3 s"),
    Box("`f(data, rng)`, 9 sold as 6", "seeded(1 / 9)", 6.0, "violation", "45 s"),
    Box("`SystemRandom` in a closure, 1.2 sold as 1", "unseeded(1 / 1.2)", 1.0, "violation", "6 s"),
    Box("`SystemRandom` in a closure, 2 sold as 1", "unseeded(1 / 2)", 1.0, "violation", "3 s"),
    Box("`SystemRandom` in a closure, 9 sold as 6", "unseeded(1 / 9)", 6.0, "violation", "60 s"),
    Box("an object with `SystemRandom`, 6 sold as 4", "Held(1 / 6)", 4.0, "bound", "ε ≥ 5.5, 90 s"),
    Box("no noise, sold as 1", "none", 1.0, "bound", "ε ≥ 5, 10 s"),
    Box("exact part behind `lru_cache`, ε = 1", "cached", 1.0, "bound", "3 times the next row"),
    Box("the same without a cache", "plain", 1.0, "bound", ""),
)


@dataclass(frozen=True, slots=True)
class Ended:
    """One audit: its result as JSON, and processor seconds of all its processes."""

    result: dict[str, Any]
    seconds: float


def ended(box: Box, seed: int) -> Ended:
    """Audit a box on a given pair by the command, in processes of its own."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "box.py")
        file.write_text(_CODE.replace("{made}", box.made), encoding="utf-8")
        command = [str(Path(sys.executable).with_name("audit")), "python", f"{file}:box"]
        command += ["--epsilon", f"{box.claimed:g}", "--data", "[1]", "--neighbor", "[]"]
        most = ["--max-samples", str(MOST)] if box.until == "bound" else []
        command += [*most, "--until", box.until, "--seed", str(seed), "--format", "json"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Ended(json.loads(done.stdout), spent)


def row(box: Box) -> str:
    """Medians over seeds, and the worst."""
    found = [ended(box, seed) for seed in range(SEEDS)]
    refuted = sum(one.result["verdict"] == "violation" for one in found)
    bounds = [one.result["epsilon_lower"] for one in found]
    runs = median(one.result["samples"] for one in found)
    units = median(one.result["units"]["count"] for one in found)
    seconds = [one.seconds for one in found]
    return (
        f"| {box.name} | {refuted} of {SEEDS} | {median(bounds):.3g} | {min(bounds):.3g} "
        f"| {units:,.0f} | {runs:,.0f} | {median(seconds):.1f} | {max(seconds):.1f} "
        f"| {box.wanted} |"
    )


def markdown() -> list[str]:
    """The section, without its title."""
    head = "| count with Laplace noise | refuted | bound, median | least | instances | runs "
    return [
        "One pair is given. Instances and runs are medians; seconds are processor seconds of all",
        "processes, start-up, checks, counterexample and tables included. The first rows stop at",
        f"the violation, the others after {MOST:,} runs at most.",
        "",
        f"{head}| seconds, median | most | wanted |",
        "|---|--:|--:|--:|--:|--:|--:|--:|---|",
        *map(row, BOXES),
    ]


if __name__ == "__main__":
    print("\n".join(markdown()))
