"""Neighboring datasets for tests of one's own."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any

from audit.neighbors.domain import Domain, parse_domain
from audit.relation import AnyRelation, relation_named

_numbers = count()


def given_neighbors(
    domain: str | Domain,
    relation: str | AnyRelation = "add-remove",
    max_size: int = 20,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give neighboring datasets to a Hypothesis test, as its arguments `data` and `neighbor`.

    They come from the same strategies as those that an audit searches with: extremes of the
    domain come up often, and a failing pair shrinks to the fewest and simplest records. For
    what must hold exactly for every pair, as that a sensitivity is what it is said to be.

    Args:
        domain: what one record may be, in the notation of `--domain`.
        relation: what makes two datasets neighbors, as with `--relation`.
        max_size: records of the larger one at most.

    Returns:
        A decorator, as `hypothesis.given` is one: settings and fixtures go with it.

    Raises:
        InputError: the domain or the relation cannot be read, or has no neighbors.
    """
    from hypothesis import given
    from hypothesis import strategies as st

    from audit.neighbors.search.strategies import pairs

    space = parse_domain(domain) if isinstance(domain, str) else domain
    related = relation_named(str(relation))
    # Shared, so that both arguments are of one pair; named, so that no other test shares it.
    pair = st.shared(pairs(space, related, max_size), key=f"neighbors {next(_numbers)}")
    return given(data=pair.map(lambda p: p.dataset), neighbor=pair.map(lambda p: p.neighbor))
