"""Pairs that show the bugs mechanisms are known to have, from the record domain alone."""

from __future__ import annotations

from audit.declaration import Relation
from audit.domain import Domain
from audit.neighbors.candidates import MOST_RECORDS, candidates, unlike
from audit.neighbors.pair import Pair, neighboring
from audit.neighbors.rows import user_column

_MOST_PAIRS = 80


def worst_pairs(
    domain: Domain, relation: Relation, largest: int = MOST_RECORDS
) -> tuple[Pair, ...]:
    """The pairs worth trying before any search, named W1, W2, ..., the smallest first.

    Args:
        domain: what a record may be.
        relation: what makes datasets neighbors; declared ones cannot be made
            up, so there are none.
        largest: pairs in which a dataset has more records are left out.

    Returns:
        At most 80 pairs, no two alike in either order, the same at every call.

    Raises:
        InputError: under user, when no column of the domain names a user.
    """
    if relation is Relation.DECLARED:
        return ()
    user = user_column(domain) if relation is Relation.USER else None
    chosen = sorted(
        unlike(candidates(domain, relation), largest), key=lambda pair: max(map(len, pair))
    )
    return tuple(
        neighboring(f"W{i}", domain.dataset(left), domain.dataset(right), relation, user)
        for i, (left, right) in enumerate(chosen[:_MOST_PAIRS], 1)
    )
