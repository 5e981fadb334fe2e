"""The numbers that an audit is given: how large each may be, and what is said of others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from audit.errors import InputError, shown
from audit.validation import is_number, is_whole

MOST_SAMPLES = 10**15
"""No audit lasts so long; much larger integers leave the range of floats."""
MOST_WORKERS = 256
"""More processes than that fill a machine before the first of them has drawn anything."""
_MOST_BINS = 1_000
"""Tables with more are none that people read."""
_LONGEST_RUN, _LONGEST_AUDIT = 10**8, 10**9


@dataclass(frozen=True, slots=True)
class Amount:
    """Domain of a number: its allowed values, and the words for them.

    Attributes:
        contains: whether a value is one of them.
        words: what they are, to follow "is not".
        example: one of them.
    """

    contains: Callable[[Any], bool]
    words: str
    example: str


def _whole(least: int, example: str, most: int | None = None) -> Amount:
    words = f"of at least {least}" if most is None else f"from {least} to {most:,}"
    within = f"a whole number {words}"
    return Amount(
        lambda v: is_whole(v) and least <= v and (most is None or v <= most), within, example
    )


def _seconds(most: int, example: str) -> Amount:
    words = f"a number of seconds above 0 and up to {most:,}"
    return Amount(lambda value: is_number(value) and 0 < value <= most, words, example)


def _share(example: str) -> Amount:
    between = "a number between 0 and 1"
    return Amount(lambda value: is_number(value) and 0 < value < 1, between, example)


AMOUNTS = {
    "alpha": _share("0.001"),
    "probability": _share("0.5"),
    "bins": _whole(1, "20", _MOST_BINS),
    "max_samples": _whole(1, "10000", MOST_SAMPLES),
    "max_samples_per_example": _whole(1, "5000", MOST_SAMPLES),
    "seed": _whole(0, "0"),
    "shuffle": _whole(0, "1"),
    "workers": _whole(1, "2", MOST_WORKERS),
    "timeout": _seconds(_LONGEST_RUN, "10"),
    "max_seconds": _seconds(_LONGEST_AUDIT, "60"),
}


def check_amounts(naming: Callable[[str], str] = str, **given: Any) -> None:
    """Refuse numbers that no audit can be made with.

    Args:
        naming: how the caller calls what Python calls by these names.
        given: the numbers.

    Raises:
        InputError: the message names the first of them, and says what was expected.
    """
    for name, value in given.items():
        amount = AMOUNTS[name]
        if not amount.contains(value):
            raise InputError(
                f"{naming(name)} {shown(value)} is not {amount.words}; give for example "
                f"{amount.example}",
                value,
            )


def as_flag(name: str) -> str:
    """Name of the number as a flag of the command line."""
    return f"--{name.replace('_', '-')}"
