"""The witness of a violation in recorded outputs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from audit.betting.bet import Bet, EventBet, FunctionBet
from audit.betting.events import Event
from audit.outcomes.pair_counts import Counts
from audit.verdict.findings import FunctionShown, event_of
from audit.verdict.intervals import Estimate, proportion
from audit.verdict.recorded.evidence import ExactEvent, RecordedEvidence, Refutation
from audit.verdict.recorded.exact_test import sides_of
from audit.verdict.result import Witness
from audit.verdict.witness import Seen, clearest

_CANDIDATES = 6


def recorded_witness(evidence: RecordedEvidence) -> Witness | None:
    """An event of the bets that refuted the claim, else of a test, else a bin of a table."""
    refutation, tested = evidence.bets.refutation, evidence.events.clearest
    if refutation is not None and refutation.bets:
        return _of_bets(evidence, refutation)
    if tested is not None:
        return _tested(evidence, tested)
    return _clearest_bin(evidence) if evidence.tables.flagged else None


def _of_bets(evidence: RecordedEvidence, refutation: Refutation) -> Witness:
    """An event or a function, with its means in the lines after the refutation.

    Without later lines the intervals are [0, 1], around the means of the lines that refuted.
    """
    bets, pair = refutation.bets[:_CANDIDATES], refutation.pair
    lines = evidence.bets.units.lengths[pair]
    line = min(refutation.line, lines)
    if line == lines:
        seen = _before(evidence, bets[0], line)
    else:
        counts = [_counted(evidence, bet, line, lines) for bet in bets]
        seen = clearest(bets, counts, evidence.claim, evidence.alpha)
    name = evidence.recordings[1 + pair].name
    bet, claim = seen.bet, evidence.claim
    function = FunctionShown.of(bet, claim, seen.other) if isinstance(bet, FunctionBet) else None
    return _witness(
        evidence,
        name,
        bet.forward,
        event_of(bet, claim),
        (seen.p, seen.q),
        (seen.slope, seen.offset),
        seen.draws,
        _counts_before(evidence, bet, line) if isinstance(bet, EventBet) else None,
        function,
    )


def _before(evidence: RecordedEvidence, bet: Bet, line: int) -> Seen:
    """Means in the lines that refuted, which chose the bet: no interval is known."""
    seen = Seen.of(bet, evidence.claim, _counted(evidence, bet, 0, line), evidence.alpha)
    bare = [Estimate(mean.estimate, 0.0, 1.0) for mean in (seen.p, seen.q, seen.other)]
    return replace(seen, p=bare[0], q=bare[1], other=bare[2], draws=0)


def _counted(evidence: RecordedEvidence, bet: Bet, start: int, stop: int) -> Counts:
    """Lines in each bin on D and on D′, shape (2, bins)."""
    joint = evidence.bets.units.joint(bet.pair, (bet.feature, bet.binning), start, stop)
    return np.stack([joint.sum(axis=1), joint.sum(axis=0)])


def _counts_before(evidence: RecordedEvidence, bet: EventBet, line: int) -> tuple[int, int, int]:
    """Lines up to the refutation with the event on its own side, on the other, and all of them."""
    counts = _counted(evidence, bet, 0, line)
    own, other = counts if bet.forward else counts[::-1]
    return int(own[bet.plus].sum()), int(other[bet.plus].sum()), int(own.sum())


def _tested(evidence: RecordedEvidence, found: ExactEvent) -> Witness:
    """The event that an exact test refuted the claim with, and its chances.

    The lines that it was counted on chose it among those that were tested, so that the intervals
    of all of these share alpha as the tests do, by Bonferroni.
    """
    test = found.test
    happened = test.own + test.both, test.other + test.both
    slope, offset = map(float, evidence.claim.lines(evidence.claim.level)[test.place])
    return _witness(
        evidence,
        evidence.recordings[1 + found.pair].name,
        found.forward,
        found.event,
        (
            proportion(happened[0], test.lines, test.alpha),
            proportion(happened[1], test.lines, test.alpha),
        ),
        (slope, offset),
        test.lines,
        (*happened, test.lines),
    )


def _clearest_bin(evidence: RecordedEvidence) -> Witness:
    """The bin whose bounds lie farthest beyond the claim."""
    worst = max(sides_of(evidence.tables.pairs), key=lambda side: side.margin(evidence.claim))
    return _witness(
        evidence,
        worst.table.name,
        worst.forward,
        evidence.tables.event(worst.cell.label),
        (worst.left, worst.right),
        worst.nearest_line(evidence.claim),
        min(worst.table.draws),
        None,
    )


def _witness(
    evidence: RecordedEvidence,
    name: str,
    forward: bool,
    event: Event,
    odds: tuple[Estimate, Estimate],
    line: tuple[float, float],
    draws: int,
    counts: tuple[int, int, int] | None,
    function: FunctionShown | None = None,
) -> Witness:
    sources = {r.name: f"recorded in {r.source}" for r in evidence.recordings}
    # Only tables pool all neighbors.
    names = ", ".join(r.name for r in evidence.recordings[1:])
    here, there = sources["D"], sources.get(name, f"{names} pooled")
    return Witness(
        pair=name,
        dataset=here if forward else there,
        neighbor=there if forward else here,
        difference=f"{name} {there}" if name in sources else there,
        direction=f"D over {name}" if forward else f"{name} over D",
        event=event,
        p=odds[0],
        q=odds[1],
        slope=line[0],
        offset=line[1],
        draws=draws,
        counts=counts,
        function=function,
    )
