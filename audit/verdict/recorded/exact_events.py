"""Events chosen by what stands first in the files, and tested exactly on what stands behind.

An eighth of the lines, 4,096 at most, chooses a few dozen events of all that the bets may
choose from, and the share of alpha of each: most goes to those whose ratio is likely to show
the largest level on the lines behind. Given these lines the events and shares are fixed, and
the rest are independent draws, so that by Bonferroni any of the tests (see `exact_test`)
refutes what holds with probability at most alpha. Bets hold at any time, and pay for that:
where the number of lines does not depend on what they say, as for tables, a test of the whole
says more. Nothing is read into lines that have no partner: a longer file's end has no part.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from audit.betting.candidate_table import Sketch
from audit.betting.e_process import Floats, tallies
from audit.betting.event import Event
from audit.betting.events import Places, describe
from audit.betting.feature_study import studied
from audit.claim import Claim, Lines
from audit.outcomes.blas_threads import in_one_thread
from audit.outcomes.counting import joint_of
from audit.outcomes.paired import PairedOutcomes
from audit.verdict.recorded.bets import RecordedBets
from audit.verdict.recorded.exact_test import ExactTest

_SHARE_TO_CHOOSE = 8
_MOST_TO_CHOOSE = 1 << 12
FEWEST = 64
"""Lines below which nothing is chosen."""
_MOST = 48
"""Events that are tested."""
_SPREAD = 0.1
"""Share of alpha that all of them have alike."""
_TEMPERATURE = 1.5
"""Standard errors by which a score has to be larger for e times the share."""
_BEHIND, _BEFORE = 2.5, 1.0
"""Standard errors that a log-ratio is expected to lose, on the lines behind and on these."""
_SEED = 20_261_122


@dataclass(frozen=True, slots=True)
class _Candidate:
    """An event to test.

    Attributes:
        pair: index of the neighbor.
        sketch: what is read off an output, and the events on it.
        side: 0 where it is tested for D, 1 for the neighbor.
        event: index among the single events.
        place: index of the claim's line.
        score: log of how far it is likely to be seen beyond the claim.
        error: standard error of its log-ratio on the lines behind.
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


@dataclass(frozen=True, slots=True)
class ExactEvent:
    """An event that was tested.

    Attributes:
        pair: index of the neighbor.
        forward: whether it was tested for D.
        event: in words.
        test: its counts.
    """

    pair: int
    forward: bool
    event: Event
    test: ExactTest


@dataclass(frozen=True, slots=True)
class ExactEvents:
    """Events tested against one claim.

    Attributes:
        claim: what they are tested against.
        events: by their share of alpha, the largest first.
        level: the largest that any of them refutes, 0 where none does.
    """

    claim: Claim
    events: tuple[ExactEvent, ...]
    level: float

    @classmethod
    @in_one_thread
    def of(cls, bets: RecordedBets, claim: Claim, alpha: float) -> ExactEvents:
        """Choose events, count and test them.

        Args:
            bets: who knows the files; nothing of what was bet is looked at.
            claim: what to test against.
            alpha: chance that what holds is refuted.
        """
        found = [c for pair in range(len(bets.there)) for c in _candidates(bets, pair, claim)]
        best = _different(sorted(found, key=lambda c: -c.score))[:_MOST]
        shares = _shares(best)
        events = tuple(
            _tested(bets, c, alpha * share) for c, share in zip(best, shares, strict=True)
        )
        level = 0.0
        for event in events:
            level = event.test.level(claim, level)
        return cls(claim, events, level)

    @property
    def refuted(self) -> bool:
        """Whether the claim is."""
        return self.clearest is not None

    @property
    def clearest(self) -> ExactEvent | None:
        """Of those that refute the claim, the one with the largest share of alpha."""
        own = self.claim.level
        return next((e for e in self.events if e.test.refutes(self.claim, own)), None)


def _different(ordered: Sequence[_Candidate]) -> list[_Candidate]:
    """One event of those that agree on how often they were seen: most are the same twice."""
    first: dict[tuple[float, ...], _Candidate] = {}
    for candidate in ordered:
        first.setdefault((candidate.pair, candidate.side, *candidate.seen), candidate)
    return list(first.values())


def _shares(best: Sequence[_Candidate]) -> Floats:
    """Shares of alpha, which sum to 1."""
    if not best:
        return np.empty(0)
    behind = np.array([c.score - best[0].score for c in best])
    likely = np.exp(behind / (_TEMPERATURE * best[0].error))
    return np.asarray((1.0 - _SPREAD) * likely / likely.sum() + _SPREAD / len(best))


def _first(lines: int) -> int:
    """How many lines choose."""
    return min(lines // _SHARE_TO_CHOOSE, _MOST_TO_CHOOSE) if lines >= FEWEST else 0


def _candidates(bets: RecordedBets, pair: int, claim: Claim) -> Iterator[_Candidate]:
    """The events of one neighbor that look best on the first lines."""
    lines = bets.lengths[pair]
    first = _first(lines)
    if not first:
        return
    past = PairedOutcomes(bets.here.part(0, first), bets.there[pair].part(0, first))
    promised = claim.lines(claim.level)
    for sketch in studied(past):
        scores, errors, places = _scored(sketch.judged[0], lines - first, promised)
        for where in np.argsort(-scores, axis=None, kind="stable")[:_MOST]:
            side, event = map(int, np.unravel_index(where, scores.shape))
            place, score, error = (float(part[side, event]) for part in (places, scores, errors))
            seen = tuple(map(float, sketch.judged[0][side, event, :3]))
            yield _Candidate(pair, sketch, side, event, int(place), score, error, seen)


def _scored(tally: Floats, lines: int, promised: Lines) -> tuple[Floats, Floats, Places]:
    """How far beyond the claim each event is likely to be seen, and beyond which line of it.

    Args:
        tally: lines on which it happened on both sides, on the first alone, on the
            other alone, on none; shape (2, events, 4).
        lines: that will be counted.
        promised: the claim's lines.

    Returns:
        Log-ratios, their standard errors and indices of lines, shape (2, events).
    """
    seen = tally.sum(axis=-1)
    own, other = tally[..., 0] + tally[..., 1] + 0.5, tally[..., 0] + tally[..., 2] + 0.5
    p, q = own / (seen + 1.0), other / (seen + 1.0)
    allowed = promised[:, 0] * q[..., None] + promised[:, 1]
    behind = np.sqrt(1.0 / (p * lines) + 1.0 / (q * lines))
    before = np.sqrt(1.0 / (own + 0.5) + 1.0 / (other + 0.5))
    lost = _BEHIND * behind + _BEFORE * before
    score = np.log(p) - np.log(allowed.min(axis=-1)) - lost
    return score, behind, allowed.argmin(axis=-1)


def _tested(bets: RecordedBets, candidate: _Candidate, alpha: float) -> ExactEvent:
    """Count an event on the lines that did not choose it."""
    sketch, lines = candidate.sketch, bets.lengths[candidate.pair]
    first = _first(lines)
    joint = np.zeros((sketch.binning.count, sketch.binning.count), np.int64)
    for start, stop in bets.blocks(first, lines):
        sides = bets.here.part(start, stop), bets.there[candidate.pair].part(start, stop)
        joint += joint_of((sketch.feature, sketch.binning), *sides)
    both, own, other, _ = tallies(joint, sketch.bets)[0][candidate.side, candidate.event]
    coins = np.sort(np.random.default_rng([_SEED, candidate.event]).random(int(both)))
    test = ExactTest(int(both), int(own), int(other), lines - first, candidate.place, alpha, coins)
    mask = sketch.bets.mask(*sketch.bets.spans[candidate.event])
    event = describe(sketch.feature, sketch.binning, mask)
    return ExactEvent(candidate.pair, candidate.side == 0, event, test)
