"""Reports as HTML: one file that needs nothing else, or a piece of a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib import resources
from itertools import chain

from audit.report import document as model
from audit.report.formatting import in_percent, number, sentence
from audit.report.json_node import Stored
from audit.report.sections import NOT_EXAMINED
from audit.report.svg import Axes, Drawing, Drawn, Linear, box, element, escaped, line, looks, text
from audit.report.tables import caption, heads, pair_chart, rows, title
from audit.verdict.pair_table import PairTable
from audit.verdict.result import AuditResult

_MOST_CHARTS = 12
_BODY = """html { background: #ffffff; }
@media (prefers-color-scheme: dark) { html { background: #14181d; } }
@media print { html { background: #ffffff; } @page { margin: 16mm 15mm; } }
body { margin: 0; }"""
_HEAD = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
"""


def render_page(result: Stored) -> str:
    """One result as a whole document: no scripts, and nothing to be loaded."""
    return page(model.document_of(result))


def render_fragment(result: Stored) -> str:
    """The same without what surrounds it, as a notebook shows it; its styles touch nothing else."""
    return fragment(model.document_of(result))


def page(document: model.Document) -> str:
    """A document as a page of its own."""
    head = f"{_HEAD}<title>{escaped(document.line)}</title>\n<style>\n{_BODY}\n</style>\n</head>"
    return f"{head}\n<body>\n{fragment(document)}\n</body>\n</html>\n"


def fragment(document: model.Document) -> str:
    """A document as one element with its styles."""
    parts = [f"<style>\n{_style()}\n</style>", *_answer(document)]
    charts = 0
    for section in document.sections:
        parts.append(element("h2", section.title))
        for part in section.parts:
            charts += isinstance(part, PairTable)
            if charts <= _MOST_CHARTS:
                parts += _part(part, document)
    inside = "\n".join(parts)
    return f'<div class="dp-audit">\n{inside}\n</div>'


@cache
def _style() -> str:
    return looks() + (resources.files("audit.report") / "page.css").read_text("utf-8")


def _answer(document: model.Document) -> Iterator[Drawn]:
    answer = document.answer
    title_line = element("h1", element("strong", answer.word), " ", answer.title)
    stated = [element("p", s) for s in (*answer.stated, *filter(None, [answer.decision]))]
    yield element("header", title_line, *stated, look=f"verdict {answer.verdict}")
    if document.summary:
        yield element("p", document.summary, look="summary")
    if answer.example is not None:
        yield from _example(answer.example)
    if answer.worst:
        yield element("p", answer.worst)
    if answer.facts:
        yield _facts(answer.facts)
    yield element("p", answer.runs, look="note")
    if answer.command:
        yield element("p", model.TO_REPRODUCE, look="note")
        yield element("pre", answer.command)


def _example(example: model.Example) -> Iterator[Drawn]:
    yield element("h2", example.title)
    yield _facts(model.Fact(fact.name.rstrip(":= "), fact.text) for fact in example.facts)
    if example.samples:
        yield element("p", f"{sentence(example.samples)}.", look="note")
    yield element("figure", witness_bars(example).inline)


def _facts(facts: Iterable[model.Fact]) -> Drawn:
    cells = (
        (element("dt", f.name), element("dd", f.text, look="unseen" * (f.text == NOT_EXAMINED)))
        for f in facts
    )
    return element("dl", *chain.from_iterable(cells))


def _part(part: model.Part, document: model.Document) -> Iterator[Drawn]:
    match part:
        case model.Facts(facts):
            yield _facts(facts)
        case model.Items(sentences):
            yield element("ul", *(element("li", text) for text in sentences))
        case model.Paragraph(text):
            yield element("p", text)
        case model.Code(text):
            yield element("pre", text)
        case model.Rows(head, cells, flagged):
            yield table(head, cells, flagged)
        case model.Picture(_, draw):
            yield element("figure", draw().inline)
        case PairTable() as found:
            yield from _pair(found, document.result)


def _pair(found: PairTable, result: AuditResult) -> Iterator[Drawn]:
    yield element("h3", title(found))
    drawn = pair_chart(result, found).inline
    yield element("figure", drawn, element("figcaption", caption(found)))
    shown = rows(found)
    cells = [(f"{mark} {label}".lstrip(), *others) for mark, label, *others in shown]
    flagged = frozenset(place for place, row in enumerate(shown) if row[0] == "!")
    yield table(heads(found), cells, flagged)


def table(
    head: Iterable[str], cells: Iterable[Iterable[str]], flagged: frozenset[int] = frozenset()
) -> Drawn:
    """A table that scrolls sideways if it is wider than the page."""
    top = element("tr", *(element("th", name, scope="col") for name in head))
    body = [
        element("tr", *(element("td", cell) for cell in row), look="flagged" * (place in flagged))
        for place, row in enumerate(cells)
    ]
    whole = element("table", element("thead", top), element("tbody", *body), look="numbers")
    return element("div", whole, look="wide")


_WIDTH, _ROW, _THICK, _FIRST = 480.0, 46.0, 18.0, 20.0


def witness_bars(example: model.Example) -> Drawing:
    """Two bars, and a line that the larger one should not pass."""
    axes = Axes(Linear(0.0, example.scale), Linear(0.0, 1.0), 0.0, 0.0, 8.0, 472.0)
    parts = (
        *_bar(axes, example.bars[0], "p", _FIRST),
        *_bar(axes, example.bars[1], "q", _FIRST + _ROW),
        *_limit(axes, example),
        *_axis(axes, example),
    )
    words = "; ".join(f"{bar.name}: {bar.estimate} {bar.interval}" for bar in example.bars)
    return Drawing(words, _WIDTH, 2.0 * _ROW + 70.0, parts)


def _bar(axes: Axes, bar: model.Bar, look: str, top: float) -> Iterator[Drawn]:
    left, (end, _) = axes.left, axes.place(bar.value, 0.0)
    yield text(f"{bar.name} = {bar.estimate} {bar.interval}", left, top - 6.0, "strong")
    yield box("track", left, top, axes.right - left, _THICK)
    yield box(look, left, top, end - left, _THICK)
    (low, _), (high, _) = (axes.place(reach, 0.0) for reach in bar.reach)
    middle = top + _THICK / 2.0
    yield line("whisker", (low, middle), (high, middle))
    for end in (low, high):
        yield line("whisker", (end, middle - 5.0), (end, middle + 5.0))


def _limit(axes: Axes, example: model.Example) -> Iterator[Drawn]:
    """The most that the claim allows, drawn through both bars and through no number."""
    (place, _), end = axes.place(example.limit.value, 0.0), 24.0 + 2.0 * _ROW
    yield line("limit", (place, _FIRST - 3.0), (place, _FIRST + _THICK + 3.0))
    yield line("limit", (place, _FIRST + _ROW - 3.0), (place, end - 12.0))
    anchor = ("start", "middle", "end")[min(2, int(3.0 * place / _WIDTH))]
    words = f"{example.limit.name} {example.limit.estimate}"
    yield text(words, place, end + 2.0, "allowed", anchor)


def _axis(axes: Axes, example: model.Example) -> Iterator[Drawn]:
    shown = in_percent if example.limit.estimate.endswith("%") else number
    under = 2.0 * _ROW + 36.0
    yield line("axis", (axes.left, under), (axes.right, under))
    for share, anchor in ((0.0, "start"), *((k / 4.0, "middle") for k in (1, 2, 3)), (1.0, "end")):
        value = share * example.scale
        place, _ = axes.place(value, 0.0)
        yield line("tick", (place, under), (place, under + 4.0))
        yield text(shown(value), place, under + 17.0, "small", anchor)
