"""Which prefixes of the guesses show most, in words and for tables."""

from __future__ import annotations

from audit.canary.result import CanaryResult, PrefixRow
from audit.canary.strategy import IN_ALONE
from audit.report.numerals import count


def most_telling(result: CanaryResult) -> PrefixRow | None:
    """The prefix with the largest bound, the longest of several."""
    return max(result.prefixes, key=lambda row: (row.bound, row.guesses), default=None)


def telling_rows(result: CanaryResult) -> list[PrefixRow]:
    """All prefixes of the strategy that shows most."""
    telling = most_telling(result)
    return [row for row in result.prefixes if telling and row.strategy == telling.strategy]


def allowed(row: PrefixRow) -> str:
    """How many right guesses the claim allows, for a cell of a table."""
    return "–" if row.allowed is None else count(row.allowed)


def telling(result: CanaryResult) -> str:
    """The prefix that says most about the claim; empty where there is none."""
    counted = [row for row in result.prefixes if row.allowed is not None]
    row = max(counted, key=lambda row: (row.bound, row.guesses), default=None)
    if row is None:
        return ""
    allowed = f"where the claim allows {count(row.allowed or 0)}"
    if row.strategy == IN_ALONE:
        return (
            f"Of the {count(row.guesses)} canaries that look most like members, "
            f"{count(row.correct)} are, {allowed}"
        )
    right = f"{count(row.correct)} of the {count(row.guesses)} most confident guesses are right"
    return f"{right}, {allowed}"


def guessed(result: CanaryResult) -> int:
    """All coins that were guessed."""
    return result.opened[-1][0] if result.opened else 0
