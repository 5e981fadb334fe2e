"""The page reports/studies/diagnosis.md."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from datetime import UTC, datetime

import audit
from audit.verdict.findings import Cause
from tests.diagnosis.labels import CAUSES
from tests.diagnosis.study import Audited

_HEAD = """\
# How bad, and why

Whole audits of broken mechanisms, calls assumed independent: the lower bound of ε next to the
smallest ε that holds, with the default budget; and the likely cause next to the true ones, until
the claim is refuted, within 40,000 runs.
"""
_SUMS = """
## Bounds: mechanisms sold as ε = 1, by search

No data are given; only large records, or many of them, show the whole loss. For the best of ten
(ε = 2, by events that come too seldom) the truth is what an oracle shows in 190,000 pairs.

"""
_CAUSES = """
## Causes

Every broken mechanism of the catalogue was labelled by hand with its true causes, from its
code, before the rules were written (`tests/diagnosis/labels.py`). A diagnosis is right if it
names one of the labels, wrong if it names another cause, and `unknown` if no rule fits. The
rules were improved on this catalogue, so rates on other code are lower.

"""


def page(sold: Sequence[Audited], found: Sequence[Audited], command: str) -> str:
    """Markdown: bounds of both sets, totals of causes, a line for each, all that is not right.

    Args:
        sold: audits of mechanisms of known loss, which have no labels.
        found: audits of the catalogue's broken entries.
        command: what makes them.
    """
    today = datetime.now(UTC).date().isoformat()
    parts = (
        _HEAD,
        f"\ndp-audit {audit.__version__}, {today}. Reproduce: `{command}`\n",
        _SUMS,
        _bounds(sold),
        _CAUSES,
        _totals(found),
        "\n### By cause\n\nBy the first label of each mechanism.\n\n",
        _by_cause(found),
        "\n### Wrong and unknown\n\n",
        _not_right(found),
        "\n### Sentences\n\nThe first right diagnosis of each cause.\n\n",
        _sentences(found),
    )
    return "".join(parts)


def _bounds(sold: Sequence[Audited]) -> str:
    rows = [
        "| mechanism | truth | seeds | refuted | median bound | lowest | ÷ truth | lowest |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name in dict.fromkeys(one.name for one in sold):
        mine = [one for one in sold if one.name == name]
        truth = mine[0].truth or math.nan
        bounds = [one.bound for one in mine]
        middle, low = statistics.median(bounds), min(bounds)
        figures = f"{middle:.2f} | {low:.2f} | {middle / truth:.2f} | {low / truth:.2f}"
        refuted = sum(one.refuted for one in mine)
        rows.append(f"| {name} | {truth:.2f} | {len(mine)} | {refuted} | {figures} |")
    return "\n".join(rows) + "\n"


def _totals(found: Sequence[Audited]) -> str:
    rows = ["| audits | refuted | right | wrong | unknown |", "|--:|--:|--:|--:|--:|"]
    return "\n".join([*rows, f"| {len(found)} | {_figures(found, shares=True)} |"]) + "\n"


def _by_cause(found: Sequence[Audited]) -> str:
    rows = ["| cause | audits | refuted | right | wrong | unknown |", "|---|--:|--:|--:|--:|--:|"]
    for cause in Cause:
        mine = [one for one in found if CAUSES[one.name][0] is cause]
        if mine:
            rows.append(f"| `{cause}` | {len(mine)} | {_figures(mine, shares=False)} |")
    return "\n".join(rows) + "\n"


def _figures(found: Sequence[Audited], shares: bool) -> str:
    refuted = [one for one in found if one.refuted]
    counts = (
        sum(one.right for one in refuted),
        sum(one.wrong for one in refuted),
        sum(one.cause == Cause.UNKNOWN for one in refuted),
    )
    shown = [f"{n} ({n / max(1, len(refuted)):.1%})" if shares else f"{n}" for n in counts]
    return " | ".join([f"{len(refuted)}", *shown])


def _not_right(found: Sequence[Audited]) -> str:
    rows = ["| mechanism | seeds | labels | diagnosis |", "|---|---|---|---|"]
    missed = [one for one in found if one.refuted and not one.right]
    for name, cause in dict.fromkeys((one.name, one.cause) for one in missed):
        seeds = ", ".join(str(one.seed) for one in missed if (one.name, one.cause) == (name, cause))
        labels = ", ".join(f"`{label}`" for label in CAUSES[name])
        rows.append(f"| {name} | {seeds} | {labels} | `{cause}` |")
    return "\n".join(rows) + "\n" if missed else "None.\n"


def _sentences(found: Sequence[Audited]) -> str:
    rows = ["| cause | mechanism | sentence | advice |", "|---|---|---|---|"]
    for cause in Cause:
        first = next((one for one in found if one.cause == cause and one.right), None)
        if first is not None:
            cells = (one.replace("|", "\\|") for one in (first.sentence, first.advice))
            rows.append(f"| `{cause}` | {first.name} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"
