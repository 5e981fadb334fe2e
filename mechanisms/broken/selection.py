"""Selections that say more than the name of the winner."""

from __future__ import annotations

import numpy as np

from audit.declaration import Entry, Relation, Truth
from mechanisms.selection import NoisyMax

GROUP = "Wrong: selection"

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="noisy-max-value",
        group=GROUP,
        summary="noisy max that releases the winning noisy value",
        mechanism=NoisyMax(output="value"),
        relation=Relation.DECLARED,
        data=np.zeros(5),
        neighbors=(np.ones(5),),
        truth=Truth(keeps=False, epsilon=2.5, source="D01; StatDP noisy_max_v1b", pairs=312),
    ),
)
