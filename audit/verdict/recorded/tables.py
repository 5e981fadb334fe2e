"""The classic tables of recorded outputs, with bins that their counts did not choose.

What a table reads and where its bins end follow from the first outputs of all
files, an eighth of each, which no table counts. Given them, the bins are fixed
and the rest are independent draws of each dataset, so that the Clopper-Pearson
bounds of all tables hold together with the stated confidence, by Bonferroni. Files
may depend on each other within a line, so that all neighbors pooled are no larger
sample: what is known of their mixture is the mean of what is known of each.
Ends read from the counted outputs themselves would not do: of a thousand symbols
seen once each, those with a bin of their own would be those that happened to come.
Other than for the bets, the lengths of the files must not depend on what they hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from audit.betting.event import Event
from audit.betting.events import describe
from audit.claim import Claim
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import KIND
from audit.outcomes.features import Feature, Part
from audit.verdict.frequency_table import counted, equal_width, table_feature, table_of
from audit.verdict.intervals import compare, mixture
from audit.verdict.pair_table import PairTable
from audit.verdict.recorded.recording import Recording

_SHARE_FOR_ENDS = 8


@dataclass(frozen=True, slots=True)
class RecordedTables:
    """D against each neighbor and against all of them pooled, in the same bins.

    Attributes:
        feature: what is read off an output.
        binning: its bins, equally wide over the range of the first outputs; the outer
            ones are open.
        pairs: the tables; none where a file has no output left to count.
    """

    feature: Feature
    binning: Binning
    pairs: tuple[PairTable, ...]

    @classmethod
    def of(
        cls, recordings: Sequence[Recording], claim: Claim, bins: int, alpha: float
    ) -> RecordedTables:
        """Count the tables.

        Args:
            recordings: that of D, then those of its neighbors.
            claim: what the bins are held against.
            bins: how many for numbers.
            alpha: chance that any bound of any table misses.
        """
        if min(map(len, recordings)) < 2:
            return cls(Part(KIND), Binning.of([]), ())
        places = [outputs_for_ends(recording) for recording in recordings]
        first = [r.part(0, place) for r, place in zip(recordings, places, strict=True)]
        rest = [r.part(place, len(r)) for r, place in zip(recordings, places, strict=True)]
        feature = table_feature(first)
        binning = equal_width([feature.read(outcomes) for outcomes in first], bins)
        here, *there = counted(feature, binning, rest)
        found = [compare(here, counts, alpha, len(there)) for counts in there]
        rows = [
            (r.name, f"{r.name} recorded in {r.source}", counts, comparisons)
            for r, counts, comparisons in zip(recordings[1:], there, found, strict=True)
        ]
        if len(rows) > 1:
            # What holds for each neighbor holds for their mixture.
            names = ", ".join(name for name, *_ in rows)
            mixed = mixture(found, [int(counts.sum()) for counts in there])
            rows.append(("pooled", f"{names} pooled", np.sum(there, axis=0), mixed))
        tables = tuple(
            table_of(name, source, feature, binning, (here, counts), comparisons, claim)
            for name, source, counts, comparisons in rows
        )
        return cls(feature, binning, tables)

    @property
    def flagged(self) -> bool:
        """Whether a bin of a table breaks the claim on its own."""
        return not all(table.satisfied for table in self.pairs)

    def event(self, label: str) -> Event:
        """The bin of that label as an event."""
        mask = [self.binning.label(code) == label for code in range(self.binning.count)]
        return describe(self.feature, self.binning, np.array(mask))


def outputs_for_ends(recording: Recording) -> int:
    """How many of the first outputs choose the bins and are not counted."""
    return max(1, len(recording) // _SHARE_FOR_ENDS)
