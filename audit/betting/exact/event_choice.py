"""Which events the first lines choose for exact tests, and their shares of alpha.

Of hundreds of events the one that looks best on a few lines is there by luck as often as
not, and money that is spread over all that look good is spread thin. So most goes to *tails*:
outputs above or below an edge, with shares of all first outputs on a ladder that nobody
chose, half of them and from rung to rung three fifths of that. There are so few that little
is lost by luck, and the test of a tail is nearly as good a few tenths off its best edge.
The rest goes to the best of all events, for mechanisms that no tail tells apart; the more,
the better these look. How much luck is in a score is known from the counts (`error`): it
divides the differences between scores before they become shares.

Whatever is computed here are functions of the first lines, of the claim and of the numbers
of lines, so that on the lines behind events and shares are fixed.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from audit.betting.candidate_table import Sketch
from audit.betting.e_process import Floats
from audit.betting.events import Places
from audit.betting.exact.event_scores import Ahead, Candidate, Judgement, judged
from audit.betting.feature_study import studied
from audit.outcomes.paired import PairedOutcomes

_MOST = 24
"""Events of each kind that are tested."""
_LADDER: Floats = 0.5 * 0.6 ** np.arange(30.0)
"""Shares of the pooled first outputs that tails are wanted for."""
_FEWEST_IN_TAIL, _NEAR = 3.0, 0.3
"""Outputs that a rung stands for at least, and how far off in log-share a tail may lie."""
_ODDS_OF_TAILS, _MOST_LEAD = 20.0, 4.0
"""Alpha for tails over that for others where both look alike, and by how many errors, at
most, one kind may look better."""
_OF_TAILS, _OF_ALL = Judgement(0.2, 2.0), Judgement(1.0, 0.5)
_SPREAD = 0.1
"""Share of a kind's alpha that all of its events have alike."""
_TEMPERATURE = 0.5
"""Errors by which a score has to be larger for e times the share."""


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
    def of(cls, pasts: Iterable[tuple[int, PairedOutcomes, int]], ahead: Ahead) -> Candidates:
        """Choose.

        Args:
            pasts: index of a neighbor, its first lines, and how many stand behind.
            ahead: what for.
        """
        tails: list[Candidate] = []
        others: list[Candidate] = []
        for pair, past, lines in pasts:
            for sketch in studied(past):
                every = np.arange(len(sketch.bets.spans))
                tails += judged(pair, sketch, _tails(sketch), lines, ahead, _OF_TAILS, _MOST)
                others += judged(pair, sketch, every, lines, ahead, _OF_ALL, _MOST)
        return cls(_best(tails), _best(others))

    def shared(self) -> list[tuple[Candidate, float]]:
        """What is tested, with its share of alpha; the shares sum to 1."""
        kinds = [kind for kind in (self.tails, self.others) if kind]
        whole = np.array([1.0])
        if len(kinds) == 2:
            error = max(kind[0].error for kind in kinds) * _TEMPERATURE
            # Of both as much luck is taken away, so that they can be compared.
            luck = (_OF_ALL.before - _OF_TAILS.before) * self.tails[0].error
            lead = (self.tails[0].score - luck - self.others[0].score) / error
            odds = _ODDS_OF_TAILS * math.exp(min(_MOST_LEAD, max(-_MOST_LEAD, lead)))
            whole = np.array([odds, 1.0]) / (odds + 1.0)
        held: dict[tuple[float, ...], tuple[Candidate, float]] = {}
        for kind, part in zip(kinds, whole, strict=False):
            for candidate, share in zip(kind, part * _shares(kind), strict=True):
                first, more = held.get(candidate.key, (candidate, 0.0))
                held[candidate.key] = first, more + float(share)
        return sorted(held.values(), key=lambda pair: -pair[1])


def _best(found: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """The best events, each once."""
    first: dict[tuple[float, ...], Candidate] = {}
    for candidate in sorted(found, key=lambda c: -c.score):
        first.setdefault(candidate.key, candidate)
    return tuple(first.values())[:_MOST]


def _shares(best: Sequence[Candidate]) -> Floats:
    """Shares of what one kind has, which sum to 1."""
    behind = np.array([c.score - best[0].score for c in best])
    likely = np.exp(behind / (_TEMPERATURE * best[0].error))
    return np.asarray((1.0 - _SPREAD) * likely / likely.sum() + _SPREAD / len(best))


def _tails(sketch: Sketch) -> Places:
    """The half-lines that come nearest to the rungs of the ladder."""
    spans, numeric = sketch.bets.spans, sketch.binning.numeric
    tally = sketch.judged[0][0]
    pooled = 2.0 * tally.sum(axis=-1)
    share = (2.0 * tally[:, 0] + tally[:, 1] + tally[:, 2]) / pooled
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
