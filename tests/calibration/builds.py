"""Histories of builds with and without a ledger, by the formulas of a cheap e-value.

A build's bets are a stake on a Brownian motion: the log of the wealth moves by
N(-s^2/2, s^2) in a build of a right mechanism, which makes the wealth a martingale, and
by N(s^2/2, s^2) in one of a mechanism that is as wrong as the stake assumes. Its largest
value within a build is drawn exactly: given its end x, half of x + sqrt(x^2 + 2 s^2 E)
with E of the exponential law (the maximum of a Brownian bridge). So wealth is looked at
all the time, as an audit may be.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.sampling.ledger.entry import Begun
from audit.sampling.ledger.history import History
from tests.calibration.outcome import interval

NEVER = 0
GROWTH = 1.1
"""Nats that a build of a wrong mechanism earns in the mean."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Histories:
    """Builds of many targets.

    Attributes:
        targets: how many.
        builds: of each.
        changed: chance that a build is not of the same code as the one before.
        bug: the build with which every target becomes wrong, and stays as it is; 0 for none.
    """

    targets: int
    builds: int = 1000
    changed: float = 0.2
    bug: int = NEVER

    def alarms(
        self, levels: NDArray[np.float64], seed: int, *, goes_on: bool = True
    ) -> NDArray[np.int64]:
        """The first build of each target that raises an alarm, shape (targets,); 0 for none.

        Args:
            levels: of the first, second, ... audit that starts afresh.
            seed: of all histories.
            goes_on: whether builds of unchanged code go on with the wealth they have.
        """
        rng = np.random.default_rng(seed)
        spread = np.sqrt(2.0 * GROWTH)
        wealth, first = np.zeros(self.targets), np.zeros(self.targets, np.int64)
        audits = np.zeros(self.targets, np.int64)
        for build in range(1, self.builds + 1):
            wrong = self.bug != NEVER and build >= self.bug
            change = (rng.random(self.targets) < self.changed) & (not wrong)
            fresh = change | (build == 1) | (build == self.bug) | (not goes_on)
            wealth[fresh] = 0.0
            audits += fresh
            moved = rng.normal(GROWTH if wrong else -GROWTH, spread, self.targets)
            bridge = np.sqrt(moved**2 + 2.0 * spread**2 * rng.exponential(size=self.targets))
            highest = wealth + (moved + bridge) / 2.0
            alarm = highest >= -np.log(levels[audits - 1])
            first[alarm & (first == NEVER)] = build
            wealth += moved
        return first


def ledger_levels(alpha: float, audits: int) -> NDArray[np.float64]:
    """What a ledger gives to so many audits that start afresh, shape (audits,)."""
    entries: list[Begun] = []
    for number in range(1, audits + 1):
        history = History(tuple(entries), ())
        entries.append(_begun(number, alpha, history.next_level(alpha)))
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
    lines = [_right(alpha, targets) for alpha, targets in ((0.05, 20_000), (0.001, 40_000))]
    return "\n".join([_HEAD, *lines, "", _found(), ""])


_HEAD = """
## Many builds of one target

With `--ledger` the chance of a false alarm holds for all builds a target ever has. Histories
of 1,000 builds, a fifth of which change the code, by the formulas of a cheap e-value
(`python -m tests.calibration.builds`; levels from the ledger's own code). Targets that were
ever accused falsely:

| α | targets | with a ledger | rate | 95% interval | of the first 200 |
|--:|--:|--:|--:|--:|--:|"""


def _right(alpha: float, targets: int) -> str:
    kept = Histories(targets=targets)
    found = kept.alarms(ledger_levels(alpha, 400), 1) != NEVER
    return (
        f"| {alpha:g} | {targets:,} | {found.sum():,} | {interval(int(found.sum()), targets)} "
        f"| {found[:200].sum()} |"
    )


def _found() -> str:
    """A bug that is put in at build 500, with and without going on."""
    alpha = 0.001
    bug = Histories(targets=2000, bug=500)
    levels = ledger_levels(alpha, 1000)
    going, afresh = bug.alarms(levels, 2), bug.alarms(levels, 2, goes_on=False)
    later = np.median(going[going >= bug.bug]) - bug.bug + 1
    missed = np.mean(afresh == NEVER)
    return (
        f"A bug that earns {GROWTH} nats a build, put in at build {bug.bug} (α = {alpha:g}): "
        f"going on with\nthe wealth finds it after {later:.0f} builds (median; all targets by "
        f"build {going.max()}). Fresh levels\nfor every build have not found it by build "
        f"{bug.builds} in {missed:.0%} of the targets."
    )


if __name__ == "__main__":
    print(section())
