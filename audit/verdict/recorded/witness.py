"""The event behind a verdict on recorded outputs."""

from __future__ import annotations

import numpy as np

from audit.betting.confirmation.event_bet import EventBet
from audit.betting.e_process import Floats
from audit.betting.event import Event
from audit.betting.inequalities import Inequalities
from audit.outcomes.counting import Counts
from audit.verdict.bounded_means import mean_of
from audit.verdict.estimate import Estimate
from audit.verdict.function_shown import FunctionShown, event_of
from audit.verdict.interval_bounds import sides_of
from audit.verdict.intervals import proportion
from audit.verdict.recorded.bets import RecordedBets, WonBet
from audit.verdict.recorded.evidence import RecordedEvidence
from audit.verdict.recorded.exact_events import ExactEvent
from audit.verdict.result import Witness


def recorded_witness(evidence: RecordedEvidence) -> Witness | None:
    """What had won most when the bets refuted, else the event of a test, else a bin."""
    won, tested = evidence.bets.won, evidence.events.clearest
    if won is not None:
        return _winner(evidence, won)
    if tested is not None:
        return _tested(evidence, tested)
    return _clearest_bin(evidence) if evidence.tables.flagged else None


def _winner(evidence: RecordedEvidence, won: WonBet) -> Witness:
    """The event or function with its means in the outputs behind those that it took to refute.

    Where there are none, those in the bets that won, with intervals that say nothing.
    """
    bet, claim = won.bet, evidence.claim
    behind, draws = _counted_behind(evidence.bets, won)
    joint = bet.joint if bet.forward else bet.joint.T
    before = joint.sum(axis=1), joint.sum(axis=0)

    def mean(side: int, values: Floats) -> Estimate:
        if draws:
            return mean_of(behind[side], values, evidence.alpha)
        return Estimate(float(before[side] @ values) / int(joint.sum()), 0.0, 1.0)

    own, other = bet.shown
    name = evidence.recordings[1 + bet.pair].name
    return _witness(
        evidence,
        name,
        bet.forward,
        event_of(bet, claim, name),
        (mean(0, own), mean(1, other)),
        bet.line(Inequalities.at(claim, claim.level)),
        draws,
        bet.counts if isinstance(bet, EventBet) else None,
        FunctionShown.of(bet, claim, mean(1, own)),
    )


def _counted_behind(bets: RecordedBets, won: WonBet) -> tuple[Counts, int]:
    """Later outputs in each bin, on the side bet on and the other, shape (2, bins); how many."""
    feature, binning = won.bet.reader
    length, sides = bets.lengths[won.bet.pair], [bets.here, bets.there[won.bet.pair]]
    if not won.bet.forward:
        sides.reverse()
    found = np.zeros((2, binning.count), np.int64)
    for first, last in bets.blocks(won.place, length):
        for side, recording in enumerate(sides):
            codes = binning.code(feature.read(recording.part(first, last)))
            found[side] += np.bincount(codes, minlength=binning.count)
    return found, max(0, length - won.place)


def _tested(evidence: RecordedEvidence, found: ExactEvent) -> Witness:
    """The event that an exact test broke the claim with, and its chances.

    The lines it was counted on choose it among those that were tested, so that the intervals of
    all of these share alpha as the tests do, by Bonferroni.
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
    # Only tables know of all neighbors pooled.
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
