"""Reports of audits of canaries: the short answer and the sections behind it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from itertools import starmap

from audit.canary import sentences
from audit.canary.result import REVERSED, CanaryResult
from audit.canary.sentences import allowed, guessed, telling, telling_rows
from audit.errors import visible
from audit.report.answer import WORDS, decision
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
from audit.report.svg import Axes, Drawing, Linear, Logarithmic, legend, line
from audit.verdict.result import Verdict

_LONGEST_NAME = 80
_WIDTH, _TOP, _BOTTOM, _FOOT = 720.0, 44.0, 212.0, 254.0
_LOWEST = 0.4
_HEADROOM = 1.08
_ACROSS = "guesses opened, the most confident first"


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
    made = f"{count(result.canaries)} {result.design.coins}, {count(guessed(result))} guesses"
    return Answer(
        verdict=result.verdict,
        word=WORDS[result.verdict],
        title=_title(result),
        stated=_stated(result),
        decision=decision(result.verdict, undecided=_turned(result)),
        example=None,
        worst="",
        tried=(),
        facts=tuple(_facts(result)),
        runs=f"{made}, {runs}, seed {result.seed}{p_value}",
        details=f"Details: {Interface.of(result.command).details}",
        command=result.command,
        short=short(result),
    )


def named(result: CanaryResult) -> str:
    """Name of the trained model, short enough for a sentence."""
    return clip(visible(result.mechanism), _LONGEST_NAME)


def short(result: CanaryResult) -> str:
    """The numbers in a few words."""
    if result.verdict is Verdict.INCONCLUSIVE:
        return f"{result.claim}: {_obstacle(result).partition(', whatever')[0]}"
    if result.verdict is Verdict.NOT_REFUTED:
        return "; ".join(filter(None, [str(result.claim), _bound(result), _turned(result)]))
    claim = result.claim
    return f"{_bound(result)}, claimed {claim.stated(claim.level):g}: scores reveal the canaries"


def _turned(result: CanaryResult) -> str:
    """That scores separate the wrong way round; empty if they do not."""
    turned = any(REVERSED in note for note in result.notes)
    return f"members stand out {REVERSED}" if turned else ""


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
            f"lower bound: {_bound(result)} {sure}",
        )
    return (f"measured: {_bound(result)} {sure}",)


def _bound(result: CanaryResult) -> str:
    refuted = result.verdict is Verdict.VIOLATION
    return level(result.claim, result.levels[result.claim.bound], refuted)


def _obstacle(result: CanaryResult) -> str:
    return (
        f"{count(guessed(result))} guesses cannot refute {result.claim}, whatever the model is: "
        f"{sentences.shortage(result.needed, guessed(result))}"
    )


def _facts(result: CanaryResult) -> Iterator[Fact]:
    name, found = telling(result)
    if found:
        yield Fact(name, found)
    yield from (Fact("Direction", note) for note in result.notes if REVERSED in note)
    if reading := sentences.gaussian(result):
        yield Fact("If Gaussian", reading)
    yield Fact("Assumed", "; ".join(sentences.trusted(result)))
    if result.verdict is Verdict.NOT_REFUTED and (advice := sentences.more(result)):
        yield Fact("To test more", advice)
    yield from (Fact("Note", note) for note in result.notes if REVERSED not in note)


def _sections(result: CanaryResult) -> Iterator[Section]:
    yield Section("Canaries", (Paragraph(sentences.CANARIES),), terminal=False)
    facts = tuple(Fact(name, text) for name, text in sentences.facts(result))
    yield Section("Evidence", (Facts(facts),))
    yield Section("Guesses, the most confident first", tuple(_guesses(result)))
    yield Section("Method", tuple(map(Paragraph, sentences.method(result))), terminal=False)
    yield Section("Assumed", (Items(tuple(sentences.trusted(result))),))
    yield Section("Notes", (Items(result.notes),) if result.notes else ())
    yield Section("Reproduction", (_reproduction(result),))


def _guesses(result: CanaryResult) -> Iterator[Part]:
    if not result.prefixes:
        return
    yield Picture("Share of right guesses", partial(share_chart, result))
    yield Picture("Lower bound of each prefix", partial(bound_chart, result))
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


def share_chart(result: CanaryResult) -> Drawing:
    """Chart of the share of right guesses so far, and of the share that the claim allows."""
    axes = _axes(result, Linear(_LOWEST, 1.0))
    rows = telling_rows(result)
    limits = [(row.guesses, row.allowed / row.guesses) for row in rows if row.allowed is not None]
    shares = [(opened, right / opened) for opened, right in result.opened]
    keys = (("shown", "right, all guesses"), ("p", "right, by prefix"), ("limit", "allowed"))
    parts = (
        *axes.frame(_ACROSS, "share of the guesses that is right"),
        axes.trace("", [point for point in shares if point[0] >= axes.across.low]),
        *(line("limit", (x - 9.0, y), (x + 9.0, y)) for x, y in starmap(axes.place, limits)),
        *axes.marks("p", [(row.guesses, row.correct / row.guesses) for row in rows]),
        *legend(keys, axes.left + 260.0, 12.0),
    )
    return Drawing("right guesses, and what the claim allows", _WIDTH, _FOOT, parts)


def bound_chart(result: CanaryResult) -> Drawing:
    """Chart of the bound of each prefix by itself, with the claim and the lower bound."""
    bound, claimed = result.levels[result.claim.bound], result.claim.stated(result.claim.level)
    bounds = [(row.guesses, row.bound) for row in telling_rows(result)]
    symbol = result.claim.symbol
    highest = max([bound, claimed, 1e-3, *(each for _, each in bounds)])
    axes = _axes(result, Linear(0.0, _HEADROOM * highest))
    parts = (
        *axes.frame(_ACROSS, f"lower bound on {symbol}, prefix by prefix"),
        axes.trace("", bounds),
        *axes.marks("p", bounds),
        *axes.level("limit", claimed, f"claimed {symbol} = {claimed:g}"),
        *axes.level("mark", bound, f"at least {symbol} = {at_least(bound)}"),
    )
    return Drawing("the lower bound as canaries are opened", _WIDTH, _FOOT, parts)


def _axes(result: CanaryResult, up: Linear) -> Axes:
    """Axes from a quarter of the smallest prefix that is shown, as fewer guesses decide nothing."""
    sizes = [row.guesses for row in result.prefixes]
    most = max([2, *sizes, *(opened for opened, _ in result.opened)])
    least = max(1.0, min((row.guesses for row in telling_rows(result)), default=1) / 4.0)
    return Axes(Logarithmic(least, most), up, _TOP, _BOTTOM)
