"""Runs by what they were made for."""

from __future__ import annotations

STAGES = ("search", "bets", "check", "witness", "tables")
"""What runs are made for, in their order."""


def no_effort() -> dict[str, int]:
    """Runs by stage, before the first."""
    return dict.fromkeys(STAGES, 0)
