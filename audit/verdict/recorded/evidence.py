"""Evidence of recorded outputs: bets, exact tests of events, tables; and the witness of it.

Of alpha, a fifth goes to the bets, 0.75 to events that the first lines choose and the others
test exactly, 0.05 to the tables; if files are too short to choose events from, bets have their
share. So a violation, which each of them may find, is false with probability at most alpha. See
docs/explanation/recorded-outputs.md.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from audit.betting.bet import Bet, EventBet
from audit.betting.bettor import Bettor
from audit.betting.past import PairPast
from audit.betting.power import Detectable
from audit.betting.simplest import evidence_of, witnesses
from audit.betting.wealth import Wealth
from audit.case import Until
from audit.claims import EPSILON_BOUND, Claim, PureDP
from audit.outcomes.column import Counts, one_thread
from audit.outcomes.outcomes import Outcomes
from audit.progress import Event, Looked
from audit.verdict.intervals import Estimate, proportion
from audit.verdict.recorded.event_choice import Candidate, Candidates
from audit.verdict.recorded.exact_test import ExactTest
from audit.verdict.recorded.recording import RecordedUnits, Recording
from audit.verdict.recorded.tables import RecordedTables, levels_of, sides_of
from audit.verdict.result import Witness
from audit.verdict.witness import Seen, clearest

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
        """Choose events, count and test them; a claim that holds is refuted with chance alpha."""
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
        bets: on all lines, against the claim ("claim"), and against pure DP ("epsilon") if the
            claim is of another kind.
        tables: the classic view.
        tests: of events, against the same claims.
    """

    recordings: tuple[Recording, ...]
    alpha: float
    bets: RecordedBets
    tables: RecordedTables
    tests: Mapping[str, ExactEvents]

    @classmethod
    def of(
        cls, recordings: Sequence[Recording], claim: Claim, bins: int, alpha: float
    ) -> RecordedEvidence:
        """Bet, test, and count the tables, with so many bins, at level alpha."""
        units = RecordedUnits(recordings[0], tuple(recordings[1:]))
        for_events = FOR_EVENTS if max(units.lengths) >= FEWEST else 0.0
        for_bets = alpha * (1.0 - FOR_TABLES - for_events)
        wealths = {"claim": Wealth.against(claim, for_bets)}
        if claim.bound != EPSILON_BOUND:
            wealths["epsilon"] = Wealth.against(PureDP(1.0), for_bets)
        bets = RecordedBets.of(units, wealths)
        tables = RecordedTables.of(recordings, claim, bins, alpha * FOR_TABLES)
        tests = {
            name: ExactEvents.of(units, wealth.claim, alpha * for_events)
            for name, wealth in wealths.items()
        }
        return cls(tuple(recordings), alpha, bets, tables, tests)

    @property
    def wealth(self) -> Wealth:
        """Wealth of the bets against the claim."""
        return self.bets.bettor.claim

    @property
    def events(self) -> ExactEvents:
        """Events that were tested against the claim."""
        return self.tests["claim"]

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
        if (pure := self.bets.bettor.wealths.get("epsilon")) is not None:
            pure_level = max(pure.bound, self.tests["epsilon"].level)
            levels[EPSILON_BOUND] = max(levels[EPSILON_BOUND], pure_level)
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
        """Read the files once and bet against the claim ("claim") and others."""
        pasts = [PairPast(pair) for pair in range(len(units.there))]
        recorded = dict(enumerate(units.lengths))
        found = cls(units, Bettor(units, dict(wealths), pasts, until, recorded=recorded))
        found.bettor.on_event = found._note
        found.bettor.play(_ENDLESS)
        return found

    def _note(self, event: Event) -> None:
        if not (isinstance(event, Looked) and event.refuted) or self.line:
            return
        claim, pasts = self.bettor.claim.claim, self.bettor.pasts
        self.line = max(past.units for past in pasts)
        self.winners = witnesses(max(pasts, key=lambda p: evidence_of(p, claim)), claim, None)


def recorded_witness(evidence: RecordedEvidence) -> Witness | None:
    """An event of the bets that refuted the claim, else of a test, else a bin of a table."""
    tested = evidence.events.clearest
    if evidence.bets.winners:
        return _of_bets(evidence)
    if tested is not None:
        return _of_test(evidence, *tested)
    return _clearest_bin(evidence) if evidence.tables.flagged else None


def _of_bets(evidence: RecordedEvidence) -> Witness:
    """An event or a function, with its means in the lines after the refutation.

    Counts are of the lines up to it: with the event on its own side, on the other, and all.
    Without later lines the intervals are [0, 1], around the means of the lines that refuted.
    """
    bets = evidence.bets.winners
    pair = bets[0].pair
    lines = evidence.bets.units.lengths[pair]
    line = min(evidence.bets.line, lines)
    if line == lines:
        seen = _before(evidence, bets[0], line)
    else:
        later = [_counted(evidence, bet, line, lines) for bet in bets]
        seen = clearest(bets, later, evidence.claim, evidence.alpha)
    bet, held = seen.bet, None
    if isinstance(bet, EventBet):
        counts = _counted(evidence, bet, 0, line)
        own, other = counts if bet.forward else counts[::-1]
        held = int(own[bet.plus].sum()), int(other[bet.plus].sum()), int(own.sum())
    datasets = _datasets(evidence, evidence.recordings[1 + pair].name, bet.forward)
    return seen.witness(evidence.claim, counts=held, **datasets)


def _before(evidence: RecordedEvidence, bet: Bet, line: int) -> Seen:
    """Means in the lines that refuted, which chose the bet: no interval is known."""
    seen = Seen.of(bet, evidence.claim, _counted(evidence, bet, 0, line), evidence.alpha)
    bare = [Estimate(mean.estimate, 0.0, 1.0) for mean in (seen.p, seen.q, seen.other)]
    return replace(seen, p=bare[0], q=bare[1], other=bare[2], draws=0)


def _counted(evidence: RecordedEvidence, bet: Bet, start: int, stop: int) -> Counts:
    """Lines in each bin on D and on D′, shape (2, bins)."""
    joint = evidence.bets.units.joint(bet.pair, (bet.feature, bet.binning), start, stop)
    return np.stack([joint.sum(axis=1), joint.sum(axis=0)])


def _of_test(evidence: RecordedEvidence, found: Candidate, test: ExactTest) -> Witness:
    """The event that an exact test refuted the claim with, and its chances.

    The lines that it was counted on chose it among those that were tested, so that the intervals
    of all of these share alpha as the tests do, by Bonferroni.
    """
    own, other = test.own + test.both, test.other + test.both
    slope, offset = map(float, evidence.claim.lines(evidence.claim.level)[test.place])
    return Witness(
        **_datasets(evidence, evidence.recordings[1 + found.pair].name, found.side == 0),
        event=found.described,
        p=proportion(own, test.lines, test.alpha),
        q=proportion(other, test.lines, test.alpha),
        slope=slope,
        offset=offset,
        draws=test.lines,
        counts=(own, other, test.lines),
    )


def _clearest_bin(evidence: RecordedEvidence) -> Witness:
    """The bin whose bounds lie farthest beyond the claim."""
    worst = max(sides_of(evidence.tables.pairs), key=lambda side: side.margin(evidence.claim))
    slope, offset = worst.nearest_line(evidence.claim)
    return Witness(
        **_datasets(evidence, worst.table.name, worst.forward),
        event=evidence.tables.event(worst.cell.label),
        p=worst.left,
        q=worst.right,
        slope=slope,
        offset=offset,
        draws=min(worst.table.draws),
    )


def _datasets(evidence: RecordedEvidence, name: str, forward: bool) -> dict[str, Any]:
    """The attributes of a witness that say between which files it stands."""
    here, *there = (f"recorded in {each.source}" for each in evidence.recordings)
    names = [each.name for each in evidence.recordings[1:]]
    # Only tables pool all neighbors.
    other = there[names.index(name)] if name in names else f"{', '.join(names)} pooled"
    return {
        "pair": name,
        "dataset": here if forward else other,
        "neighbor": other if forward else here,
        "difference": f"{name} {other}" if name in names else other,
        "direction": f"D over {name}" if forward else f"{name} over D",
    }
