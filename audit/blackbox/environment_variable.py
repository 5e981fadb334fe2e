"""Secrets that come from the environment, so that no command or result shows them."""

from __future__ import annotations

import os

from audit.errors import InputError


def variable(name: str) -> str:
    """The value of an environment variable.

    Raises:
        InputError: it is not set, or holds what nobody can send.
    """
    value = os.environ.get(name, "")
    if not value.strip() or not value.isprintable():
        raise InputError(f"environment variable {name!r} is not set; export it first", name)
    return value


def filled(text: str) -> str:
    """A text as it is; of $NAME the value of that variable.

    Raises:
        InputError: the variable is not set.
    """
    return variable(text[1:]) if text.startswith("$") else text
