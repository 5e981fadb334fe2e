"""Tables of pairs, bin by bin: frequencies on both datasets and their ratios, also drawn."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from audit.betting.events import Event
from audit.claims import Claim, Lines
from audit.errors import visible
from audit.neighbors.difference import in_short
from audit.outcomes.part_words import symbol
from audit.report import svg
from audit.report.formatting import aligned, clip, count, cut, interval, number, rounded
from audit.verdict.findings import FunctionShown
from audit.verdict.pair_table import Bin, PairTable, most_telling
from audit.verdict.result import AuditResult

_MOST_DIGITS, _MANY_DIGITS = 17, 8
"""Digits of any float, and those beyond which numbers are long."""
_LONGEST_LABEL = 40
_WHOLE = re.compile(r"(?:= |< |>= )?-?\d+(?: to -?\d+)?")
"""How bins of whole numbers are called, and no others."""
_OTHER = "any other value"
_ROUNDER = 4
"""A number is rounder when it takes so many characters less to write."""


def heads(table: PairTable) -> tuple[str, ...]:
    """Names of the columns."""
    return rounded(table.feature), "P[D]", f"P[{table.name}]", *ratios(table)


def rows(table: PairTable) -> list[tuple[str, ...]]:
    """The table's bins in words, without those in which nothing fell on either side.

    Returns:
        Of each bin "!" if it alone breaks the claim, else " "; then cells below those of `heads`.
    """
    return [
        ("!" if b.flagged else " ", label, *map(interval, (b.p, b.q, b.ratio, b.reverse)))
        for label, b in zip(labels(table.bins, table.feature), table.bins, strict=True)
        if b.p.estimate > 0.0 or b.q.estimate > 0.0
    ]


def title(table: PairTable) -> str:
    """The pair in words: its name, and how the two datasets differ."""
    words = in_short(table.difference)
    if words.startswith(f"{table.name} "):
        return words
    return f"{table.name}: {words}" if words else table.name


def caption(table: PairTable) -> str:
    """Runs of the table, its most significant ratio, and whether a bin breaks the claim."""
    left, right = table.draws
    sides = "each side" if left == right else f"D and {count(right)} on {table.name}"
    drawn = f"{count(left)} runs on {sides}"
    found = "no bin is flagged" if table.satisfied else "bins marked ! break the claim on their own"
    return f"{drawn}; {largest(table)}; {found}"


def largest(table: PairTable) -> str:
    """The ratio whose interval says most, and its bin; the larger one of both directions."""
    telling = most_telling(table.bins)
    if telling is None:
        return "no ratios"
    place, ratio = telling
    forward, backward = ratios(table)
    name = forward if ratio == table.bins[place].ratio else backward
    where = labels(table.bins, table.feature)[place]
    shown = f"{name} = {interval(ratio)} at {clip(where, _LONGEST_LABEL)}"
    return f"ratio with the largest lower end: {shown}"


def ratios(table: PairTable) -> tuple[str, str]:
    """Names of both ratios."""
    return f"P[D]/P[{table.name}]", f"P[{table.name}]/P[D]"


def labels(bins: Sequence[Bin], feature: str = "output") -> list[str]:
    """Every bin in words, with no more digits than tell the bins apart.

    A bin that holds a single number is "= x", and its neighbor to the right,
    which starts at the next float, is open on the left.
    """
    after = {
        b.high for b in bins if b.low is not None and b.high == math.nextafter(b.low, math.inf)
    }
    edges = {b.low for b in bins} | {b.high for b in bins}
    shown = _shown([e for e in edges if e is not None and e not in after])
    end = next((b.high for b in reversed(bins) if b.high is not None), math.nan)
    # The end of all bins may lie one float above a rounder number, which they include.
    closed = len(repr(math.nextafter(end, -math.inf))) + _ROUNDER < len(repr(end))
    return [_label(b, shown, b.low in after, closed and b.high == end, feature) for b in bins]


def _shown(edges: Sequence[float]) -> dict[float, str]:
    """Every edge with the digits that keep all apart; with its own if those of all are many."""
    digits = digits_for(edges)
    if digits <= _MANY_DIGITS:
        return {edge: _cut(edge, digits) for edge in edges}
    texts = [Counter(_cut(edge, d) for edge in edges) for d in range(digits)]
    return {
        edge: next(
            (_cut(edge, d) for d in range(3, digits) if texts[d][_cut(edge, d)] == 1),
            _cut(edge, digits),
        )
        for edge in edges
    }


def _cut(value: float, digits: int) -> str:
    """A number with so many significant digits, or exactly if that is shorter."""
    return min(f"{value:.{digits}g}", repr(value).removesuffix(".0"), key=len)


def digits_for(edges: Sequence[float]) -> int:
    """The fewest significant digits, three at least, that keep the edges apart."""
    distinct = set(edges)
    for digits in range(3, _MOST_DIGITS):
        if len({f"{edge:.{digits}g}" for edge in distinct}) == len(distinct):
            return digits
    return _MOST_DIGITS


def _label(
    cell: Bin, shown: Mapping[float, str], open_left: bool, closed: bool, feature: str
) -> str:
    if cell.low is None or cell.high is None:
        return _symbol(feature, cell.label.removeprefix("is "))
    if _WHOLE.fullmatch(cell.label):
        return cell.label.removeprefix("= ")
    low = math.nextafter(cell.low, -math.inf) if open_left else cell.low
    start, end = (shown.get(edge, f"{edge:.{_MOST_DIGITS}g}") for edge in (low, cell.high))
    if math.isinf(low):
        return "any number" if math.isinf(cell.high) else f"< {end}"
    if math.isinf(cell.high):
        return f"{'>' if open_left else '>='} {start}"
    if cell.high == math.nextafter(cell.low, math.inf):
        return f"= {max(shown.get(cell.low, ''), _cut(cell.low, 6), key=len)}"
    return f"{'(' if open_left else '['}{start}, {end}{']' if closed else ')'}"


def _symbol(feature: str, value: str) -> str:
    return "anything else" if value == _OTHER else symbol(feature, value).removeprefix("is ")


def whole_table(pair: PairTable, width: int) -> list[str]:
    """Lines of a table on a terminal; in two halves if one is wider than that."""
    table = [(" ", *map(_short, heads(pair)))]
    table += [(mark, _short(label), *cells) for mark, label, *cells in rows(pair)]
    whole = aligned(table)
    if max(map(len, whole)) <= width:
        return whole
    return [*aligned([row[:4] for row in table]), *aligned([row[:2] + row[4:] for row in table])]


def _short(label: str) -> str:
    return cut(visible(label), _LONGEST_LABEL)


_WIDTH, _LEFT, _RIGHT = 720.0, 58.0, 706.0
_TOP, _MIDDLE, _BOTTOM, _FOOT = 40.0, 196.0, 222.0, 344.0
_MOST_LABELS, _LONGEST_NAME = 12, 16
_LARGEST, _SMALLEST = 1e6, 1.5
_TOPS = (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 10.0)


def pair_chart(result: AuditResult, table: PairTable) -> svg.Drawing:
    """Two panels over the same bins; the witness's event is shaded where they can show it."""
    bins, allowed = table.bins, allowed_ratios(table.bins, result.claim)
    across, highest, reach = svg.Linear(0.0, len(bins)), _highest(bins), _reach(bins, allowed)
    upper = svg.Axes(across, svg.Linear(0.0, highest), _TOP, _MIDDLE, _LEFT, _RIGHT)
    lower = svg.Axes(across, svg.Logarithmic(1.0 / reach, reach), _BOTTOM, _FOOT, _LEFT, _RIGHT)
    parts = (
        *svg.legend(_keys(result, table), _LEFT, 0.0),
        *_witnessed(upper, result, table),
        *(part for k in (0.0, 0.5, 1.0) for part in upper.rule(k * highest, number(k * highest))),
        *_frequencies(upper, bins),
        *_ratios(lower, reach, bins, allowed),
        *_names(upper, table),
    )
    return svg.Drawing(f"{title(table)}: frequencies and their ratio", _WIDTH, _FOOT + 74.0, parts)


def _keys(result: AuditResult, table: PairTable) -> Iterator[tuple[str, str]]:
    yield from (("p", "P[D]"), ("q", f"P[{table.name}]"))
    yield "band", f"ratios allowed by {result.claim}"
    if result.witness is not None and result.witness.pair == table.name:
        yield "event", "event" if result.witness.function is None else "where h is high"


def _witnessed(axes: svg.Axes, result: AuditResult, table: PairTable) -> Iterator[svg.Drawn]:
    witness = result.witness
    if witness is None or witness.pair != table.name:
        return
    if witness.event.parameters.get("feature") != table.feature:
        return
    for low, high in _event_spans(table.bins, witness.event):
        left, right = axes.place(low, 0.0)[0], axes.place(high, 0.0)[0]
        yield svg.box("event", left, _TOP, right - left, _FOOT - _TOP)
    ends = list(_function_ends(table.bins, witness.function))
    if ends:
        whole = replace(axes, up=svg.Linear(0.0, 1.0))
        x, y = whole.place(*ends[-1])
        yield whole.trace("mark", ends)
        yield svg.text("h", x - 4.0, y - 5.0, "small", "end")


def _event_spans(bins: Sequence[Bin], event: Event) -> list[tuple[float, float]]:
    """From where to where an event of the feature of these bins reaches."""
    spans = [
        (_place(bins, float(low)), _place(bins, float(high)))
        for low, high in event.parameters.get("intervals", ())
    ]
    others = [_OTHER] * bool(event.parameters.get("other_symbols"))
    symbols = {f"is {symbol}" for symbol in (*event.parameters.get("symbols", ()), *others)}
    spans += [
        (place, place + 1.0)
        for place, cell in enumerate(bins)
        if cell.low is None and cell.label in symbols
    ]
    return [(low, high) for low, high in spans if high > low]


def _function_ends(
    bins: Sequence[Bin], function: FunctionShown | None
) -> Iterator[tuple[float, float]]:
    """Both ends of each step of a function, left to right, with its value."""
    for low, high, value in () if function is None else function.steps:
        start, end = _place(bins, low), _place(bins, high)
        if end > start:
            yield start, value
            yield end, value


def _place(bins: Sequence[Bin], value: float) -> float:
    """The position of a number; inside an unbounded bin, its middle."""
    place = 0.0
    for i, cell in enumerate(bins):
        if cell.low is None or cell.high is None:
            continue
        if value >= cell.high:
            place = i + 1.0
        elif value > cell.low:
            endless = math.isinf(cell.low) or math.isinf(cell.high)
            return i + (0.5 if endless else (value - cell.low) / (cell.high - cell.low))
    return place


def _highest(bins: Sequence[Bin]) -> float:
    most = max(1e-9, *(end for b in bins for end in (b.p.high, b.q.high)))
    power = 10.0 ** math.floor(math.log10(most))
    return min(step * power for step in _TOPS if step * power >= most)


def _reach(bins: Sequence[Bin], allowed: Sequence[tuple[float, float]]) -> float:
    """The ratios' axis runs from 1/reach to reach, past every interval's end nearest to 1."""
    ends = [end for b in bins for end in (b.ratio.estimate, max(1.0, b.ratio.low))]
    ends += [min(1.0, b.ratio.high) for b in bins] + [end for ends in allowed for end in ends]
    sizes = [max(v, 1.0 / v) for v in ends if 0.0 < v < math.inf]
    return float(min(_LARGEST, min(_LARGEST, max([_SMALLEST, *sizes])) ** 1.25))


def _frequencies(axes: svg.Axes, bins: Sequence[Bin]) -> Iterator[svg.Drawn]:
    for place, cell in enumerate(bins):
        for shift, look, found in ((0.1, "p", cell.p), (0.52, "q", cell.q)):
            left, top = axes.place(place + shift, found.estimate)
            right, low = axes.place(place + shift + 0.38, found.low)
            _, high = axes.place(place, found.high)
            yield svg.box(look, left, top, right - left, _MIDDLE - top)
            middle = (left + right) / 2.0
            yield svg.line("whisker", (middle, low), (middle, high))


def _ratios(
    axes: svg.Axes, reach: float, bins: Sequence[Bin], allowed: Sequence[tuple[float, float]]
) -> Iterator[svg.Drawn]:
    for place, (low, high) in enumerate(allowed):
        (left, top), (right, bottom) = axes.place(place, high), axes.place(place + 1.0, low)
        yield svg.box("band", left, top, right - left, bottom - top)
    for value in _ticks(reach):
        yield from axes.rule(value, number(value))
    for place, cell in enumerate(bins):
        if cell.p.estimate > 0.0 or cell.q.estimate > 0.0:
            yield from _ratio(axes, reach, place + 0.5, cell)


def _ticks(reach: float) -> list[float]:
    """1 and a few round ratios on both sides of it, far enough apart to be read."""
    rounds = [1.5, 2.0, 5.0, 10.0, 30.0, 100.0, 1e3, 1e4, 1e5, 1e6]
    inside = [value for value in rounds if value <= reach * 1.001]
    chosen = {inside[-1], *inside[len(inside) // 2 : len(inside) // 2 + 1]} if inside else set()
    apart = [v for v in sorted(chosen) if math.log(v) > 0.2 * math.log(reach)]
    return sorted([1.0, *apart, *(1.0 / v for v in apart)])


def _ratio(axes: svg.Axes, reach: float, place: float, cell: Bin) -> Iterator[svg.Drawn]:
    look, ratio = "flagged" if cell.flagged else "point", cell.ratio
    yield svg.line(f"{look} stem", axes.place(place, ratio.high), axes.place(place, ratio.low))
    middle, height = axes.place(place, ratio.estimate)
    if 1.0 / reach < ratio.estimate < reach:
        yield svg.box(look, middle - 3.0, height - 3.0, 6.0, 6.0)
        return
    base = height + (8.0 if ratio.estimate >= reach else -8.0)
    yield svg.shape(look, [(middle - 5.0, base), (middle + 5.0, base), (middle, height)])


def _names(axes: svg.Axes, table: PairTable) -> Iterator[svg.Drawn]:
    names = labels(table.bins, table.feature)
    yield svg.text(f"share of runs, by {heads(table)[0]}", _LEFT, _TOP - 3.0, "faint")
    yield svg.text(ratios(table)[0], _LEFT, _BOTTOM - 6.0, "faint")
    for place in range(0, len(names), math.ceil(len(names) / _MOST_LABELS)):
        short = cut(names[place], _LONGEST_NAME)
        turn = f"translate({axes.place(place + 0.5, 0.0)[0] + 4.0:.1f} {_FOOT + 14.0:.1f})"
        turned = svg.text(short, 0.0, 0.0, "small", "end")
        yield svg.element("g", turned, transform=f"{turn} rotate(-35)")


def allowed_ratios(bins: Sequence[Bin], claim: Claim) -> list[tuple[float, float]]:
    """Between which ends p/q may lie in each bin, given how likely the bin is."""
    lines = claim.lines(claim.level)
    return [
        (1.0 / largest_allowed(lines, b.q.estimate), largest_allowed(lines, b.p.estimate))
        for b in bins
    ]


def largest_allowed(lines: Lines, probability: float) -> float:
    """The largest ratio of an event's probabilities that a claim allows.

    Solving p <= a q + b for p/q gives a / (1 - b/p) where b < p, and no limit
    elsewhere; the tightest line counts.

    Args:
        lines: the claim's lines, shape (lines, 2).
        probability: of the event on the side where it is more likely.
    """
    slopes, offsets = lines.T
    binding = offsets < probability
    if not binding.any():
        return math.inf if probability > 0 else float(np.min(slopes))
    return float(np.min(slopes[binding] / (1.0 - offsets[binding] / probability)))
