"""Sessions that are private until the right questions are asked."""

from __future__ import annotations

import math

from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.families.right.sessions import GROUPS, SHARES
from mechanisms.parts.sessions.budget import BudgetedCounts
from mechanisms.parts.sessions.odometer import GroupCounts
from mechanisms.parts.sessions.threshold import LargeGroups

GROUP = "Wrong: sessions"

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="privacy-filter-one-more",
        group=GROUP,
        summary="a filter that compares what was spent before, and lets one answer too many pass",
        mechanism=BudgetedCounts(checked="spent"),
        domain="bool",
        questions=SHARES,
        truth=Truth(keeps=False, epsilon=2.0, source="calculation: the whole budget, twice"),
    ),
    Entry(
        name="budget-session-reset",
        group=GROUP,
        summary="a budget that the exception for a refused question makes anew",
        mechanism=BudgetedCounts(refusal="exception", afterwards="new"),
        domain="bool",
        questions=SHARES,
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="calculation: grows with the session, 4 for eight questions",
        ),
    ),
    Entry(
        name="odometer-free-repeats",
        group=GROUP,
        summary="an odometer that charges nothing for a fresh answer about the same group",
        mechanism=GroupCounts(repeated="fresh"),
        relation=Relation.SUBSTITUTE,
        domain="int:0:3",
        questions=GROUPS,
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="calculation: grows with the session, 4 for eight questions",
        ),
    ),
    Entry(
        name="sparse-vector-session-same-noise",
        group=GROUP,
        summary="a sparse vector that draws the noise of its answers once in a session",
        mechanism=LargeGroups(kept="noise"),
        relation=Relation.SUBSTITUTE,
        domain="int:0:3",
        questions=GROUPS,
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="calculation: below and then above tells which group is larger",
        ),
    ),
)
