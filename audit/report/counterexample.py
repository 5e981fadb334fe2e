"""The counterexample of a short answer: its datasets and chances, D first; and the worst pair."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from audit.report import loss, sentences
from audit.report.document import Bar, Example, Fact
from audit.report.formatting import at_most, axis_end, ends, in_percent, interval_in_percent, number
from audit.verdict.findings import Search, WorstPair
from audit.verdict.intervals import Estimate
from audit.verdict.result import AuditResult, Witness


@dataclass(frozen=True, slots=True)
class Side:
    """One dataset of a witness.

    Attributes:
        symbol: the quantity, as "P[D]" or "mean h on D".
        name: D or D'.
        dataset: as the witness holds it.
        estimate: probability of the event there, or the mean of a function.
        records: the whole dataset, as far as the witness holds it.
    """

    symbol: str
    name: str
    dataset: Any
    estimate: Estimate
    records: Any


@dataclass(frozen=True, slots=True)
class WitnessSides:
    """Both datasets of a witness, D first.

    Attributes:
        left: D.
        right: its neighbor.
        more: the one on which the event is likelier than the claim allows.
        less: the other one.
        allowed: the most that the claim allows on the first, given the estimate of the second, or
            the upper end of its interval if the event did not occur there.
        assumed: that upper end; None if the estimate is used.
        line: the inequality of the claim that is broken.
    """

    left: Side
    right: Side
    more: Side
    less: Side
    allowed: float
    assumed: float | None
    line: str

    @classmethod
    def of(cls, witness: Witness) -> WitnessSides:
        """The sides of a witness in order, whichever of them the event is likelier on."""
        names = sentences.sides_of(witness.direction)
        function = witness.function
        symbols = [f"P[{name}]" for name in names]
        if function is not None:
            symbols = [f"mean h on {names[0]}", f"mean {function.dual} on {names[1]}"]
        here, there = witness.dataset, witness.neighbor
        made = witness.made or {}
        more = Side(symbols[0], names[0], here, witness.p, made.get("dataset", here))
        less = Side(symbols[1], names[1], there, witness.q, made.get("neighbor", there))
        left, right = (more, less) if names[0] == "D" else (less, more)
        never = function is None and witness.q.estimate == 0.0
        least = witness.q.high if never else witness.q.estimate
        allowed = min(1.0, witness.slope * least + witness.offset), least if never else None
        return cls(left, right, more, less, *allowed, _line(witness, *symbols))


def _line(witness: Witness, more: str, less: str) -> str:
    offset = f" + {at_most(witness.offset)}" if witness.offset else ""
    if witness.function is not None:
        sign, size = "-" if witness.offset < 0 else "+", number(abs(witness.offset))
        return f"{more} ≤ {number(witness.slope)} · {less} {sign} {size}"
    if witness.slope == 1.0:
        return f"{more} ≤ {less}{offset}"
    power = f"e^{math.log(witness.slope):.6g}"
    return f"{more} ≤ {power} · {less}{offset} = {at_most(witness.slope)} · {less}{offset}"


_LONGEST_DATASET = 240
_LONGEST_WHOLE = 144
"""Of datasets that are shown whole, in two lines each."""
_LONGEST_LINE = 72
"""Of a dataset that takes one line."""
_LONGEST_CLAIM = 12
_LONGEST_WORST = 60
"""Of the words for the worst pair and its loss, which with their label take one line."""
_LONGEST_TITLE = 80
"""Of a title that says how two datasets differ, if both are shown."""


def example(witness: Witness, result: AuditResult) -> Example:
    """The counterexample of a witness."""
    found = WitnessSides.of(witness)
    allowed, function = found.allowed, witness.function is not None
    event = Fact("function h:" if function else "event:", sentences.brief(witness.event))
    most = at_most(allowed) if function else in_percent(allowed, at_most)
    if found.assumed is not None:
        most = f"{most} at {found.less.symbol} = {in_percent(found.assumed, at_most)}"
    claim = str(result.claim) if len(str(result.claim)) <= _LONGEST_CLAIM else "the claim"
    limit = f"{claim} allows", f"{found.more.symbol} ≤ {most}", ""
    return Example(
        title=_title(witness, result),
        facts=(*_datasets(found, witness, result), event),
        bars=(_bar(found.left, function), _bar(found.right, function)),
        limit=Bar(*limit, allowed, (allowed, allowed)),
        scale=axis_end(max(found.left.estimate.high, found.right.estimate.high, allowed)),
        samples="" if witness.separated else sentences.samples(witness, result),
    )


def _title(witness: Witness, result: AuditResult) -> str:
    """The kind of counterexample, and how its datasets differ unless they show it themselves."""
    kind, both = "Counterexample", (witness.dataset, witness.neighbor)
    if result.search is not None:
        kind = "Smallest counterexample" if _is_small(witness, result.search) else kind
        kind += ", and the worst pair found" * _is_worst(witness, result)
    if _is_described(witness, result) or _is_long(witness):
        return kind
    named = f"{kind} ({sentences.difference(witness)})"
    shown = all(isinstance(data, list) or len(_short(data)) <= _LONGEST_TITLE for data in both)
    return kind if shown and len(named) > _LONGEST_TITLE else named


def _is_small(witness: Witness, search: Search) -> bool:
    """True if the search shrank the pair, or if it has one record at most."""
    sides = witness.dataset, witness.neighbor
    return search.shrinks > 0 or any(isinstance(d, list) and len(d) <= 1 for d in sides)


def _short(data: object) -> str:
    return sentences.dataset(data, _LONGEST_DATASET)


def _is_described(witness: Witness, result: AuditResult) -> bool:
    """True if D is shown by its size, and D' by its difference to it: their records do not fit."""
    both = (witness.dataset, witness.neighbor)
    if any(isinstance(data, str) for data in both):
        return not result.recorded
    return _has_records(witness) and any(len(_short(data)) > _LONGEST_WHOLE for data in both)


def _has_records(witness: Witness) -> bool:
    return isinstance(witness.dataset, list) and isinstance(witness.neighbor, list)


def _is_long(witness: Witness) -> bool:
    """True if D' is shown by its difference to D: with all of its records a line would be cut."""
    whole = len(_short(WitnessSides.of(witness).right.dataset))
    return _has_records(witness) and whole > max(_LONGEST_LINE, len(_by_difference(witness)))


def _by_difference(witness: Witness) -> str:
    return f"D {sentences.difference(witness)}"


def _datasets(found: WitnessSides, witness: Witness, result: AuditResult) -> Iterator[Fact]:
    if _is_described(witness, result):
        other = ", not the given data" * result.given_data
        made = "" if witness.made is None else f", made by the search{other}"
        words = f"{found.left.name} ({_size(found.left.dataset)}{made})"
        yield Fact(f"{found.right.name:<3}:", f"{words}, {sentences.difference(witness)}")
        return
    if _is_long(witness):
        yield Fact(f"{found.left.name:<3}=", _short(found.left.dataset))
        yield Fact(f"{found.right.name:<3}:", _by_difference(witness))
        return
    for side in (found.left, found.right):
        mark = ":" if isinstance(side.dataset, str) else "="
        yield Fact(f"{side.name:<3}{mark}", _short(side.dataset))


def made(witness: Witness) -> str:
    """That the search made D, and the place of its records if they are many; else empty."""
    if witness.made is None:
        return ""
    where = "; all records: witness.made in the JSON of the result" if witness.made else ""
    return f"made by the search{where}"


def _size(dataset: Any) -> str:
    """The number of records, or the words that stand for a large dataset."""
    return sentences.many(len(dataset), "record") if isinstance(dataset, list) else _short(dataset)


def _bar(side: Side, function: bool) -> Bar:
    found = side.estimate
    shown = number(found.estimate) if function else in_percent(found.estimate)
    between = ends(found) if function else interval_in_percent(found)
    return Bar(side.symbol, shown, between, found.estimate, (found.low, found.high))


def worst(result: AuditResult) -> str:
    """The pair with the largest loss, and that loss; empty if it is that of the counterexample."""
    found, witness = result.worst, result.witness
    together = result.by_versions is not None
    if witness is None or found is None or result.null or together or _is_worst(witness, result):
        return ""
    size = loss.bound(result)
    return f"Worst pair found: {_pair(found, _LONGEST_WORST - len(size))}, {size}"


def _is_worst(witness: Witness, result: AuditResult) -> bool:
    worst, pair = result.worst, [witness.dataset, witness.neighbor]
    both = [] if worst is None else [worst.dataset, worst.neighbor]
    return pair in (both, both[::-1])


def _pair(found: WorstPair, room: int) -> str:
    """Both datasets if they fit, else the size of D and how D' differs from it."""
    if len(both := f"{_short(found.dataset)} and {_short(found.neighbor)}") <= room:
        return both
    words = f"{_size(found.dataset)}, {found.difference}"
    return words if len(words) <= room else f"{words[: room - 1].rstrip(' ,')}…"
