"""How far beyond a claim events are likely to be seen, told from the lines that choose.

A log-ratio of counts is off by about a standard error of the lines that test it times the
quantile of a test, and by luck on the lines that choose: more, the more events there were
to choose from. What is left of it is an event's score; all scores are functions of the lines
that choose, of the claim and of the number of lines that test.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from audit.betting.candidate_table import Sketch
from audit.betting.confirmation.event_bet import EventBet
from audit.betting.e_process import Floats, tallies
from audit.betting.events import Places
from audit.betting.exact.exact_test import ExactTest
from audit.claim import Lines
from audit.outcomes.counting import Counts, Reader
from audit.special import special

_SHARE_OF_BEST = 0.25
"""Of alpha, what the best event is thought to have where its loss is foreseen."""
_SEED = 20_261_122


@dataclass(frozen=True, slots=True)
class Judgement:
    """How a kind of events is scored.

    Attributes:
        before: standard errors of the lines that choose that a log-ratio is expected to lose;
            the more, the more there is to choose from.
        added: to each count.
    """

    before: float
    added: float


@dataclass(frozen=True, slots=True)
class Ahead:
    """What events are chosen for.

    Attributes:
        promised: the claim's lines.
        alpha: the level of all tests together.
    """

    promised: Lines
    alpha: float

    @property
    def behind(self) -> float:
        """Standard errors of the lines behind that a log-ratio is expected to lose."""
        return float(-special.ndtri(_SHARE_OF_BEST * self.alpha))


@dataclass(frozen=True, slots=True)
class Candidate:
    """An event to test.

    Attributes:
        pair: index of the neighbor.
        sketch: what is read off an output, and the events on it.
        side: 0 where it is tested for D, 1 for the neighbor.
        event: index among the single events.
        place: index of the claim's line.
        score: log of how far it is likely to be seen beyond the claim.
        error: standard error of what the score says of the lines behind.
        seen: of the lines that choose, those on which it happened on both sides, on its own
            alone, and on the other alone.
    """

    pair: int
    sketch: Sketch
    side: int
    event: int
    place: int
    score: float
    error: float
    seen: tuple[float, ...]

    @property
    def key(self) -> tuple[float, ...]:
        """What events have in common that are most likely the same twice."""
        return (self.pair, self.side, *self.seen)

    @property
    def reader(self) -> Reader:
        """What to read off an output and how to bin it."""
        return self.sketch.feature, self.sketch.binning

    def bet(self, joint: Counts) -> EventBet:
        """The event as it is bet on, with what was counted of later pairs, shape (bins, bins)."""
        cell = self.side, self.event, self.place
        return EventBet.of(self.pair, self.sketch, joint, cell)

    def tested(self, joint: Counts, alpha: float) -> ExactTest:
        """The test by what was counted of later pairs.

        Coins are stirred by what chose the event, and by nothing that is tested: were they the
        same in every audit, those that happen to favor successes always would.

        Args:
            joint: shape (bins, bins).
            alpha: the level.
        """
        both, own, other, _ = tallies(joint, self.sketch.bets)[0][self.side, self.event]
        stirred = (zlib.crc32(half.tobytes()) for half in self.sketch.halves)
        coins = np.random.default_rng([_SEED, self.event, *stirred]).random(int(both))
        counts = int(both), int(own), int(other), int(joint.sum())
        return ExactTest(*counts, self.place, alpha, np.sort(coins))


def judged(
    pair: int, sketch: Sketch, events: Places, lines: int, ahead: Ahead, kind: Judgement, most: int
) -> Iterator[Candidate]:
    """The best of some events of one table, in both directions."""
    tally = sketch.judged[0][:, events]
    scores, errors, places = _scored(tally, lines, ahead, kind)
    for where in np.argsort(-scores, axis=None, kind="stable")[:most]:
        side, event = map(int, np.unravel_index(where, scores.shape))
        place, score, error = (float(part[side, event]) for part in (places, scores, errors))
        seen = tuple(map(float, tally[side, event, :3]))
        yield Candidate(pair, sketch, side, int(events[event]), int(place), score, error, seen)


def _scored(
    tally: Floats, lines: int, ahead: Ahead, kind: Judgement
) -> tuple[Floats, Floats, Places]:
    """How far beyond the claim each event is likely to be seen, and beyond which line of it.

    Args:
        tally: lines on which it happened on both sides, on the first alone, on the
            other alone, on none; shape (2, events, 4).
        lines: that will be counted.
        ahead: what they are chosen for.
        kind: how to judge.

    Returns:
        Log-ratios less what they are expected to lose, their errors and indices of lines,
        shape (2, events).
    """
    seen = tally.sum(axis=-1)
    own, other = (tally[..., 0] + tally[..., side] + kind.added for side in (1, 2))
    p, q = own / (seen + 2.0 * kind.added), other / (seen + 2.0 * kind.added)
    allowed = ahead.promised[:, 0] * q[..., None] + ahead.promised[:, 1]
    behind = np.sqrt(1.0 / (p * lines) + 1.0 / (q * lines))
    before = np.sqrt(1.0 / (own + 0.5) + 1.0 / (other + 0.5))
    lost = ahead.behind * behind + kind.before * before
    score = np.log(p) - np.log(allowed.min(axis=-1)) - lost
    return score, np.hypot(behind, before), allowed.argmin(axis=-1)
