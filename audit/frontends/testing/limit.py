"""The limit of an audit's time, in the words of the flag or argument that set it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from audit.frontends.testing.budget import Shares
    from audit.report.document import Answer
    from audit.verdict.result import AuditResult


@dataclass(frozen=True, slots=True)
class Limit:
    """Seconds of one audit.

    Attributes:
        seconds: at most.
        words: the flag or argument that says so.
        together: seconds for all audits of the session, None if the limit is of one audit.
    """

    seconds: float
    words: str
    together: float | None = None

    @classmethod
    def of(
        cls, flag: float | None, argument: float | None, share: float | None, shares: Shares | None
    ) -> Limit | None:
        """The limit that applies, None if there is none.

        Args:
            flag: seconds of one audit by the command line or the project.
            argument: seconds of this audit by the test.
            share: seconds of this audit out of those of the session.
            shares: the time of the session.
        """
        if argument is not None:
            return cls(argument, f"max_seconds={argument:g}")
        if share is not None and shares is not None and (flag is None or share < flag):
            share = round(share, 2)  # commands repeat it
            words = f"--audit-seconds {shares.seconds:g} left {share:.3g} s for this test and"
            return cls(share, words, shares.seconds)
        return None if flag is None else cls(flag, f"--audit-max-seconds {flag:g}")

    def named_in(self, answer: Answer, result: AuditResult) -> Answer:
        """The answer, which names this limit; that of an inconclusive audit asks for more time."""
        from audit.report.loss import time_ended

        if result.time_limit is None:
            return answer
        answer = replace(answer, notes=(time_ended(result, self.words), *answer.notes[1:]))
        if not (result.reason and result.wanted):
            return answer
        advice = self._advice(result)
        facts = (replace(f, text=advice) if f.name == "What to do" else f for f in answer.facts)
        return replace(answer, facts=tuple(facts))

    def _advice(self, result: AuditResult) -> str:
        from audit.report.loss import ENOUGH_TO_TELL, Interface
        from audit.sampling.draws import INDEPENDENT_CALLS

        flag = "--audit-max-seconds" if self.together is None else "--audit-seconds"
        advice = f"give more time: max_seconds= for this test, or {flag}"
        if result.samples >= ENOUGH_TO_TELL * result.wanted:
            longer = result.wanted / result.samples
            seconds = _rounded(self.seconds * longer)
            session = seconds if self.together is None else _rounded(self.together * longer)
            advice = f"give max_seconds={seconds}, or {flag} {session}, at most"
        if INDEPENDENT_CALLS in result.assumptions:
            return advice
        assumption = Interface.PYTEST.assumption(INDEPENDENT_CALLS)
        return f"{advice}; for a stateless function, {assumption} takes less time"


def _rounded(seconds: float) -> int:
    return math.ceil(seconds / 5.0) * 5
