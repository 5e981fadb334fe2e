"""Tables of mechanisms: rows of name, mechanism, neighboring inputs, truth and summary."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from audit.declaration import Entry, Later, Mechanism, Truth
from audit.relation import Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs:
    """Neighboring datasets of an entry, or the questions of its sessions.

    Attributes:
        relation: adjacency relation.
        data: dataset D, declared as it is or as `Later`; None when it is searched for.
        neighbors: neighbors of D, declared likewise; empty when they are searched for.
        domain: record domain in the notation of `--domain`, or None.
        questions: domain of a session's questions, or None.
    """

    relation: Relation
    data: Any = None
    neighbors: tuple[Any, ...] = ()
    domain: str | None = None
    questions: str | None = None


def add_remove(data: Any, neighbor: Any, domain: str | None = None) -> Inputs:
    """Two datasets of which one has one record more."""
    return Inputs(relation=Relation.ADD_REMOVE, data=data, neighbors=(neighbor,), domain=domain)


def substitute(data: Any, neighbor: Any, domain: str | None = None) -> Inputs:
    """Two datasets of one size that differ in one record."""
    return Inputs(relation=Relation.SUBSTITUTE, data=data, neighbors=(neighbor,), domain=domain)


def declared(data: Any, neighbor: Any) -> Inputs:
    """Two inputs that are neighbors by declaration."""
    return Inputs(relation=Relation.DECLARED, data=data, neighbors=(neighbor,))


def user(data: Any, neighbor: Any, domain: str) -> Inputs:
    """Two datasets of which one has all rows of one user more."""
    return Inputs(relation=Relation.USER, data=data, neighbors=(neighbor,), domain=domain)


def session(domain: str, questions: str, relation: Relation = Relation.ADD_REMOVE) -> Inputs:
    """Sessions whose datasets are searched for in a domain, and whose questions in another."""
    return Inputs(relation=relation, domain=domain, questions=questions)


def frame(columns: Mapping[str, Sequence[Any]], rows: int | None = None) -> Later:
    """A data frame of these columns, and of so many of their rows; of all where it is None.

    It loads pandas when it is made.
    """
    return Later(partial(_frame, columns, rows))


def _frame(columns: Mapping[str, Sequence[Any]], rows: int | None) -> Any:
    import pandas as pd

    return pd.DataFrame(columns)[:rows]


def keeps(
    source: str,
    epsilon: float | None = None,
    *,
    pairs: float | None = None,
    leaks: bool = False,
) -> Truth:
    """Truth of a mechanism whose claim holds; arguments as in `Truth`."""
    return Truth(keeps=True, epsilon=epsilon, source=source, pairs=pairs, leaks=leaks)


def breaks(
    source: str,
    epsilon: float | None = None,
    *,
    pairs: float | None = None,
    reachable: bool = True,
) -> Truth:
    """Truth of a mechanism whose claim does not hold; arguments as in `Truth`."""
    return Truth(keeps=False, epsilon=epsilon, source=source, pairs=pairs, reachable=reachable)


Row = tuple[str, Mechanism, Inputs, Truth, str]
"""Name, mechanism with its default parameters, inputs, truth and summary."""


def table(group: str, rows: Iterable[Row]) -> tuple[Entry, ...]:
    """Entries of one group of the catalogue, in the order of their rows.

    Their mechanisms are frozen and draw from the generator that each call is given.
    """
    return tuple(
        Entry(
            name=name,
            group=group,
            summary=summary,
            mechanism=mechanism,
            relation=inputs.relation,
            data=inputs.data,
            neighbors=inputs.neighbors,
            domain=inputs.domain,
            questions=inputs.questions,
            truth=truth,
            independent_calls=True,
        )
        for name, mechanism, inputs, truth, summary in rows
    )
