"""A warning that outputs are one and the same so far, before much time is spent on them."""

from __future__ import annotations

from collections.abc import Iterable

from audit.betting.past import Sameness, constant, only_value

_LONG = 5.0
"""Seconds from which on a warning is worth it: a mechanism may well have rare outputs."""


def alike_so_far(pairs: Iterable[Sameness], seconds: float) -> str:
    """The warning; empty if outputs differ or little time is spent.

    Args:
        pairs: outputs so far.
        seconds: spent on them, or to be spent before the audit ends because of them.
    """
    held = list(pairs)
    if seconds < _LONG or not constant(held):
        return ""
    runs, value = sum(sum(same.sizes) for same in held), only_value(held[0].answers.pop())
    return (
        f"all {runs:,} runs so far gave one and the same output{f' ({value})' if value else ''} on "
        "every dataset; check that the data are read, and that the result is returned or printed"
    )
