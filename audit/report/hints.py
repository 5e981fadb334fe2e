"""What somebody who reads of a violation should ask themselves first."""

from __future__ import annotations

from audit.claim import PureDP
from audit.outcomes.encoding import KIND
from audit.outcomes.part_words import failure
from audit.report.headline import sides
from audit.report.numerals import number
from audit.report.tail import grows
from audit.verdict.result import AuditResult, Verdict, Witness

_NEARLY_ALWAYS = 0.99


def hints(result: AuditResult) -> list[str]:
    """Questions about the claim and the datasets, as whole sentences; often none."""
    if result.verdict is not Verdict.VIOLATION or result.witness is None or result.null:
        return []
    found = [_delta(result, result.witness), _fit(result.witness)]
    return [hint for hint in found if hint]


def _delta(result: AuditResult, witness: Witness) -> str:
    """A pure claim breaks where a mechanism keeps epsilon with a delta only, as a Gaussian's."""
    excess = witness.p.estimate - witness.slope * witness.q.estimate
    pure = isinstance(result.claim, PureDP) and witness.separated
    if not pure or not grows(result, witness):
        return ""
    return (
        "the loss grows towards the tail of the outputs, as under Gaussian noise, which keeps no ε "
        "without a δ. If the mechanism is meant to keep its claim with a δ, give that with "
        f"--delta; this event takes a δ of about {number(excess)}."
    )


def _fit(witness: Witness) -> str:
    """A mechanism that fails on every dataset of a kind may never have been meant for it."""
    failures = _failures(witness)
    if not failures or witness.p.estimate < _NEARLY_ALWAYS:
        return ""
    left, _ = sides(witness)
    return (
        f"on {left} nearly every run fails. Whoever sees a failure learns from it, so it counts as "
        "an output; but if the mechanism is not meant for such datasets, let --domain or --data "
        "say which it takes."
    )


def _failures(witness: Witness) -> list[str]:
    """The failed runs in the event, by their names; none where it holds other outputs too."""
    parameters = witness.event.parameters
    if parameters.get("feature") != KIND or parameters.get("other_symbols"):
        return []
    symbols = parameters.get("symbols", ())
    return list(symbols) if all(map(failure, symbols)) else []
