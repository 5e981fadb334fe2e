"""The audits of a test run, on the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from audit.claims import LARGEST_EPSILON, PureDP
from audit.errors import visible
from audit.frontends.testing.running import Note
from audit.report import loss
from audit.report.answer import WORDS, by_lives
from audit.report.formatting import aligned, clip, count, number
from audit.report.sentences import e_value, many, p_value, suggestive
from audit.sampling.draws import INDEPENDENT_CALLS
from audit.verdict.result import AuditResult, Verdict

_QUIET = 20
_LONGEST_NAME = 120

Line = tuple[str, Verdict | None]
"""A line and the verdict that colors it."""


def summary(notes: Sequence[Note], everything: bool) -> Iterator[Line]:
    """One line for each audit, and one for all of them together.

    Those that refuted nothing are listed in full, or only some of them.
    """
    grave = [note for note in notes if note.result.verdict is not Verdict.NOT_REFUTED]
    quiet = [note for note in notes if note.result.verdict is Verdict.NOT_REFUTED]
    shown = quiet if everything else quiet[:_QUIET]
    yield from _table([*shown, *grave])
    if len(shown) < len(quiet):
        yield f"... and {count(len(quiet) - len(shown))} more not refuted, listed with -v", None
    for lines in (_warnings, _unfinished, _powerless, _together):
        yield from ((line, None) for line in lines(notes))


def _table(notes: Sequence[Note]) -> Iterator[Line]:
    head = ("verdict", "lower bound", "detects", "evidence", "runs", "test and mechanism")
    rows = [_row(note) for note in notes]
    verdicts = [None, *(note.result.verdict for note in notes)]
    yield from zip(aligned([head, *rows]), verdicts, strict=True)


def _row(note: Note) -> tuple[str, ...]:
    result, detects = note.result, _detectable(note.result)
    if detects not in ("", "none"):
        detects += loss.in_a_tenth(result, "{least}")
    return (
        WORDS[result.verdict],
        loss.bound(result) if loss.has_a_bound(result) else "none",
        detects,
        p_value(result) or f"e-value {e_value(result.log_evalue)}",
        count(note.samples),
        f"{_test(note)}  {_audited(note)}",
    )


def _test(note: Note) -> str:
    return clip(visible(note.test), _LONGEST_NAME)


def _detectable(result: AuditResult) -> str:
    """The smallest ε, or ratio of probabilities, that a passed test would have detected."""
    smallest = result.detectable_epsilon
    if result.verdict is not Verdict.NOT_REFUTED:
        return ""
    if smallest is None or smallest > LARGEST_EPSILON:
        return "none"
    name = "ε ≥" if isinstance(result.claim, PureDP) else "ratio"
    return f"{name} {loss.least_loss(result, smallest)}"


def _audited(note: Note) -> str:
    remarks = [f"{count(note.audits)} audits of examples"] * note.example
    remarks += ["floating-point leak"] * bool(note.result.leaks)
    remark = f" ({', '.join(remarks)})" if remarks else ""
    return f"{clip(visible(note.result.mechanism), _LONGEST_NAME)}, {note.result.claim}{remark}"


def _warnings(notes: Sequence[Note]) -> Iterator[str]:
    for note in notes:
        yield from (f"{_test(note)}: {visible(sentence)}" for sentence in note.warnings)


def _unfinished(notes: Sequence[Note]) -> Iterator[str]:
    for note in notes:
        result, test = note.result, _test(note)
        if result.verdict is not Verdict.VIOLATION and result.time_limit is not None:
            assumption = loss.Interface.PYTEST.assumption(INDEPENDENT_CALLS)
            quicker = f"; if calls are independent, {assumption} takes less time"
            ended = visible(loss.time_ended(result, note.limit))
            yield f"{test}: {ended}{quicker * by_lives(result)}"
        if (found := result.suggestive) is not None:
            runs = found.runs_wanted
            more = f"max_samples={runs}, or --audit-max-samples {runs} if the test sets none"
            if result.time_limit is not None and runs <= result.time_limit.max_samples:
                more = "give more time"
            yield f"{test}: {suggestive(result)}: {more}"


def _powerless(notes: Sequence[Note]) -> Iterator[str]:
    """Audits of a claimed ε that passed, and might have passed with half of the noise too."""
    for note in notes:
        detects = _detectable(note.result)
        if detects and loss.has_little_power(note.result):
            searched = note.result.search is not None
            pair = ", or the critical pair as data and neighbors" if searched else ""
            yield (
                f"{_test(note)}: little power: twice the claimed ε may pass (detects {detects}); "
                f"give {loss.larger(note.result, loss.Interface.PYTEST)}{pair}"
            )


def _together(notes: Sequence[Note]) -> Iterator[str]:
    audits = many(sum(note.audits for note in notes), "audit")
    runs = count(sum(note.samples for note in notes))
    chance = number(min(1.0, sum(note.alpha for note in notes)))
    yield f"{audits}, {runs} runs; probability of any false alarm: at most {chance}"
