"""What recorded outputs show: the wealth of bets, exact tests of events, intervals of tables.

Of alpha, a fifth goes to the bets, 0.75 to events that the first lines choose and the rest
tests exactly, 0.05 to the tables. If the claim holds, the wealth ever reaches 1/(alpha/5)
with probability at most alpha/5, any of the tests refutes with probability at most 0.75
alpha, and any bound of any table misses with probability at most 0.05 alpha. So a
violation, which each of them may show, is false with probability at most alpha; and the
verdict, the bound of the claim's own level and all intervals of the tables hold together
with probability at least 1 - alpha. Bets hold whenever somebody stops to record, and pay for
that; of files whose lengths do not depend on what they hold, tests and tables say more.
Where files are too short to choose events from, bets have their share.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from audit.betting.capital import Capital
from audit.claim import EPSILON_BOUND, Claim, PureDP
from audit.verdict.interval_bounds import levels_of, sides_of
from audit.verdict.recorded.bets import RecordedBets
from audit.verdict.recorded.exact_events import FEWEST, ExactEvents
from audit.verdict.recorded.recording import Recording
from audit.verdict.recorded.tables import RecordedTables

FOR_EVENTS, FOR_TABLES = 0.75, 0.05
"""Of alpha; the bets have the rest."""


@dataclass(frozen=True, slots=True)
class RecordedEvidence:
    """Bets, exact tests and tables on the same recordings.

    Attributes:
        recordings: that of D, then those of its neighbors.
        claim: what was bet against.
        alpha: chance that the verdict, its bound or an interval of a table is wrong.
        bets: the game, finished.
        capital: the wealth that it came to.
        pure: a second capital for epsilon where the claim is of another kind, else None.
        tables: the classic view.
        events: those that were tested, against the claim.
        pure_events: the same against pure DP where the claim is of another kind, else None.
    """

    recordings: tuple[Recording, ...]
    claim: Claim
    alpha: float
    bets: RecordedBets
    capital: Capital
    pure: Capital | None
    tables: RecordedTables
    events: ExactEvents
    pure_events: ExactEvents | None

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
        pairs = min(len(recordings[0]), max(map(len, recordings[1:])))
        for_events = FOR_EVENTS if pairs >= FEWEST else 0.0
        capital = Capital(claim, alpha * (1.0 - FOR_TABLES - for_events))
        pure = None if claim.bound == EPSILON_BOUND else Capital(PureDP(1.0), capital.alpha)
        capitals = [capital] if pure is None else [capital, pure]
        bets = RecordedBets(recordings[0], recordings[1:], capitals)
        bets.play()
        tables = RecordedTables.of(recordings, claim, bins, alpha * FOR_TABLES)
        events, *others = (ExactEvents.of(bets, c.claim, alpha * for_events) for c in capitals)
        pure_events = others[0] if others else None
        return cls(
            tuple(recordings), claim, alpha, bets, capital, pure, tables, events, pure_events
        )

    @property
    def refuted(self) -> bool:
        """Whether the bets, a test or a bin of a table broke what was bet against."""
        return self.capital.refuted or self.events.refuted or self.tables.flagged

    @property
    def log_evalue(self) -> float:
        """Largest log-wealth; what tests and tables have of the money counts as 0."""
        return max(0.0, -math.log(self.alpha) + (self.capital.best - self.capital.goal))

    @property
    def levels(self) -> dict[str, float]:
        """The largest of what bets, tests and tables say, as all hold together."""
        levels = levels_of(list(sides_of(self.tables.pairs)), self.claim)
        own = self.claim.bound
        refuted = self.claim.level if self.refuted else 0.0
        level = max(self.capital.level, self.events.level, refuted)
        levels[own] = max(levels[own], self.claim.stated(level))
        if self.pure is not None and self.pure_events is not None:
            pure = max(self.pure.level, self.pure_events.level)
            levels[EPSILON_BOUND] = max(levels[EPSILON_BOUND], pure)
        return levels
