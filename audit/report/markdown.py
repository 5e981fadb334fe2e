"""Reports as Markdown: front matter for machines, then the answer and its sections."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from audit.errors import visible
from audit.report import document as model
from audit.report.formatting import block, inline, sentence
from audit.report.json_node import Stored
from audit.report.tables import caption, heads, rows, title
from audit.verdict.pair_table import PairTable
from audit.verdict.result import Verdict


def render_markdown(result: Stored) -> str:
    """One result as a Markdown document."""
    return render_document(model.document_of(result))


def render_document(document: model.Document, files: Mapping[str, str] = {}) -> str:
    """A document as Markdown.

    Files of figures, by the name of their pair or picture, are relative to the document and free
    of characters that end a link.
    """
    blocks = [front_matter(document.result), f"# {inline(document.name)}"]
    blocks += [f"*{inline(document.summary)}*"] if document.summary else []
    blocks += _answer(document.answer)
    for section in document.sections:
        body = [one for part in section.parts for one in _part(part, files)]
        if body:
            blocks += [f"## {inline(section.title)}", *body]
    return "\n\n".join(blocks) + "\n"


def _answer(answer: model.Answer) -> Iterator[str]:
    stated = "".join(f" {inline(sentence(text))}." for text in answer.stated)
    yield f"**{answer.word}: {inline(answer.title)}.**{stated}"
    if answer.decision:
        yield f"{answer.decision}."
    if answer.example is not None:
        yield from _example(answer.example)
    if answer.worst:
        yield f"{inline(answer.worst)}."
    if answer.facts:
        yield "\n".join(f"- **{inline(f.name)}:** {inline(f.text)}." for f in answer.facts)
    yield f"{inline(sentence(answer.runs))}."
    if answer.command:
        yield model.TO_REPRODUCE
        yield block(answer.command, "sh")


def _example(example: model.Example) -> Iterator[str]:
    yield f"### {inline(example.title)}"
    cells = [[fact.name.rstrip(":= "), fact.text] for fact in example.facts]
    cells += [["runs", example.samples]] if example.samples else []
    cells += [[bar.name, f"{bar.estimate} {bar.interval}"] for bar in example.bars]
    cells += [[example.limit.name, example.limit.estimate]]
    yield grid(["", ""], cells)


def _part(part: model.Part, files: Mapping[str, str]) -> Iterator[str]:
    match part:
        case model.Facts(facts):
            yield "\n".join(f"- {inline(sentence(f.name))}: {inline(f.text)}" for f in facts)
        case model.Items(sentences):
            yield "\n".join(f"- {inline(sentence(s)).removesuffix('.')}." for s in sentences)
        case model.Paragraph(text):
            yield inline(text)
        case model.Code(text):
            yield block(text)
        case model.Rows(head, cells):
            yield grid(head, cells)
        case PairTable() as table:
            yield f"### {inline(title(table))}"
            yield f"{inline(sentence(caption(table)))}."
            yield from _figure(table.name, files.get(table.name))
            yield grid(["", *heads(table)], rows(table))
        case model.Picture(name):
            yield from _figure(name, files.get(name))


def _figure(name: str, file: str | None) -> list[str]:
    return [] if file is None else [f"![{inline(name)}]({file})"]


def grid(head: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    """A table, its cells escaped unless they are safe already."""
    lines = [head, *cells]
    written = [f"| {' | '.join(map(inline, row))} |" for row in lines]
    return "\n".join([written[0], "|" + ":--|" * len(head), *written[1:]])


_KEYS = (
    *("schema", "mechanism", "place", "parameters", "claim", "relation", "within", "verdict"),
    *("levels", "alpha", "ledger", "log_evalue", "canaries", "guesses", "correct", "ceiling"),
    *("samples", "detectable_epsilon", "leaks", "seed", "version", "command"),
)
"""Keys of the front matter; levels are those of the kind of the claim."""
_BARE_EXPONENT = re.compile(r"(?<![\d.])(-?\d+)(e[+-]?\d+)")


def front_matter(result: Stored) -> str:
    """One `key: value` line for each key of the result that fits on one.

    A refuted claim has no `detectable_epsilon` here, the power of an audit that refutes nothing.
    """
    found = result.to_json()
    if found["verdict"] == Verdict.VIOLATION:
        del found["detectable_epsilon"]
    keys = (name for key in _KEYS for name in (result.levels if key == "levels" else (key,)))
    lines = [f"{key}: {_value(found[key])}" for key in keys if key in found]
    return "\n".join(["---", *lines, "---"])


def head_of(report: str) -> dict[str, Any]:
    """The front matter of a Markdown report back; empty where there is none."""
    lines = report.split("\n")
    if lines[0] != "---" or "---" not in lines[1:]:
        return {}
    head = (line.partition(": ") for line in lines[1 : lines.index("---", 1)])
    try:
        return {key: json.loads(value) for key, _, value in head}
    except ValueError:
        return {}


def _value(value: Any) -> str:
    """JSON that YAML 1.1 reads the same way."""
    if isinstance(value, dict):
        parts = (f"{_value(key)}: {_value(part)}" for key, part in value.items())
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):
        return json.dumps(visible(value), ensure_ascii=False)
    # Without a point before the exponent YAML 1.1 reads a word.
    return _BARE_EXPONENT.sub(r"\1.0\2", json.dumps(value))
