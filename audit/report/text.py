"""The answer on a terminal: at most 20 lines of 80 columns; the whole report on request."""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from audit.errors import visible
from audit.report import document as model
from audit.report.formatting import aligned
from audit.report.json_node import Stored
from audit.report.tables import caption, title, whole_table
from audit.verdict.pair_table import PairTable

LINES, WIDTH = 20, 80
_EXAMPLE, _FACTS = 1, 3
"""Places of the counterexample and of the facts among the blocks of a short answer."""
_BARS = 3
"""Lines of the bars, none of which is cut."""
_AFTER = 3
"""Ranks from here on are left out before one of these facts is cut."""
_SPARE = 4
"""Ranks from here on are left out before a fact is cut."""
_MARGIN, _BAR = 16, 40
_SURE, _MARK = "█", "│"
_LONGEST = 4_000
_MOST_COMMAND = 3
_HEADLINE = 2
"""Lines that a headline keeps: enough for usual names and claims."""
_RANKS = {
    "Hint": 5,
    "Note": 4,
    "If Gaussian": 4,
    "Failed runs": 3,
    "To test more": 3,
    "Floating point": 1,
    "Timing": 1,
}
"""Facts that the short answer leaves out if there is not room for all, the highest first."""
_DATASET = 2
"""Lines that a dataset, or its difference to the other one, keeps if there is room."""
_NEEDED = {"Likely cause": 1, "To fix": 2}
"""Facts that are cut after all others, the fix last; they keep two lines of their first sentence.

The counterexample shows much of what a cause says behind its first sentence."""
_TRIED = 2
"""Statements of what was tried that stay if a fact would be cut: datasets and runs."""


def render_text(result: Stored, *, detail: model.Detail = "normal") -> str:
    """The answer: by default at most 20 lines of 80 columns.

    The detail "quiet" is one line, "verbose" the whole report.
    """
    document = model.document_of(result)
    if detail == "quiet":
        return f"{visible(' '.join(document.line.split()))}\n"
    if detail == "verbose":
        return render_document(document)
    return render_answer(document.answer)


def render_answer(answer: model.Answer, lines: int = LINES) -> str:
    """The short answer, cut to so many lines; notes fill the lines that are left.

    A command that cannot be broken into three lines stays in one piece, so that it can be copied.
    """
    blocks = _fitted(_blocks(answer), lines)
    for note in answer.notes:
        more = wrapped(f"Note: {note}", "  ", "")
        noted = [*blocks[:_FACTS], [*blocks[_FACTS], *more], *blocks[_FACTS + 1 :]]
        if _height(noted) <= lines:
            blocks = noted
    return _joined(blocks)


def render_document(document: model.Document) -> str:
    """The short answer and every section that a terminal shows."""
    blocks = [_lines_of(block) for block in _blocks(document.answer)]
    for section in document.sections:
        if section.terminal:
            body = [one for part in section.parts for one in _part(part)]
            blocks.append([section.title, *body])
    return _joined(blocks)


def _joined(blocks: Iterable[Sequence[str]]) -> str:
    return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"


def _height(blocks: Iterable[Sequence[str]]) -> int:
    return _joined(blocks).count("\n")


def wrapped(text: str, indent: str = "", first: str | None = None) -> list[str]:
    """Visible text in lines of at most `WIDTH` columns."""
    wrapper = _Wrapper(
        WIDTH,
        initial_indent=indent if first is None else first,
        subsequent_indent=indent,
        break_on_hyphens=False,
    )
    return wrapper.wrap(visible(text))


class _Wrapper(textwrap.TextWrapper):
    """Breaks lines at blanks and, as a domain can be read again then, before names in lists."""

    wordsep_simple_re = re.compile(r"([ ]+)|(?<=,)(?=[^\W\d])")


def _blocks(answer: model.Answer) -> list[_Block]:
    indent = " " * (len(answer.word) + 2)
    head = [_Entry(wrapped(answer.title, indent, f"{answer.word}  "), _HEADLINE)]
    head += [_Entry(wrapped(stated, indent)) for stated in answer.stated]
    shown = [] if answer.example is None else list(_example(answer.example))
    shown += [_Entry(wrapped(answer.worst, "  ", ""))] if answer.worst else []
    tried = [
        _Entry(wrapped(text, "    ", "  "), rank=_AFTER if place < _TRIED else _SPARE)
        for place, text in enumerate(answer.tried)
    ]
    facts = [_fact_entry(fact) for fact in answer.facts]
    return [
        head,
        shown,
        [_Entry(["Tried"]), *tried] if tried else [],
        facts,
        [*_end(answer), _Entry(reproduction(answer.command), _MOST_COMMAND)],
    ]


def _end(answer: model.Answer) -> list[_Entry]:
    """Size of the audit and the way to the whole report, on one line if they fit."""
    for details in (answer.details, answer.details.partition(",")[0]):
        if len(whole := f"{answer.runs}.   {details}") <= WIDTH:
            return [_Entry([whole])]
    return [_Entry(wrapped(f"{answer.runs}.", "  ", "")), _Entry([answer.details])]


def _fact_entry(fact: model.Fact) -> _Entry:
    lines = wrapped(f"{fact.name}: {fact.text}", "  ", "")
    first = wrapped(f"{fact.name}: {fact.text.partition('. ')[0]}. …", "  ", "")
    needed = _NEEDED.get(fact.name, 0)
    return _Entry(lines, min(2, len(first)) if needed else 1, _RANKS.get(fact.name, 0), needed)


def _example(example: model.Example) -> Iterator[_Entry]:
    yield _Entry(wrapped(example.title, "  ", ""))
    *datasets, event = (wrapped(f"{f.name} {f.text}", "      ", "  ") for f in example.facts)
    yield from (_Entry(lines, _DATASET) for lines in datasets)
    yield _Entry(event)
    if example.samples:
        yield _Entry(wrapped(example.samples, "      ", "    "), rank=2)
    yield _Entry(_bars(example), _BARS)


def _bars(example: model.Example) -> list[str]:
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
        if word.startswith("--"):
            yield from filter(None, [flag])
            flag = word
        else:
            yield f"{flag} {word}".lstrip()
            flag = ""
    if flag:
        yield flag


def _part(part: model.Part) -> list[str]:
    match part:
        case model.Facts(facts):
            return [one for fact in facts for one in _fact(fact)]
        case model.Items(sentences):
            return [one for text in sentences for one in wrapped(text, "    ", "  - ")]
        case model.Paragraph(text):
            return wrapped(text, "  ")
        case model.Code(text):
            return [f"  {visible(one)}" for one in text[:_LONGEST].split("\n")]
        case model.Rows(head, rows):
            return [
                f"  {one}" for one in aligned([head, *(tuple(map(visible, row)) for row in rows)])
            ]
        case PairTable() as table:
            heading = f"{title(table)} ({caption(table)})"
            return [*wrapped(heading, "  "), *whole_table(table, WIDTH)]
        case model.Picture():
            return []


def _fact(fact: model.Fact) -> list[str]:
    name = f"  {visible(fact.name):<{_MARGIN - 2}}"
    if len(name) > _MARGIN:
        return [name.rstrip(), *wrapped(fact.text, " " * _MARGIN)]
    return wrapped(fact.text, " " * _MARGIN, name)


@dataclass(slots=True)
class _Entry:
    """One statement in lines.

    Attributes:
        lines: of the statement.
        least: lines that it keeps if there is not room for all.
        rank: statements of the highest one are left out first; those of 0 stay.
        needed: statements of the smallest number are cut first.
    """

    lines: list[str]
    least: int = 1
    rank: int = 0
    needed: int = 0

    def cut(self) -> None:
        """Leave out the last line, and mark the one before, at the end of a sentence or a word."""
        self.lines.pop()
        if self.lines:
            sentence, stop, _ = self.lines[-1].rpartition(". ")
            whole = textwrap.wrap(self.lines[-1], WIDTH - len(" …"), break_on_hyphens=False)[0]
            self.lines[-1] = f"{sentence}. …" if stop else f"{whole.rstrip(' ,;:')} …"


_Block = list[_Entry]
"""Statements between two empty lines."""


def _fitted(blocks: Sequence[_Block], most: int) -> list[list[str]]:
    """The blocks cut to so many lines: first what may well be left out, the cause and fix last."""
    entries = [entry for block in blocks for entry in block]
    ways = (
        partial(_left_out, entries, _SPARE),
        partial(_cut, entries, 0),
        partial(_left_out, entries, _AFTER),
        partial(_close_up, blocks),
        partial(_cut_to_one, blocks[_EXAMPLE]),
        partial(_cut, entries, 1),
        partial(_cut, entries, 2),
        partial(_left_out, entries, 1),
        partial(_cut_to_one, blocks[_FACTS]),
    )
    while _height(map(_lines_of, blocks)) > most and any(way() for way in ways):
        continue
    return [_lines_of(block) for block in blocks]


def _left_out(entries: Sequence[_Entry], least: int) -> bool:
    """Leave out the last statement of the highest rank; False if all ranks are below the least."""
    spare = [entry for entry in entries if entry.lines and entry.rank >= least]
    if spare:
        max(reversed(spare), key=lambda entry: entry.rank).lines.clear()
    return bool(spare)


def _cut(entries: Sequence[_Entry], needed: int) -> bool:
    """Cut a line of the statement with the most to spare, of the highest rank; False if none."""
    over = [one for one in entries if one.needed <= needed and len(one.lines) > one.least]
    if over:
        max(over, key=lambda entry: (len(entry.lines) - entry.least, entry.rank)).cut()
    return bool(over)


def _close_up(blocks: Sequence[_Block]) -> bool:
    """Leave out the empty line after the facts; False if there is none."""
    facts, end = blocks[_FACTS], blocks[-1]
    apart = bool(_lines_of(facts) and _lines_of(end))
    facts += end
    end.clear()
    return apart


def _cut_to_one(block: _Block) -> bool:
    """Cut a line of the last statement that has several; False if there is none."""
    over = [entry for entry in block if len(entry.lines) > 1 and entry.least < _BARS]
    if over:
        over[-1].cut()
    return bool(over)


def _lines_of(block: _Block) -> list[str]:
    return [one for entry in block for one in entry.lines]
