"""Tables: every interval holds what is true."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

from audit.report.formatting import read
from audit.verdict.pair_table import Bin, PairTable
from audit.verdict.result import Verdict

from ..known_truth import LAWLESS, MECHANISMS, Watched
from .rule import NUMBERS, says


def _table(seen: Watched) -> PairTable:
    (table,) = seen.result.pairs
    return table


@says(
    rf"(?P<draws>.+?); ratio with the largest lower end: (?P<name>P\S+) = {NUMBERS} at [^;]+; "
    r"(?P<flags>.+)"
)
def _caption(found: re.Match[str], seen: Watched) -> None:
    table = _table(seen)
    assert found["draws"] == f"{table.draws[0]:,} runs on each side"
    effort = seen.result.effort
    assert sum(table.draws) <= effort["tables"] + effort["witness"]
    _true_ratio(found["name"], [read(found[place]) for place in (3, 4, 5)], seen)
    flagged = [cell for cell in table.bins if cell.flagged]
    assert ("marked !" in found["flags"]) == bool(flagged)


def _true_ratio(name: str, shown: list[float], seen: Watched) -> None:
    """Some bin has that estimate; its true ratio lies in the interval."""
    if seen.name in LAWLESS:
        return
    ratios = [c.ratio if name.startswith("P[D]/") else c.reverse for c in _table(seen).bins]
    places = [i for i, r in enumerate(ratios) if _close(r.estimate, shown[0])]
    assert any(_within(_true(seen, _table(seen).bins[i]), name, shown) for i in places)


def _close(value: float, shown: float) -> bool:
    return value == shown or math.isclose(value, shown, rel_tol=0.006)


def _within(truth: tuple[float, float], name: str, shown: list[float]) -> bool:
    over, under = truth if name.startswith("P[D]/") else truth[::-1]
    ratio = over / under if under else math.inf
    return shown[1] <= ratio <= shown[2]


def _true(seen: Watched, cell: Bin) -> tuple[float, float]:
    """The true probabilities of a bin on D and on its neighbor."""
    law = MECHANISMS[seen.name].law
    neighbor = 1.0 if seen.result.null else 0.0
    if law is None:
        here = _certain(seen.name, cell)
        return float(here), float(not here)
    assert cell.low is not None and cell.high is not None
    first, second = (_mass(law(total), cell.low, cell.high) for total in (1.0, neighbor))
    return first, second


def _mass(cdf: Callable[[float], float], low: float, high: float) -> float:
    ends = [
        0.0 if e == -math.inf else 1.0 if e == math.inf else cdf(math.nextafter(e, -math.inf))
        for e in (low, high)
    ]
    return ends[1] - ends[0]


def _certain(name: str, cell: Bin) -> bool:
    """Whether the bin is that of D's only output."""
    if name in ("exact", "too few"):
        return cell.low is not None and cell.high is not None and cell.low <= 1.0 < cell.high
    shown = "raised" if name == "raises" else "= 1"
    return shown in cell.label


@says(rf"row: (?P<flag>.) (?P<bin>.+?)\s{{2,}}{NUMBERS}\s+{NUMBERS}\s+{NUMBERS}\s+{NUMBERS}")
def _row(found: re.Match[str], seen: Watched) -> None:
    """All intervals of a table hold together with probability 1 - alpha; seeds are fixed."""
    if seen.name in LAWLESS:
        return
    shown = [[read(found[3 + 3 * k + j]) for j in range(3)] for k in range(4)]
    cells = [
        cell
        for cell in _table(seen).bins
        if _close(cell.p.estimate, shown[0][0]) and _close(cell.q.estimate, shown[1][0])
    ]
    assert cells
    held = False
    for cell in cells:
        p, q = _true(seen, cell)
        held |= (
            shown[0][1] <= p <= shown[0][2]
            and shown[1][1] <= q <= shown[1][2]
            and _within((p, q), "P[D]/", shown[2])
            and _within((p, q), "P[D1]/P[D]", shown[3])
            and (found["flag"] == "!") == cell.flagged
        )
        if cell.flagged:
            a, b = seen.result.claim.lines(seen.result.claim.level).T
            assert (p > a * q + b).any() or (q > a * p + b).any()
    assert held


@says(
    r"Relative frequencies with Clopper-Pearson intervals, and their ratios\. (?:All intervals of "
    r"all tables hold together with 99\.9% confidence\.|(?P<none>The runs are not known to be "
    r"independent draws from one law, as the intervals assume\.))"
)
def _all_hold(found: re.Match[str], seen: Watched) -> None:
    assert (found["none"] is not None) == (seen.name in LAWLESS)
    if found["none"]:
        return
    for cell in _table(seen).bins:
        p, q = _true(seen, cell)
        assert cell.p.low <= p <= cell.p.high and cell.q.low <= q <= cell.q.high


@says(r"No bin of D[01] breaks the claim on its own\. That says little: .*")
def _quiet(found: re.Match[str], seen: Watched) -> None:
    assert not any(cell.flagged for cell in _table(seen).bins)
    assert seen.result.verdict is not Verdict.VIOLATION


@says(r"One pair and one event refute the claim\. Tables without a flagged bin .*")
def _quiet_beside_a_violation(found: re.Match[str], seen: Watched) -> None:
    assert not any(cell.flagged for cell in _table(seen).bins)
    assert seen.result.verdict is Verdict.VIOLATION


@says(r"note: no tables were drawn: bets and checks left too few runs for them")
def _few(found: re.Match[str], seen: Watched) -> None:
    assert not seen.result.pairs and seen.result.effort["tables"] == 0
    assert seen.runs < 4_000


@says(
    r"note: no tables were drawn: every run takes a call, and they would have taken more runs "
    r"than the bets left for them(?:; --until budget has tables)?"
)
def _none(found: re.Match[str], seen: Watched) -> None:
    effort = seen.result.effort
    assert not seen.result.pairs and effort["tables"] == 0
    # Two datasets, each with 20 runs and as many for the ends of its bins.
    assert effort["bets"] - effort["check"] - effort["witness"] < 4 * 40
