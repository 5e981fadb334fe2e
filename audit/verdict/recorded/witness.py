"""The witness of a violation in recorded outputs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from audit.betting.bet import Bet, EventBet
from audit.outcomes.pair_counts import Counts
from audit.verdict.intervals import Estimate, proportion
from audit.verdict.recorded.event_choice import Candidate
from audit.verdict.recorded.evidence import RecordedEvidence
from audit.verdict.recorded.exact_test import ExactTest, sides_of
from audit.verdict.result import Witness
from audit.verdict.witness import Seen, clearest


def recorded_witness(evidence: RecordedEvidence) -> Witness | None:
    """An event of the bets that refuted the claim, else of a test, else a bin of a table."""
    tested = evidence.events.clearest
    if evidence.bets.winners:
        return _of_bets(evidence)
    if tested is not None:
        return _tested(evidence, *tested)
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


def _tested(evidence: RecordedEvidence, found: Candidate, test: ExactTest) -> Witness:
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
