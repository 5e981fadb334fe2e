"""One audit of a test."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from audit.frontends.testing.budget import Budget
from audit.progress import Subscriber, nobody

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

        Args:
            budget: what it may spend, alpha for all examples of the test.
            examples: how many examples share alpha, None where there are none.
            running: the test that asks for it.
            on_event: hears how far the audit is.
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
        from audit.blackbox.python import name_of

        called = self.factory if self.mechanism is None else self.mechanism
        return self.arguments.get("name") or getattr(called, "name", None) or name_of(called)


_STARTED_WITH = tuple(sys.path)
"""Where imports were searched before any test was: test runners add folders of their own."""


def address_of(mechanism: Any) -> str | None:
    """FILE.py:FUNCTION or package.module:function, None when it has neither."""
    module = sys.modules.get(getattr(mechanism, "__module__", None) or "")
    path = getattr(mechanism, "__qualname__", None)
    file = getattr(module, "__file__", None)
    if not (module and path and file and os.path.isfile(file)):
        return None
    if _attribute(module, path) is not mechanism:
        return None
    # A file of a package may import its neighbors in ways that need the package.
    packaged = os.path.exists(Path(file).parent / "__init__.py")
    if packaged and _importable(module.__name__, Path(file)):
        return f"{module.__name__}:{path}"
    return f"{_shown(Path(file))}:{path}"


def _attribute(module: Any, path: str) -> Any:
    return functools.reduce(lambda at, name: getattr(at, name, None), path.split("."), module)


def _importable(name: str, file: Path) -> bool:
    """True if a fresh process finds the file under this name."""
    place = Path(*name.split("."))
    known = (place / "__init__.py", place.with_name(f"{place.name}.py"))
    return any(file == Path(root).absolute() / part for root in _STARTED_WITH for part in known)


def _shown(file: Path) -> str:
    here = Path.cwd()
    return str(file.relative_to(here)) if file.is_relative_to(here) else str(file)
