"""Size limit of one output.

The limits are what an audit can keep apart: it learns from at least eight outputs
on each side of a pair, and remembers about two million numbers of each side.
"""

from __future__ import annotations

from typing import Any

from audit.errors import OutcomeError, reason_of

MOST_NUMBERS = 250_000
"""Numbers in an output that is an array of numbers."""
MOST_PARTS = 4096
"""Numbers, texts and lengths in an output of any other kind."""
MOST_NAMES = 20_000
"""Differently named parts of all outputs of a batch together."""
LONGEST_TEXT = 1_000_000
"""Characters, or bytes, of one text."""
DEEPEST = 5
"""Levels of lists, dicts and the like inside of each other."""


def check_numbers(count: int, owner: Any = None) -> None:
    """Raises OutcomeError where an array has more numbers than an audit can keep apart."""
    if count > MOST_NUMBERS:
        raise OutcomeError(
            f"one output has more than {MOST_NUMBERS:,} numbers (at least {count:,}); return a "
            "part of them, or a summary such as sums of blocks",
            owner,
        )


def check_parts(count: int, owner: Any = None) -> None:
    """Raises OutcomeError where an output has more parts than an audit can keep apart."""
    if count > MOST_PARTS:
        raise OutcomeError(
            f"one output has more than {MOST_PARTS} parts (at least {count:,}); return an "
            f"array of numbers (up to {MOST_NUMBERS:,}), or a summary",
            owner,
        )


def check_names(count: int) -> None:
    """Raises OutcomeError where keys hardly ever repeat, so that each says next to nothing."""
    if count > MOST_NAMES:
        raise OutcomeError(
            f"the outputs have parts of {count:,} different names, more than {MOST_NAMES:,}, as "
            "keys of dicts or members of sets that hardly repeat; return a summary, such as how "
            "many there are"
        )


def check_text(text: str | bytes) -> None:
    """Raises OutcomeError where a text is too long to be told apart from others."""
    if len(text) > LONGEST_TEXT:
        raise OutcomeError(
            f"one output holds a text of {len(text):,} characters, more than {LONGEST_TEXT:,}; "
            "return a part of it, its length, or a checksum",
        )


def illegible(error: BaseException) -> OutcomeError:
    """The refusal of an output whose own methods failed while it was looked at."""
    return OutcomeError(
        f"an output cannot be read, since looking at it raises {reason_of(error)}; return plain "
        "numbers, text, None, or lists, dicts, sets, arrays, Series or DataFrames of them"
    )


def length_of(outputs: Any) -> int:
    """Number of outputs that a call for many returned.

    Raises:
        OutcomeError: they cannot be looked at.
    """
    try:
        return len(outputs)
    except Exception as error:
        raise illegible(error) from error
