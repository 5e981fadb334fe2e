"""One pair bin by bin: frequencies on both sides, and their ratio against what a claim allows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from audit.report.axes import legend
from audit.report.formatting import number
from audit.report.picture_data import event_spans, function_steps
from audit.report.svg import Drawing, Drawn, box, element, line, shape, text, trace
from audit.report.tables import labels, title
from audit.report.witness_sides import allowed_ratios
from audit.verdict.pair_table import Bin, PairTable
from audit.verdict.result import AuditResult

_WIDTH, _LEFT, _RIGHT = 720.0, 58.0, 706.0
_TOP, _MIDDLE, _BOTTOM = 40.0, 196.0, 222.0
_FOOT = 344.0
_MOST_LABELS = 12
_LONGEST_LABEL = 16
_LARGEST, _SMALLEST = 1e6, 1.5


def pair_chart(result: AuditResult, table: PairTable) -> Drawing:
    """Two panels over the same bins; the witness's event is shaded where they can show it."""
    chart = _Chart(table.bins, allowed_ratios(table.bins, result.claim))
    parts = (
        *legend(_keys(result, table), _LEFT, 0.0),
        *_witnessed(chart, result, table),
        *_frequencies(chart),
        *_ratios(chart),
        *_names(chart, labels(table.bins, table.feature)),
    )
    return Drawing(f"{title(table)}: frequencies and their ratio", _WIDTH, _FOOT + 74.0, parts)


def _keys(result: AuditResult, table: PairTable) -> Iterator[tuple[str, str]]:
    yield from (("p", "P[D]"), ("q", f"P[{table.name}]"))
    yield "band", f"ratios allowed by {result.claim}"
    if result.witness is not None and result.witness.pair == table.name:
        yield "event", "event" if result.witness.function is None else "where h is high"


def _witnessed(chart: _Chart, result: AuditResult, table: PairTable) -> Iterator[Drawn]:
    """The event as a shade, and the function as steps from 0 to 1."""
    witness = result.witness
    if witness is None or witness.pair != table.name:
        return
    for low, high in event_spans(table.bins, table.feature, witness.event):
        left, right = chart.across(low), chart.across(high)
        yield box("event", left, _TOP, right - left, _FOOT - _TOP)
    steps = function_steps(table.bins, table.feature, witness)
    ends = [(end, value) for low, high, value in steps for end in (low, high)]
    if ends:
        places = [(chart.across(x), _MIDDLE - value * (_MIDDLE - _TOP)) for x, value in ends]
        yield trace("mark", places)
        yield text("h", places[-1][0] - 4.0, places[-1][1] - 5.0, "small", "end")


@dataclass(frozen=True, slots=True)
class _Chart:
    """Axes of the chart.

    Attributes:
        bins: in their order.
        allowed: between which ends the ratio of each may lie.
    """

    bins: Sequence[Bin]
    allowed: Sequence[tuple[float, float]]

    def across(self, place: float) -> float:
        """The position of a place among the bins, each of which is one unit wide."""
        return _LEFT + place / len(self.bins) * (_RIGHT - _LEFT)

    @property
    def highest(self) -> float:
        """The top of the frequencies' axis."""
        most = max(max(b.p.high, b.q.high) for b in self.bins)
        return _round_up(max(most, 1e-9))

    def share(self, value: float) -> float:
        return _MIDDLE - min(1.0, value / self.highest) * (_MIDDLE - _TOP)

    @property
    def reach(self) -> float:
        """The ratios' axis runs from 1/reach to reach."""
        estimates = [b.ratio.estimate for b in self.bins]
        limits = [end for ends in self.allowed for end in ends]
        sizes = [max(v, 1.0 / v) for v in (*estimates, *limits) if 0.0 < v < math.inf]
        return float(min(_LARGEST, min(_LARGEST, max([_SMALLEST, *sizes])) ** 1.25))

    def ratio(self, value: float) -> float:
        inside = min(max(value, 1.0 / self.reach), self.reach)
        share = (math.log(inside) / math.log(self.reach) + 1.0) / 2.0
        return _FOOT - share * (_FOOT - _BOTTOM)


def _round_up(value: float) -> float:
    power = 10.0 ** math.floor(math.log10(value))
    return min(step * power for step in (1.0, 1.5, 2.0, 3.0, 5.0, 10.0) if step * power >= value)


def _frequencies(chart: _Chart) -> Iterator[Drawn]:
    for step in (0.0, 0.5, 1.0):
        height = chart.share(step * chart.highest)
        yield line("grid", (_LEFT, height), (_RIGHT, height))
        yield text(number(step * chart.highest), _LEFT - 6.0, height + 4.0, "small", "end")
    for place, cell in enumerate(chart.bins):
        for shift, look, found in ((0.1, "p", cell.p), (0.52, "q", cell.q)):
            left, right = chart.across(place + shift), chart.across(place + shift + 0.38)
            top = chart.share(found.estimate)
            yield box(look, left, top, right - left, _MIDDLE - top)
            middle = (left + right) / 2.0
            ends = chart.share(found.low), chart.share(found.high)
            yield line("whisker", (middle, ends[0]), (middle, ends[1]))


def _ratios(chart: _Chart) -> Iterator[Drawn]:
    for place, (low, high) in enumerate(chart.allowed):
        left, top, bottom = chart.across(place), chart.ratio(high), chart.ratio(low)
        yield box("band", left, top, chart.across(place + 1.0) - left, bottom - top)
    for value in _ticks(chart.reach):
        height = chart.ratio(value)
        yield line("grid", (_LEFT, height), (_RIGHT, height))
        yield text(number(value), _LEFT - 6.0, height + 4.0, "small", "end")
    for place, cell in enumerate(chart.bins):
        if cell.p.estimate > 0.0 or cell.q.estimate > 0.0:
            yield from _ratio(chart, chart.across(place + 0.5), cell)


def _ticks(reach: float) -> list[float]:
    """1 and a few round ratios on both sides of it, far enough apart to be read."""
    rounds = [1.5, 2.0, 5.0, 10.0, 30.0, 100.0, 1e3, 1e4, 1e5, 1e6]
    inside = [value for value in rounds if value <= reach * 1.001]
    chosen = {inside[-1], *inside[len(inside) // 2 : len(inside) // 2 + 1]} if inside else set()
    apart = [v for v in sorted(chosen) if math.log(v) > 0.2 * math.log(reach)]
    return sorted([1.0, *apart, *(1.0 / v for v in apart)])


def _ratio(chart: _Chart, middle: float, cell: Bin) -> Iterator[Drawn]:
    look = "flagged" if cell.flagged else "point"
    ratio = cell.ratio
    top, bottom = chart.ratio(ratio.high), chart.ratio(ratio.low)
    yield line(f"{look} stem", (middle, top), (middle, bottom))
    height = chart.ratio(ratio.estimate)
    if ratio.estimate >= chart.reach:
        yield shape(look, [(middle - 5, height + 8), (middle + 5, height + 8), (middle, height)])
    elif ratio.estimate <= 1.0 / chart.reach:
        yield shape(look, [(middle - 5, height - 8), (middle + 5, height - 8), (middle, height)])
    else:
        yield box(look, middle - 3.0, height - 3.0, 6.0, 6.0)


def _names(chart: _Chart, names: Sequence[str]) -> Iterator[Drawn]:
    step = math.ceil(len(names) / _MOST_LABELS)
    yield text("share of runs", _LEFT, _TOP - 3.0, "faint")
    yield text("ratio p/q", _LEFT, _BOTTOM - 6.0, "faint")
    for place in range(0, len(names), step):
        name = names[place]
        short = name if len(name) <= _LONGEST_LABEL else f"{name[: _LONGEST_LABEL - 1]}…"
        middle = chart.across(place + 0.5)
        turned = text(short, 0.0, 0.0, "small", "end")
        turn = f"translate({middle + 4.0:.1f} {_FOOT + 14.0:.1f}) rotate(-35)"
        yield element("g", turned, transform=turn)
