"""What makes two datasets neighbors."""

from __future__ import annotations

from enum import StrEnum

from audit.errors import InputError


class Relation(StrEnum):
    """What makes two datasets neighbors."""

    ADD_REMOVE = "add-remove"
    SUBSTITUTE = "substitute"
    USER = "user"
    DECLARED = "declared"


def relation_named(name: str) -> Relation:
    """The relation of that name.

    Raises:
        InputError: there is none; the message lists those there are.
    """
    try:
        return Relation(name)
    except ValueError:
        known = ", ".join(Relation)
        raise InputError(f"relation {name!r} is not known; use one of {known}", name) from None
