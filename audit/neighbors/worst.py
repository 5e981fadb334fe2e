"""Pairs that show the bugs mechanisms are known to have, from the record domain alone."""

from __future__ import annotations

from collections.abc import Iterator

from audit.neighbors.candidates import MOST_RECORDS, Candidate, admitted, candidates, unlike
from audit.neighbors.domain import Domain, Sizes
from audit.neighbors.pair import Pair, neighboring
from audit.neighbors.patterns import in_order, of_size, telling_sizes
from audit.neighbors.rows import user_column
from audit.neighbors.structures import structured
from audit.neighbors.within import check_domain, within_candidates
from audit.relation import AnyRelation, Relation, Within

_MOST_PAIRS = 132
_ORDERED = 6
"""Records of the larger dataset where their order is tried."""


def worst_pairs(
    domain: Domain, relation: AnyRelation, largest: int = MOST_RECORDS
) -> tuple[Pair, ...]:
    """The pairs worth trying before any search, named W1, W2, ..., the smallest first.

    Args:
        domain: what a record may be.
        relation: what makes datasets neighbors; declared ones cannot be made
            up, so there are none.
        largest: pairs in which a dataset has more records are left out.

    Returns:
        At most 132 pairs whose sizes the domain admits, no two alike in either
        order, the same at every call.

    Raises:
        InputError: under user, when no column of the domain names a user; or
            records are no numbers, and their distance counts.
    """
    if relation is Relation.DECLARED:
        return ()
    user = user_column(domain) if relation is Relation.USER else None
    possible = admitted(_all(domain, relation, largest), domain.sizes)
    chosen = sorted(unlike(possible, largest), key=lambda pair: max(map(len, pair)))
    return tuple(
        neighboring(f"W{i}", domain.dataset(left), domain.dataset(right), relation, user)
        for i, (left, right) in enumerate(chosen[:_MOST_PAIRS], 1)
    )


def _all(domain: Domain, relation: AnyRelation, largest: int) -> Iterator[Candidate]:
    """Pairs known to show mistakes, all orders, structures, then datasets of certain sizes."""
    if isinstance(relation, Within):
        check_domain(domain, relation)
        yield from within_candidates(domain, relation)
        return
    yield from candidates(domain, relation)
    yield from in_order(domain, relation, _ORDERED)
    yield from structured(domain, relation)
    if domain.sizes != Sizes():
        for size in telling_sizes(domain.sizes, largest):
            yield from of_size(domain, relation, size)
