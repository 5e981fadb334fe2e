"""Pairs that show the bugs mechanisms are known to have, from the record domain alone."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from audit.neighbors.candidates import MOST_RECORDS, Candidate, candidates
from audit.neighbors.domain import Domain
from audit.neighbors.domain.record import key
from audit.neighbors.pair import Pair, neighboring
from audit.neighbors.rows import user_column
from audit.relation import Relation

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
        _unlike(candidates(domain, relation), largest), key=lambda pair: max(map(len, pair))
    )
    return tuple(
        neighboring(f"W{i}", domain.dataset(left), domain.dataset(right), relation, user)
        for i, (left, right) in enumerate(chosen[:_MOST_PAIRS], 1)
    )


def _unlike(candidates: Iterator[Candidate], largest: int) -> Iterator[Candidate]:
    """Those within the size whose two datasets differ, each once in either order."""
    seen: set[Hashable] = set()
    for left, right in candidates:
        name = frozenset((key(left), key(right)))
        if len(name) == 2 and name not in seen and max(len(left), len(right)) <= largest:
            seen.add(name)
            yield left, right
