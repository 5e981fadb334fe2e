"""Budget of an audit inside a test, its settings in a project, and its share of the time.

Audits take longer than they are given, by what they do after their time ended: what those
before took beyond their part is taken off the part of the next. No test has less than a
third of an equal part, so that one slow audit does not leave the others without an answer.

Each test that audits has a weight: 1, and up to 4 where its audit had gathered evidence
against its claim, but not enough, when the run before ended it. A test gets its part of
what is left by the weights that are left; whoever ends early leaves the rest to those
that come after.

When an audit ends may depend on all it has seen so far, and on all that earlier runs have
seen: bets are a nonnegative supermartingale under the claim, so that a test which keeps
its claim fails with probability at most alpha however time is split (arXiv 2210.01948).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit.errors import InputError, shown
from audit.frontends.project import settings_in, where
from audit.validation import AMOUNTS, check_amounts, native

if TYPE_CHECKING:
    from audit.frontends.testing.running import Note
    from audit.report.document import Answer
    from audit.verdict.result import AuditResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The budget of every test that does not ask for another one.

    Attributes:
        alpha: chance that a test fails although its mechanism keeps its claim;
            a thousand tests at 1e-6 raise any false alarm once in a thousand runs.
        max_samples: runs of the mechanism at most, for one audit.
        max_samples_per_example: the same for one example of a Hypothesis test,
            of which there are many.
        seed: every number of an audit follows from it.
        timeout: seconds for one run of the mechanism.
        max_seconds: time at most for one audit, None for no limit; how far it gets then
            does not follow from the seed.
        ledger: the file that remembers every audit of every test, None for none.
    """

    alpha: float = 1e-6
    max_samples: int = 50_000
    max_samples_per_example: int = 5_000
    seed: int = 0
    timeout: float = 10.0
    max_seconds: float | None = None
    ledger: Path | None = None

    def but(self, naming: Callable[[str], str] = str, **given: Any) -> Budget:
        """The same budget with those values that are not None replaced.

        Messages name them as the caller does.

        Raises:
            InputError: one of them makes no sense.
        """
        changed = {name: value for name, value in given.items() if value is not None}
        return replace(self, **{key: checked(key, value, naming) for key, value in changed.items()})


def checked(name: str, value: Any, naming: Callable[[str], str] = str) -> Any:
    """The value of a setting as it is; numbers of numpy as Python's own.

    Raises:
        InputError: it is not in the setting's range.
    """
    if name in AMOUNTS:
        check_amounts(naming, **{name: value})
    elif not isinstance(value, Path):
        raise InputError(f"{naming(name)} {shown(value)} is not the name of a file", value)
    return native(value)


def number_for(name: str) -> Callable[[str], Any]:
    """Parser of a setting, as on the command line."""

    def read(text: str) -> Any:
        for kind in (int, float):
            try:
                return checked(name, kind(text))
            except (ValueError, InputError):
                continue
        amount = AMOUNTS[name]
        raise InputError(f"{text!r} is not {amount.words}; give for example {amount.example}", text)

    return read


def budget_in(file: Path) -> Budget:
    """The budget in the table [tool.audit] of a project's pyproject.toml.

    What the table says of other flags of the command line is for the command line alone.

    Raises:
        InputError: the file cannot be read, a key is not known, or a value is out of its range.
    """
    known = {_key(field.name): field.name for field in fields(Budget)}
    settings = settings_in(file) or {}
    table = {known[key]: value for key, value in settings.items() if key in known}
    if isinstance(table.get("ledger"), str):
        table["ledger"] = file.parent / table["ledger"]
    try:
        return Budget().but(_key, **table)
    except InputError as error:
        raise InputError(f"{where(file)}: {error}", error.offender) from None


def _key(name: str) -> str:
    return name.replace("_", "-")


LEAST = 0.5
"""Seconds that every audit has, whatever is left: less shows nothing of any mechanism."""
_MOST_WEIGHT = 4.0
_LEAST_PART = 3.0
"""No test gets less than its equal part divided by this."""
_MORE = 1.05
"""Part of an equal one from which on a test got more than others."""


@dataclass(slots=True)
class Shares:
    """Time that one process may spend on its audits.

    Attributes:
        seconds: for all of them.
        workers: processes that share the tests, each with so many seconds.
        weights: of tests that audit, by node id.
        spent: seconds so far.
        given: weight of the tests that had their share.
        left: seconds that a test has left of its share.
        beyond: seconds that each audit took beyond what it was given, of those that used it up.
    """

    seconds: float
    workers: int = 1
    weights: Mapping[str, float] = field(default_factory=dict)
    spent: float = 0.0
    given: float = 0.0
    left: dict[str, float] = field(default_factory=dict)
    beyond: list[float] = field(default_factory=list)

    def share(self, test: str, audits: int | None = None) -> float:
        """Seconds for the next audit of a test.

        Args:
            test: node id.
            audits: how many share what the test has, None where it has one, as far as
                is known; a second one is a test of its own.
        """
        if audits is None or test not in self.left:
            self.left[test] = self._next(self.weights.get(test, 1.0), audits or 1)
        return max(LEAST, self.left[test] / (audits or 1))

    def _next(self, weight: float, audits: int) -> float:
        total, beyond = sum(self.weights.values()), sum(self.beyond)
        left = self.seconds - self.spent
        expected = total / self.workers - self.given
        # Nobody knows which tests come to a worker: as long as there may be more of them than
        # its part, half of what is left is for those.
        more = 2.0 if self.workers > 1 else 1.0
        self.given += weight
        portion = weight / max(expected, more * weight)
        each = beyond / len(self.beyond) if self.beyond else 0.0
        equal = self.seconds * weight / max(total, more * weight)
        least = min((left + beyond) * portion, equal / _LEAST_PART)
        return max(left * portion - each * audits, least)

    def took(self, seconds: float, given: float | None = None) -> None:
        """Count the time of an audit, and what it took beyond its share if it had one."""
        self.spent += seconds
        if given is not None and seconds >= given:
            self.beyond.append(seconds - given)


def weights_of(tests: Collection[str], evidence: Mapping[str, float]) -> dict[str, float]:
    """Weight of each test that audits, by the part of the way to a refutation in the run before."""
    return {
        test: 1.0 + (_MOST_WEIGHT - 1.0) * min(1.0, max(0.0, evidence.get(test, 0.0)))
        for test in tests
    }


def evidence_in(notes: Iterable[Note]) -> dict[str, float]:
    """Evidence of audits that refuted nothing, by test: 0 if nothing spoke against a claim."""
    found: dict[str, float] = {}
    for note in notes:
        if note.result.verdict == "not-refuted":
            found[note.test] = max(found.get(note.test, 0.0), note.progress)
    return found


def told(
    seconds: float, workers: int, notes: Collection[Note], weights: Mapping[str, float]
) -> str:
    """Line on how the time of a run was split: seconds for the audits of each of its processes."""
    from audit.report.formatting import count, number

    taken = sum(note.result.seconds or 0.0 for note in notes)
    each = f" for each of {workers} workers" if workers > 1 else ""
    equal = _MORE * sum(weights.values()) / max(1, len(weights))
    longer = sum(weight > equal for weight in weights.values())
    more = f"; {count(longer)} that came closest before got more of it" if longer else ""
    least = ", at least a third of an equal part for each test"
    return (
        f"--audit-seconds {number(seconds)}{each}, split over the tests that audit{least}{more}; "
        f"{number(round(taken, 1))} s were taken"
    )


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

        An argument of the test comes first, then the smaller one of its share of the session and
        the flag.
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
