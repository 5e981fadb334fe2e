"""The document of a result: the short answer and the sections behind it, before any format.

Every format renders this one model, so that each statement is worded once.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from audit.report.json_node import Stored
from audit.report.svg import Drawing
from audit.verdict.pair_table import PairTable
from audit.verdict.result import Verdict

Detail = Literal["quiet", "normal", "verbose"]
"""How much of a result text shows: one line, the short answer, the whole report."""


TO_REPRODUCE = "To reproduce the audit:"
"""Before the command of an answer, in formats that do not label it."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A named line.

    Attributes:
        name: a few words.
        text: a clause or a sentence, without a stop at its end.
    """

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A probability, or the mean of a function, on one dataset.

    Attributes:
        name: of the quantity, as "P[D]".
        estimate: in words.
        interval: its confidence interval; empty for a limit.
        value: the estimate.
        reach: lower and upper end of the interval.
    """

    name: str
    estimate: str
    interval: str
    value: float
    reach: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Example:
    """A counterexample: two neighboring datasets, an event and its probabilities.

    Attributes:
        title: its heading.
        facts: both datasets, and the event or function.
        bars: of D, then of its neighbor.
        limit: the most that the claim allows of the larger one (see `WitnessSides.allowed`).
        scale: the value at the end of the bars' axis.
        samples: what the test saw, and the size of the sample behind the bars, if these alone do
            not exclude the claim; else empty.
    """

    title: str
    facts: tuple[Fact, ...]
    bars: tuple[Bar, Bar]
    limit: Bar
    scale: float
    samples: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The short answer.

    Attributes:
        verdict: of the audit.
        word: FAIL, NOT REFUTED or INCONCLUSIVE.
        title: the mechanism and the claim, a clause.
        stated: the measurement, or the reason of an inconclusive audit; one clause each.
        decision: what it means for a release, on pages; empty if nothing is decided.
        example: the counterexample; None if there is none.
        worst: the pair with the largest loss; empty if nothing was refuted.
        tried: extent of the search, if nothing was refuted.
        facts: likely cause, remedy, leaks and assumptions.
        runs: size of the audit, seed and p-value.
        details: how to get the whole report.
        command: what repeats the audit; may be empty.
        short: the numbers in a few words.
        notes: statements of the whole report that the short text shows if there is room.
    """

    verdict: Verdict
    word: str
    title: str
    stated: tuple[str, ...]
    decision: str
    example: Example | None
    worst: str
    tried: tuple[str, ...]
    facts: tuple[Fact, ...]
    runs: str
    details: str
    command: str
    short: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Facts:
    """Named lines, as a list of definitions."""

    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Items:
    """Sentences, as a bulleted list."""

    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph."""

    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Text in which every character counts, such as a dataset."""

    text: str


@dataclass(frozen=True, slots=True)
class Rows:
    """A small table.

    Attributes:
        head: names of the columns.
        rows: cells as text, as many as there are columns.
        flagged: rows that break the claim by themselves.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    flagged: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture, for formats that have any.

    Attributes:
        name: what it shows, unlike that of any other part of the document.
        draw: makes it.
    """

    name: str
    draw: Callable[[], Drawing]


Part = Facts | Items | Paragraph | Code | Rows | Picture | PairTable
"""A part of a section; a table is that of one pair of datasets, bin by bin."""


@dataclass(frozen=True, slots=True)
class Section:
    """A headed part of the report.

    Attributes:
        title: its heading; empty for what follows the answer at once.
        parts: its content in order.
        terminal: whether a terminal shows it; reports show every section.
    """

    title: str
    parts: tuple[Part, ...]
    terminal: bool = True


@dataclass(frozen=True, slots=True)
class Document:
    """A whole report.

    Attributes:
        result: what it is about.
        name: the mechanism, short enough for a heading.
        summary: one line about the mechanism; may be empty.
        answer: the short answer.
        sections: everything else in order.
    """

    result: Any
    name: str
    summary: str
    answer: Answer
    sections: tuple[Section, ...] = field(default=())

    @property
    def line(self) -> str:
        """Verdict, mechanism and numbers in one line."""
        return f"{self.answer.word}  {self.name}: {self.answer.short}"


_MAKERS = {"": "audit.report.sections", "canaries": "audit.canary.report"}
"""Modules that make the documents of results, by the family of the result."""


def document_of(result: Stored) -> Document:
    """The whole report of a result of any family."""
    maker = importlib.import_module(_MAKERS[getattr(result, "family", "")])
    document: Document = maker.document_of(result)
    return document
