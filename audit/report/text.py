"""The answer on a terminal: plain lines of at most a hundred columns."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from audit.errors import visible
from audit.pair_table import PairTable
from audit.report import sentences
from audit.report.aligned import aligned
from audit.report.confidence import confidence
from audit.report.escape import clip
from audit.report.headline import headline, sides
from audit.report.hints import hints
from audit.report.numerals import count, interval, number
from audit.report.power import detectable, needed
from audit.report.size import bounds
from audit.report.table import Row, caption, rows, title
from audit.result import AuditResult, Leak, Verdict, Witness

WIDTH = 100
_MARGIN = 14
_LONGEST_DATASET = 400
_LONGEST_LIST = 300
_LONGEST_LABEL = 40


def render_text(result: AuditResult) -> str:
    """The whole answer; its first line says the verdict.

    Every line has at most 100 columns, but for the command at the end, which
    stays in one piece so that it can be copied.
    """
    parts = [
        wrapped(headline(result)),
        _hints(result),
        _leaks(result.leaks),
        _witness(result.witness),
        _audit(result),
        *(_table(pair) for pair in result.pairs),
        wrapped(sentences.quiet_pairs(result)),
        _remarks(result),
        _command(result),
    ]
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def wrapped(text: str, indent: str = "", first: str | None = None) -> list[str]:
    """Visible text in lines of at most `WIDTH` columns."""
    return textwrap.wrap(
        visible(text),
        WIDTH,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )


def _field(name: str, text: str) -> list[str]:
    """One named line with a hanging indent; an empty text gives none."""
    return wrapped(text, " " * _MARGIN, f"  {visible(name):<{_MARGIN - 2}}") if text else []


def _list(name: str, texts: Sequence[str]) -> list[str]:
    """Several texts under one name."""
    names = [name, *[""] * (len(texts) - 1)]
    return [line for head, text in zip(names, texts, strict=True) for line in _field(head, text)]


def _leaks(leaks: Sequence[Leak]) -> list[str]:
    return [line for leak in leaks for line in wrapped(sentences.side_channel(leak))]


def _hints(result: AuditResult) -> list[str]:
    return [line for hint in hints(result) for line in wrapped(f"Hint: {hint}")]


def _witness(witness: Witness | None) -> list[str]:
    if witness is None:
        return []
    left, right = sides(witness)
    ratio = f"p/q = {number(witness.ratio)}; the claim allows {sentences.line(witness)}"
    return [
        *wrapped(f"Witness ({witness.pair})"),
        *_field(left, sentences.dataset(witness.dataset, _LONGEST_DATASET)),
        *_field(right, sentences.dataset(witness.neighbor, _LONGEST_DATASET)),
        *_field("difference", witness.difference),
        *_field("event E", witness.event.description),
        *_field("p", f"{interval(witness.p)} = P[E on {left}]"),
        *_field("q", f"{interval(witness.q)} = P[E on {right}]"),
        *_field("ratio", ratio),
        *_field("draws", f"{count(witness.draws)} fresh runs on each side behind p and q"),
    ]


def _audit(result: AuditResult) -> list[str]:
    return [
        "Audit",
        *_field("claim", f"{result.claim}; {sentences.relation(result)}"),
        *_field("lower bound", bounds(result)),
        *_field("evidence", sentences.evidence(result)),
        *_field("runs", f"{count(result.samples)} in all; {sentences.coupling(result)}"),
        *_field("would show", _would_show(result)),
        *_list("tried", [clip(text, _LONGEST_LIST) for text in sentences.tried(result)]),
        *_field("needed", _needed(result)),
        *_field("level", confidence(result)),
    ]


def _would_show(result: AuditResult) -> str:
    return detectable(result) if result.verdict is Verdict.NOT_REFUTED else ""


def _needed(result: AuditResult) -> str:
    return needed(result) if result.verdict is Verdict.INCONCLUSIVE else ""


def _table(pair: PairTable) -> list[str]:
    """The classic table; in two halves where one is too wide."""
    heading = wrapped(f"{title(pair)} ({caption(pair)})")
    found = rows(pair)
    names = [_short(pair.feature), *(_short(row.bin) for row in found)]
    columns = [
        _column("p on D", (row.p for row in found)),
        _column(f"q on {pair.name}", (row.q for row in found)),
        _column("p/q", (row.ratio for row in found)),
        _column("q/p", (row.reverse for row in found)),
    ]
    whole = _grid(names, columns, found)
    if max(map(len, whole)) <= WIDTH:
        return [*heading, *whole]
    halves = [_grid(names, columns[:2], found), _grid(names, columns[2:], found)]
    return [*heading, *halves[0], *halves[1]]


def _short(label: str) -> str:
    shown = visible(label)
    return shown if len(shown) <= _LONGEST_LABEL else f"{shown[: _LONGEST_LABEL - 1]}…"


def _column(name: str, cells: Iterable[str]) -> list[str]:
    return [_short(name), *cells]


def _grid(names: list[str], columns: list[list[str]], found: list[Row]) -> list[str]:
    marks = [" ", *("!" if row.flagged else " " for row in found)]
    return aligned(list(zip(marks, names, *columns, strict=True)))


def _remarks(result: AuditResult) -> list[str]:
    lines: list[str] = []
    for note in result.notes:
        lines += wrapped(note, "  ", "- ")
    return ["Notes", *lines] if lines else []


def _command(result: AuditResult) -> list[str]:
    made = f"seed {result.seed}, version {result.version}, level α = {number(result.alpha)}"
    command = [f"  {visible(result.command)}"] if result.command else []
    return [*wrapped(f"Run again ({made})"), *command]
