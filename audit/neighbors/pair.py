"""Two datasets that should be hard to tell apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from audit.neighbors.difference import describe_difference
from audit.neighbors.rows import aligned
from audit.relation import AnyRelation


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Pair:
    """Two datasets said to be neighbors.

    Attributes:
        name: how tables and the witness call it: D1, D2, ..., W1, W2, ...
        dataset: D.
        neighbor: the other one, D'.
        relation: what makes them neighbors.
        difference: what must happen to D to become D', in words.
    """

    name: str
    dataset: Any
    neighbor: Any
    relation: AnyRelation
    difference: str


def neighboring(
    name: str, dataset: Any, neighbor: Any, relation: AnyRelation, user: str | None = None
) -> Pair:
    """The pair of two datasets, in common dtypes and with their difference in words.

    Args:
        name: name of the pair.
        dataset: D.
        neighbor: D'.
        relation: what makes them neighbors; this is not checked here.
        user: the column that names a record's owner, for words about users.
    """
    dataset, neighbor = aligned(dataset, neighbor)
    return Pair(name, dataset, neighbor, relation, describe_difference(dataset, neighbor, user))
