"""The answer on a terminal: at most 20 lines of 80 columns; the whole report on request."""

from __future__ import annotations

import shlex
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.errors import visible
from audit.report.answer import answer_of, one_line
from audit.report.document import (
    Answer,
    Code,
    Detail,
    Document,
    Example,
    Fact,
    Facts,
    Items,
    Pair,
    Paragraph,
    Part,
    Picture,
    Rows,
)
from audit.report.loss import Interface
from audit.report.sections import document_of
from audit.report.tables import aligned, caption, title, whole_table
from audit.verdict.result import AuditResult

WIDTH = 80
LINES = 20
_MARGIN = 16
_BAR = 40
_SURE, _MARK = "█", "│"
_LONGEST = 4_000
_MOST_COMMAND = 3


def render_text(
    result: AuditResult, *, detail: Detail = "normal", interface: Interface | None = None
) -> str:
    """The answer: by default at most 20 lines of 80 columns.

    A command that cannot be broken into three lines stays in one piece, so that it can be copied.

    Args:
        result: of the audit.
        detail: "quiet" for one line, "verbose" for the whole report.
        interface: the way the audit was called; by default that of the result's command.
    """
    if detail == "quiet":
        return line(one_line(result))
    if detail == "verbose":
        return render_document(document_of(result, interface))
    return render_answer(answer_of(result, interface))


def line(text: str) -> str:
    """One visible line."""
    return f"{visible(' '.join(text.split()))}\n"


def render_answer(answer: Answer, lines: int = LINES) -> str:
    """The short answer, cut to so many lines."""
    return _joined(_fitted(_blocks(answer), lines))


def render_document(document: Document) -> str:
    """The short answer and every section that a terminal shows."""
    blocks = [block.lines for block in _blocks(document.answer)]
    for section in document.sections:
        if section.terminal:
            body = [one for part in section.parts for one in _part(part)]
            blocks.append([section.title, *body])
    return _joined(blocks)


def _joined(blocks: Sequence[Sequence[str]]) -> str:
    return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"


def wrapped(text: str, indent: str = "", first: str | None = None) -> list[str]:
    """Visible text in lines of at most `WIDTH` columns."""
    return textwrap.wrap(
        visible(text),
        WIDTH,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )


@dataclass(slots=True)
class _Block:
    """Lines between two empty ones.

    Attributes:
        entries: each the lines of one statement, and how many of them it keeps if there is not
            room for all.
    """

    entries: list[tuple[list[str], int]]

    @property
    def lines(self) -> list[str]:
        return [one for lines, _ in self.entries for one in lines]


def _blocks(answer: Answer) -> list[_Block]:
    """Headline, counterexample, facts and reproduction."""
    indent = " " * (len(answer.word) + 2)
    head = [(wrapped(answer.title, indent, f"{answer.word}  "), 1)]
    head += [(wrapped(stated, indent), 1) for stated in answer.stated]
    shown = [] if answer.example is None else list(_example(answer.example))
    shown += [(wrapped(answer.worst, "  ", ""), 1)] if answer.worst else []
    tried = [(wrapped(text, "    ", "  "), 1) for text in answer.tried]
    tried = [(["Tried"], 1), *tried] if tried else []
    facts = [
        (wrapped(f"{fact.name}: {fact.text}", "  ", ""), _least(fact)) for fact in answer.facts
    ]
    runs = wrapped(f"{answer.runs}.   {answer.details}", "  ", "")
    end = [(runs, 1), (reproduction(answer.command), _MOST_COMMAND)]
    return [_Block(list(entries)) for entries in (head, shown, tried, facts, end)]


def _least(fact: Fact) -> int:
    """Lines that a fact keeps if there is not room for all."""
    return {"Likely cause": 2, "Hint": 0}.get(fact.name, 1)


def _fitted(blocks: Sequence[_Block], most: int) -> list[list[str]]:
    """The blocks cut to so many lines, the longest statements first."""
    while _height(blocks) > most:
        entries = [entry for block in blocks for entry in block.entries]
        over = [entry for entry in entries if len(entry[0]) > entry[1]]
        if not over:
            break
        lines, _ = max(over, key=lambda entry: len(entry[0]) - entry[1])
        lines.pop()
        if lines:
            lines[-1] = f"{lines[-1][: WIDTH - 2].rstrip(' ,;:')} …"
    return [block.lines for block in blocks]


def _height(blocks: Sequence[_Block]) -> int:
    heights = [len(block.lines) for block in blocks if block.lines]
    return sum(heights) + max(0, len(heights) - 1)


def _example(example: Example) -> Iterator[tuple[list[str], int]]:
    yield wrapped(example.title, "  ", ""), 1
    for fact in example.facts:
        yield wrapped(f"{fact.name} {fact.text}", "      ", "  "), 1
    yield _bars(example), 3
    if example.counts:
        yield wrapped(f"in the bets: {example.counts}", "      ", "    "), 1


def _bars(example: Example) -> list[str]:
    """Both estimates as bars, and the most that the claim allows as a mark."""
    cells = [[visible(bar.name), bar.estimate, bar.interval] for bar in example.bars]
    rows = [f"    {row}" for row in aligned(cells)]
    limit = f"    {example.limit.name} {example.limit.estimate}"
    start = max(map(len, (*rows, limit))) + 2
    width = min(_BAR, WIDTH - start)
    if width < 10:
        return [*rows, limit]
    drawn = [_SURE * _steps(bar.value, example.scale, width) for bar in example.bars]
    mark = " " * min(width - 1, _steps(example.limit.value, example.scale, width)) + _MARK
    pairs = zip((*rows, limit), (*drawn, mark), strict=True)
    return [f"{row:<{start}}{bar}".rstrip() for row, bar in pairs]


def _steps(value: float, whole: float, width: int) -> int:
    return round(min(1.0, value / whole) * width)


def reproduction(command: str) -> list[str]:
    """The command that repeats an audit, in lines that can be copied as one."""
    if not command:
        return []
    shown = f"Reproduce: {visible(command)}"
    if len(shown) <= WIDTH:
        return [shown]
    broken = _broken(command)
    fits = 0 < len(broken) <= _MOST_COMMAND and max(map(len, broken)) <= WIDTH
    return broken if fits else [shown]


def _broken(command: str) -> list[str]:
    """A command of a shell in several lines, each continued; none if it is no such command."""
    try:
        words = [shlex.quote(word) for word in shlex.split(command)]
    except ValueError:
        return []
    if " ".join(words) != command or visible(command) != command:
        return []
    lines = ["Reproduce:"]
    for part in _with_values(words):
        if len(lines[-1]) + len(part) + 3 > WIDTH:
            lines[-1] += " \\"
            lines.append(f"   {part}")
        else:
            lines[-1] += f" {part}"
    return lines


def _with_values(words: Sequence[str]) -> Iterator[str]:
    """Each flag with its value, so that no line ends between them."""
    flag = ""
    for word in words:
        if word.startswith("--") and not flag:
            flag = word
        elif word.startswith("--"):
            yield flag
            flag = word
        else:
            yield f"{flag} {word}".lstrip()
            flag = ""
    if flag:
        yield flag


def _part(part: Part) -> list[str]:
    """A part of a section in lines."""
    match part:
        case Facts(facts):
            return [one for fact in facts for one in _fact(fact)]
        case Items(sentences):
            return [one for text in sentences for one in wrapped(text, "    ", "  - ")]
        case Paragraph(text):
            return wrapped(text, "  ")
        case Code(text):
            return [f"  {visible(one)}" for one in text[:_LONGEST].split("\n")]
        case Rows(head, rows):
            return [
                f"  {one}" for one in aligned([head, *(tuple(map(visible, row)) for row in rows)])
            ]
        case Pair(table):
            heading = f"{title(table)} ({caption(table)})"
            return [*wrapped(heading, "  "), *whole_table(table, WIDTH)]
        case Picture():
            return []


def _fact(fact: Fact) -> list[str]:
    """One named line with a hanging indent."""
    name = f"  {visible(fact.name):<{_MARGIN - 2}}"
    if len(name) > _MARGIN:
        return [name.rstrip(), *wrapped(fact.text, " " * _MARGIN)]
    return wrapped(fact.text, " " * _MARGIN, name)
