"""A table before its prior: past draws counted, events chosen, what they would have earned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from audit.binning import Binning, learned
from audit.book import Table, joint_counts
from audit.claim import Lines
from audit.events import Bets, Counts, Masks, bets_for
from audit.features import Feature
from audit.outcomes import Outcomes
from audit.wealth import Floats, log_growth, payoffs, tallies


@dataclass(frozen=True, slots=True)
class Past:
    """Past draws of one pair.

    Attributes:
        left: outputs on D.
        right: outputs on D', paired with `left`.
    """

    left: Outcomes
    right: Outcomes

    @property
    def chooser(self) -> tuple[Outcomes, Outcomes]:
        """The half of the pairs on which choices may be made that the other half judges."""
        return self.left.take(slice(0, None, 2)), self.right.take(slice(0, None, 2))


@dataclass(frozen=True, slots=True)
class Sketch:
    """A table before its prior.

    Attributes:
        feature: what is read off an output.
        binning: its bins.
        bets: the events; ranked ones were chosen on every second past pair.
        everything: past pairs counted.
        judged: the pairs counted that did not choose the ranked events.
    """

    feature: Feature
    binning: Binning
    bets: Bets
    everything: tuple[Floats, Floats]
    judged: tuple[Floats, Floats]

    def past(self, lines: Lines, stakes: Floats) -> list[Floats]:
        """Log-wealth of every expert on the past, chosen events on the other half."""
        return [
            _either(parts, payoff, stakes * scale, mark)
            for parts, payoff, scale, mark in zip(
                zip(self.everything, self.judged, strict=True),
                payoffs(lines),
                (1.0, 0.5),
                self.chosen,
                strict=True,
            )
        ]

    @property
    def chosen(self) -> tuple[Masks, Masks]:
        """Which single and which double bets were chosen on the other half."""
        marks = self.bets.ranked | self.feature.fitted
        return marks[: len(self.bets.single)], marks[len(self.bets.single) :]


def _either(parts: tuple[Floats, Floats], payoff: Floats, stakes: Floats, chosen: Masks) -> Floats:
    """Log-wealth on all of the past, but twice that on the judging half where chosen."""
    tally = np.where(chosen[:, None], 2.0 * parts[1], parts[0])
    return log_growth(tally, payoff, stakes)


def sketched(feature: Feature, past: Past, bins: int) -> Sketch:
    columns = feature.read(past.left), feature.read(past.right)
    binning = learned(columns, bins)
    left, right = (binning.code(column) for column in columns)
    marginals = [np.bincount(side[0::2], minlength=binning.count) for side in (left, right)]
    bets = bets_for(binning, *marginals)
    everything = joint_counts(left, right, binning.count)
    judged = joint_counts(left[1::2], right[1::2], binning.count)
    return Sketch(feature, binning, bets, tallies(everything, bets), tallies(judged, bets))


def recounted(table: Table, joint: Counts) -> Sketch:
    """A table that was bet on, as a sketch of the next one: all it counted judges its events."""
    held = tallies(joint, table.bets)
    half = held[0] / 2.0, held[1] / 2.0
    return Sketch(table.feature, table.binning, table.bets, held, half)
