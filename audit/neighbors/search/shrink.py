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
_COSTLIER = 4
"""A smaller pair may take so many times the runs that the first one took."""
_HOPELESS = 1 / 3
"""A candidate whose first look shows less than this part of the first pair's is given up."""
_ROUNDS = 3
_FINEST = 32


@dataclass(slots=True)
class Shrinker:
    """Makes one refuted pair smaller.

    Attributes:
        pair: the pair.
        runs: what it took to refute it.
        domain: what a record may be.
        oracle: what is asked about candidates; what it allows is the budget.
        expected: what a look at the pair itself shows.
        seen: candidates that were tried, and whether they were refuted.
        steps: how many were.
    """

    pair: Pair
    runs: int
    domain: Domain
    oracle: Oracle
    expected: float = 0.0
    seen: dict[Hashable, bool] = field(default_factory=dict)
    steps: int = 0

    def shrunk(self) -> Pair:
        """The smallest refuted pair found; the pair itself when nothing smaller is refuted."""
        runs = runs_of(self.pair, self.domain)
        # Anew and at once, as smaller ones are going to be: scores can be compared then.
        first = self._score(replace(self.pair))
        if first is None:
            return self.pair
        self.expected = first
        for _ in range(_ROUNDS):
            before = runs
            runs = self._with_simpler_records(self._with_fewer_records(runs))
            if runs == before:
                break
        return pair_of(runs, self.pair, self.domain)

    @property
    def _enough(self) -> int:
        """Runs of a look that tell whether a pair is worth trying."""
        return 2 * max(_FEWEST_PAIRS, self.runs // 2)

    def _holds(self, runs: Runs) -> bool:
        """Whether these are neighbors on which the claim is refuted too."""
        try:
            pair = pair_of(runs, self.pair, self.domain)
            check_pair(pair, self.domain)
        except InputError:
            return False
        name = (tuple(keys_of(pair.dataset)), tuple(keys_of(pair.neighbor)))
        if name not in self.seen:
            self.seen[name] = self._refuted(pair)
            self.steps += self.seen[name]
        return self.seen[name]

    def _refuted(self, pair: Pair) -> bool:
        score = self._score(pair)
        if score is None or score < _HOPELESS * min(self.expected, self.oracle.scale.goal):
            return False
        try:
            return self.oracle.refutes(pair, _COSTLIER * self.runs) is not None
        except Unreadable:
            return False

    def _score(self, pair: Pair) -> float | None:
        """What a look shows; None where the budget does not allow one or nothing can be read."""
        try:
            return self.oracle.score(pair, self._enough)
        except Unreadable:
            return None

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
