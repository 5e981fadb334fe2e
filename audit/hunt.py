"""Looking at many pairs, longer at the better ones, until a small gambler refutes one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from audit.errors import BlackBoxError
from audit.explore import Enough, explore
from audit.glance import best_possible
from audit.neighbors import Pair
from audit.neighbors.rows import keys_of
from audit.probe import Candidate, Probe, Unreadable
from audit.reach import floor_pairs

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_FIRST = 8
"""Pairs of runs in a first look."""
_SECOND = 24
"""Pairs of runs in a second look at what was striking in the first."""
_STRIKING = 0.75
"""Part of what a certain event would show that makes a pair worth trying at once."""
_RUNGS = (32, 128, 512, 2048)
"""Pairs of runs in longer looks."""
_KEPT = 3
"""One in so many gets a longer look than the one before."""
_ALIKE = 4
"""At most one in so many may have the same score: such pairs are mostly one and the same."""
_BEST = 2
_MARGIN = 2.0
_SIZES_TRIED = 12
"""Sizes at which nothing could be read after which no others are tried."""

Refuted = tuple[Pair, int]
"""A pair, and the runs it took to refute it."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A pair of the search's making that cannot be bet on.

    Attributes:
        pair: the datasets.
        error: why.
        late: whether all that is wrong is that no run ended in time.
    """

    pair: Pair
    error: BlackBoxError
    late: bool


@dataclass(slots=True)
class Hunt:
    """Looks at pairs until one is refuted.

    Attributes:
        probe: what looks; its limit is the budget.
        seed: the seed of the audit.
        pairs: how many pairs were looked at.
        best: the best two of those looked at longest.
        left_out: those that cannot be bet on.
    """

    probe: Probe
    seed: int
    pairs: int = 0
    best: list[Candidate] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    @property
    def blind(self) -> bool:
        """Whether pairs were looked at, and nothing could be read on any of them."""
        return 0 < self.pairs == len(self.left_out)

    def among(self, pairs: Iterable[Pair]) -> Refuted | None:
        """The first of these pairs that gives itself away, or the best if that is refuted."""
        seen: list[Candidate] = []
        for pair in pairs:
            if self._hopeless(pair):
                continue
            candidate = self._glanced(pair)
            if candidate is None:
                break
            seen.append(candidate)
            if refuted := self._striking(candidate):
                return refuted
        return self._narrowed(seen)

    def beyond(self, strategy: SearchStrategy[Pair], examples: int) -> Refuted | None:
        """The same among pairs that Hypothesis makes up, and the best so far."""
        seen: dict[Hashable, Candidate] = {}
        found: list[Refuted] = []

        def visit(pair: Pair) -> float:
            name = (tuple(keys_of(pair.dataset)), tuple(keys_of(pair.neighbor)))
            if name not in seen and self._hopeless(pair):
                return 0.0
            if name not in seen:
                candidate = self._glanced(pair)
                if candidate is None:
                    raise Enough
                seen[name] = candidate
                if refuted := self._striking(candidate):
                    found.append(refuted)
                    raise Enough
            return seen[name].score

        explore(strategy, visit, examples, self.seed)
        return found[0] if found else self._narrowed([*self.best, *seen.values()])

    def _glanced(self, pair: Pair) -> Candidate | None:
        """A short look at a pair, None when the budget does not allow one."""
        candidate = self.probe.candidate(pair)
        if not self._looked(candidate, _FIRST):
            return None
        self.pairs += 1
        return candidate

    def _looked(self, candidate: Candidate, pairs: int) -> bool:
        """Whether the budget allowed a longer look; what cannot be read is left out."""
        try:
            return not candidate.readable or self.probe.look(candidate, pairs)
        except Unreadable as failure:
            self._leave_out(candidate, failure)
            return True

    def _leave_out(self, candidate: Candidate, failure: Unreadable) -> None:
        candidate.readable, candidate.score = False, 0.0
        self.left_out.append(LeftOut(candidate.pair, failure.error, failure.late))

    def _hopeless(self, pair: Pair) -> bool:
        """Whether a pair need not be tried, after what came of those that were left out.

        Because runs took too long on fewer records, or because nothing at all could be
        read so far, on pairs of its size or of so many other sizes.
        """
        if any(other.late and _least(pair) >= _least(other.pair) for other in self.left_out):
            return True
        if not self.blind:
            return False
        sizes = {_most(other.pair) for other in self.left_out}
        return len(sizes) >= _SIZES_TRIED or _most(pair) in sizes

    def _striking(self, candidate: Candidate) -> Refuted | None:
        """Try at once what looks like an event that only one side has."""
        for pairs in (_FIRST, _SECOND):
            if not self._looked(candidate, pairs):
                return None
            if candidate.score < _STRIKING * best_possible(pairs, self.probe.claim):
                return None
        return self._tried([candidate])

    def _narrowed(self, candidates: list[Candidate]) -> Refuted | None:
        """Look longer and longer at fewer and fewer, then try the best of all."""
        before = self.best
        out_of = 1 if self.probe.sampler.box.many else 2
        for pairs in _RUNGS:
            candidates = _leading(candidates, max(_BEST, len(candidates) // out_of))
            if not all(self._looked(candidate, pairs) for candidate in candidates):
                return None
            self.best = _leading([*before, *candidates], _BEST)
            promising = [c for c in candidates if c.score > self.probe.goal + _MARGIN]
            if refuted := self._tried(_leading(promising, 1)):
                return refuted
            out_of = _KEPT
        return self._tried([c for c in _leading(self.best, 1) if c in candidates])

    def _tried(self, candidates: list[Candidate]) -> Refuted | None:
        """Let a gambler loose on each of them."""
        least = floor_pairs(self.probe.claim, self.probe.alpha)
        for candidate in candidates:
            try:
                runs = self.probe.refutes(candidate.pair, 4 * (least + 2 * candidate.drawn))
            except Unreadable as failure:
                self._leave_out(candidate, failure)
                continue
            if runs is not None:
                return candidate.pair, runs
        return None


def _leading(candidates: list[Candidate], count: int) -> list[Candidate]:
    """The highest scores, the earlier pair before the later, not too many of one score."""
    chosen: list[Candidate] = []
    alike: Counter[tuple[int, float]] = Counter()
    for candidate in sorted((c for c in candidates if c.readable), key=lambda c: -c.score):
        name = (candidate.drawn, candidate.score)
        if alike[name] < max(1, count // _ALIKE) and len(chosen) < count:
            alike[name] += 1
            chosen.append(candidate)
    return chosen


def _least(pair: Pair) -> int:
    """Records of the smaller dataset."""
    return min(len(pair.dataset), len(pair.neighbor))


def _most(pair: Pair) -> int:
    """Records of the larger dataset."""
    return max(len(pair.dataset), len(pair.neighbor))
