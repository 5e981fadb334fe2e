"""The document of an audit of canaries: its short answer and the sections behind it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from audit.canary import sentences
from audit.canary.result import CanaryResult
from audit.canary.sentences import allowed, guessed, telling, telling_rows
from audit.errors import visible
from audit.report.answer import WORDS
from audit.report.document import (
    Answer,
    Document,
    Fact,
    Facts,
    Items,
    Paragraph,
    Part,
    Picture,
    Rows,
    Section,
)
from audit.report.formatting import at_least, at_most, clip, count, number, percent
from audit.report.loss import Interface, broken, level
from audit.report.svg import Drawn, box, element, line, picture, text
from audit.verdict.result import Verdict

GUESSES = "Guesses, the most confident first"
_LONGEST_NAME = 80


def document_of(result: CanaryResult) -> Document:
    """The whole report of an audit of canaries."""
    return Document(
        result=result,
        name=named(result),
        summary="",
        answer=answer_of(result),
        sections=tuple(section for section in _sections(result) if section.parts),
    )


def answer_of(result: CanaryResult) -> Answer:
    """The short answer."""
    p_value = "" if result.p_value is None else f", p ≤ {at_most(result.p_value)}"
    runs = f"{count(result.runs)} run{'s' * (result.runs != 1)} of training"
    made = f"{count(result.canaries)} {sentences.coins(result)}, {count(guessed(result))} guesses"
    return Answer(
        verdict=result.verdict,
        word=WORDS[result.verdict],
        title=_title(result),
        stated=_stated(result),
        example=None,
        worst="",
        tried=(),
        facts=tuple(_facts(result)),
        runs=f"{made}, {runs}, seed {result.seed}{p_value}",
        details=f"Details: {Interface.of(result.command).details}",
        command=result.command,
        short=short(result),
    )


def one_line(result: CanaryResult) -> str:
    """Verdict, model and numbers in one line."""
    return f"{WORDS[result.verdict]}  {named(result)}: {short(result)}"


def named(result: CanaryResult) -> str:
    """Name of the trained model, short enough for a sentence."""
    return clip(visible(result.mechanism), _LONGEST_NAME)


def short(result: CanaryResult) -> str:
    """The numbers in a few words."""
    if result.verdict is Verdict.INCONCLUSIVE:
        return f"{result.claim}: {_obstacle(result).partition(', whatever')[0]}"
    if result.verdict is Verdict.NOT_REFUTED:
        return f"{result.claim}; {_bound(result)}"
    claim = result.claim
    return f"{_bound(result)}, claimed {claim.stated(claim.level):g}: scores reveal the canaries"


def _title(result: CanaryResult) -> str:
    if result.verdict is Verdict.VIOLATION:
        return f"{named(result)} {broken(result.claim)}"
    if result.verdict is Verdict.INCONCLUSIVE:
        return f"{named(result)}: no answer about {result.claim}"
    return f"{named(result)}: no violation of {result.claim} was found"


def _stated(result: CanaryResult) -> tuple[str, ...]:
    sure = f"({percent(1.0 - result.alpha)} confidence)"
    if result.verdict is Verdict.INCONCLUSIVE:
        return (_obstacle(result),)
    if result.verdict is Verdict.NOT_REFUTED:
        most = f"{result.claim.symbol} ≥ {at_least(result.ceiling)}"
        return (
            f"not a proof: if all guesses were right, the bound would be {most}",
            f"bound earned: {_bound(result)} {sure}",
        )
    return (f"measured: {_bound(result)} {sure}",)


def _bound(result: CanaryResult) -> str:
    return level(result.claim, result.levels[result.claim.bound])


def _obstacle(result: CanaryResult) -> str:
    return (
        f"{count(guessed(result))} guesses cannot refute {result.claim}, whatever the model is: "
        f"{sentences.shortage(result.needed)}"
    )


def _facts(result: CanaryResult) -> Iterator[Fact]:
    if found := telling(result):
        yield Fact("Guesses", found)
    if reading := sentences.gaussian(result):
        yield Fact("If Gaussian", reading)
    yield Fact("Assumed", "; ".join(sentences.trusted(result)))
    for note in result.notes:
        yield Fact("Note", note)


def _sections(result: CanaryResult) -> Iterator[Section]:
    yield Section("Canaries", (Paragraph(sentences.CANARIES),), terminal=False)
    facts = tuple(Fact(name, text) for name, text in sentences.facts(result))
    yield Section("Evidence", (Facts(facts),))
    yield Section(GUESSES, tuple(_guesses(result)))
    yield Section("Method", tuple(map(Paragraph, sentences.method(result))), terminal=False)
    yield Section("Assumed", (Items(tuple(sentences.trusted(result))),))
    yield Section("Notes", (Items(result.notes),) if result.notes else ())
    yield Section("Reproduction", (_reproduction(result),))


def _guesses(result: CanaryResult) -> Iterator[Part]:
    if not result.prefixes:
        return
    yield Picture(partial(share_chart, result))
    yield Picture(partial(bound_chart, result))
    head = ("strategy", "opened", "right", "allowed", f"{result.claim.symbol} ≥")
    rows = tuple(
        (r.strategy, count(r.guesses), count(r.correct), allowed(r), at_least(r.bound))
        for r in result.prefixes
    )
    flagged = (
        place
        for place, row in enumerate(result.prefixes)
        if row.allowed is not None and row.correct > row.allowed
    )
    yield Rows(head, rows, frozenset(flagged))
    yield Paragraph(sentences.COLUMNS)


def _reproduction(result: CanaryResult) -> Facts:
    facts = [
        Fact("seed", str(result.seed)),
        Fact("version", result.version),
        Fact("parameters", json.dumps(result.parameters, ensure_ascii=False)),
    ]
    if result.finished:
        seconds = "" if result.seconds is None else f", after {number(result.seconds)} seconds"
        facts.append(Fact("finished", f"{result.finished}{seconds}"))
    return Facts(tuple(facts))


_WIDTH, _LEFT, _RIGHT = 720.0, 58.0, 706.0
_TOP, _BOTTOM, _FOOT = 22.0, 190.0, 232.0
_LOWEST = 0.4
_HEADROOM = 1.08

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class _Axes:
    """Axes: guesses opened from left to right on a logarithmic scale.

    Attributes:
        opened: all guesses, at least 1.
        low: value at the bottom.
        high: value at the top.
    """

    opened: int
    low: float
    high: float

    def place(self, opened: float, value: float) -> Point:
        share = math.log(max(opened, 1.0)) / math.log(max(self.opened, 2.0))
        inside = min(max(value, self.low), self.high)
        up = (inside - self.low) / (self.high - self.low)
        return _LEFT + share * (_RIGHT - _LEFT), _BOTTOM - up * (_BOTTOM - _TOP)

    def frame(self, name: str, values: Iterable[float]) -> Iterator[Drawn]:
        """Grid, numbers beside it, and numbers of guesses below."""
        for value in values:
            _, height = self.place(1.0, value)
            yield line("grid", (_LEFT, height), (_RIGHT, height))
            yield text(number(value), _LEFT - 6.0, height + 4.0, "small", "end")
        power = 1
        while power <= self.opened:
            across, _ = self.place(power, self.low)
            yield line("tick", (across, _BOTTOM), (across, _BOTTOM + 5.0))
            yield text(count(power), across, _BOTTOM + 18.0, "small", "middle")
            power *= 10
        yield text(name, _LEFT, _TOP - 8.0, "faint")
        words = "guesses opened, the most confident first"
        yield text(words, _RIGHT, _BOTTOM + 34.0, "faint", "end")


def share_chart(result: CanaryResult) -> Drawn:
    """Chart of the share of right guesses so far, and of the share that the claim allows."""
    axes = _Axes(_opened(result), _LOWEST, 1.0)
    trace = [axes.place(opened, right / opened) for opened, right in result.opened]
    parts = [
        *axes.frame("share of the guesses that is right", (0.4, 0.6, 0.8, 1.0)),
        _trace(trace),
    ]
    for row in telling_rows(result):
        if row.allowed is not None:
            across, height = axes.place(row.guesses, row.allowed / row.guesses)
            parts.append(line("limit", (across - 9.0, height), (across + 9.0, height)))
        across, height = axes.place(row.guesses, row.correct / row.guesses)
        parts.append(box("p", across - 3.0, height - 3.0, 6.0, 6.0))
    return picture("right guesses, and what the claim allows", _WIDTH, _FOOT, parts)


def bound_chart(result: CanaryResult) -> Drawn:
    """Chart of the bound of each prefix by itself, with the claim and the lower bound."""
    bound, claimed = result.levels[result.claim.bound], result.claim.stated(result.claim.level)
    rows = telling_rows(result)
    top = _HEADROOM * max([bound, claimed, 1e-3, *(row.bound for row in rows)])
    axes, symbol = _Axes(_opened(result), 0.0, top), result.claim.symbol
    places = [axes.place(row.guesses, row.bound) for row in rows]
    parts = [
        *axes.frame(f"lower bound on {symbol}, prefix by prefix", _ticks(top)),
        _trace(places),
        *(box("p", across - 3.0, height - 3.0, 6.0, 6.0) for across, height in places),
    ]
    for look, value, words in (
        ("limit", claimed, f"claimed {symbol} = {claimed:g}"),
        ("mark", bound, f"at least {symbol} = {at_least(bound)}"),
    ):
        across, height = axes.place(1.0, value)
        parts.append(line(look, (across, height), (_RIGHT, height)))
        parts.append(text(words, across + 6.0, height - 5.0, "small"))
    return picture("the lower bound as canaries are opened", _WIDTH, _FOOT, parts)


def _ticks(top: float) -> list[float]:
    """Zero and two to five round numbers up to the top."""
    power = 10.0 ** math.floor(math.log10(top / 2.0))
    step = max(power * part for part in (1.0, 2.0, 5.0) if power * part <= top / 2.0)
    return [place * step for place in range(math.floor(top / step) + 1)]


def _opened(result: CanaryResult) -> int:
    sizes = [row.guesses for row in result.prefixes]
    return max([1, *sizes, *(opened for opened, _ in result.opened)])


def _trace(places: Iterable[Point]) -> Drawn:
    points = " ".join(f"{across:.1f},{height:.1f}" for across, height in places)
    return element("polyline", look="trace", points=points)
