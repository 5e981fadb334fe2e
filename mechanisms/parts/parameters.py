"""Checks of a mechanism's parameters."""

from __future__ import annotations

import math

from audit.errors import InputError


def require_positive(name: str, value: float) -> None:
    """Refuse a parameter that is not a finite number above 0.

    Raises:
        InputError: naming the parameter and its value.
    """
    if not (math.isfinite(value) and value > 0):
        raise InputError(f"{name} {value!r} is not a number above 0; use for example 1", value)


def require_probability(name: str, value: float) -> None:
    """Refuse a parameter that is not strictly between 0 and 1.

    Raises:
        InputError: naming the parameter and its value.
    """
    if not 0 < value < 1:
        raise InputError(f"{name} {value!r} is not between 0 and 1; use for example 1e-6", value)


def require_count(name: str, value: int, least: int = 1, most: int | None = None) -> None:
    """Refuse a parameter that is not a whole number from `least` to `most`.

    Raises:
        InputError: naming the parameter and its value.
    """
    whole = not isinstance(value, bool) and value == int(value)
    if not whole or value < least or (most is not None and value > most):
        limit = "on" if most is None else f"to {most}"
        raise InputError(f"{name} {value!r} is not a whole number from {least} {limit}", value)
