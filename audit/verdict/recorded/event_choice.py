"""Choice of the events for exact tests, and of their shares of alpha, by the first lines.

Most goes to *tails*: outputs above or below an edge, with shares of all first outputs on a fixed
ladder; the rest to the best of all events. The reasons are in docs/explanation/recorded-outputs.md.
Everything here is a function of the first lines, of the claim and of the numbers of lines, so
that events and shares are fixed on the lines after them.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.betting.event_families import Events, Reading, tallies
from audit.betting.events import Event, describe
from audit.claims import Lines
from audit.lazy_modules import special
from audit.outcomes.column import Counts, Floats
from audit.outcomes.encoding import Outcomes
from audit.outcomes.feature_selection import features_for
from audit.verdict.recorded.exact_test import ExactTest
from audit.verdict.recorded.recording import Reader

Places = NDArray[np.intp]
_BINS, _MORE_BINS, _MANY = 32, 64, 1 << 12
"""Bins of a feature, and how many from so many lines on."""
_MOST = 24
"""Events of each kind that are tested."""
_LADDER: Floats = 0.5 * 0.6 ** np.arange(30.0)
"""Shares of the pooled first outputs that tails are wanted for."""
_FEWEST_IN_TAIL, _NEAR = 3.0, 0.3
"""Outputs that a rung stands for at least, and how far off in log-share a tail may lie."""
_ODDS_OF_TAILS, _MOST_LEAD = 20.0, 4.0
"""Alpha for tails over that for others if both look alike, and by how many errors, at
most, one kind may look better."""
_SPREAD = 0.1
"""Share of a kind's alpha that all of its events have alike."""
_TEMPERATURE = 0.5
"""Errors by which a score has to be larger for e times the share."""
_SHARE_OF_BEST = 0.25
"""Part of alpha that the best event is expected to have when its loss is estimated."""
_SEED = 20_261_122


_OF_TAILS, _OF_ALL = (0.2, 2.0), (1.0, 0.5)
"""Standard errors of the lines that choose that a log-ratio is expected to lose, the more, the more
there is to choose from; and what is added to each count. Of tails, and of all events."""

Ahead = tuple[Lines, float]
"""The tests that events are chosen for: the claim's lines, and the level of all tests together."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """An event to test.

    Attributes:
        pair: index of the neighbor.
        reading: a feature with its bins and counts.
        events: of the reading.
        side: 0 if it is tested for D, 1 for the neighbor.
        event: index among the single events.
        place: index of the claim's line.
        score: log of the expected excess over the claim.
        error: standard error of the score.
        seen: of the lines that choose, those on which it happened on both sides, on its own
            alone, and on the other alone.
    """

    pair: int
    reading: Reading
    events: Events
    side: int
    event: int
    place: int
    score: float
    error: float
    seen: tuple[float, ...]

    @property
    def key(self) -> tuple[float, ...]:
        """Equal for events that are most likely the same."""
        return (self.pair, self.side, *self.seen)

    @property
    def reader(self) -> Reader:
        """Feature and bins."""
        return self.reading.feature, self.reading.binning

    @property
    def described(self) -> Event:
        """The event in words and plain values."""
        mask, _ = self.events.bets.masks(self.event)
        return describe(*self.reader, mask)

    def tested(self, joint: Counts, alpha: float) -> ExactTest:
        """The test by counts of later lines.

        Coins are seeded by the lines that chose the event, and by nothing that is tested: if they
        were the same in every audit, those that happen to favor successes always would.

        Args:
            joint: shape (bins, bins).
            alpha: the level.
        """
        single, _ = tallies(joint.astype(np.float64), self.events.bets)
        both, own, other, _ = (int(count) for count in np.rint(single[self.side, self.event]))
        halves = (half.astype(np.int64).tobytes() for half in self.reading.joint)
        coins = np.random.default_rng([_SEED, self.event, *map(zlib.crc32, halves)]).random(both)
        lines = int(joint.sum())
        return ExactTest(both, own, other, lines, self.place, alpha, np.sort(coins))


@dataclass(frozen=True, slots=True)
class Candidates:
    """Events of all neighbors.

    Attributes:
        tails: those on the ladder.
        others: the best of all events.
    """

    tails: tuple[Candidate, ...]
    others: tuple[Candidate, ...]

    @classmethod
    def of(
        cls, pasts: Iterable[tuple[int, tuple[Outcomes, Outcomes], int]], ahead: Ahead
    ) -> Candidates:
        """Choose.

        Args:
            pasts: index of a neighbor, its first lines on both sides, and the number of others.
            ahead: the tests.
        """
        tails: list[Candidate] = []
        others: list[Candidate] = []
        for pair, past, lines in pasts:
            for reading, events in readings_of(*past):
                tally = _judged(reading, events)
                where = pair, reading, events
                every = np.arange(tally.shape[1])
                tails += _best_of(
                    where, tally, _tails(reading, events, tally), lines, ahead, _OF_TAILS
                )
                others += _best_of(where, tally, every, lines, ahead, _OF_ALL)
        return cls(_distinct(tails), _distinct(others))

    def shared(self) -> list[tuple[Candidate, float]]:
        """Events with their shares of alpha, the largest first; the shares sum to 1."""
        kinds = [kind for kind in (self.tails, self.others) if kind]
        whole = np.array([1.0])
        if len(kinds) == 2:
            error = max(kind[0].error for kind in kinds) * _TEMPERATURE
            # Both lose equally much by luck, so that they can be compared.
            luck = (_OF_ALL[0] - _OF_TAILS[0]) * self.tails[0].error
            lead = (self.tails[0].score - luck - self.others[0].score) / error
            odds = _ODDS_OF_TAILS * math.exp(min(_MOST_LEAD, max(-_MOST_LEAD, lead)))
            whole = np.array([odds, 1.0]) / (odds + 1.0)
        held: dict[tuple[float, ...], tuple[Candidate, float]] = {}
        for kind, part in zip(kinds, whole, strict=False):
            for candidate, share in zip(kind, part * _shares(kind), strict=True):
                first, more = held.get(candidate.key, (candidate, 0.0))
                held[candidate.key] = first, more + float(share)
        return sorted(held.values(), key=lambda pair: -pair[1])


def readings_of(left: Outcomes, right: Outcomes) -> Iterator[tuple[Reading, Events]]:
    """All features of these outputs, counted in two halves, and their candidate events."""
    bins = _BINS if left.size < _MANY else _MORE_BINS
    for feature in features_for(left, right):
        reading = Reading.of(feature, left, right, bins)
        codes = reading.codes((left, right))
        for half in (0, 1):
            reading.count((codes[0][half::2], codes[1][half::2]), True, half)
        reading.study(np.zeros((0, 2)))
        if reading.events is not None:
            yield reading, reading.events


def _judged(reading: Reading, events: Events) -> Floats:
    """Lines that decide each single event, as in `Events.single`, shape (2, events, 4).

    Of events that were chosen by one half of the lines twice the other half counts.
    """
    cut = events.single.shape[1]
    chosen = events.bets.ranked[:cut] | reading.feature.fitted
    lines = np.where(chosen, 2.0, 1.0) * events.pairs[:cut]
    return np.asarray(np.rint(events.single * lines[:, None]))


def _distinct(found: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The best events, each once."""
    first: dict[tuple[float, ...], Candidate] = {}
    for candidate in sorted(found, key=lambda c: -c.score):
        first.setdefault(candidate.key, candidate)
    return tuple(first.values())[:_MOST]


def _shares(best: Sequence[Candidate]) -> Floats:
    """Shares of one kind's alpha, which sum to 1."""
    behind = np.array([c.score - best[0].score for c in best])
    likely = np.exp(behind / (_TEMPERATURE * best[0].error))
    return np.asarray((1.0 - _SPREAD) * likely / likely.sum() + _SPREAD / len(best))


def _tails(reading: Reading, events: Events, tally: Floats) -> Places:
    """The half-lines that come nearest to the rungs of the ladder."""
    spans, numeric = events.bets.spans, reading.binning.numeric
    pooled = 2.0 * tally[0].sum(axis=-1)
    share = (2.0 * tally[0, :, 0] + tally[0, :, 1] + tally[0, :, 2]) / pooled
    ladder = _LADDER[pooled[0] * _LADDER >= _FEWEST_IN_TAIL]
    numbers = (spans[:, 0] == 0) & (share > 0.0)
    above = numbers & (spans[:, 1] > 0) & (spans[:, 2] == numeric)
    below = numbers & (spans[:, 1] == 0) & (spans[:, 2] < numeric)
    found: list[int] = []
    for places in map(np.flatnonzero, (above, below)):
        if len(places):
            away = np.abs(np.log(share[places, None] / ladder))
            found += places[away.argmin(axis=0)[away.min(axis=0) < _NEAR]].tolist()
    return np.array(sorted(set(found)), np.intp)


def _best_of(
    where: tuple[int, Reading, Events],
    tally: Floats,
    events: Places,
    lines: int,
    ahead: Ahead,
    kind: tuple[float, float],
) -> Iterator[Candidate]:
    """The best of some events of one reading, in both directions.

    The score of each is its expected excess over the claim: a log-ratio less its expected loss.

    Args:
        where: pair, reading and its events.
        tally: lines on which each event happened on both sides, on the first alone, on the
            other alone, on none; shape (2, events, 4).
        events: those to choose from.
        lines: that will be counted.
        ahead: the tests.
        kind: `_OF_TAILS` or `_OF_ALL`.
    """
    (promised, alpha), (lost_by_choice, added) = ahead, kind
    chosen = tally[:, events]
    seen = chosen.sum(axis=-1)
    own, other = (chosen[..., 0] + chosen[..., side] + added for side in (1, 2))
    p, q = own / (seen + 2.0 * added), other / (seen + 2.0 * added)
    allowed = promised[:, 0] * q[..., None] + promised[:, 1]
    behind = np.sqrt(1.0 / (p * lines) + 1.0 / (q * lines))
    before = np.sqrt(1.0 / (own + 0.5) + 1.0 / (other + 0.5))
    # Standard errors of the lines that test, and of those that choose.
    lost = -special.ndtri(_SHARE_OF_BEST * alpha) * behind + lost_by_choice * before
    scores = np.log(p) - np.log(allowed.min(axis=-1)) - lost
    errors, places = np.hypot(behind, before), allowed.argmin(axis=-1)
    for at in np.argsort(-scores, axis=None, kind="stable")[:_MOST]:
        side, event = map(int, np.unravel_index(at, scores.shape))
        place, score, error = (float(part[side, event]) for part in (places, scores, errors))
        counts = tuple(map(float, chosen[side, event, :3]))
        yield Candidate(*where, side, int(events[event]), int(place), score, error, counts)
