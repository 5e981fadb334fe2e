"""The answer of an audit of canaries on a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from audit.canary.report import sentences
from audit.canary.report.headline import headline, last_line
from audit.canary.report.prefix_words import allowed, most_telling, telling_rows
from audit.canary.result import CanaryResult, PrefixRow
from audit.errors import visible
from audit.report.aligned import aligned
from audit.report.escape import clip
from audit.report.fitted import Section, fitted, joined
from audit.report.numerals import at_least, count, number
from audit.report.text import LINES, wrapped

_MARGIN = 14
_LONGEST = 400
_MOST_ROWS = 9


def render_canaries_text(result: CanaryResult, *, tables: bool = False) -> str:
    """The whole answer; its first and its last line say the verdict and how large the loss is.

    Args:
        result: what an audit of canaries found.
        tables: whether all prefixes are shown, however many lines they take.
    """
    sections = [
        Section(wrapped(clip(headline(result), 2 * _LONGEST)), 10, 0),
        Section(_audit(result), 12, 1),
        Section(_all_guesses(result) if tables else _guesses(result), 4, 3),
        Section(_listed("On trust", sentences.trusted(result)), 4, 2),
        Section(_listed("Notes", result.notes), 2, 4),
        Section(_command(result), 3, 0),
        Section(wrapped(last_line(result)), 2, 0),
    ]
    return joined(sections if tables else fitted(sections, LINES))


def _audit(result: CanaryResult) -> list[str]:
    fields = (_field(name, text) for name, text in sentences.facts(result))
    return ["Audit", *(line for field in fields for line in field)]


def _field(name: str, text: str) -> list[str]:
    return wrapped(clip(text, _LONGEST), " " * _MARGIN, f"  {name:<{_MARGIN - 2}}")


def _guesses(result: CanaryResult) -> list[str]:
    """Some prefixes of the strategy that shows most, among them the one that shows most."""
    rows = shown_rows(result)
    if not rows:
        return []
    return [
        f"Guesses ({rows[0].strategy}, the most confident first; * shows most)",
        *_table(result, rows),
    ]


def _all_guesses(result: CanaryResult) -> list[str]:
    """Every prefix of every strategy."""
    lines = []
    for strategy in dict.fromkeys(row.strategy for row in result.prefixes):
        rows = [row for row in result.prefixes if row.strategy == strategy]
        lines += [f"Guesses ({strategy}, the most confident first)", *_table(result, rows)]
    return lines


def _table(result: CanaryResult, rows: Sequence[PrefixRow]) -> list[str]:
    heads = ["opened", "right", "allowed", f"{result.claim.symbol} ≥"]
    cells = [[count(r.guesses), count(r.correct), allowed(r), at_least(r.bound)] for r in rows]
    marks = [" ", *("*" if row == most_telling(result) else " " for row in rows)]
    lines = aligned([heads, *cells])
    return [f"{mark} {line}" for mark, line in zip(marks, lines, strict=True)]


def shown_rows(result: CanaryResult) -> list[PrefixRow]:
    """At most nine prefixes of the strategy that shows most, evenly chosen."""
    telling, rows = most_telling(result), telling_rows(result)
    step = -(-len(rows) // _MOST_ROWS)
    last_first = enumerate(reversed(rows))
    return [row for place, row in last_first if place % step == 0 or row == telling][::-1]


def _listed(name: str, texts: Sequence[str]) -> list[str]:
    lines = [line for text in texts for line in wrapped(text, "    ", "  - ")]
    return [name, *lines] if lines else []


def _command(result: CanaryResult) -> list[str]:
    made = f"seed {result.seed}, version {result.version}, level α = {number(result.alpha)}"
    command = [f"  {visible(result.command)}"] if result.command else []
    return [*wrapped(f"Run again ({made})"), *command]
