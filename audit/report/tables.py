"""Tables of pairs, bin by bin: frequencies on both datasets and their ratios, in words."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

from audit.errors import visible
from audit.neighbors.difference import in_short
from audit.outcomes.part_words import symbol
from audit.report.formatting import clip, count, cut, interval
from audit.verdict.pair_table import Bin, PairTable, most_telling

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
    return table.feature, "P[D]", f"P[{table.name}]", *ratios(table)


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
    after = {b.high for b in bins if b.low is not None and b.high == _next(b.low)}
    edges = {b.low for b in bins} | {b.high for b in bins}
    shown = _shown([e for e in edges if e is not None and e not in after])
    last = max((i for i, b in enumerate(bins) if b.high is not None), default=-1)
    return [
        _label(b, shown, b.low in after, i == last and _stands_for_the_last(b.high), feature)
        for i, b in enumerate(bins)
    ]


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


def _next(value: float) -> float:
    return math.nextafter(value, math.inf)


def _stands_for_the_last(end: float | None) -> bool:
    """True if the end of all bins lies one float above a rounder number, which they include."""
    return end is not None and len(repr(math.nextafter(end, -math.inf))) + _ROUNDER < len(repr(end))


def _label(
    cell: Bin, shown: Mapping[float, str], open_left: bool, closed: bool, feature: str
) -> str:
    if cell.low is None or cell.high is None:
        value = cell.label.removeprefix("is ")
        return "anything else" if value == _OTHER else symbol(feature, value).removeprefix("is ")
    if _WHOLE.fullmatch(cell.label):
        return cell.label.removeprefix("= ")
    low = math.nextafter(cell.low, -math.inf) if open_left else cell.low
    start, end = (shown.get(edge, f"{edge:.{_MOST_DIGITS}g}") for edge in (low, cell.high))
    if math.isinf(low):
        return "any number" if math.isinf(cell.high) else f"< {end}"
    if math.isinf(cell.high):
        return f"{'>' if open_left else '>='} {start}"
    if cell.high == _next(cell.low):
        return f"= {max(shown.get(cell.low, ''), _cut(cell.low, 6), key=len)}"
    return f"{'(' if open_left else '['}{start}, {end}{']' if closed else ')'}"


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


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """One line for each row, its cells two blanks apart and as wide as their column.

    Raises:
        ValueError: a row has more or fewer cells than another.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
