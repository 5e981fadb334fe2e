"""Power: the floor of a claim, and the smallest epsilon that a budget would have detected."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from audit.betting.bet import Design, design_effect, kelly
from audit.betting.event_families import Events
from audit.betting.functions import fastest_growth
from audit.betting.past import PairPast
from audit.betting.wealth import FEED, FEED_MORE
from audit.claims import Claim
from audit.outcomes.column import Floats

if TYPE_CHECKING:
    from audit.betting.bettor import Bettor

_QUANTILE = 1.2815515655446004
"""Standard normal quantile of power 0.9."""
_COSTS = 5.0
"""Log wealth that screening and bets on other events cost, if the past is of independent outputs:
what is lost to the errors of its frequencies grows as their variance. 2.5 is typical; noise that
instances keep costs more at small claims."""
TENTH = 0.1
"""Part of the outputs on the likelier dataset that show an event of ordinary frequency."""
_FEW = 0.05
"""Part of the outputs below which units of one design hardly count."""
_LARGEST = 60.0
_STEPS = 40
_PILOT = 12


def floor_units(claim: Claim, alpha: float) -> int:
    """Units of the fastest refutation: an event that is certain on D and impossible on D′.

    Such an event multiplies an expert's wealth by at most 1 + (1 − b)/(a + b) with a unit.
    """
    slope, offset = claim.lines(claim.level).T
    events = np.log1p((1.0 - offset) / (slope + offset)).max(initial=0.0)
    fastest = max(float(events), fastest_growth(claim.divergences(claim.level)))
    if fastest <= 0.0:
        return 1 << 62
    return _PILOT + math.ceil((-math.log(alpha) - math.log(FEED + FEED_MORE)) / fastest)


@dataclass(frozen=True, slots=True)
class Detectable:
    """The smallest epsilon that an audit would have refuted with power 0.9, by kind of event.

    Attributes:
        best: by the one of the events read that says most.
        tenth: by an event that one output in ten shows on the dataset on which it is likelier.
    """

    best: float
    tenth: float


def detectable(bettor: Bettor) -> Detectable | None:
    """Smallest epsilon that these units would have refuted with power 0.9.

    Had one of the events read been e^epsilon times as likely on one dataset as on the other (see
    `moved_apart`), the wealth would have reached its goal with probability 0.9.

    Returns:
        None if nothing was bet on.
    """
    # Events of fitted features differ from audit to audit, so they count where no others are read.
    for fitted in (False, True):
        found = [
            _smallest(_seen(events), bettor, past, reading.alike)
            for past in bettor.pasts
            for reading in past.screen.readings
            if (events := reading.events) is not None and reading.feature.fitted is fitted
        ]
        if found:
            tenth = min(
                _smallest(_ordinary, bettor, past, max(r.alike for r in past.screen.readings))
                for past in bettor.pasts
                if past.screen.readings
            )
            return Detectable(min(found), tenth)
    return None


_Chances = Callable[[float], tuple[Floats, Floats, Floats]]
"""By epsilon, how likely each event is on its own side, on the other, and there alone."""


def moved_apart(first: Floats, second: Floats, epsilon: float) -> tuple[Floats, Floats]:
    """Probabilities of an event with a loss of epsilon, as near to those seen as can be.

    The logarithms of its odds are moved apart by the same amount, until the event or its
    complement is e^epsilon times as likely on one side as on the other: a fair coin turns into
    randomized response, and the probabilities of a rare event move by the same factor.

    Args:
        first: probability that was seen on one side, above 0 and below 1.
        second: on the other side.
        epsilon: the loss.
    """
    odds = np.sqrt(first * second / ((1.0 - first) * (1.0 - second)))
    times = math.exp(epsilon)
    # The factor x of the odds solves x (x + odds) = times (1 + odds x), for odds of at most 1.
    half = np.minimum(odds, 1.0 / odds) * (times - 1.0) / 2.0
    factor = half + np.sqrt(half**2 + times)
    return odds * factor / (1.0 + odds * factor), odds / (factor + odds)


def as_laplace(own: Floats, other: Floats, epsilon: float) -> tuple[Floats, Floats]:
    """Events with those that at least half of the outputs show replaced by events of Laplace noise.

    The more frequent an event of a loss is, the more a bet on it earns; none is as frequent as that
    of randomized response. Laplace noise shows its loss by the outputs beyond the answer, half of
    them, and a smaller loss by those beyond the middle of both answers.

    Returns:
        All events twice, with the first and with the second of these; shape (2 events,).
    """
    middle = 0.5 * math.exp(-epsilon / 2.0)
    held = [
        (np.where(own > 0.5, likely, own), np.where(own > 0.5, rare, other))
        for likely, rare in ((0.5, 0.5 * math.exp(-epsilon)), (1.0 - middle, middle))
    ]
    first, second = zip(*held, strict=True)
    return np.concatenate(first), np.concatenate(second)


def smoothed(chance: Floats, size: Floats) -> Floats:
    """Estimated probabilities from so many outputs, moved off 0 and 1 by half an output."""
    return (chance * size + 0.5) / (size + 1.0)


def _seen(events: Events) -> _Chances:
    """Events moved apart from the frequencies that they had, as far coupled as they were."""
    cells = np.maximum(events.single, 0.0).reshape(-1, 4)
    size = np.tile(events.pairs[: events.single.shape[1]], 2)
    own, other = (smoothed(np.minimum(cells[:, 0] + cells[:, side], 1.0), size) for side in (1, 2))
    independent = np.minimum(own * (1.0 - other), other * (1.0 - own))
    alone = np.minimum(cells[:, 1], cells[:, 2]) + 0.5 / (size + 1.0)
    coupled = np.tile(np.minimum(alone / independent, 1.0), 2)

    def chances(epsilon: float) -> tuple[Floats, Floats, Floats]:
        likelier, rarer = as_laplace(*moved_apart(own, other, epsilon), epsilon)
        return likelier, rarer, coupled * rarer * (1.0 - likelier)

    return chances


def _ordinary(epsilon: float) -> tuple[Floats, Floats, Floats]:
    """An event of one output in ten, independent on both sides."""
    other = np.array([TENTH * math.exp(-epsilon)])
    return np.array([TENTH]), other, other * (1.0 - TENTH)


def _smallest(chances: _Chances, bettor: Bettor, past: PairPast, alike: float) -> float:
    """Smallest epsilon at which one of these events would have refuted with power 0.9."""
    wealth = bettor.claim
    claim = wealth.claim
    needed = wealth.goal + _COSTS * design_effect(past.made, alike)
    lines = claim.lines(claim.level)
    bet = past.made - past.searched
    few = _FEW * sum(units * design.runs for design, units in bet.items())
    made = {design: units for design, units in bet.items() if units * design.runs >= few}

    def refuted(epsilon: float) -> bool:
        return _reach(*chances(epsilon), lines, made, alike) >= needed

    return smallest_epsilon(refuted, claim.level)


def smallest_epsilon(refuted: Callable[[float], bool], level: float) -> float:
    """Smallest epsilon that is refuted, if all larger ones are; infinite if none is."""
    low, high = 0.0, max(level, 1e-3)
    while not refuted(high):
        low, high = high, 2.0 * high
        if high > _LARGEST:
            return math.inf
    for _ in range(_STEPS):
        middle = (low + high) / 2.0
        low, high = (low, middle) if refuted(middle) else (middle, high)
    return high


def _reach(
    own: Floats,
    other: Floats,
    apart: Floats,
    lines: Floats,
    made: Mapping[Design, int],
    alike: float,
) -> float:
    """Log wealth after these units on the best event, less what power 0.9 asks for.

    Args:
        own: probability of each event on the side that it is tested for.
        other: on the side that must not have it.
        apart: probability that it happens there alone.
        lines: slope and offset, shape (lines, 2).
        made: units by their design.
        alike: correlation of two outputs of one unit.
    """
    slope, offset = lines.T
    mean = own[:, None] - slope * other[:, None]
    grown, varied = np.zeros(mean.shape), np.zeros(mean.shape)
    for design, units in made.items():
        gain, cost = design.weights(forward=True)
        both = np.maximum(other - np.minimum(apart, 1.0 - own), 0.0) * (design.share is None)
        second = gain * own[:, None] + cost * slope**2 * other[:, None]
        second = second - 2.0 * slope * np.broadcast_to(both, own.shape)[:, None]
        variance = design.spread(np.maximum(second - mean**2, 1e-9), alike)
        top = 1.0 / (slope * cost + offset)
        lean = design.spread(np.maximum(slope * cost - gain, 0.0), alike)
        stake, growth = kelly(mean - offset, variance, top, lean)
        grown += units * growth
        varied += units * stake**2 * variance
    return float((grown - _QUANTILE * np.sqrt(varied)).max())
