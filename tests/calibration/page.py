"""The page reports/studies/calibration.md."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

import audit
from tests.calibration.boxes import BOXES
from tests.calibration.builds import section
from tests.calibration.dependent.every import DEPENDENT
from tests.calibration.independent import INDEPENDENT
from tests.calibration.kind import Kind
from tests.calibration.outcome import Outcome, Tally, interval

_HEAD = """\
# Calibration

Audits of mechanisms that keep their claim: every violation here is a false alarm, and every
lower bound above the truth is wrong. Each audit spends its whole budget, also after the claim
was refuted, so that every chance of a false alarm is taken. Its level α is the probability with
which it may be wrong. Intervals are exact (Clopper-Pearson) at 95%; bounds are compared with
parameters that are computed apart from the tool (`tests/calibration/truth.py`, and closed forms).

"""

_FOOT = """
Kinds whose calls depend on each other are audited by fresh instances, which count once each, and
without an assumption; the others declare independent calls. "Inconclusive" is right if instances
share their noise (a seed from the clock), or if the budget is below what the claim takes.
"""


def page(outcomes: Sequence[Outcome], command: str, planned: int) -> str:
    """Markdown: the totals, then the kinds.

    Args:
        outcomes: of all audits that were made.
        command: what makes them.
        planned: how many that command makes when nothing stops it.
    """
    made = f"dp-audit {audit.__version__}, {date.today()}. Reproduce: `{command}`\n"
    parts = [_HEAD, made]
    if len(outcomes) < planned:
        parts.append(
            f"\nThis study was stopped before its end: {len(outcomes):,} of {planned:,} audits "
            "were made.\n"
        )
    for title, kinds in (
        ("Calls are independent", INDEPENDENT),
        ("Calls depend on each other, or may: by fresh instances", DEPENDENT),
        ("Programs, queries, services and sessions", BOXES),
    ):
        names = {kind.name for kind in kinds}
        mine = [o for o in outcomes if o.kind in names]
        if mine:
            parts += ["\n", f"## {title}\n\n", _totals(mine), "\n", _by_kind(kinds, mine)]
    return "".join([*parts, _FOOT, section()])


def _totals(outcomes: Sequence[Outcome]) -> str:
    head = ("α", "by", "audits", "false alarms", "rate", "95% interval")
    lines = [
        f"| {' | '.join(head)} | bounds above truth | rate | 95% interval |",
        "|---|---|--:|--:|--:|---|--:|--:|---|",
    ]
    ways = list(dict.fromkeys(o.way for o in outcomes))
    for alpha in sorted({o.alpha for o in outcomes}, reverse=True):
        for way in ways:
            mine = [o for o in outcomes if (o.alpha, o.way) == (alpha, way)]
            told = Tally.of(mine)
            known = sum(bool(o.levels) for o in mine)
            lines.append(
                f"| {alpha:g} | {way} | {told.audits} "
                f"| {told.alarms} | {interval(told.alarms, told.audits)} "
                f"| {told.above} | {interval(told.above, known)} |"
            )
    return "\n".join(lines) + "\n"


def _by_kind(kinds: Sequence[Kind], outcomes: Sequence[Outcome]) -> str:
    """A row for each kind that was not told right each time, and one for all others."""
    head = ("mechanism", "claim", "audits at .05 / .001", "false alarms", "bounds above truth")
    lines = [f"| {' | '.join(head)} | inconclusive |", "|---|---|--:|--:|--:|--:|"]
    others: list[Outcome] = []
    quiet = 0
    for kind in kinds:
        mine = [o for o in outcomes if o.kind == kind.name]
        if all(o.verdict == "not-refuted" and not o.above for o in mine):
            others += mine
            quiet += 1
            continue
        claim = ", ".join(f"{name} {_shown(value)}" for name, value in kind.claim.items())
        lines.append(f"| {kind.name} | {claim} | {_cells(mine)} |")
    lines.append(f"| {quiet} others, each not refuted in all audits | | {_cells(others)} |")
    return "\n".join(lines) + "\n"


def _cells(outcomes: Sequence[Outcome]) -> str:
    levels = [Tally.of(o for o in outcomes if o.alpha == alpha) for alpha in (0.05, 0.001)]
    columns = (
        _both(t.audits for t in levels),
        _both(t.alarms for t in levels),
        _both(t.above for t in levels),
        _both(t.undecided for t in levels),
    )
    return " | ".join(columns)


def _both(counts: Iterable[int]) -> str:
    return " / ".join(map(str, counts))


def _shown(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
