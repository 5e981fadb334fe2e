"""The event behind a verdict on recorded outputs."""

from __future__ import annotations

from audit.betting.event import Event
from audit.betting.events import describe
from audit.verdict.estimate import Estimate
from audit.verdict.interval_bounds import sides_of
from audit.verdict.intervals import proportion
from audit.verdict.recorded.bets import RecordedBets, WonBet
from audit.verdict.recorded.evidence import RecordedEvidence
from audit.verdict.result import Witness


def recorded_witness(evidence: RecordedEvidence) -> Witness | None:
    """The event that had won most when the bets refuted, else the bin that broke the claim."""
    won = evidence.bets.won
    if won is not None:
        return _winner(evidence, won)
    return _clearest_bin(evidence) if evidence.tables.flagged else None


def _winner(evidence: RecordedEvidence, won: WonBet) -> Witness:
    """The event with its odds in the outputs behind those that it took to refute.

    Where there are none, the odds in the bets that won, with intervals that say nothing.
    """
    bet, (left, right, pairs) = won.bet, won.bet.counts
    behind, draws = _counted_behind(evidence.bets, won)
    p, q = (
        proportion(later, draws, evidence.alpha) if draws else Estimate(before / pairs, 0.0, 1.0)
        for before, later in zip((left, right), behind, strict=True)
    )
    slope, offset = evidence.claim.lines(evidence.claim.level)[bet.line]
    name = evidence.recordings[1 + bet.pair].name
    return _witness(
        evidence,
        name,
        bet.forward,
        describe(bet.table.feature, bet.table.binning, bet.plus, name),
        (p, q),
        (float(slope), float(offset)),
        draws,
        (left, right, pairs),
    )


def _counted_behind(bets: RecordedBets, won: WonBet) -> tuple[list[int], int]:
    """How often the event happens in later outputs on its own side and the other, and how many."""
    feature, binning = won.bet.reader
    length, sides = bets.lengths[won.bet.pair], [bets.here, bets.there[won.bet.pair]]
    if not won.bet.forward:
        sides.reverse()
    found = [0, 0]
    for first, last in bets.blocks(won.place, length):
        for side, recording in enumerate(sides):
            codes = binning.code(feature.read(recording.part(first, last)))
            found[side] += int(won.bet.plus[codes].sum())
    return found, max(0, length - won.place)


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
    )
