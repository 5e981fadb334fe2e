"""Many results as a table of plain text."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from audit.report.index import Listed
from audit.report.numerals import at_least
from audit.report.tables import aligned

_HEADS = ("mechanism", "claim", "verdict", "ε ≥", "true ε", "against the truth", "runs")


def render_summary(listed: Sequence[Listed], failed: Sequence[str]) -> str:
    """One line for each mechanism, and how many came out which way.

    Args:
        listed: results beside what is known.
        failed: names of mechanisms whose audit ended with an error.
    """
    known = any(entry.truth is not None for entry in listed)
    rows = [_HEADS, *map(_row, listed), *((name, *_failed()) for name in failed)]
    rows = rows if known else [(*row[:4], row[-1]) for row in rows]
    outcomes = Counter(entry.outcome if known else _said(entry) for entry in listed)
    if failed:
        outcomes["failed"] = len(failed)
    told = ", ".join(f"{count} {outcome}" for outcome, count in outcomes.most_common())
    runs = sum(entry.samples for entry in listed)
    count = len(listed) + len(failed)
    end = f"{count} mechanism{'s' * (count != 1)}, {runs:,} runs: {told}"
    return "\n".join([*aligned(rows), "", end]) + "\n"


def _said(entry: Listed) -> str:
    return str(entry.verdict).replace("-", " ")


def _row(entry: Listed) -> tuple[str, ...]:
    truth = entry.truth
    return (
        entry.mechanism,
        entry.claim,
        str(entry.verdict),
        at_least(entry.epsilon_lower, 4),
        "" if truth is None or truth.epsilon is None else _number(truth.epsilon),
        entry.outcome,
        f"{entry.samples:,}",
    )


def _failed() -> tuple[str, ...]:
    return ("", "failed", *[""] * (len(_HEADS) - 3))


def _number(value: float) -> str:
    return "∞" if math.isinf(value) else f"{value:.4g}"
