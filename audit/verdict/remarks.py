"""Remarks on how an audit was made, for its notes."""

from __future__ import annotations

from audit.amounts import MOST_SAMPLES
from audit.audit_session import AuditSession
from audit.betting.record import BettingRecord
from audit.case import Case, Settings, Until
from audit.verdict.result import AuditResult

_PARTS = {
    "search": "the search",
    "bets": "the bets",
    "confirmation": "the confirmation of what they won",
    "check": "the self-check",
    "witness": "the witness",
    "tables": "the tables",
}
"""What people are told of parts that have a deadline."""
_TOLD_TIME = (
    "outputs hold the time at which they were made, or an address in memory: it moves on while an "
    "audit runs and says nothing about a dataset, so that it was put out of them and not bet on"
)

_UNCHANGING = (
    "every run on every dataset gave the same output, which says nothing of the data; if that is "
    "not what was meant, see what a run returns, or what a program prints to standard output"
)
_TOO_DEAR = (
    "no tables were drawn: every run takes a call, and they would have taken more runs than "
    "the bets left for them"
)
_ASK_FOR_THEM = "; --until budget has tables"
_TOO_FEW = "no tables were drawn: bets and checks left too few runs for them"


def tableless(session: AuditSession, result: AuditResult) -> tuple[str, ...]:
    """What to say where too few runs were left for tables, or more than they are worth.

    That time ended them is said with all that it ended.
    """
    if result.pairs or not session.settings.tables or session.deadline("tables").met:
        return ()
    if session.beside == session.left:
        return (_TOO_FEW,)
    asked = session.settings.budget.rule is Until.BUDGET
    return (_TOO_DEAR if asked else _TOO_DEAR + _ASK_FOR_THEM,)


def unchanging(record: BettingRecord) -> tuple[str, ...]:
    """What to say where all outputs were the same, whatever the dataset."""
    told = [pair.answers for pair in record.pairs.values() if pair.drawn]
    answers = [answer for pair in told for answer in pair]
    alike = bool(answers) and answers[0] is not None and all(a == answers[0] for a in answers)
    return (_UNCHANGING,) if alike else ()


def drawn_how(session: AuditSession) -> tuple[str, ...]:
    """What to say where one process had to draw, or a clock decided about calls or ended a part."""
    start_up = getattr(session.case.box, "start_up", None)
    timed = _TOLD_TIME if session.sampler.runs.told_time else ""
    note = getattr(start_up, "note", "")
    bound = session.sampler.watch.bound or ""
    said = bound, note, timed, _continued(session.memory.budgets), _hurried(session)
    return tuple(note for note in said if note)


def _continued(budgets: tuple[int, ...]) -> str:
    """What to say where an audit went on from one with less to spend, which had looked before."""
    if len(budgets) == 1:
        return ""
    before = ", then ".join(f"{budget:,}" for budget in budgets[:-1])
    return (
        f"the audit went on from its store, where {before} runs at most had been made: what had "
        "been looked at by then counts, so that the command without the store gives other numbers"
    )


def _hurried(session: AuditSession) -> str:
    """What to say where time ended a part of the audit, empty where it did not."""
    ended = [_PARTS[part] for part, deadline in session.deadlines.items() if deadline.met]
    if not ended:
        return ""
    return (
        f"--max-seconds {session.settings.max_seconds:g} ended {' and '.join(ended)} after "
        f"{session.sampler.samples:,} of at most {session.settings.max_samples:,} runs: how far an "
        "audit gets in a time does not follow from its seed, so that the same command may give "
        "other numbers"
    )


def too_few_runs(case: Case, settings: Settings, needed: int) -> str:
    """That the budget shows nothing; which one does, the result says, who knows the pairs."""
    why = (
        f"even an event that is certain on D and impossible on its neighbor takes {needed:,}"
        if needed <= MOST_SAMPLES
        else f"it takes more than an audit may make ({MOST_SAMPLES:,})"
    )
    return (
        f"{settings.max_samples:,} runs cannot refute {case.claim}, whatever {case.name} does; "
        f"{why}"
    )
