"""The noisy average in the catalogue: three ways to scale its noise, on the Adult data."""

from __future__ import annotations

import math

from audit.declaration import Entry, Truth
from mechanisms.parts.adult import ages, read_ages
from mechanisms.systems.noisy_average.average import NoisyAverage, classic_neighbors

GROUP = "Noisy average"
_AGES = ages()
_CLASSIC = classic_neighbors(_AGES)
_CERTAIN_EVENT_PAIRS = math.log(20) / math.log1p(math.exp(-0.5))
"""Pairs to refute epsilon = 0.5 with an event that is certain on one side only."""

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="noisy-average",
        group=GROUP,
        summary="average age above 25, noise scaled by the range seen in the data",
        mechanism=NoisyAverage(),
        data=_AGES,
        neighbors=_CLASSIC,
        reader=read_ages,
        classic=classic_neighbors,
        domain="int:0:100",
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="calculation: {26} is released without noise, its neighbor {26, 90} with noise "
            "of scale 64; D1 to D3 of the Adult data show at most epsilon 0.37",
            pairs=_CERTAIN_EVENT_PAIRS,
        ),
    ),
    Entry(
        name="noisy-average-global",
        group=GROUP,
        summary="average age above 25, noise of scale 100/(m epsilon) with m from the data",
        mechanism=NoisyAverage(sensitivity="global"),
        data=_AGES,
        neighbors=_CLASSIC,
        reader=read_ages,
        classic=classic_neighbors,
        domain="int:0:100",
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="calculation: no record above 25 raises an error, one such record does not; "
            "and the noise of {26, 26} has half the scale of that of {26}",
            pairs=_CERTAIN_EVENT_PAIRS,
        ),
    ),
    Entry(
        name="noisy-average-clamped",
        group=GROUP,
        summary="average age above 25 as a clamped noisy sum over a noisy count",
        mechanism=NoisyAverage(sensitivity="clamped"),
        data=_AGES,
        neighbors=_CLASSIC,
        reader=read_ages,
        classic=classic_neighbors,
        domain="int:0:100",
        truth=Truth(
            keeps=True,
            source="composition: a sum of sensitivity 100 and a count of sensitivity 1 at "
            "epsilon/2 each, then post-processing",
        ),
    ),
)
