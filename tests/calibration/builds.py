"""Histories of builds with and without a ledger, by the formulas of a cheap e-value.

A build's bets are a stake on a Brownian motion: the log of the wealth moves by
N(-s^2/2, s^2) in a build of a right mechanism, which makes the wealth a martingale, and
by N(s^2/2, s^2) in one of a mechanism that is as wrong as the stake assumes. Its largest
value within a build is drawn exactly: given its end x, half of x + sqrt(x^2 + 2 s^2 E)
with E of the exponential law (the maximum of a Brownian bridge). So wealth is looked at
all the time, as an audit may be. The wealth of all versions together takes the same wealth
when a build ends.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.sampling.ledger_entry import Begun
from audit.sampling.ledger_history import History
from audit.sampling.running_wealth import CASH, reserve
from tests.calibration.outcome import interval

NEVER = 0
GROWTH = 1.1
"""Nats that a build of a wrong mechanism earns in the mean with all its runs."""
RUNS = 20_000
"""Of a build."""
Alarms = NDArray[np.int64]
Levels = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Histories:
    """Builds of many targets.

    Attributes:
        targets: how many.
        builds: of each.
        changed: chance that a build is not of the same code as the one before.
        bug: the build with which every target becomes wrong, and stays so; 0 for none.
        changed_after: chance that a build behind that one is of other code, as wrong.
    """

    targets: int
    builds: int = 1000
    changed: float = 0.2
    bug: int = NEVER
    changed_after: float = 0.0

    def alone(self, levels: Levels, seed: int, *, goes_on: bool = True) -> Alarms:
        """The build of each target that first raises an alarm alone, shape (targets,).

        Args:
            levels: of the first, second, ... audit that starts afresh.
            seed: of all histories.
            goes_on: whether builds of unchanged code go on with the wealth they have.

        Returns:
            0 for none.
        """
        rng = np.random.default_rng(seed)
        wealth, first = np.zeros(self.targets), np.zeros(self.targets, np.int64)
        audits = np.zeros(self.targets, np.int64)
        for build in range(1, self.builds + 1):
            fresh = self.changes(rng, build) | (not goes_on)
            wealth[fresh] = 0.0
            audits += fresh
            moved = self.moved(rng, build, GROWTH)
            bridge = np.sqrt(moved**2 + 4.0 * GROWTH * rng.exponential(size=self.targets))
            highest = wealth + (moved + bridge) / 2.0
            alarm = highest >= -np.log(levels[audits - 1])
            first[alarm & (first == NEVER)] = build
            wealth += moved
        return first

    def together(self, level: float, seed: int, *, cash: float = CASH) -> Alarms:
        """The build of each target at which all versions together first raise an alarm."""
        rng = np.random.default_rng((seed, 1))
        bet, first = np.zeros(self.targets), np.zeros(self.targets, np.int64)
        audits = np.zeros(self.targets, np.int64)
        left = np.array([reserve(number) for number in range(self.builds + 1)])
        for build in range(1, self.builds + 1):
            fresh = self.changes(rng, build)
            audits += fresh
            bet[fresh] += left[audits[fresh] - 1] - left[audits[fresh]]
            bet *= cash + (1.0 - cash) * np.exp(self.moved(rng, build, GROWTH))
            alarm = bet + left[audits] >= 1.0 / level
            first[alarm & (first == NEVER)] = build
        return first

    def changes(self, rng: np.random.Generator, build: int) -> NDArray[np.bool_]:
        """Which targets a build finds with other code than before, shape (targets,)."""
        wrong = self.bug != NEVER and build > self.bug
        chance = self.changed_after if wrong else self.changed
        change = rng.random(self.targets) < chance
        return change | (build in (1, self.bug))

    def moved(self, rng: np.random.Generator, build: int, growth: float) -> NDArray[np.float64]:
        """By how much the log of wealth moves in a build, shape (targets,)."""
        wrong = self.bug != NEVER and build >= self.bug
        return rng.normal(growth if wrong else -growth, np.sqrt(2.0 * growth), self.targets)


def ledger_levels(alpha: float, audits: int, together: float = 0.5) -> Levels:
    """What a ledger gives to so many audits that start afresh, shape (audits,).

    Args:
        alpha: of the target.
        audits: how many.
        together: the part of it that all of them have in common.
    """
    entries: list[Begun] = []
    for number in range(1, audits + 1):
        history = History(tuple(entries), ())
        level = history.next_level(alpha, together * alpha)
        entries.append(_begun(number, alpha, level))
    return np.array([entry.level for entry in entries])


def _begun(number: int, alpha: float, level: float) -> Begun:
    return Begun(
        target="t",
        audit=number,
        build=1,
        alpha=alpha,
        level=level,
        seed=number,
        runs=1,
        identity="",
        kept="",
        at="",
        continues="",
        after="",
    )


def section() -> str:
    """What the page of calibration says of many builds."""
    lines = [
        line
        for alpha, targets in ((0.05, 200), (0.05, 20_000), (0.001, 40_000))
        for line in _right(alpha, targets)
    ]
    return "\n".join([_HEAD, *lines, "", _found(), ""])


_HEAD = """
## Many builds of one target

With `--ledger` the chance of a false alarm holds for all builds a target ever has: half of α is
for single versions, half for all versions together. Histories of 1,000 builds of right targets, a
fifth of which change the code, by the formulas of a cheap e-value
(`python -m tests.calibration.builds`; levels and weights are the ledger's own). Targets that were
ever accused falsely:

| α | targets | accused by | targets accused | rate | 95% interval |
|--:|--:|:--|--:|--:|--:|"""


def _right(alpha: float, targets: int) -> list[str]:
    kept = Histories(targets=targets)
    alone = kept.alone(ledger_levels(alpha, 400), 1) != NEVER
    together = kept.together(alpha / 2.0, 1) != NEVER
    rows = (
        ("one version alone", alone),
        ("all together", together),
        ("either", alone | together),
    )
    return [
        f"| {alpha:g} | {targets:,} | {who} | {found.sum():,} "
        f"| {interval(int(found.sum()), targets)} |"
        for who, found in rows
    ]


def _found() -> str:
    """A bug that is put in at build 500, and who finds it."""
    alpha, targets, bug, builds = 0.001, 2000, 500, 1000
    levels = ledger_levels(alpha, builds)
    still = Histories(targets=targets, bug=bug, builds=builds)
    moving = Histories(targets=targets, bug=bug, builds=builds, changed_after=1.0)
    rows = [
        ("the code stays as it is: its version alone, going on", still.alone(levels, 2)),
        ("the code stays as it is: all together", still.together(alpha / 2.0, 2)),
        ("every build is of other code: one version alone", moving.alone(levels, 2)),
        ("every build is of other code: all together", moving.together(alpha / 2.0, 2)),
        (
            "no ledger: fresh audits with all runs, levels that sum to α",
            still.alone(ledger_levels(alpha, builds, 0.0), 2, goes_on=False),
        ),
    ]
    told = (
        f"A bug that earns {GROWTH} nats in a build of {RUNS:,} runs, put in at build {bug} "
        f"(α = {alpha:g},\n{targets:,} targets): runs from then on until it is found."
    )
    lines = [
        told,
        "",
        f"| found by | median | 90% of targets | not found by build {builds:,} |",
        "|:--|--:|--:|--:|",
    ]
    return "\n".join([*lines, *(_row(who, found, bug) for who, found in rows)])


def _row(who: str, found: Alarms, bug: int) -> str:
    later = np.where(found >= bug, found - bug + 1.0, np.inf)
    most = [_runs(float(np.quantile(later, q, method="higher"))) for q in (0.5, 0.9)]
    return f"| {who} | {most[0]} | {most[1]} | {np.mean(np.isinf(later)):.0%} |"


def _runs(builds: float) -> str:
    return "never" if np.isinf(builds) else f"{builds * RUNS:,.0f}"


if __name__ == "__main__":
    print(section())
