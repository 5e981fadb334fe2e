"""Reports as Markdown: front matter for machines, then the answer and its sections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from audit.report.document import (
    Answer,
    Code,
    Document,
    Example,
    Facts,
    Items,
    Pair,
    Paragraph,
    Part,
    Picture,
    Rows,
)
from audit.report.escape import block, inline
from audit.report.front_matter import front_matter
from audit.report.sections import document_of
from audit.report.tables import caption, ratios, rows, title
from audit.verdict.result import AuditResult


def render_markdown(result: AuditResult, figures: Mapping[str, str] | None = None) -> str:
    """One result as a Markdown document.

    Args:
        result: of the audit.
        figures: for each pair with a figure, its name and the figure's file,
            relative to the document and free of characters that end a link.
    """
    return render_document(document_of(result), figures)


def render_document(document: Document, figures: Mapping[str, str] | None = None) -> str:
    """A document as Markdown.

    Args:
        document: of a result.
        figures: file of each figure by the name of its pair, or by the title of its section.
    """
    files = figures or {}
    blocks = [front_matter(document.result), f"# {inline(document.name)}"]
    blocks += [f"*{inline(document.summary)}*"] if document.summary else []
    blocks += _answer(document.answer)
    for section in document.sections:
        body = [one for part in section.parts for one in _part(part, files)]
        body += _figure(section.title, files.get(section.title))
        if body:
            blocks += [f"## {inline(section.title)}", *body]
    return "\n\n".join(blocks) + "\n"


def _answer(answer: Answer) -> Iterator[str]:
    stated = "".join(f" {_sentence(text)}." for text in answer.stated)
    yield f"**{answer.word}: {inline(answer.title)}.**{stated}"
    if answer.example is not None:
        yield from _example(answer.example)
    if answer.worst:
        yield f"{inline(answer.worst)}."
    if answer.facts:
        yield "\n".join(f"- **{inline(f.name)}:** {inline(f.text)}." for f in answer.facts)
    yield f"{_sentence(answer.runs)}."
    if answer.command:
        yield block(answer.command, "sh")


def _sentence(text: str) -> str:
    return inline(text[:1].upper() + text[1:])


def _example(example: Example) -> Iterator[str]:
    yield f"### {inline(example.title)}"
    cells = [[fact.name.rstrip(":= "), fact.text] for fact in example.facts]
    cells += [[bar.name, f"{bar.estimate} {bar.interval}"] for bar in example.bars]
    cells += [[example.limit.name, example.limit.estimate]]
    cells += [["in the bets", example.counts]] if example.counts else []
    yield grid(["", ""], cells)


def _part(part: Part, files: Mapping[str, str]) -> Iterator[str]:
    match part:
        case Facts(facts):
            yield "\n".join(f"- {_sentence(f.name)}: {inline(f.text)}" for f in facts)
        case Items(sentences):
            yield "\n".join(f"- {_sentence(text).removesuffix('.')}." for text in sentences)
        case Paragraph(text):
            yield inline(text)
        case Code(text, language):
            yield block(text, language)
        case Rows(head, cells):
            yield grid(head, cells)
        case Pair(table):
            yield f"### {inline(title(table))}"
            yield f"{_sentence(caption(table))}."
            yield from _figure(table.name, files.get(table.name))
            forward, backward = ratios(table)
            yield grid(
                ["", table.feature, "P[D]", f"P[{table.name}]", forward, backward],
                [
                    ["!" if r.flagged else " ", r.bin, r.p, r.q, r.ratio, r.reverse]
                    for r in rows(table)
                ],
            )
        case Picture():
            return


def _figure(name: str, file: str | None) -> list[str]:
    return [] if file is None else [f"![{inline(name)}]({file})"]


def grid(head: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    """A table, its cells escaped unless they are safe already."""
    lines = [head, *cells]
    written = [f"| {' | '.join(map(inline, row))} |" for row in lines]
    return "\n".join([written[0], "|" + ":--|" * len(head), *written[1:]])
