"""Small looks at pairs of datasets: how fast would bets on them grow?

All draws have addresses of their own in the stage of the search, so nothing
that is found here changes what is drawn later; and nothing here is evidence.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from audit.blackbox.interface import RunTimeout
from audit.claim import Claim
from audit.crew import Crew
from audit.errors import BlackBoxError, OutcomeError, reason_of
from audit.fund import Fund
from audit.gambler import Gambler
from audit.glance import glance
from audit.here import Here
from audit.neighbors import Pair
from audit.outcomes import Outcomes, joined
from audit.reach import floor_pairs
from audit.sampling import Address, Misaligned, Sampler, Stage
from audit.sketch import Past
from audit.track import Track

_COMMON = 0
"""All candidates are looked at under the same randomness, which makes them comparable."""

_FEW = 4


class Unreadable(Exception):
    """Outputs on a dataset that cannot be bet on, or a black box that could not be run on it.

    Attributes:
        error: why.
        late: whether all that is wrong is that no run ended in time.
    """

    def __init__(self, error: BlackBoxError, late: bool = False) -> None:
        super().__init__(str(error))
        self.error = error
        self.late = late


@dataclass(slots=True, eq=False)
class Candidate:
    """A pair that was looked at.

    Attributes:
        pair: the datasets.
        place: its number, part of the address of its draws.
        past: its draws so far, None before the first.
        batches: how often it was drawn.
        score: log-wealth that the best bet would have had on these draws.
        readable: whether all its outputs could be read; otherwise it is left out.
    """

    pair: Pair
    place: int
    past: Past | None = None
    batches: int = 0
    score: float = 0.0
    readable: bool = True

    @property
    def drawn(self) -> int:
        """Pairs of runs so far."""
        return 0 if self.past is None else self.past.left.size


@dataclass(slots=True)
class Probe:
    """Looks at pairs and tries to refute them, within a budget of runs.

    Attributes:
        claim: what is bet against.
        alpha: the level of the audit.
        sampler: where draws come from.
        limit: count of the sampler's runs beyond which nothing more is drawn.
        crew: draws for the gamblers that try pairs.
        tell: told the runs so far and the score at every look.
        places: numbers for the addresses of pairs, each used once.
    """

    claim: Claim
    alpha: float
    sampler: Sampler
    limit: int
    crew: Crew = field(default_factory=Here)
    tell: Callable[[int, float], None] = lambda samples, score: None
    places: Iterator[int] = field(default_factory=lambda: itertools.count(_COMMON + 1))

    @property
    def goal(self) -> float:
        """Log-wealth that refutes."""
        return -math.log(self.alpha)

    @property
    def left(self) -> int:
        """Runs that may still be made."""
        return self.limit - self.sampler.samples

    def allow(self, runs: int) -> None:
        """Let so many more runs be made from now on."""
        self.limit = self.sampler.samples + runs

    def candidate(self, pair: Pair) -> Candidate:
        """A pair with an address of its own, not yet drawn."""
        return Candidate(pair, next(self.places))

    def look(self, candidate: Candidate, pairs: int) -> bool:
        """Draw a candidate until it has this many pairs of runs, and score it.

        Returns:
            Whether the budget allowed that; if not, nothing is drawn.

        Raises:
            Unreadable: its outputs cannot be bet on.
        """
        missing = pairs - candidate.drawn
        if 2 * missing > self.left:
            return False
        if missing > 0:
            with self._reading(2 * missing):
                past, drawn = candidate.past, self._drawn(candidate, missing)
                _check_in_time(drawn.left, drawn.right)
                candidate.past = drawn if past is None else _together(past, drawn)
                candidate.score = glance(candidate.past, self.claim)
            self.tell(self.sampler.samples, candidate.score)
        return True

    def refutes(self, pair: Pair, runs: int) -> int | None:
        """Let a gambler with a wealth of its own bet on this pair alone.

        Args:
            pair: two neighboring datasets.
            runs: how many runs to spend at most.

        Returns:
            How many runs it took to refute the claim, None when it did not.

        Raises:
            Unreadable: its outputs cannot be bet on.
        """
        before, most = self.sampler.samples, min(runs, self.left)
        if most < 2 * floor_pairs(self.claim, self.alpha):
            return None
        fund = Fund(self.claim, self.alpha)
        track = Track(next(self.places), pair.dataset, pair.neighbor)
        gambler = Gambler(self.sampler, fund, [track], stage=Stage.SEARCH, crew=self.crew)
        with self._reading():
            gambler.play(before + most)
        return self.sampler.samples - before if fund.refuted else None

    def kinds(self, data: Any) -> frozenset[str]:
        """Kinds of a few outputs on one dataset, none when the budget is spent.

        Raises:
            Unreadable: the outputs cannot be bet on.
        """
        if self.left < _FEW:
            return frozenset()
        address = Address(Stage.SEARCH, next(self.places), 0, twin=_COMMON)
        with self._reading(_FEW):
            outcomes = self._side(address, data)
        _check_in_time(outcomes)
        return frozenset(outcomes.kinds)

    def _side(self, address: Address, data: Any) -> Outcomes:
        while True:
            try:
                return self.sampler.side(address, data, _FEW, 0)
            except Misaligned:
                continue

    @contextmanager
    def _reading(self, runs: int | None = None) -> Iterator[None]:
        """Draw and read outputs; a batch of so many runs costs the same where that fails."""
        before = self.sampler.samples
        try:
            yield
        except (BlackBoxError, MemoryError) as error:
            if runs is not None:
                self.sampler.samples = before + runs
            raise Unreadable(_refusal(error)) from error

    def _drawn(self, candidate: Candidate, pairs: int) -> Past:
        pair = candidate.pair
        address = Address(Stage.SEARCH, candidate.place, candidate.batches, twin=_COMMON)
        candidate.batches += 1
        while True:
            try:
                return Past(*self.sampler.pairs(address, pair.dataset, pair.neighbor, pairs))
            except Misaligned:
                continue


def _check_in_time(*sides: Outcomes) -> None:
    """Raises Unreadable where no run ended in time: the limit is the auditor's own."""
    if {kind for side in sides for kind in side.kinds} == {RunTimeout.outcome_name}:
        raise Unreadable(BlackBoxError("no run on it ended in time; --timeout allows more"), True)


def _refusal(error: BlackBoxError | MemoryError) -> BlackBoxError:
    if isinstance(error, BlackBoxError):
        return error
    return OutcomeError(
        f"there is not enough memory to keep a few outputs ({reason_of(error)}); return a part of "
        "them, or a summary"
    )


def _together(first: Past, second: Past) -> Past:
    return Past(joined([first.left, second.left]), joined([first.right, second.right]))
