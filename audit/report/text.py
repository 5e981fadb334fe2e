"""The answer on a terminal: one screen of plain lines of at most a hundred columns."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from audit.errors import visible
from audit.report import sentences
from audit.report.advice import advice_on
from audit.report.aligned import aligned
from audit.report.confidence import confidence
from audit.report.escape import clip
from audit.report.fitted import Section, fitted, joined
from audit.report.headline import headline, last_line
from audit.report.hints import hints
from audit.report.numerals import number
from audit.report.power import detectable, needed
from audit.report.size import bounds
from audit.report.table import caption, largest, title
from audit.report.terminal_table import short_table, whole_table
from audit.report.weights import weights
from audit.report.witness_picture import picture
from audit.report.witness_sides import WitnessSides
from audit.verdict.leak import Leak
from audit.verdict.pair_table import PairTable
from audit.verdict.result import AuditResult, Verdict, Witness

WIDTH = 100
LINES = 60
_MARGIN = 14
_LONGEST_DATASET = 240
_LONGEST_LIST = 170
_LONGEST_CLAUSE = 400
_MOST_PAIRS = 4
_MOST_WEIGHTS = 4
"""Rows of a learned score's table, its head among them."""


def render_text(result: AuditResult, *, tables: bool = False) -> str:
    """The whole answer; its first and its last line say the verdict and how large the loss is.

    Every line has at most 100 columns, but for the command before the last, which
    stays in one piece so that it can be copied. There are at most 60 lines.

    Args:
        result: what an audit found.
        tables: whether all tables follow, however many lines they take.
    """
    sections = [
        Section(wrapped(clip(headline(result), 2 * _LONGEST_CLAUSE)), 10, 0),
        Section(_hints(result), 4, 3),
        Section(_witness(result.witness, result.recorded), 15, 2),
        Section(_leaks(result.leaks), 4, 4),
        Section(_audit(result), 8, 1),
        Section(_remarks(result), 2, 5),
    ]
    end = [Section(_command(result), 3, 0), Section(wrapped(last_line(result)), 2, 0)]
    if not tables:
        shown = [Section(_table(pair), 4, 6) for pair in _shown(result)]
        return joined(fitted([*sections, *shown, *end], LINES))
    whole = [Section(_whole_table(pair), 0, 0) for pair in result.pairs]
    quiet = Section(wrapped(sentences.quiet_pairs(result)), 0, 0)
    return joined([*sections, *whole, quiet, *end])


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
    return [
        line
        for place, text in enumerate(texts)
        for line in _field(name if place == 0 else "", text)
    ]


def _hints(result: AuditResult) -> list[str]:
    return [line for hint in hints(result) for line in wrapped(f"Hint: {hint}")]


def _leaks(leaks: Sequence[Leak]) -> list[str]:
    lines: list[str] = []
    for leak in leaks:
        advice = advice_on(leak.kind)
        lines += wrapped(sentences.side_channel(leak))
        lines += _field("it means", advice.means)
        lines += _field("it concerns", advice.concerns)
        lines += _field("what to do", advice.remedy)
        lines += _field("ignore it", advice.ignore)
    return lines


def _witness(witness: Witness | None, recorded: bool) -> list[str]:
    if witness is None:
        return []
    found = WitnessSides.of(witness)
    return [
        f"Witness ({visible(clip(witness.pair, 40))})",
        *_field(found.left.name, sentences.dataset(found.left.dataset, _LONGEST_DATASET)),
        *_field(found.right.name, sentences.dataset(found.right.dataset, _LONGEST_DATASET)),
        *_field("difference", clip(witness.difference, _LONGEST_DATASET)),
        *_field(sentences.noun(witness), clip(sentences.event(witness.event), _LONGEST_DATASET)),
        *_weights(witness),
        *_bars(found),
        *_field("claim", found.line),
        *_field("draws", sentences.draws(witness, recorded)),
        *_field("strongest", clip(sentences.strongest(witness), _LONGEST_DATASET)),
    ]


def _weights(witness: Witness) -> list[str]:
    """The first parts of a learned score."""
    found = [[clip(visible(cell), 24) for cell in row[:4]] for row in weights(witness.event)]
    more = [f"… {len(found) - _MOST_WEIGHTS} more"] if len(found) > _MOST_WEIGHTS else []
    lines = [*aligned(found[:_MOST_WEIGHTS]), *more] if found else []
    heads = ["score", *[""] * len(lines)]
    return [f"  {head:<{_MARGIN - 2}}{line}" for head, line in zip(heads, lines, strict=False)]


def _bars(found: WitnessSides) -> list[str]:
    bars = picture(found)
    margin = max(_MARGIN, 4 + max(len(visible(bar.name)) for bar in bars))
    if margin > WIDTH // 2:
        margin = _MARGIN
    words = max(len(bar.words) for bar in bars) + 2
    return [
        f"  {visible(clip(bar.name, WIDTH // 2)):<{margin - 2}}{bar.words:<{words}}{bar.drawn}"
        for bar in bars
    ]


def _audit(result: AuditResult) -> list[str]:
    tried = [clip(text, _LONGEST_LIST) for text in sentences.tried(result)]
    return [
        "Audit",
        *_field("claim", f"{result.claim}; {sentences.relation(result)}"),
        *_field("lower bound", bounds(result)),
        *_field("evidence", clip(sentences.evidence(result), _LONGEST_CLAUSE)),
        *_field("runs", sentences.runs(result)),
        *_field("failed runs", clip(sentences.failure(result), _LONGEST_CLAUSE)),
        *_field("would show", _would_show(result)),
        *_list("tried", tried),
        *_list("tables", _largest(result)),
        *_field("needed", _needed(result)),
        *_field("level", confidence(result)),
        *_field("ledger", sentences.standing(result)),
    ]


def _would_show(result: AuditResult) -> str:
    return detectable(result) if result.verdict is Verdict.NOT_REFUTED else ""


def _needed(result: AuditResult) -> str:
    return needed(result) if result.verdict is Verdict.INCONCLUSIVE else ""


def _largest(result: AuditResult) -> list[str]:
    """The most telling ratio of each pair whose table is not shown."""
    told = [clip(f"{pair.name}: {largest(pair)}", _LONGEST_LIST) for pair in result.pairs]
    shown = {pair.name for pair in _shown(result)}
    told = [line for line, pair in zip(told, result.pairs, strict=True) if pair.name not in shown]
    more = len(told) - _MOST_PAIRS
    if more > 0:
        told = [*told[:_MOST_PAIRS], f"and {more} more, which --tables shows"]
    return told


def _shown(result: AuditResult) -> list[PairTable]:
    """The table of the witness's pair."""
    if result.witness is None:
        return []
    return [pair for pair in result.pairs if pair.name == result.witness.pair][:1]


def _table(pair: PairTable) -> list[str]:
    heading = clip(f"{title(pair)} ({caption(pair)})", _LONGEST_CLAUSE)
    return [*wrapped(heading), *short_table(pair, WIDTH)]


def _whole_table(pair: PairTable) -> list[str]:
    return [*wrapped(f"{title(pair)} ({caption(pair)})"), *whole_table(pair, WIDTH)]


def _remarks(result: AuditResult) -> list[str]:
    lines: list[str] = []
    for note in result.notes:
        lines += wrapped(note, "  ", "- ")
    return ["Notes", *lines] if lines else []


def _command(result: AuditResult) -> list[str]:
    made = f"seed {result.seed}, version {result.version}, level α = {number(result.alpha)}"
    command = [f"  {visible(result.command)}"] if result.command else []
    return [*wrapped(clip(f"Run again ({made})", 200)), *command]
