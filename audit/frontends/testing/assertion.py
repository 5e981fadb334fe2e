"""`assert_private`: one audit as an assertion."""

from __future__ import annotations

import functools
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

from audit.errors import AuditError
from audit.frontends.testing.budget import Budget, Limit
from audit.frontends.testing.hypothesis_tests import examples_sharing
from audit.frontends.testing.running import Note, current, telling
from audit.progress import Event, Subscriber, Warned, nobody
from audit.validation import refuse_unknown

if TYPE_CHECKING:
    from audit.claims import Claim
    from audit.frontends.testing.running import Running
    from audit.neighbors.domain import DomainLike
    from audit.relation import AnyRelation
    from audit.verdict.result import AuditResult


class Asked(TypedDict, total=False):
    """Rarely used arguments of an audit in a test, by name."""

    more_data: Sequence[Any]
    search: bool | None
    special: bool
    until: str
    workers: int
    records: str | None
    questions: Any
    name: str | None
    command: str | None


class Arguments(Asked, total=False):
    """Arguments of an audit in a test, by name; without the mechanism and the budget."""

    claim: Claim | None
    relation: str | AnyRelation | None
    domain: DomainLike | None
    data: Any
    neighbors: tuple[Any, ...]
    assume: Sequence[str]


@dataclass(frozen=True, slots=True)
class Request:
    """One audit of a test.

    Attributes:
        mechanism: whatever `audit.run` takes, None if there is a factory.
        factory: makes the mechanism in every fresh instance.
        arguments: of `audit.run`, and the command that repeats the audit, None to derive it.
    """

    mechanism: Any
    factory: Callable[[], Any] | None
    arguments: Arguments

    @property
    def address(self) -> str | None:
        """Address at which another process finds the mechanism; None if there is none."""
        return None if self.mechanism is None else address_of(self.mechanism)

    def load(self) -> None:
        """Load the auditor."""
        from audit.engine.run import run
        from audit.frontends.testing.reproduction import reproducing

        del run, reproducing

    def carried_out(
        self, budget: Budget, examples: int | None, running: Running, on_event: Subscriber = nobody
    ) -> AuditResult:
        """The audit's result.

        Alpha of the budget is that of all examples of the test; it is divided by how many there
        are.
        """
        from audit.engine.run import run
        from audit.frontends.testing.reproduction import reproducing

        ledger, entered = None, None
        if budget.ledger is not None and examples is None:
            ledger = running.alone(budget.ledger, self._called)
        elif budget.ledger is not None and examples is not None:
            entered = running.shared(budget, budget.ledger, self._called, examples)
            budget = budget.but(alpha=entered.entry.level, seed=entered.entry.seed)
        arguments: dict[str, Any] = {**self.arguments}
        command = arguments.pop("command", None)
        result = run(
            self.mechanism,
            factory=self.factory,
            **arguments,
            alpha=budget.alpha / (examples or 1),
            max_samples=budget.max_samples,
            max_seconds=budget.max_seconds,
            seed=budget.seed,
            timeout=budget.timeout,
            ledger=ledger,
            on_event=on_event,
        )
        if (standing := result.standing) is not None:
            budget = budget.but(alpha=result.alpha, seed=result.seed, max_samples=standing.runs)
        command = command or reproducing(self, budget, examples or 1, running.test)
        standing = standing if entered is None else entered.standing
        return replace(result, command=command, standing=standing)

    @property
    def _called(self) -> str:
        from audit.blackbox.callables import name_of

        called = self.factory if self.mechanism is None else self.mechanism
        return self.arguments.get("name") or getattr(called, "name", None) or name_of(called)


_STARTED_WITH = tuple(sys.path)
"""Where imports were searched before any test was: test runners add folders of their own."""


def address_of(mechanism: Any) -> str | None:
    """FILE.py:FUNCTION or package.module:function, None when it has neither."""
    module: Any = sys.modules.get(getattr(mechanism, "__module__", None) or "")
    path = getattr(mechanism, "__qualname__", None)
    file = getattr(module, "__file__", None)
    if not (module and path and file and os.path.isfile(file)):
        return None
    named = functools.reduce(lambda at, name: getattr(at, name, None), path.split("."), module)
    if named is not mechanism:
        return None
    # A file of a package may import its neighbors in ways that need the package.
    packaged = os.path.exists(Path(file).parent / "__init__.py")
    if packaged and _importable(module.__name__, Path(file)):
        return f"{module.__name__}:{path}"
    here, place = Path.cwd(), Path(file)
    return f"{place.relative_to(here) if place.is_relative_to(here) else place}:{path}"


def _importable(name: str, file: Path) -> bool:
    """True if a fresh process finds the file under this name."""
    place = Path(*name.split("."))
    known = (place / "__init__.py", place.with_name(f"{place.name}.py"))
    return any(file == Path(root).absolute() / part for root in _STARTED_WITH for part in known)


def assert_private(
    mechanism: Any = None,
    claim: Claim | float | None = None,
    *,
    factory: Callable[[], Any] | None = None,
    epsilon: float | None = None,
    delta: float | None = None,
    relation: str | AnyRelation | None = None,
    data: Any = None,
    neighbors: Sequence[Any] = (),
    domain: DomainLike | None = None,
    alpha: float | None = None,
    seed: int | None = None,
    assume: Sequence[str] = (),
    max_samples: int | None = None,
    max_seconds: float | None = None,
    timeout: float | None = None,
    **more: Unpack[Asked],
) -> AuditResult:
    """Fail unless an audit of the mechanism ends without refuting its claim.

    Passing is no proof of privacy: this budget did not refute the claim. Defaults
    come from the command line, then from [tool.audit] in pyproject.toml, then from
    `Budget`.

    The arguments are those of `audit.run`, except `bins`, `null`, `timing`, `budget`,
    `execution`, `executor`, `store`, `shared`, `ledger` (see `--audit-ledger`) and
    `on_event`.

    Args:
        mechanism: a function or an object with `release`; whatever `audit.run` takes.
        claim: an epsilon, or a claim such as `audit.DP(1.0, 1e-5)` and `audit.ZCDP(0.5)`.
        factory: in place of `mechanism`, a function without arguments that makes it
            in every fresh instance.
        epsilon: claimed epsilon, in place of `claim`; with `delta` for approximate DP.
        delta: claimed delta.
        relation: adjacency relation; "add-remove" by default.
        data: the dataset D.
        neighbors: D1, D2, ...; built from D if none is given.
        domain: domain of one record, such as "int:0:100", or a dict of columns such
            as {"age": "int:0:120", "sex": "choice:f,m"}.
        alpha: probability of failing although the claim holds; the examples of a
            Hypothesis test share it.
        seed: seed of every random number of the audit.
        assume: assumptions that the audit does not test, as in `audit.run`; messages
            and reports name them.
        max_samples: runs of the mechanism at most, in this audit.
        max_seconds: seconds at most; the evidence so far decides.
        timeout: seconds for one run of the mechanism.
        more: rarely used arguments by name: `more_data`, `until`, `workers`, `search`,
            `special`, `records`, `questions`, `name` and `command`, as in `audit.run`.

    Returns:
        The result of an audit that did not refute the claim.

    Raises:
        TypeError: there is no such argument.
        AuditFailure: the claim is broken; the message shows the witness.
        AuditInconclusive: the audit decides nothing; the message says what it needs.
        AuditError: an argument makes no sense, or the mechanism cannot be run.
    """
    __tracebackhide__ = True
    from audit.claims import claim_from

    refuse_unknown(assert_private, more.keys() - Asked.__annotations__, Asked.__annotations__)
    arguments: Arguments = {
        "claim": claim_from(claim, epsilon=epsilon, delta=delta),
        "relation": relation,
        "domain": domain,
        "data": data,
        "neighbors": tuple(neighbors),
        "assume": assume,
        **more,
    }
    request = Request(mechanism, factory, arguments)
    spending = {
        "alpha": alpha,
        "max_samples": max_samples,
        "max_seconds": max_seconds,
        "seed": seed,
        "timeout": timeout,
    }
    try:
        result, limit = _audited(request, spending)
    except AuditError as error:
        # The message says what is wrong; frames of the auditor would bury it.
        raise error.with_traceback(None) from None
    if result.verdict == "violation":
        raise AuditFailure(result)
    if result.verdict == "inconclusive":
        raise AuditInconclusive(result, limit)
    return result


def _audited(request: Request, spending: dict[str, Any]) -> tuple[AuditResult, Limit | None]:
    """The result, noted for the summary of the test run, and the limit of its time."""
    __tracebackhide__ = True
    running, examples = current(), examples_sharing()
    budget = running.budget.but(**spending)
    if examples is not None and spending["max_samples"] is None:
        budget = budget.but(max_samples=budget.max_samples_per_example)
    warnings: list[str] = []
    tell = telling(running, budget.max_samples)

    def heard(event: Event) -> None:
        tell(event)
        if isinstance(event, Warned):
            warnings.append(event.sentence)

    began = time.perf_counter()
    share = None
    if running.shares is not None and spending["max_seconds"] is None:
        request.load()  # seconds of the first audit that are not its own
        running.shares.took(time.perf_counter() - began)
        began = time.perf_counter()
        share = running.shares.share(running.test, examples)
    limit = Limit.of(budget.max_seconds, spending["max_seconds"], share, running.shares)
    if limit is not None:
        budget = budget.but(max_seconds=limit.seconds)
    result = request.carried_out(budget, examples, running, heard)
    if running.shares is not None:
        running.shares.took(time.perf_counter() - began, share)
    words = "" if limit is None else limit.words
    running.notes.append(Note.of(running.test, result, examples is not None, warnings, words))
    return result, limit


class _WithResult(AssertionError):
    """An audit lets a test fail; the message names the limit of its time if that ended it."""

    __module__ = "audit.testing"

    def __init__(self, result: AuditResult, limit: Limit | None = None) -> None:
        from audit.report.answer import answer_of
        from audit.report.loss import Interface
        from audit.report.text import render_answer

        answer = answer_of(result, Interface.PYTEST)
        if limit is not None:
            answer = limit.named_in(answer, result)
        if reports := current().reports:
            answer = replace(answer, details=f"Details: the report in {reports}")
        super().__init__(render_answer(answer).rstrip())
        self.result, self.short = result, answer.short


class AuditFailure(_WithResult):
    """A mechanism breaks its claim.

    Attributes:
        result: of the audit.
        short: the numbers in a few words.
    """

    __module__ = "audit.testing"


class AuditInconclusive(_WithResult):
    """An audit without an answer, which is no reason to let a test pass.

    Attributes:
        result: of the audit.
        short: the numbers in a few words.
    """

    __module__ = "audit.testing"
