"""Budget and result of a search for worse neighbors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from audit.errors import BlackBoxError
from audit.neighbors import Pair
from audit.neighbors.search.left_out import LeftOut, in_json, notes_on
from audit.neighbors.search.misfit import Misfit

_GLIMPSED = 640
"""Runs with which every listed pair is looked at; with fewer in all, bets need them more."""
_NOTHING_TRIED = (
    "no pair of datasets that the domain allows could be looked at: they are too large to be made "
    "up, or the runs too few; give fewer records behind the domain, more `max_samples`, or `data`"
)


@dataclass(frozen=True, slots=True)
class Found:
    """Result of a search.

    Attributes:
        pairs: places to bet, called S1, S2, ..., the most promising first.
        refuted: whether the claim fell on the first of them, which then is the
            smallest such pair found and should be bet on alone before any other.
        tried: pairs that were looked at.
        shrinks: of them those that were smaller than the one before, and refuted too.
        left_out: pairs that cannot be bet on, in the order in which they were tried.
        misfit: how the domain does not fit, None where nothing speaks against it; no
            pair is worth a bet where it does not.
        reach: how many of the neighbors of somebody's data were tried, in words.
    """

    pairs: tuple[Pair, ...]
    refuted: bool
    tried: int
    shrinks: int = 0
    left_out: tuple[LeftOut, ...] = ()
    misfit: Misfit | None = None
    reach: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on it, one sentence each."""
        misfit = () if self.misfit is None else (f"{self.misfit}",)
        reach = (self.reach,) if self.reach else ()
        return (*misfit, *reach, *notes_on(self.left_out))

    @property
    def hopeless(self) -> BlackBoxError | None:
        """Why nothing can be said where no other pair is known, None where something can."""
        if self.misfit is not None and self.misfit.everywhere:
            return BlackBoxError(f"{self.misfit}")
        if self.misfit is None and not self.pairs and not self.left_out:
            return BlackBoxError(_NOTHING_TRIED)
        if self.misfit is None and not self.pairs:
            first = self.left_out[0]
            return BlackBoxError(_late(first)) if first.late else first.error
        return None


def _late(first: LeftOut) -> str:
    pair = first.pair
    return (
        f"no pair that the search made up can be bet on, such as D = {in_json(pair.dataset)} and D "
        f"{pair.difference}: {first.error}"
    )


@dataclass(frozen=True, slots=True)
class Appetite:
    """Budget of a search.

    Attributes:
        runs: for looking at pairs of one's own making, half as many again for steps up from
            them; or as many for shrinking a pair.
        listed: for looking at listed pairs.
        examples: how many pairs to make up.
        kept: one in so many pairs gets more than a short look.
        step: runs of a look at a pair that may be a step up.
    """

    runs: int
    listed: int
    examples: int
    kept: int = 1
    step: int = 32

    @classmethod
    def of(cls, max_samples: int, many: bool) -> Appetite:
        """Little where every output needs a run of its own, which may be slow."""
        if many:
            return cls(max_samples // 10, max_samples // 10, 64)
        runs = max_samples // 24
        glimpsed = min(max_samples // 6, _GLIMPSED) if max_samples >= _GLIMPSED else 0
        return cls(runs, max(runs, glimpsed), 40, 3, 16)

    @classmethod
    def of_sessions(cls, max_samples: int) -> Appetite:
        """More where questions are chosen as well: at most of them a wrong session is right."""
        return cls(max_samples // 8, max_samples // 8, 100, 2, 16)


def named(pairs: Iterable[Pair]) -> tuple[Pair, ...]:
    """The same pairs as S1, S2, ..."""
    return tuple(replace(pair, name=f"S{i}") for i, pair in enumerate(pairs, 1))
