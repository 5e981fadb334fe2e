"""An audit that alone refutes nothing, while all versions of its target together do."""

from __future__ import annotations

from dataclasses import replace

from audit.sampling.ledger import Standing
from audit.verdict.result import AuditResult, Verdict


def standing_at(result: AuditResult, standing: Standing) -> AuditResult:
    """The result where it stands in its ledger: a violation where all versions show one.

    There is no witness then: the event is another one in every version.
    """
    told = replace(result, standing=standing, gained=None)
    together = standing.together
    if together is None or not together.accused or result.verdict is Verdict.VIOLATION:
        return told
    return replace(told, verdict=Verdict.VIOLATION, reason="", wanted=0)
