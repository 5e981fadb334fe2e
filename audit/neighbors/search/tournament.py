"""Looking at many pairs, longer at the better ones, until one is refuted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import TYPE_CHECKING

from audit.neighbors import Pair
from audit.neighbors.search.oracle import Oracle, Unreadable
from audit.neighbors.search.search_result import (
    LeftOut,
    as_hopeless,
    name_of,
    takes_too_long,
    was_left_out,
)
from audit.neighbors.search.strategies import Enough, explore

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_FIRST = 16
"""Runs in a first look."""
_GLIMPSES = (2, 4, 8)
"""Runs in the first looks where hardly any can be made."""
_SPARE = 200
"""First looks at most that an allowance must have runs for; else there are glimpses before."""
_LOOKS = (_FIRST, 48)
"""Runs in the first look, and in a second one at what was striking there."""
_STRIKING = 0.75
"""Part of what a certain event would show that makes a pair worth trying at once."""
_RUNGS = (64, 256, 1024, 4096)
"""Runs in longer looks."""
_KEPT = 3
"""One in so many gets a longer look than the one before."""
_ALIKE = 4
"""At most one in so many may have the same score: such pairs are mostly one and the same."""
_BEST = 2
_STARTS = 3
_DIGITS = 2
"""Of losses that are told apart."""
_MARGIN = 2.0

Refuted = tuple[Pair, int]
"""A pair, and the runs it took to refute it."""


@dataclass(slots=True, eq=False)
class Candidate:
    """A pair that was looked at.

    Attributes:
        pair: the datasets.
        runs: what it was looked at with so far.
        score: what that showed.
        extent: how large the loss looked at first.
        readable: whether it can be bet on; otherwise it is left out.
    """

    pair: Pair
    runs: int = 0
    score: float = 0.0
    extent: float = 0.0
    readable: bool = True


@dataclass(slots=True)
class Hunt:
    """Looks at pairs until one is refuted.

    Attributes:
        oracle: what is asked; what it allows is the budget.
        seed: the seed of the audit.
        kept: one in so many pairs gets more than a short look.
        pairs: how many looks at pairs began.
        looked_at: names of the pairs that were looked at, here or by steps up.
        best: the best two of those looked at longest.
        left_out: those that cannot be bet on.
        widest: of the pairs looked at, those whose loss looked largest at first, no two alike.
    """

    oracle: Oracle
    seed: int
    kept: int = 1
    pairs: int = 0
    looked_at: set[Hashable] = field(default_factory=set)
    best: list[Candidate] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    widest: list[Candidate] = field(default_factory=list)

    @property
    def blind(self) -> bool:
        """True if no pair of all that were looked at could be read."""
        return 0 < self.pairs == len(self.left_out)

    def among(self, pairs: Iterable[Pair], runs: int | None = None) -> Refuted | None:
        """The first of these pairs that gives itself away, or the best if that is refuted.

        A few runs on each side show whether outputs overlap, and only where they never did
        are there more.

        Args:
            pairs: to look at.
            runs: to make in all; where they are few, all pairs are to be reached. None for as
                many as the oracle allows.
        """
        first, rest, seen = list[Pair](), iter(pairs), list[Candidate]()
        looks: tuple[int, ...] = _LOOKS
        if runs is not None:
            self.oracle.allow(runs)
            first = [*islice(rest, _SPARE)]
            looks = (*_GLIMPSES, *_LOOKS) if runs < len(first) * _FIRST else _LOOKS
        for pair in chain(first, rest):
            if self._skipped(pair):
                continue
            if (candidate := self._glanced(pair, looks[0])) is None:
                break
            seen.append(candidate)
            if refuted := self._striking(candidate, looks):
                return refuted
        return self._narrowed(seen)

    def telling(self, pairs: Iterable[Pair]) -> Refuted | None:
        """The first of these pairs that gives itself away; nothing is kept of the others.

        A few runs tell whether outputs overlap: that is all that is asked of most pairs.
        """
        for pair in pairs:
            if self._skipped(pair):
                continue
            if (candidate := self._glanced(pair, _GLIMPSES[0], sized=False)) is None:
                break
            if refuted := self._striking(candidate, (*_GLIMPSES, *_LOOKS)):
                return refuted
        return None

    def beyond(self, strategy: SearchStrategy[Pair], examples: int) -> Refuted | None:
        """The same among pairs that Hypothesis makes up, and the best so far."""
        seen: dict[Hashable, Candidate] = {}
        found: list[Refuted] = []

        def visit(pair: Pair) -> float:
            name = name_of(pair)
            if name not in seen and self._skipped(pair):
                return 0.0
            if name not in seen:
                candidate = self._glanced(pair)
                if candidate is None:
                    raise Enough
                seen[name] = candidate
                if refuted := self._striking(candidate):
                    found.append(refuted)
                    raise Enough
            return seen[name].extent

        explore(strategy, visit, examples, self.seed)
        return found[0] if found else self._narrowed([*self.best, *seen.values()])

    def one_sided(self, pair: Pair, runs: int) -> int:
        """See `Oracle.one_sided`; a pair that cannot be read shows nothing, and is left out."""
        with self._leaving_out(pair):
            return self.oracle.one_sided(pair, runs)
        return 0

    def extent(self, pair: Pair, runs: int) -> float | None:
        """Size of the loss in a look of so many runs; None if it cannot be known."""
        with self._leaving_out(pair):
            if self.oracle.score(pair, runs) is not None:
                self.looked_at.add(name_of(pair))
                return self.oracle.extent(pair)
        return None

    def _skipped(self, pair: Pair) -> bool:
        if takes_too_long(pair, self.left_out):
            return True
        skips = as_hopeless if self.blind else was_left_out
        return skips(pair, self.left_out)

    def _glanced(self, pair: Pair, runs: int = _FIRST, sized: bool = True) -> Candidate | None:
        """A short look at a pair, at its loss too; None when the budget does not allow one."""
        candidate = Candidate(pair)
        if not self._looked(candidate, runs):
            return None
        self.pairs += 1
        self.looked_at.add(name_of(pair))
        if sized and candidate.readable:
            candidate.extent = self.oracle.extent(pair)
            self.widest = _widest([*self.widest, candidate])
        return candidate

    def _looked(self, candidate: Candidate, runs: int) -> bool:
        """True if the budget allowed a longer look; unreadable pairs are left out."""
        if not candidate.readable:
            return True
        with self._leaving_out(candidate.pair, candidate):
            score = self.oracle.score(candidate.pair, runs)
            if score is None:
                return False
            candidate.runs, candidate.score = max(runs, candidate.runs), score
        return True

    @contextmanager
    def _leaving_out(self, pair: Pair, candidate: Candidate | None = None) -> Iterator[None]:
        """Leave a pair out if it turns out that its outputs cannot be bet on."""
        try:
            yield
        except Unreadable as failure:
            self.left_out.append(LeftOut(pair, failure.error, failure.late))
            if candidate is not None:
                candidate.readable, candidate.score = False, 0.0

    def _striking(self, candidate: Candidate, looks: tuple[int, ...] = _LOOKS) -> Refuted | None:
        """Try at once what looks like an event that only one side has, longer and longer."""
        for runs in looks:
            seen = self._looked(candidate, runs) and candidate.readable
            if not seen or candidate.score < _STRIKING * (runs // 2 * self.oracle.scale.certain):
                return None
        return self._tried(candidate)

    def _narrowed(self, candidates: list[Candidate]) -> Refuted | None:
        """Look longer and longer at fewer and fewer, then try the best of all."""
        before, out_of = self.best, self.kept
        for runs in _RUNGS:
            candidates = _leading(candidates, max(_BEST, len(candidates) // out_of))
            seen = [candidate for candidate in candidates if self._looked(candidate, runs)]
            self.best = _leading([*before, *(seen or candidates)], _BEST)
            if len(seen) < len(candidates):
                return None
            promising = [c for c in candidates if c.score > self.oracle.scale.goal + _MARGIN]
            for candidate in _leading(promising, 1):
                if refuted := self._tried(candidate):
                    return refuted
            out_of = _KEPT
        best = _leading(self.best, 1)
        return self._tried(best[0]) if best and best[0] in candidates else None

    def _tried(self, candidate: Candidate) -> Refuted | None:
        most = 4 * (self.oracle.scale.fastest + candidate.runs)
        with self._leaving_out(candidate.pair, candidate):
            runs = self.oracle.refutes(candidate.pair, most)
            return None if runs is None else (candidate.pair, runs)
        return None


def _widest(candidates: list[Candidate]) -> list[Candidate]:
    """Those with the largest losses, the earlier pair before the later."""
    first: dict[float, Candidate] = {}
    for candidate in sorted(candidates, key=lambda c: -c.extent):
        first.setdefault(round(candidate.extent, _DIGITS), candidate)
    return [*first.values()][:_STARTS]


def _leading(candidates: list[Candidate], count: int) -> list[Candidate]:
    """The highest scores, the earlier pair before the later, not too many of one score."""
    chosen: list[Candidate] = []
    alike: Counter[tuple[int, float]] = Counter()
    for candidate in sorted((c for c in candidates if c.readable), key=lambda c: -c.score):
        name = (candidate.runs, candidate.score)
        if alike[name] < max(1, count // _ALIKE) and len(chosen) < count:
            alike[name] += 1
            chosen.append(candidate)
    return chosen
