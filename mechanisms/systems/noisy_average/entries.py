"""The noisy average in the catalogue: three ways to scale its noise, on the Adult data."""

from __future__ import annotations

import math

from audit.declaration import Entry, Truth
from mechanisms.parts.adult import ages, read_ages
from mechanisms.systems.noisy_average.average import NoisyAverage, classic_neighbors
from mechanisms.table import breaks, keeps

_AGES = ages()
_CLASSIC = classic_neighbors(_AGES)
_CERTAIN_EVENT_PAIRS = math.log(20) / math.log1p(math.exp(-0.5))
"""Pairs to refute epsilon = 0.5 with an event that is certain on one side only."""


def _entry(name: str, mechanism: NoisyAverage, truth: Truth, summary: str) -> Entry:
    return Entry(
        name=name,
        group="Noisy average",
        summary=summary,
        mechanism=mechanism,
        data=_AGES,
        neighbors=_CLASSIC,
        reader=read_ages,
        classic=classic_neighbors,
        domain="int:0:100",
        truth=truth,
    )


ENTRIES = (
    _entry("noisy-average", NoisyAverage(),
     breaks("calculation: {26} is released without noise, its neighbor {26, 90} with noise "
            "of scale 64; D1 to D3 of the Adult data show at most epsilon 0.37",
            math.inf, pairs=_CERTAIN_EVENT_PAIRS),
     "average age above 25, noise scaled by the range seen in the data"),
    _entry("noisy-average-global", NoisyAverage(sensitivity="global"),
     breaks("calculation: no record above 25 raises an error, one such record does not; "
            "and the noise of {26, 26} has half the scale of that of {26}",
            math.inf, pairs=_CERTAIN_EVENT_PAIRS),
     "average age above 25, noise of scale 100/(m epsilon) with m from the data"),
    _entry("noisy-average-clamped", NoisyAverage(sensitivity="clamped"),
     keeps("composition: a sum of sensitivity 100 and a count of sensitivity 1 at "
           "epsilon/2 each, then post-processing"),
     "average age above 25 as a clamped noisy sum over a noisy count"),
)  # fmt: skip
