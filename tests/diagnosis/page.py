"""The page reports/studies/diagnosis.md."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import audit
from audit.diagnosis.cause import Cause
from tests.diagnosis.labels import CAUSES
from tests.diagnosis.outcome import Diagnosed

_HEAD = """\
# Likely causes

Every broken mechanism of the catalogue was labelled by hand with its true causes, from its
code, before the rules were written (`tests/diagnosis/labels.py`). Then each was audited, and
the counterexample was diagnosed from 2,000 fresh runs on each of its two datasets. A diagnosis
is right if it names one of the labels, wrong if it names another cause, and `unknown` if no
rule fits. The rules were improved on this catalogue, so rates on other code are lower.
Audits have 40,000 runs; those that did not refute the claim have no diagnosis.

"""


def page(found: Sequence[Diagnosed], command: str) -> str:
    """Markdown: totals, a line for each cause, all that is not right, one sentence a cause.

    Args:
        found: diagnoses of all audits.
        command: what makes them.
    """
    today = datetime.now(UTC).date().isoformat()
    parts = (
        _HEAD,
        f"dp-audit {audit.__version__}, {today}. Reproduce: `{command}`\n\n",
        _totals(found),
        "\n## By cause\n\nBy the first label of each mechanism.\n\n",
        _by_cause(found),
        "\n## Wrong and unknown\n\n",
        _not_right(found),
        "\n## Sentences\n\nThe first right diagnosis of each cause.\n\n",
        _sentences(found),
    )
    return "".join(parts)


def _totals(found: Sequence[Diagnosed]) -> str:
    rows = ["| audits | refuted | right | wrong | unknown |", "|--:|--:|--:|--:|--:|"]
    return "\n".join([*rows, f"| {len(found)} | {_figures(found, shares=True)} |"]) + "\n"


def _by_cause(found: Sequence[Diagnosed]) -> str:
    rows = ["| cause | audits | refuted | right | wrong | unknown |", "|---|--:|--:|--:|--:|--:|"]
    for cause in Cause:
        mine = [one for one in found if CAUSES[one.name][0] is cause]
        if mine:
            rows.append(f"| `{cause}` | {len(mine)} | {_figures(mine, shares=False)} |")
    return "\n".join(rows) + "\n"


def _figures(found: Sequence[Diagnosed], shares: bool) -> str:
    refuted = [one for one in found if one.cause is not None]
    counts = (
        sum(one.right for one in refuted),
        sum(one.wrong for one in refuted),
        sum(one.cause is Cause.UNKNOWN for one in refuted),
    )
    shown = [f"{n} ({n / max(1, len(refuted)):.1%})" if shares else f"{n}" for n in counts]
    return " | ".join([f"{len(refuted)}", *shown])


def _not_right(found: Sequence[Diagnosed]) -> str:
    rows = ["| mechanism | seeds | labels | diagnosis |", "|---|---|---|---|"]
    missed = [one for one in found if one.cause is not None and not one.right]
    for name, cause in dict.fromkeys((one.name, one.cause) for one in missed):
        seeds = ", ".join(str(one.seed) for one in missed if (one.name, one.cause) == (name, cause))
        labels = ", ".join(f"`{label}`" for label in CAUSES[name])
        rows.append(f"| {name} | {seeds} | {labels} | `{cause}` |")
    return "\n".join(rows) + "\n" if missed else "None.\n"


def _sentences(found: Sequence[Diagnosed]) -> str:
    rows = ["| cause | mechanism | sentence | advice |", "|---|---|---|---|"]
    for cause in Cause:
        first = next((one for one in found if one.cause is cause and one.right), None)
        if first is not None:
            cells = (one.replace("|", "\\|") for one in (first.sentence, first.advice))
            rows.append(f"| `{cause}` | {first.name} | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"
