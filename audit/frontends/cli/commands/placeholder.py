"""`audit MECHANISM`, taken at its word."""

from __future__ import annotations

from audit.errors import InputError


def command() -> int:
    """Say what is meant."""
    raise InputError(
        "MECHANISM stands for the name of one, as in: audit noisy-average (audit list shows all)"
    )
