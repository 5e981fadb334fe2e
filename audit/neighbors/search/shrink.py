"""From a refuted pair to a minimal one: the fewest records, then the simplest ones.

Every candidate is a valid pair, and is kept only if the claim is refuted on it as
well. Where answers are seeded, the same pair always shrinks the same.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from typing import Any

from audit.errors import InputError
from audit.neighbors import Pair, check_pair
from audit.neighbors.domain import Domain
from audit.neighbors.domain.record import key
from audit.neighbors.rows import keys_of
from audit.neighbors.search.alignment import Run, Runs, pair_of, runs_of
from audit.neighbors.search.oracle import Oracle, Unreadable
from audit.neighbors.search.simplify import simplest

_FEWEST_PAIRS = 16
_ROUNDS = 3
_FINEST = 32


@dataclass(slots=True)
class Trial:
    """Trial of other pairs: does the claim fall at about the same cost?

    Attributes:
        runs: what it took to refute that one.
        oracle: what is asked about others; what it allows is the budget.
        costlier: another pair may take so many times these runs.
        hopeless: one whose first look shows less than this part of the first pair's is given up.
        expected: what a look at the first pair shows.
        last: what it took to refute the last pair that was.
    """

    runs: int
    oracle: Oracle
    costlier: int = 4
    hopeless: float = 1 / 3
    expected: float = 0.0
    last: int = 0

    def starts_at(self, pair: Pair) -> bool:
        """Look at the first pair anew and at once, as smaller ones are going to be looked at.

        Returns:
            Whether the budget allowed it: scores can be compared then.
        """
        first = self._score(replace(pair))
        self.expected = first or 0.0
        return first is not None

    def refuted(self, pair: Pair) -> bool:
        """True if the claim is refuted on another pair, too."""
        score = self._score(pair)
        if score is None or score < self.hopeless * min(self.expected, self.oracle.scale.goal):
            return False
        try:
            took = self.oracle.refutes(pair, self.costlier * self.runs)
        except Unreadable:
            return False
        self.last = self.last if took is None else took
        return took is not None

    def _score(self, pair: Pair) -> float | None:
        """Score of a look; None if the budget ends or nothing can be read."""
        try:
            return self.oracle.score(pair, 2 * max(_FEWEST_PAIRS, self.runs // 2))
        except Unreadable:
            return None


@dataclass(slots=True)
class Shrinker:
    """Makes one refuted pair smaller.

    Attributes:
        pair: the pair.
        runs: what it took to refute it.
        domain: what a record may be.
        oracle: what is asked about candidates; what it allows is the budget.
        seen: candidates that were tried, and whether they were refuted.
        steps: how many were.
        trial: tries them.
    """

    pair: Pair
    runs: int
    domain: Domain
    oracle: Oracle
    seen: dict[Hashable, bool] = field(default_factory=dict)
    steps: int = 0
    trial: Trial = field(init=False)

    def __post_init__(self) -> None:
        self.trial = Trial(self.runs, self.oracle)

    def shrunk(self) -> Pair:
        """The smallest refuted pair found; the pair itself when nothing smaller is refuted."""
        runs = runs_of(self.pair, self.domain)
        if not self.trial.starts_at(self.pair):
            return self.pair
        for _ in range(_ROUNDS):
            before = runs
            runs = self._with_simpler_records(self._with_fewer_records(runs))
            if runs == before:
                break
        return pair_of(runs, self.pair, self.domain)

    def _holds(self, runs: Runs) -> bool:
        """True if these are neighbors on which the claim is refuted too."""
        try:
            pair = pair_of(runs, self.pair, self.domain)
            check_pair(pair, self.domain)
        except InputError:
            return False
        name = (tuple(keys_of(pair.dataset)), tuple(keys_of(pair.neighbor)))
        if name not in self.seen:
            self.seen[name] = self.trial.refuted(pair)
            self.steps += self.seen[name]
        return self.seen[name]

    def _with_fewer_records(self, runs: Runs) -> Runs:
        runs = self._kept(tuple(run for run in runs if not run.common), runs)
        size = len(runs)
        while size >= max(1, len(runs) // _FINEST):
            at = 0
            while at < len(runs):
                fewer = self._kept(runs[:at] + runs[at + size :], runs)
                at += size if fewer is runs else 0
                runs = fewer
            size //= 2
        for at in range(len(runs)):
            runs = self._with_shorter_run(runs, at)
        return runs

    def _kept(self, fewer: Runs, runs: Runs) -> Runs:
        return fewer if fewer != runs and self._holds(fewer) else runs

    def _with_shorter_run(self, runs: Runs, at: int) -> Runs:
        """By bisection; a run of length 0 was tried before."""
        too_short = 0
        while runs[at].length - too_short > 1:
            length = (runs[at].length + too_short) // 2
            shorter = _changed(runs, at, replace(runs[at], length=length))
            if self._holds(shorter):
                runs = shorter
            else:
                too_short = length
        return runs

    def _with_simpler_records(self, runs: Runs) -> Runs:
        for at in range(len(runs)):
            for side in ("both",) if runs[at].common else ("left", "right"):
                runs = self._with_simpler_run(runs, at, side)
        return runs

    def _with_simpler_run(self, runs: Runs, at: int, side: str) -> Runs:
        held = runs[at].right if side == "right" else runs[at].left
        if not held:
            return runs

        def holds(record: Any) -> bool:
            return self._holds(_changed(runs, at, _with_record(runs[at], side, record)))

        record = simplest(self.domain, held[0], holds)
        if key(record) == key(held[0]):
            return runs
        return _changed(runs, at, _with_record(runs[at], side, record))


def _changed(runs: Runs, at: int, run: Run) -> Runs:
    return (*runs[:at], run, *runs[at + 1 :])


def _with_record(run: Run, side: str, record: Any) -> Run:
    left = (record,) if side != "right" else run.left
    right = (record,) if side != "left" else run.right
    return replace(run, left=left, right=right)
