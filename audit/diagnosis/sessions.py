"""Rule on sessions whose answers exceed the claim together."""

from __future__ import annotations

from audit.diagnosis.cause import Cause
from audit.diagnosis.evidence import Evidence
from audit.diagnosis.phrases import found, share
from audit.verdict.diagnosis import Diagnosis


def composition(evidence: Evidence) -> Diagnosis | None:
    """A session that breaks its claim by its answers together."""
    seen = evidence.observed
    if not evidence.session or seen is None:
        return None
    questions = len(evidence.left.dataset["questions"])
    return found(
        Cause.COMPOSITION,
        f"After {questions} question{'s' * (questions != 1)} the answers exceed {evidence.claim} "
        f"together: {seen.event}, in {share(seen.p)} and {share(seen.q)} of the sessions.",
        "Charge every answer to the budget before it is given, refusals and repeats included.",
        questions=questions,
        p=seen.p,
        q=seen.q,
    )
