"""What recorded outputs show: the wealth of the bets, and beside it the intervals of the tables.

Of alpha, three quarters go to the bets and one quarter to the tables. If the
claim holds, the wealth ever reaches 1/(3/4 alpha) with probability at most 3/4
alpha, and any bound of any table misses with probability at most alpha/4. So a
violation, which either of them may show, is false with probability at most alpha;
and the verdict, the bound of the claim's own level and all intervals of the
tables hold together with probability at least 1 - alpha. The share of the tables
costs the bets 0.29 of log-wealth. Without it a bin could break the claim on its
own in a table beside an audit that did not refute it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from audit.betting.capital import Capital
from audit.claim import EPSILON_BOUND, Claim, PureDP
from audit.verdict.interval_bounds import levels_of, sides_of
from audit.verdict.recorded.bets import RecordedBets
from audit.verdict.recorded.recording import Recording
from audit.verdict.recorded.tables import RecordedTables
from audit.verdict.self_check import ALIKE

_FOR_TABLES = 0.25


@dataclass(frozen=True, slots=True)
class RecordedEvidence:
    """Bets and tables on the same recordings.

    Attributes:
        recordings: that of D, then those of its neighbors.
        claim: what was bet against.
        alpha: chance that the verdict, its bound or an interval of a table is wrong.
        bets: the game, finished.
        capital: the wealth that it came to.
        pure: a second capital for epsilon where the claim is of another kind, else None.
        tables: the classic view.
    """

    recordings: tuple[Recording, ...]
    claim: Claim
    alpha: float
    bets: RecordedBets
    capital: Capital
    pure: Capital | None
    tables: RecordedTables

    @classmethod
    def of(
        cls, recordings: Sequence[Recording], claim: Claim, bins: int, alpha: float
    ) -> RecordedEvidence:
        """Bet, and count the tables.

        Args:
            recordings: that of D, then those of its neighbors.
            claim: what to bet against.
            bins: of the tables.
            alpha: the level.
        """
        capital = Capital(claim, alpha * (1.0 - _FOR_TABLES))
        pure = None if claim.bound == EPSILON_BOUND else Capital(PureDP(1.0), capital.alpha)
        capitals = [capital] if pure is None else [capital, pure]
        bets = RecordedBets(recordings[0], recordings[1:], capitals)
        bets.play()
        tables = RecordedTables.of(recordings, claim, bins, alpha * _FOR_TABLES)
        return cls(tuple(recordings), claim, alpha, bets, capital, pure, tables)

    @property
    def refuted(self) -> bool:
        """Whether the bets or a bin of a table broke what was bet against."""
        return self.capital.refuted or self.tables.flagged

    @property
    def log_evalue(self) -> float:
        """Largest log-wealth; what the tables have of the money counts as 0."""
        return max(0.0, -math.log(self.alpha) + (self.capital.best - self.capital.goal))

    @property
    def levels(self) -> dict[str, float]:
        """The larger of what the bets and the tables say, as both hold together."""
        levels = levels_of(list(sides_of(self.tables.pairs)), self.claim)
        own = self.claim.bound
        refuted = self.claim.level if self.refuted else 0.0
        levels[own] = max(levels[own], self.claim.stated(max(self.capital.level, refuted)))
        if self.pure is not None:
            levels[EPSILON_BOUND] = max(levels[EPSILON_BOUND], self.pure.level)
        return levels


def changing(recordings: Sequence[Recording], alpha: float) -> list[Recording]:
    """Recordings whose second half is told apart from the first.

    Independent draws of one dataset are alike, so that the smallest of claims is
    bet against. Sorted outputs, a mechanism that changed while it was recorded,
    and values that repeat in a row win these bets, as they may win others without
    breaking any claim.

    Args:
        recordings: all that the verdict rests on.
        alpha: chance that any recording of independent draws is among them.
    """
    return [r for r in recordings if _told_apart(*r.halves(), alpha / len(recordings))]


def _told_apart(first: Recording, second: Recording, alpha: float) -> bool:
    capital = Capital(ALIKE, alpha)
    RecordedBets(first, [second], [capital]).play()
    return capital.refuted
