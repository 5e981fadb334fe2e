"""A document taken apart into its statements, each as "name: text"."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from audit.report.document import (
    Answer,
    Code,
    Example,
    Facts,
    Items,
    Paragraph,
    Part,
    Rows,
    Section,
)
from audit.report.sections import document_of
from audit.report.tables import caption, rows, title
from audit.verdict.pair_table import PairTable
from audit.verdict.result import AuditResult

_ITEMS = {"Tested": "tried", "Limits": "limit", "Notes": "note"}


def statements(result: AuditResult) -> list[str]:
    """Every statement of a report."""
    document = document_of(result)
    found = list(_answer(document.answer))
    for section in document.sections:
        found += [one for part in section.parts for one in _part(section, part)]
    return found


def _answer(answer: Answer) -> Iterator[str]:
    yield f"{answer.word}: {answer.title}"
    yield from (f"stated: {text}" for text in answer.stated)
    if answer.decision:
        yield answer.decision
    yield f"short: {answer.short}"
    if answer.example is not None:
        yield from _example(answer.example)
    if answer.worst:
        yield answer.worst
    yield from (f"tried: {text}" for text in answer.tried)
    yield from (f"{fact.name}: {fact.text}" for fact in answer.facts)
    yield f"made: {answer.runs}"
    yield answer.details
    yield f"command: {answer.command}"


def _example(example: Example) -> Iterator[str]:
    yield f"title: {example.title}"
    yield from (f"{fact.name.rstrip(':= ')}: {fact.text}" for fact in example.facts)
    yield from (f"{bar.name}: {bar.estimate} {bar.interval}" for bar in example.bars)
    yield f"allowed: {example.limit.name} {example.limit.estimate}"
    if example.samples:
        yield f"bars: {example.samples}"


def _part(section: Section, part: Part) -> Iterator[str]:
    match part:
        case Facts(facts):
            yield from (f"{fact.name}: {fact.text}" for fact in facts)
        case Items(sentences):
            yield from (f"{_ITEMS[section.title]}: {text}" for text in sentences)
        case Paragraph(text) | Code(text):
            yield text
        case Rows(_, parts):
            yield from (f"cells: {'  '.join(row)}" for row in parts)
        case PairTable() as table:
            yield f"pair: {title(table)}"
            yield caption(table)
            for mark, *cells in rows(table):
                yield f"row: {mark} {'  '.join(cells)}"


def front(result: AuditResult) -> dict[str, Any]:
    """The front matter of the Markdown, by its names."""
    lines = result.to_markdown().split("---\n", 2)[1].splitlines()
    return {key: json.loads(value) for key, _, value in (line.partition(": ") for line in lines)}
