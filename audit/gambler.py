"""The gambler: what to draw next, what to bet on it, and when to stop.

Rounds come in generations. A generation starts when a pair has been drawn
`FIRST`, `FIRST * PACE`, `FIRST * PACE**2`, ... times: books are learned from
all kept draws and get a part of the cash; the draws that follow are bet on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from audit.account import Account, counted
from audit.discovery import features_for, low_bit_features
from audit.events import Counts
from audit.fund import Fund
from audit.learning import Book, Past, learn
from audit.outcomes import Outcomes, joined
from audit.sampling import Address, Misaligned, Sampler, Stage
from audit.wealth import log_sum

FIRST = 8
PACE = 8
_LOOK_GROWTH = 1.3
_LARGEST_BATCH = 1 << 16
_KEPT_NUMBERS = 1 << 21
_PROMISING = 0.02
_LEAK_GENERATIONS = 4
_FEATURES = ((1 << 16, 1), (1 << 15, 2), (1 << 12, 8), (0, 24))
"""How many features to bet on from how many past pairs on."""


@dataclass(slots=True)
class Track:
    """One pair on which bets are placed.

    Attributes:
        index: the pair's place in the audit, part of every address.
        left: the dataset D.
        right: its neighbor D'.
        drawn: pairs of runs so far.
        batches: batches so far.
        kept: outputs kept to learn from, on both sides.
        room: how many more pairs may be kept.
    """

    index: int
    left: Any
    right: Any
    drawn: int = 0
    batches: int = 0
    kept: list[tuple[Outcomes, Outcomes]] = field(default_factory=list)
    room: int = 1 << 16

    def keep(self, left: Outcomes, right: Outcomes) -> None:
        """Remember a batch to learn from, while there is room."""
        if self.room > 0:
            self.kept.append((left, right))
            width = max(1, len(left.columns) + (0 if left.matrix is None else left.matrix.shape[1]))
            self.room = min(self.room - left.size, _KEPT_NUMBERS // width - left.size)

    @property
    def usable(self) -> bool:
        """Whether anything but one and the same failure came out."""
        kinds = {name for pair in self.kept for side in pair for name in side.kinds}
        values = any(len(side.columns) > 1 for pair in self.kept for side in pair)
        return values or len(kinds) > 1

    def past(self) -> Past:
        """All kept outputs on both sides."""
        left, right = joined([b[0] for b in self.kept]), joined([b[1] for b in self.kept])
        self.kept = [(left, right)]
        return Past(left, right)


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
        tell: called with the number of samples and the log-wealth at every look.
        stop: whether to stop as soon as the claim is refuted.
        notes: what a reader must know.
        generation: how many generations have been opened.
    """

    sampler: Sampler
    fund: Fund
    tracks: list[Track]
    pure: Fund | None = None
    leaks: Fund | None = None
    stage: Stage = Stage.BET
    tell: Callable[[int, float], None] = lambda samples, wealth: None
    stop: bool = True
    notes: list[str] = field(default_factory=list)
    generation: int = 0
    restarts: int = 0

    def play(self, samples: int) -> None:
        """Bet until refuted or until the sampler has made this many runs."""
        with ThreadPoolExecutor(1) as counter:
            while not self._done(samples):
                try:
                    self._generation(samples, counter)
                except Misaligned as failure:
                    self._restart(failure.reason)

    def _done(self, samples: int) -> bool:
        if self.stop and self.fund.refuted:
            return True
        return self.sampler.samples + 2 * len(self.tracks) > samples

    def _restart(self, reason: str) -> None:
        """Write off what was bet the old way; the sampler has already changed its ways."""
        lost = "; the bets made before were written off" if self.fund.generations else ""
        self.notes.append(f"{reason}, so drawing became more careful{lost}")
        for fund in (self.fund, self.pure, self.leaks):
            if fund is not None:
                fund.forfeit()
        self.generation, self.restarts = 0, self.restarts + 1
        for track in self.tracks:
            track.kept, track.drawn, track.room = [], 0, 1 << 16

    def _generation(self, samples: int, counter: ThreadPoolExecutor) -> None:
        start = FIRST * PACE**self.generation
        for track in self.tracks:
            self._draw(track, start - track.drawn, samples, counter)
        chosen = self._open_accounts()
        self.generation += 1
        for target in _looks(start, start * PACE):
            for track in chosen:
                self._draw(track, target - track.drawn, samples, counter)
            self.tell(self.sampler.samples, self.fund.best)
            if self._look() or self._done(samples):
                return

    def _look(self) -> bool:
        """Look at every fund; True when there is nothing left to play for."""
        if self.leaks is not None and not self.leaks.refuted:
            self.leaks.look()
        if self.pure is not None:
            self.pure.look()
        return self.fund.look() and self.stop

    def _open_accounts(self) -> list[Track]:
        """Learn from all kept draws; open accounts on the promising pairs."""
        pasts = {t.index: t.past() for t in self.tracks if t.kept}
        books = {i: self._book(self.fund, past) for i, past in pasts.items()}
        promise = {i: self._promise(book, pasts[i]) for i, book in books.items()}
        whole = log_sum([np.array(list(promise.values()))])
        weights = {i: math.exp(p - whole) for i, p in promise.items()}
        weights = {i: w for i, w in weights.items() if w >= _PROMISING * max(weights.values())}
        self.fund.invest({i: books[i] for i in weights}, weights)
        if self.pure is not None:
            self.pure.invest({i: self._book(self.pure, pasts[i]) for i in weights}, weights)
        self._invest_in_leaks({i: pasts[i] for i in weights})
        return [t for t in self.tracks if t.index in weights]

    def _book(self, fund: Fund, past: Past) -> Book:
        """Few features where there are many draws: what is left has proved itself."""
        pairs = past.left.size
        limit = next(most for least, most in _FEATURES if pairs >= least)
        bins = 32 if pairs < 1 << 12 else 64
        features = features_for(past.left, past.right, past.chooser)
        return learn(past, features, fund.claim, fund.goal, limit, bins)

    def _invest_in_leaks(self, pasts: dict[int, Past]) -> None:
        """Bet on low bits as well, while that is cheap and undecided."""
        if self.leaks is None or self.leaks.refuted or self.generation >= _LEAK_GENERATIONS:
            return
        books = {}
        for index, past in pasts.items():
            features = low_bit_features(past.left, past.right)
            if features:
                books[index] = learn(past, features, self.leaks.claim, self.leaks.goal, 4, 64)
        if books:
            self.leaks.invest(books, dict.fromkeys(books, 1.0))

    def _promise(self, book: Book, past: Past) -> float:
        """Half the log-wealth this book would have made on what it was learned from."""
        account = Account.of(0, 1.0, book)
        account.add(book.count(past.left, past.right))
        lines = self.fund.claim.lines(self.fund.claim.level)
        return 0.5 * max(account.log_wealth(lines), 0.0)

    def _draw(self, track: Track, pairs: int, samples: int, counter: ThreadPoolExecutor) -> None:
        """Draw pairs and count them, counting one batch while the next is drawn."""
        accounts = self._betting_on(track)
        pending: Future[list[list[Counts]]] | None = None
        for size in self._batches(pairs, samples):
            address = Address(self.stage, track.index, track.batches)
            # Counted before it is drawn: a batch that fails is not drawn again, as
            # its randomness is no longer independent of what was decided.
            track.batches += 1
            left, right = self.sampler.pairs(address, track.left, track.right, size)
            track.drawn += size
            track.keep(left, right)
            if pending is not None:
                _settle(accounts, pending.result())
            pending = counter.submit(counted, accounts, left, right)
        if pending is not None:
            _settle(accounts, pending.result())

    def _betting_on(self, track: Track) -> list[Account]:
        """Every account that the next draws of this pair count for."""
        accounts = self.fund.open_for(track.index)
        if self.pure is not None:
            accounts += self.pure.open_for(track.index)
        leaking = self.leaks is not None and not self.leaks.refuted
        if self.leaks is not None and leaking and self.generation <= _LEAK_GENERATIONS:
            accounts += self.leaks.open_for(track.index)
        return accounts

    def _batches(self, pairs: int, samples: int) -> Iterator[int]:
        """Batch sizes that add up to `pairs`, or to what the budget still allows."""
        while pairs > 0:
            size = min(pairs, _LARGEST_BATCH, (samples - self.sampler.samples) // 2)
            if size <= 0:
                return
            yield size
            pairs -= size


def _settle(accounts: Sequence[Account], counts: Sequence[list[Counts]]) -> None:
    for account, table in zip(accounts, counts, strict=True):
        account.add(table)


def _looks(start: int, stop: int) -> Iterator[int]:
    """Sizes at which to look, growing geometrically from start to stop."""
    count = math.ceil(math.log(stop / start) / math.log(_LOOK_GROWTH))
    sizes = np.unique(np.geomspace(start, stop, count + 1).round().astype(int)[1:])
    yield from (int(size) for size in sizes)
