"""A table before its prior: past draws counted, events chosen, what they would have earned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from audit.binning import Binning, learned
from audit.book import Table, joint_counts
from audit.choice import bets_for
from audit.claim import Lines
from audit.events import Bets, Counts
from audit.features import Feature
from audit.outcomes import Outcomes
from audit.wealth import Floats, experts, tallies


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
        judged: the same, but for events chosen by looking at past frequencies twice
            the pairs that did not choose them.
    """

    feature: Feature
    binning: Binning
    bets: Bets
    everything: tuple[Floats, Floats]
    judged: tuple[Floats, Floats]

    def past(self, lines: Lines, stakes: Floats) -> Floats:
        """Log-wealth of every expert on the past."""
        return experts(self.judged, lines, stakes)


def sketched(feature: Feature, past: Past, bins: int) -> Sketch:
    columns = feature.read(past.left), feature.read(past.right)
    binning = learned(columns, bins)
    left, right = (binning.code(column) for column in columns)
    marginals = [np.bincount(side[0::2], minlength=binning.count) for side in (left, right)]
    bets = bets_for(binning, *marginals)
    everything = tallies(joint_counts(left, right, binning.count), bets)
    other_half = tallies(joint_counts(left[1::2], right[1::2], binning.count), bets)
    chosen = bets.ranked | feature.fitted
    marks = chosen[: len(bets.spans)], chosen[len(bets.spans) :]
    single, double = (
        np.where(mark[:, None], 2.0 * half, whole)
        for mark, half, whole in zip(marks, other_half, everything, strict=True)
    )
    return Sketch(feature, binning, bets, everything, (single, double))


def recounted(table: Table, joint: Counts) -> Sketch:
    """A table that was bet on, as a sketch of the next one: all it counted judges its events."""
    held = tallies(joint, table.bets)
    return Sketch(table.feature, table.binning, table.bets, held, held)
