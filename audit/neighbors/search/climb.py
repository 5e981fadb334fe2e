"""From a pair that loses a little to one that loses much, step by step.

A first weak hit is not the end: records are added, repeated and moved as long as the
loss grows. How large a loss looks is asked of the oracle also where the claim still
allows it, so that the way up to a violation is seen as well as the way beyond one.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field

from audit.errors import InputError
from audit.neighbors import Pair, check_pair
from audit.neighbors.domain import Domain
from audit.neighbors.search.alignment import Runs, pair_of, runs_of
from audit.neighbors.search.left_out import LeftOut, name_of, takes_too_long
from audit.neighbors.search.moves import MOST_RECORDS, moves, single
from audit.neighbors.search.oracle import Oracle, Unreadable

_MOST_ROUNDS = 12
_MOST_MOVES = 48
_GROWS = 1.04
"""How many times as large a loss has to look to be a larger one."""
_STEEP = 1.3
"""A step up by that factor is taken at once."""
_AGAIN = 4
"""How many times as long the longer look is that a step up has to stand."""


@dataclass(slots=True)
class Climber:
    """Climbs from pair to pair.

    Attributes:
        domain: what a record may be.
        oracle: what is asked; what it allows is the budget.
        runs: of a look at a pair.
        left_out: pairs that cannot be bet on; those that are met here are added.
        seen: pairs that were looked at.
    """

    domain: Domain
    oracle: Oracle
    runs: int
    left_out: list[LeftOut]
    seen: set[Hashable] = field(default_factory=set)

    def climbed(self, start: Pair) -> Pair:
        """The pair with the largest loss that steps up lead to; the first where none does."""
        best, size = start, self._extent(start, self.runs)
        for _ in range(_MOST_ROUNDS):
            found = self._step(best, size)
            if found is None:
                break
            best, size = found
        return best

    def largest(self, pairs: Sequence[Pair], runs: int) -> list[Pair]:
        """Pairs by how large their loss looks, the largest first; those not looked at left out."""
        found = [(self._extent(pair, runs), pair) for pair in pairs]
        seen = [(size, pair) for size, pair in found if size is not None]
        return [pair for _, pair in sorted(seen, key=lambda one: -one[0])]

    def _step(self, pair: Pair, size: float | None) -> tuple[Pair, float] | None:
        """The steepest step up, None where there is none."""
        if size is None or _GROWS * size > self.oracle.scale.widest:
            return None
        if max(len(pair.dataset), len(pair.neighbor)) > MOST_RECORDS:
            return None
        places = single(runs_of(pair, self.domain))
        if all(place.common for place in places):
            return None
        best, largest = self._steepest(self._made(pair, places), size)
        return None if best is None or not self._stands(pair, best) else (best, largest)

    def _stands(self, pair: Pair, best: Pair) -> bool:
        """True if the loss grows by the step in a longer look, too."""
        before, after = (self._extent(p, _AGAIN * self.runs) for p in (pair, best))
        return before is not None and after is not None and after > _GROWS * before

    def _steepest(self, pairs: Iterable[Pair], size: float) -> tuple[Pair | None, float]:
        """The pair of the largest loss, or the first that is large enough; None if none grows."""
        best, largest = None, _GROWS * size
        for pair in pairs:
            found = self._extent(pair, self.runs)
            if found is not None and found > largest:
                best, largest = pair, found
                if found > _STEEP * size:
                    break
        return best, largest

    def _made(self, pair: Pair, places: Runs) -> list[Pair]:
        """Pairs a step away that nobody has looked at."""
        found: list[Pair] = []
        for moved in moves(places, self.domain):
            try:
                made = pair_of(moved, pair, self.domain)
                check_pair(made, self.domain)
            except InputError:
                continue
            name = name_of(made)
            if name not in self.seen and not takes_too_long(made, self.left_out):
                self.seen.add(name)
                found.append(made)
            if len(found) >= _MOST_MOVES:
                break
        return found

    def _extent(self, pair: Pair, runs: int) -> float | None:
        """Size of the loss; None if it cannot be known."""
        try:
            return None if self.oracle.score(pair, runs) is None else self.oracle.extent(pair)
        except Unreadable as failure:
            self.left_out.append(LeftOut(pair, failure.error, failure.late))
            return None
