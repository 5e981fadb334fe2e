"""The classic table of a pair as lines of a terminal."""

from __future__ import annotations

from collections.abc import Iterable

from audit.errors import visible
from audit.report.aligned import aligned
from audit.report.table import Row, rows
from audit.verdict.pair_table import PairTable

_LONGEST_LABEL = 40
_SHORTEST_LABEL = 12


def short_table(pair: PairTable, width: int) -> list[str]:
    """Frequencies and p/q, whose inverse is q/p; one line a bin.

    Names of bins are cut, or ratios left out, where they are wider than the terminal.
    """
    found = rows(pair)
    for columns in ([*_shares(pair, found), _ratio(found)], _shares(pair, found)):
        room = width - sum(2 + max(map(len, column)) for column in columns) - 3
        if room >= _SHORTEST_LABEL:
            break
    return _grid([_names(pair, found, room), *columns], found)


def whole_table(pair: PairTable, width: int) -> list[str]:
    """Frequencies and both ratios; in two halves where one is wider than the terminal."""
    found = rows(pair)
    names = _names(pair, found)
    ratios = [_ratio(found), _column("q/p", (row.reverse for row in found))]
    whole = _grid([names, *_shares(pair, found), *ratios], found)
    if max(map(len, whole)) <= width:
        return whole
    return [*_grid([names, *_shares(pair, found)], found), *_grid([names, *ratios], found)]


def _names(pair: PairTable, found: list[Row], room: int = _LONGEST_LABEL) -> list[str]:
    return [_short(name, room) for name in (pair.feature, *(row.bin for row in found))]


def _shares(pair: PairTable, found: list[Row]) -> list[list[str]]:
    return [
        _column("p on D", (row.p for row in found)),
        _column(f"q on {pair.name}", (row.q for row in found)),
    ]


def _ratio(found: list[Row]) -> list[str]:
    return _column("p/q", (row.ratio for row in found))


def _column(name: str, cells: Iterable[str]) -> list[str]:
    return [_short(name), *cells]


def _short(label: str, room: int = _LONGEST_LABEL) -> str:
    shown, most = visible(label), min(room, _LONGEST_LABEL)
    return shown if len(shown) <= most else f"{shown[: most - 1]}…"


def _grid(columns: list[list[str]], found: list[Row]) -> list[str]:
    marks = [" ", *("!" if row.flagged else " " for row in found)]
    return aligned(list(zip(marks, *columns, strict=True)))
