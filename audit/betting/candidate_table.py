"""A table before its prior: past draws counted, events chosen, what they would have earned."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from audit.betting.e_process import Floats, experts, tallies
from audit.betting.event_families import bets_for
from audit.betting.events import Bets
from audit.betting.low_bit_tally import low_bit_bets
from audit.betting.portfolio import Table
from audit.claim import Lines
from audit.outcomes.binning import Binning, learned
from audit.outcomes.counting import Counts, joint_counts
from audit.outcomes.features import Feature, LowBits
from audit.outcomes.paired import PairedOutcomes


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
        halves: joint counts of the past that choose functions, and of those that judge
            them, shape (bins, bins) each.
    """

    feature: Feature
    binning: Binning
    bets: Bets
    everything: tuple[Floats, Floats]
    judged: tuple[Floats, Floats]
    halves: tuple[Counts, Counts]

    def past(self, lines: Lines, stakes: Floats) -> Floats:
        """Log-wealth of every expert on the past."""
        return experts(self.judged, lines, stakes)


def sketched(feature: Feature, past: PairedOutcomes, bins: int) -> Sketch:
    columns = feature.read(past.left), feature.read(past.right)
    binning = learned(columns, bins)
    left, right = (binning.code(column) for column in columns)
    marginals = [np.bincount(side[0::2], minlength=binning.count) for side in (left, right)]
    bets = bets_for(binning, *marginals)
    if isinstance(feature, LowBits):
        bets = low_bit_bets(bets, binning.numeric)
    halves = (
        joint_counts(left[0::2], right[0::2], binning.count),
        joint_counts(left[1::2], right[1::2], binning.count),
    )
    everything, other_half = tallies(halves[0] + halves[1], bets), tallies(halves[1], bets)
    chosen = bets.ranked | feature.fitted
    marks = chosen[: len(bets.spans)], chosen[len(bets.spans) :]
    single, double = (
        np.where(mark[:, None], 2.0 * half, whole)
        for mark, half, whole in zip(marks, other_half, everything, strict=True)
    )
    return Sketch(feature, binning, bets, everything, (single, double), halves)


def recounted(table: Table, joint: Counts) -> Sketch:
    """A table that was bet on, as a sketch of the next one: all it counted judges its events."""
    held = tallies(joint, table.bets)
    return Sketch(table.feature, table.binning, table.bets, held, held, (joint, joint))
