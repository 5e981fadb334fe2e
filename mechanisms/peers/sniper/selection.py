"""dp-sniper's variants of report-noisy-max, on five answers."""

from __future__ import annotations

import math

from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.parts.selection.noisy_max import NoisyMax
from mechanisms.peers.patterns import input_patterns

GROUP = "dp-sniper"
_FIVE = input_patterns(5)

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="sniper-noisy-max-1",
        group=GROUP,
        summary="ReportNoisyMax1: index of the largest, Laplace noise",
        mechanism=NoisyMax(epsilon=0.1),
        relation=Relation.DECLARED,
        data=_FIVE["one below, rest above"][0],
        neighbors=(_FIVE["one below, rest above"][1],),
        truth=Truth(keeps=True, epsilon=0.1, source="ReportNoisyMax1"),
    ),
    Entry(
        name="sniper-noisy-max-2",
        group=GROUP,
        summary="ReportNoisyMax2: index of the largest, exponential noise",
        mechanism=NoisyMax(epsilon=0.1, noise="exponential"),
        relation=Relation.DECLARED,
        data=_FIVE["one below, rest above"][0],
        neighbors=(_FIVE["one below, rest above"][1],),
        truth=Truth(keeps=True, epsilon=0.1, source="ReportNoisyMax2"),
    ),
    Entry(
        name="sniper-noisy-max-3",
        group=GROUP,
        summary="ReportNoisyMax3: the largest noisy value, Laplace noise",
        mechanism=NoisyMax(epsilon=0.1, output="value"),
        relation=Relation.DECLARED,
        data=_FIVE["all above"][0],
        neighbors=(_FIVE["all above"][1],),
        truth=Truth(keeps=False, epsilon=0.25, source="ReportNoisyMax3", pairs=17078),
    ),
    Entry(
        name="sniper-noisy-max-4",
        group=GROUP,
        summary="ReportNoisyMax4: the largest noisy value, exponential noise",
        mechanism=NoisyMax(epsilon=0.1, noise="exponential", output="value"),
        relation=Relation.DECLARED,
        data=_FIVE["all above"][0],
        neighbors=(_FIVE["all above"][1],),
        truth=Truth(keeps=False, epsilon=math.inf, source="ReportNoisyMax4", pairs=15079),
    ),
)
