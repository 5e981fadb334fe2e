"""Evidence of recorded outputs: wealth of bets, exact tests of events, intervals of tables.

An eighth of the lines, 4,096 at most, chooses a few dozen events of all that the bets may
choose from, and the share of alpha of each (see `event_choice`). Given these lines the events
and shares are fixed, and the others are independent draws, so that by Bonferroni any of the tests
(see `exact_test`) refutes a claim that holds with probability at most alpha. Bets hold at any
time, and pay for that: if the number of lines does not depend on what they say, as for tables, a
test of all lines says more. Lines without a partner, at the end of a longer file, have no part.

Of alpha, a fifth goes to the bets, 0.75 to events that the first lines choose and the others
test exactly, 0.05 to the tables. If the claim holds, the wealth ever reaches 1/(alpha/5)
with probability at most alpha/5, any of the tests refutes with probability at most 0.75
alpha, and any bound of any table misses with probability at most 0.05 alpha. So a
violation, which each of them may find, is false with probability at most alpha; and the
verdict, the bound of the claim's own level and all intervals of the tables hold together
with probability at least 1 - alpha. Bets hold whenever recording ends, and pay for that; of files
whose lengths do not depend on their contents, tests and tables say more. If files are too short
to choose events from, bets have their share.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from audit.betting.bet import Bet
from audit.betting.bettor import Bettor
from audit.betting.past import PairPast
from audit.betting.power import Detectable
from audit.betting.simplest import evidence_of, witnesses
from audit.betting.wealth import Wealth
from audit.case import Until
from audit.claims import EPSILON_BOUND, Claim, PureDP
from audit.outcomes.column import one_thread
from audit.outcomes.outcomes import Outcomes
from audit.progress import Event as ProgressEvent
from audit.progress import Looked
from audit.verdict.recorded.event_choice import Candidate, Candidates
from audit.verdict.recorded.exact_test import ExactTest, levels_of, sides_of
from audit.verdict.recorded.recording import RecordedUnits, Recording
from audit.verdict.recorded.tables import RecordedTables

_SHARE_TO_CHOOSE = 8
_MOST_TO_CHOOSE = 1 << 12
FEWEST = 64
"""Lines below which nothing is chosen."""


Tested = tuple[Candidate, ExactTest]
"""An event that was tested, and its counts."""


@dataclass(frozen=True, slots=True)
class ExactEvents:
    """Events tested against one claim.

    Attributes:
        claim: what they are tested against.
        events: by their share of alpha, the largest first.
        level: the largest that any of them refutes, 0 for none.
    """

    claim: Claim
    events: tuple[Tested, ...]
    level: float

    @classmethod
    @one_thread()
    def of(cls, units: RecordedUnits, claim: Claim, alpha: float) -> ExactEvents:
        """Choose events, count and test them.

        Args:
            units: the files.
            claim: what to test against.
            alpha: chance that a claim that holds is refuted.
        """
        candidates = Candidates.of(_pasts(units), (claim.lines(claim.level), alpha))
        events = tuple(_tested(units, c, alpha * share) for c, share in candidates.shared())
        level = 0.0
        for _, test in events:
            level = test.level(claim, level)
        return cls(claim, events, level)

    @property
    def detectable(self) -> Detectable:
        """Smallest epsilon that a test would have refuted with power 0.9; infinite without."""
        tests = [test for _, test in self.events]
        return Detectable(
            min((test.detectable(self.claim) for test in tests), default=math.inf),
            min((test.detectable_tenth(self.claim) for test in tests), default=math.inf),
        )

    @property
    def refuted(self) -> bool:
        """True if a test refutes the claim."""
        return self.clearest is not None

    @property
    def clearest(self) -> Tested | None:
        """Of those that refute the claim, the one with the largest share of alpha."""
        own = self.claim.level
        return next((one for one in self.events if one[1].refutes(self.claim, own)), None)


def _first(lines: int) -> int:
    """The number of lines that choose."""
    return min(lines // _SHARE_TO_CHOOSE, _MOST_TO_CHOOSE) if lines >= FEWEST else 0


def _pasts(units: RecordedUnits) -> Iterator[tuple[int, tuple[Outcomes, Outcomes], int]]:
    """The lines of each neighbor that choose, if there are any, and how many test."""
    for pair, lines in enumerate(units.lengths):
        first = _first(lines)
        if first:
            yield pair, units.sides(pair, 0, first), lines - first


def _tested(units: RecordedUnits, candidate: Candidate, alpha: float) -> Tested:
    """Count an event on the lines that did not choose it."""
    lines = units.lengths[candidate.pair]
    joint = units.joint(candidate.pair, candidate.reader, _first(lines), lines)
    return candidate, candidate.tested(joint, alpha)


FOR_EVENTS, FOR_TABLES = 0.75, 0.05
"""Parts of alpha; the bets have the rest."""


@dataclass(frozen=True, slots=True)
class RecordedEvidence:
    """Bets, exact tests and tables on the same recordings.

    Attributes:
        recordings: that of D, then those of its neighbors.
        alpha: the level of all together.
        bets: on all lines.
        wealth: of the bets against the claim.
        pure: a second wealth, for epsilon, if the claim is of another kind; else None.
        tables: the classic view.
        events: those that were tested, against the claim.
        pure_events: the same against pure DP if the claim is of another kind, else None.
    """

    recordings: tuple[Recording, ...]
    alpha: float
    bets: RecordedBets
    wealth: Wealth
    pure: Wealth | None
    tables: RecordedTables
    events: ExactEvents
    pure_events: ExactEvents | None

    @classmethod
    def of(
        cls, recordings: Sequence[Recording], claim: Claim, bins: int, alpha: float
    ) -> RecordedEvidence:
        """Bet, test, and count the tables.

        Args:
            recordings: that of D, then those of its neighbors.
            claim: what to bet against.
            bins: of the tables.
            alpha: the level.
        """
        units = RecordedUnits(recordings[0], tuple(recordings[1:]))
        for_events = FOR_EVENTS if max(units.lengths) >= FEWEST else 0.0
        for_bets = alpha * (1.0 - FOR_TABLES - for_events)
        wealths = {"claim": Wealth.against(claim, for_bets)}
        if claim.bound != EPSILON_BOUND:
            wealths["epsilon"] = Wealth.against(PureDP(1.0), for_bets)
        bets = RecordedBets.of(units, wealths)
        tables = RecordedTables.of(recordings, claim, bins, alpha * FOR_TABLES)
        events = {
            name: ExactEvents.of(units, wealth.claim, alpha * for_events)
            for name, wealth in wealths.items()
        }
        return cls(
            tuple(recordings),
            alpha,
            bets,
            wealths["claim"],
            wealths.get("epsilon"),
            tables,
            events["claim"],
            events.get("epsilon"),
        )

    @property
    def claim(self) -> Claim:
        """Claim of the audit."""
        return self.wealth.claim

    @property
    def refuted(self) -> bool:
        """True if the bets, a test or a bin of a table refute the claim."""
        return self.wealth.refuted or self.events.refuted or self.tables.flagged

    @property
    def log_evalue(self) -> float:
        """Largest log wealth; the shares of tests and tables count as 0."""
        return max(0.0, -math.log(self.alpha) + (self.wealth.best - self.wealth.goal))

    @property
    def levels(self) -> dict[str, float]:
        """The largest bounds of bets, tests and tables, which hold together."""
        levels = levels_of(list(sides_of(self.tables.pairs)), self.claim)
        own = self.claim.bound
        refuted = self.claim.level if self.refuted else 0.0
        level = max(self.wealth.bound, self.events.level, refuted)
        levels[own] = max(levels[own], self.claim.stated(level))
        if self.pure is not None and self.pure_events is not None:
            pure = max(self.pure.bound, self.pure_events.level)
            levels[EPSILON_BOUND] = max(levels[EPSILON_BOUND], pure)
        return levels


_ENDLESS = 1 << 62
"""Outputs that a bettor may draw: files end by themselves, and no bet may depend on where."""


@dataclass(slots=True)
class RecordedBets:
    """Bets of several wealths on the same lines.

    Attributes:
        units: the files.
        bettor: plays on them.
        line: lines of every file that were read when the claim was refuted; 0 before.
        winners: events and functions that may be the witness, chosen by these lines on the pair
            with the most evidence, the easiest to read first.
    """

    units: RecordedUnits
    bettor: Bettor = field(repr=False)
    line: int = 0
    winners: Sequence[Bet] = ()

    @classmethod
    def of(
        cls, units: RecordedUnits, wealths: Mapping[str, Wealth], until: Until = Until.BUDGET
    ) -> RecordedBets:
        """Read the files once and bet.

        Args:
            units: the files.
            wealths: against the claim ("claim"), and others.
            until: when to stop before the end of the longest file.
        """
        pasts = [PairPast(pair) for pair in range(len(units.there))]
        recorded = dict(enumerate(units.lengths))
        found = cls(units, Bettor(units, dict(wealths), pasts, until, recorded=recorded))
        found.bettor.on_event = found._note
        found.bettor.play(_ENDLESS)
        return found

    def _note(self, event: ProgressEvent) -> None:
        if not (isinstance(event, Looked) and event.refuted) or self.line:
            return
        claim, pasts = self.bettor.claim.claim, self.bettor.pasts
        self.line = max(past.units for past in pasts)
        self.winners = witnesses(max(pasts, key=lambda p: evidence_of(p, claim)), claim, None)
