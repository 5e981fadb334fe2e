"""Sessions done right: whatever is asked, the transcript keeps the claim."""

from __future__ import annotations

from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.parts.sessions.budget import BudgetedCounts
from mechanisms.parts.sessions.odometer import GroupCounts
from mechanisms.parts.sessions.threshold import LargeGroups

GROUP = "Right: sessions"
SHARES = "choice:0.25,0.5,1.0[1..8]"
GROUPS = "int:0:3[1..8]"

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="privacy-filter",
        group=GROUP,
        summary="counts at the price of a share of the budget; what is not left is refused",
        mechanism=BudgetedCounts(),
        domain="bool",
        questions=SHARES,
        truth=Truth(keeps=True, epsilon=1.0, source="arXiv 1605.08294, Theorem 3.1; calculation"),
    ),
    Entry(
        name="budget-session",
        group=GROUP,
        summary="the same, with an exception where a question cannot be afforded",
        mechanism=BudgetedCounts(refusal="exception"),
        domain="bool",
        questions=SHARES,
        truth=Truth(keeps=True, epsilon=1.0, source="arXiv 1605.08294, Theorem 3.1; calculation"),
    ),
    Entry(
        name="odometer",
        group=GROUP,
        summary="counts of groups with what they cost; a group asked about again has its answer",
        mechanism=GroupCounts(),
        relation=Relation.SUBSTITUTE,
        domain="int:0:3",
        questions=GROUPS,
        truth=Truth(keeps=True, epsilon=1.0, source="calculation: two Laplace counts of epsilon/2"),
    ),
    Entry(
        name="sparse-vector-session",
        group=GROUP,
        summary="is a group large? two rounds of AboveThreshold, with fresh noise throughout",
        mechanism=LargeGroups(),
        relation=Relation.SUBSTITUTE,
        domain="int:0:3",
        questions=GROUPS,
        truth=Truth(keeps=True, source="Dwork and Roth 2014, Theorems 3.16 and 3.23"),
    ),
)
