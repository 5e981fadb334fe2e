"""The gambler: what to draw next, what to bet on it, and when to stop.

Rounds come in generations. A generation starts when a pair has been drawn
`FIRST`, `FIRST * PACE`, `FIRST * PACE**2`, ... times: books are learned from
all kept draws and get a part of the cash; the draws that follow are bet on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import count, islice, pairwise
from typing import TypeVar

import numpy as np

from audit.betting.account import Account
from audit.betting.confirmation.leading import leading_bets
from audit.betting.e_process import log_sum
from audit.betting.feature_study import book_of, leak_book, renewed, studied
from audit.betting.fund import Fund
from audit.betting.portfolio import Book
from audit.betting.settling import enough
from audit.blas_threads import in_one_thread
from audit.case import Until
from audit.errors import BlackBoxError
from audit.outcomes.counting import Reader
from audit.outcomes.failed_run import hopeless
from audit.outcomes.paired import Past
from audit.sampling.batch import Job
from audit.sampling.pair_draws import Track
from audit.sampling.sampler import Sampler
from audit.sampling.stream import Stage
from audit.sampling.trace import Misaligned, Trace
from audit.sampling.workers.allocator import keep_freed_memory
from audit.sampling.workers.interface import Crew
from audit.sampling.workers.local import Here

T = TypeVar("T")
FIRST = 8
PACE = 8
_LOOK_GROWTH, _LATE_GROWTH, _LATE = 1.3, 1.6, 1 << 15
_LARGEST_BATCH = 1 << 16
_LARGEST_SLOW_BATCH = 1 << 6
"""Where a call gives one output, a batch is what is worth sending to another process."""
_LONGEST_WAY = 1 << 26
"""Pairs from one look to the next at most."""
_AHEAD = 1 << 21
"""Pairs that are planned ahead where they are certain to be drawn."""
_SLOW = 1 << 12
"""Pairs from which on looking and learning take longer than drawing ahead delays them."""
_PROMISING = 0.02
_LEAK_GENERATIONS = 4
_HOPELESS = 20
"""Runs on every dataset that fail alike before nothing else is hoped for."""
_RENEWED = 5
"""From this generation on more kept draws would teach little; the counts teach more."""


@dataclass(slots=True)
class Gambler:
    """Bets on pairs of datasets until the claim is refuted or the budget is spent.

    Attributes:
        sampler: where draws come from.
        fund: the wealth, and the claim it is bet against.
        pure: a second fund for the lower bound on epsilon when the claim is of
            another kind, None otherwise.
        leaks: a fund for low bits of floats, None when not wanted.
        tracks: the pairs.
        stage: part of every address.
        crew: who draws and counts batches.
        tell: called with the number of samples and the log-wealth at every look.
        until: when to stop, if the budget has not ended before.
        first: pairs that the first generation is learned from.
        notes: what a reader must know.
        generation: how many generations have been opened since the last restart.
        chosen: the pairs that the youngest generation bets on.
        waiting: pairs that do not play for the time being.
        optional: pairs that nobody asked for; one of them does not end the game where it
            cannot be drawn or read.
        left_out: those that could not be, and why.
        refuted_at: pairs of runs there were when the claim was refuted.
        begun: runs that the sampler had made before the first game.
    """

    sampler: Sampler
    fund: Fund
    tracks: list[Track]
    pure: Fund | None = None
    leaks: Fund | None = None
    stage: Stage = Stage.BET
    crew: Crew = field(default_factory=Here)
    tell: Callable[[int, float], None] = lambda samples, wealth: None
    until: Until = Until.VIOLATION
    first: int = FIRST
    notes: list[str] = field(default_factory=list)
    generation: int = 0
    chosen: frozenset[int] = frozenset()
    waiting: list[Track] = field(default_factory=list)
    optional: frozenset[int] = frozenset()
    left_out: dict[int, BlackBoxError] = field(default_factory=dict)
    refuted_at: int | None = None
    begun: int | None = None

    @in_one_thread
    def play(self, samples: int) -> None:
        """Bet until refuted or until the sampler has made this many runs."""
        keep_freed_memory()
        if self.begun is None:
            self.begun = self.sampler.samples
        while not self._done(samples):
            try:
                self._generation(samples)
                if self.fund.refuted and self.until is Until.BOUND and len(self.tracks) > 1:
                    # The claim is refuted: the rest is spent on how badly.
                    self.restrict(leading_bets(self.fund, self.fund.claim.level)[0].pair)
            except Misaligned as failure:
                self._restart(failure)
            except _Lost as lost:
                self._leave_out(lost)
        self.look_aside()

    def restrict(self, index: int) -> None:
        """Play on one pair alone for the time being."""
        self.waiting = [track for track in self.tracks if track.index != index]
        self.tracks = [track for track in self.tracks if track.index == index]

    def widen(self) -> None:
        """Let the pairs that waited join; they catch up first."""
        if self.waiting:
            everybody = [*self.tracks, *self.waiting]
            self.tracks = sorted(everybody, key=lambda track: track.index)
            self.waiting, self.generation, self.chosen = [], 0, frozenset()

    def _done(self, samples: int) -> bool:
        if self._over() or self.tracks[0].index in self.left_out:
            return True
        if self.fund.refuted and self.until is Until.BOUND and self.sampler.box.many:
            samples -= self._kept_to_confirm(samples)
        return self.sampler.samples + 2 * len(self.tracks) > samples

    def _kept_to_confirm(self, samples: int) -> int:
        """Runs that must be left of these, so that what was refuted can be confirmed.

        A confirmation takes about as many as the refutation did, at worst half as many
        again; a fifth of the budget is kept for it anyway.
        """
        taken = 2 * (self.refuted_at or 0)
        return max(0, int(1.5 * taken - 0.25 * (samples - (self.begun or 0))))

    def _restart(self, failure: Misaligned) -> None:
        """Write off what was bet the old way; the sampler has already changed its ways."""
        lost = "; the bets made before were written off" if self.fund.generations else ""
        self.notes.append(f"{failure.reason}, so drawing became more careful{lost}")
        for fund in (self.fund, self.pure, self.leaks):
            if fund is not None:
                fund.forfeit()
        self.generation, self.chosen = 0, frozenset()
        for track in self.tracks:
            here = track.index == failure.address.pair
            track.forget(failure.address.batch if here else None)

    def _leave_out(self, lost: _Lost) -> None:
        """Go on without a pair; where it is the only one, the game is over.

        What was won on it is written off where the game goes on: that its next batch
        could not be read may be the reason why it is still there.

        Raises:
            BlackBoxError: nothing could be drawn on any pair.
        """
        index = lost.track.index
        self.left_out[index] = lost.error
        others = [track for track in self.tracks if track.index != index]
        if not others and not self.waiting:
            if not lost.track.drawn:
                raise lost.error
            return
        if others:
            self.tracks = others
        else:
            self.widen()
            self.tracks = [track for track in self.tracks if track.index != index]
        for fund in (self.fund, self.pure, self.leaks):
            if fund is not None:
                fund.leave(index)
        self.generation, self.chosen = 0, frozenset()

    def _generation(self, samples: int) -> None:
        start = self.first * PACE**self.generation
        for track in self.tracks:
            # Pairs that looked poor stay one generation behind.
            behind = bool(self.chosen) and track.index not in self.chosen
            self._draw(track, start // PACE if behind else start, samples, sure=1)
        # Scores of several parts silence warnings, which no thread can do for itself alone.
        alone = start < _SLOW or any(track.parts > 1 for track in self.tracks)
        self.chosen = (
            self._open_accounts() if alone else self._meanwhile(self._open_accounts, samples, 1)
        )
        self.generation += 1
        for target in _looks(start, start * PACE):
            for track in self.tracks:
                if track.index in self.chosen:
                    self._draw(track, target, samples, sure=0)
            self._give_up()
            self.tell(self.sampler.samples, self.fund.best)
            alone = target < _SLOW
            over = self._look() if alone else self._meanwhile(self._look, samples, 0)
            if over or self._done(samples):
                return

    def _give_up(self) -> None:
        """End an audit in which nothing but one and the same failure ever came out.

        Raises:
            BlackBoxError: so it was in the first runs on every dataset.
        """
        tracks = [*self.tracks, *self.waiting]
        if self.stage is not Stage.BET or self.generation > 1:
            return
        if all(track.drawn >= _HOPELESS and not track.usable for track in tracks):
            raise hopeless(self.sampler.box.name, self.sampler.first)

    def _meanwhile(self, work: Callable[[], T], samples: int, sure: int) -> T:
        """Do some work, and draw in the meantime what is going to be asked for next."""
        if len(self.tracks) > 1:
            return work()
        track = self.tracks[0]
        self._foresee(track, track.drawn, samples, sure)
        return self.crew.meanwhile(work, self.sampler, track.drafts)

    def _foresee(self, track: Track, target: int, samples: int, sure: int) -> None:
        """Plan up to so many pairs, and beyond them what is certain to be drawn.

        How often a black box is called must not depend on who is faster: nothing is
        drawn ahead that is only likely to be asked for.

        Args:
            track: the pair.
            target: pairs.
            samples: the budget.
            sure: how many more looks are certain to come, whatever is found until then;
                all of them where nothing stops before the budget is spent.
        """
        self._plan(track, target, samples)
        if len(self.tracks) > 1:
            # Whose draws come next depends on what is found.
            return
        certain = None if self.until is Until.BUDGET else sure
        for size in islice(_coming(self.first, target), certain):
            if track.planned >= _AHEAD or track.drawn + track.planned < target:
                return
            target = size
            self._plan(track, target, samples)

    def _look(self) -> bool:
        """Look at the fund; True when there is nothing left to play for."""
        if self.fund.look() and self.refuted_at is None:
            self.refuted_at = sum(track.drawn for track in self.tracks)
        return self._over()

    def _over(self) -> bool:
        """Whether what is known is enough."""
        if not self.fund.refuted or self.until is Until.BUDGET:
            return False
        return self.until is Until.VIOLATION or enough(
            self.fund, self.tracks, self.refuted_at or 0, self.sampler.box.many
        )

    def look_aside(self) -> None:
        """Look at the other funds, which decide nothing and can wait."""
        for fund in (self.leaks, self.pure):
            if fund is not None:
                fund.look()

    def _open_accounts(self) -> frozenset[int]:
        """Open accounts on the promising pairs; their indices."""
        self.look_aside()
        if self.generation >= _RENEWED and self.fund.generations:
            return self._renew()
        pasts = {t.index: t.past() for t in self.tracks if t.kept}
        sketches = {i: studied(past) for i, past in pasts.items()}
        books = {i: book_of(sketches[i], past, self.fund) for i, past in pasts.items()}
        promise = dict.fromkeys(books, 0.0)
        if len(books) > 1:
            promise = {i: self._promise(book, pasts[i]) for i, book in books.items()}
        weights = _promising(promise)
        self.fund.invest({i: books[i] for i in weights}, weights)
        if self.pure is not None:
            pure = {i: book_of(sketches[i], pasts[i], self.pure) for i in weights}
            self.pure.invest(pure, weights)
        self._open_leaks({i: pasts[i] for i in weights})
        return frozenset(weights)

    def _open_leaks(self, pasts: dict[int, Past]) -> None:
        """Open accounts on the low bits of these pairs."""
        if self.leaks is None or self.leaks.refuted:
            return
        if 0 < self.generation < _LEAK_GENERATIONS:
            books = {i: leak_book(past, self.leaks) for i, past in pasts.items()}
            found = {i: book for i, book in books.items() if book is not None}
            if found:
                self.leaks.invest(found, dict.fromkeys(found, 1.0))

    def _renew(self) -> frozenset[int]:
        """Open accounts with the best tables so far, their prior learned from all they counted."""
        for fund in (self.fund, self.pure):
            if fund is not None:
                held = {a.pair: a for a in fund.generations[-1].accounts}
                promise = {i: 0.5 * max(0.0, fund.log_worth(a)) for i, a in held.items()}
                weights = _promising(promise)
                fund.invest({i: renewed(held[i], fund) for i in weights}, weights)
        return frozenset(a.pair for a in self.fund.generations[-1].accounts)

    def _promise(self, book: Book, past: Past) -> float:
        """Half the log-wealth this book would have made on what it was learned from."""
        account = Account.of(0, 1.0, book)
        account.add(book.count(past.left, past.right))
        return 0.5 * max(self.fund.log_worth(account), 0.0)

    def _draw(self, track: Track, target: int, samples: int, sure: int) -> None:
        """Draw up to so many pairs and count them for every account that bets on them."""
        self._foresee(track, target, samples, sure)
        accounts = self._betting_on(track)
        # Later books often read the same as earlier ones, which is counted once.
        places: dict[tuple[int, int], int] = {}
        readers: list[Reader] = []
        for reader in (r for account in accounts for r in account.book.readers):
            if places.setdefault(_same(reader), len(readers)) == len(readers):
                readers.append(reader)
        jobs = _jobs(track, target, tuple(readers))
        for done in self.crew.run(self.sampler, jobs, track.drafts):
            self._adopt(track, done.trace)
            if done.batch is not None:
                track.take(done.batch)
                if self.stage is not Stage.SEARCH:
                    self.sampler.note(track.left, track.right, done.batch.size, done.trace.failed)
                for account in accounts:
                    held = (places[_same(reader)] for reader in account.book.readers)
                    account.add([done.batch.counts[place] for place in held])

    def _adopt(self, track: Track, trace: Trace) -> None:
        try:
            self.sampler.adopt(trace)
        except BlackBoxError as error:
            if track.index not in self.optional:
                raise
            raise _Lost(track, error) from error

    def _plan(self, track: Track, target: int, samples: int) -> None:
        """Plan batches up to so many pairs, or up to what the budget still allows."""
        allowed = (samples - self.sampler.samples) // 2 - sum(t.planned for t in self.tracks)
        missing = target - track.drawn - track.planned
        most = _LARGEST_BATCH if self.sampler.box.many else _LARGEST_SLOW_BATCH
        track.plan(self.stage, min(missing, allowed), most)

    def _betting_on(self, track: Track) -> list[Account]:
        """Every account that the next draws of this pair count for."""
        accounts = self.fund.open_for(track.index)
        if self.pure is not None:
            accounts += self.pure.open_for(track.index)
        leaking = self.leaks is not None and not self.leaks.refuted
        if self.leaks is not None and leaking and self.generation <= _LEAK_GENERATIONS:
            accounts += self.leaks.open_for(track.index)
        return accounts


class _Lost(Exception):
    """A pair that cannot be drawn or read, and that the game can do without."""

    def __init__(self, track: Track, error: BlackBoxError) -> None:
        super().__init__(f"{error}")
        self.track = track
        self.error = error


def _same(reader: Reader) -> tuple[int, int]:
    """What tells readers apart while their books are held."""
    feature, binning = reader
    return id(feature), id(binning)


def _jobs(track: Track, target: int, readers: tuple[Reader, ...]) -> Iterator[Job]:
    """What was planned up to so many pairs."""
    missing, room = target - track.drawn, track.room
    while track.drafts and missing > 0:
        draft = track.next()
        yield Job(draft, readers, room > 0)
        missing -= draft.size
        room -= draft.size


def _promising(promise: dict[int, float]) -> dict[int, float]:
    """Weights of the pairs worth going on with."""
    whole = log_sum(np.array(list(promise.values())))
    weights = {i: math.exp(p - whole) for i, p in promise.items()}
    return {i: w for i, w in weights.items() if w >= _PROMISING * max(weights.values())}


def _coming(first: int, drawn: int) -> Iterator[int]:
    """Sizes of all looks to come."""
    for generation in count():
        start = first * PACE**generation
        if start * PACE > drawn:
            yield from (size for size in _looks(start, start * PACE) if size > drawn)


@lru_cache(maxsize=64)
def _looks(start: int, stop: int) -> tuple[int, ...]:
    """Sizes at which to look, growing geometrically from start to stop."""
    growth = _LOOK_GROWTH if start < _LATE else _LATE_GROWTH
    steps = math.ceil(math.log(stop / start) / math.log(growth))
    sizes = np.unique(np.geomspace(start, stop, steps + 1).round().astype(int))
    # Long ways are divided: what is planned at once has to be kept in memory.
    return tuple(
        part
        for before, size in pairwise(sizes.tolist())
        for part in (*range(before + _LONGEST_WAY, size, _LONGEST_WAY), size)
    )
