"""Prefixes of the guesses that show most, in words and for tables."""

from __future__ import annotations

from audit.canary.result import CanaryResult, PrefixRow, TwoSample
from audit.canary.strategy import IN_ALONE
from audit.report.numerals import at_least, count, number


def most_telling(result: CanaryResult) -> PrefixRow | None:
    """The prefix with the largest bound, the longest of several."""
    return max(result.prefixes, key=lambda row: (row.bound, row.guesses), default=None)


def telling_rows(result: CanaryResult) -> list[PrefixRow]:
    """All prefixes of the strategy that shows most."""
    telling = most_telling(result)
    return [row for row in result.prefixes if telling and row.strategy == telling.strategy]


def allowed(row: PrefixRow) -> str:
    """Number of right guesses that the claim allows, for a cell of a table."""
    return "–" if row.allowed is None else count(row.allowed)


def telling(result: CanaryResult) -> str:
    """The numbers that the bound comes from; empty where there are none.

    Those of the two-sample test if its bound is the larger one, else of the prefix that shows most.
    """
    row, compared = most_telling(result), result.two_sample
    if compared is not None and (row is None or compared.bound > row.bound):
        return compared_in_words(compared)
    if row is None:
        return ""
    shown = f", which by itself shows {result.claim.symbol} ≥ {at_least(row.bound)}"
    allowed = shown if row.allowed is None else f", where the claim allows {count(row.allowed)}"
    if row.strategy == IN_ALONE:
        return (
            f"Of the {count(row.guesses)} canaries that look most like members, "
            f"{count(row.correct)} are{allowed}"
        )
    right = f"{count(row.correct)} of the {count(row.guesses)} most confident guesses are right"
    return f"{right}{allowed}"


def compared_in_words(compared: TwoSample) -> str:
    """The event of the two-sample test, and how often it happened."""
    event = f"{'at least' if compared.above else 'below'} {number(compared.threshold)}"
    draws = count(compared.draws)
    return (
        f"The score is {event} for {count(compared.members)} of {draws} members and "
        f"{count(compared.others)} of {draws} others, if canaries are independent"
    )


def guessed(result: CanaryResult) -> int:
    """All coins that were guessed."""
    return result.opened[-1][0] if result.opened else 0
