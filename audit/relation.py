"""Adjacency relations: the datasets that count as neighbors."""

from __future__ import annotations

import difflib
import math
from dataclasses import dataclass
from enum import StrEnum

from audit.errors import InputError

NEIGHBOR = "D'"
"""The neighbor of D in sentences about one pair, where pairs need no names of their own."""


class Relation(StrEnum):
    """Adjacency relation without parameters."""

    ADD_REMOVE = "add-remove"
    SUBSTITUTE = "substitute"
    USER = "user"
    DECLARED = "declared"


class Measure(StrEnum):
    """Distance between two datasets of equally many records.

    The first three measure vectors of numbers: the sum of all differences, the root
    of the sum of their squares, the largest of them. The last counts records.
    """

    L1 = "l1"
    L2 = "l2"
    LINF = "linf"
    CHANGES = "changes"


@dataclass(frozen=True, slots=True)
class Within:
    """Datasets of equally many records that are not too far apart are neighbors.

    Attributes:
        measure: how far apart they are.
        most: the largest distance, above 0; a whole number where records are counted.
    """

    measure: Measure
    most: float

    def __post_init__(self) -> None:
        whole = self.measure is not Measure.CHANGES or float(self.most).is_integer()
        if not (0.0 < self.most < math.inf and whole):
            raise InputError(
                f"relation {self} needs a {'number' if whole else 'whole number'} above 0; write "
                f"for example {self.measure}:1",
                self.most,
            )

    def __str__(self) -> str:
        return f"{self.measure}:{repr(float(self.most)).removesuffix('.0')}"


AnyRelation = Relation | Within
FORMS = (*Relation, *(f"{measure}:K" for measure in Measure))
"""How relations are written."""


def relation_named(name: str) -> AnyRelation:
    """The relation of that name, as it is written with `--relation`.

    Args:
        name: as `add-remove` or `l2:1`.

    Returns:
        The relation; its `str` is that name again.

    Raises:
        InputError: there is none; the message lists those there are.
    """
    kind, colon, most = name.partition(":")
    if colon and kind == Relation.USER:
        raise InputError(
            f"relation {name!r} has a number, which belongs to the user column: give "
            f"`relation='user'` with `domain='who=user:{most or 5}'` (at most {most or 5} records "
            "of one user)",
            name,
        )
    try:
        return Within(Measure(kind), float(most)) if colon else Relation(name)
    except ValueError:
        near = difflib.get_close_matches(name, FORMS, n=1)
        advice = f"did you mean {near[0]}?" if near else f"use one of {', '.join(FORMS)}"
        raise InputError(f"relation {name!r} is not known; {advice}", name) from None
