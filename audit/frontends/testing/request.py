"""One audit that a test asks for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from audit.frontends.testing.address import address_of
from audit.frontends.testing.budget import Budget
from audit.progress import Subscriber, nobody

if TYPE_CHECKING:
    from audit.neighbors.domain import Domain
    from audit.verdict.result import AuditResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What a test says about its audit, but for the budget.

    Attributes:
        mechanism: whatever `audit.run` takes.
        claim: claim, epsilon, delta, rho, mu and renyi, None where not given.
        relation: what makes datasets neighbors.
        domain: what one record may be.
        data: the dataset D.
        neighbors: D1, D2, ...
        search: whether to look for worse neighbors.
        records: how the mechanism wants its records.
        name: how messages call the mechanism.
        command: what repeats the audit, None when it is to be found out.
    """

    mechanism: Any
    claim: dict[str, Any]
    relation: str | None
    domain: str | Domain | None
    data: Any
    neighbors: tuple[Any, ...]
    search: bool | None
    records: str | None
    name: str | None
    command: str | None

    @property
    def address(self) -> str | None:
        """Where another process finds the mechanism, None where it cannot."""
        return address_of(self.mechanism)

    def carried_out(
        self, budget: Budget, examples: int, test: str, on_event: Subscriber = nobody
    ) -> AuditResult:
        """The audit's result.

        Args:
            budget: what it may spend, alpha for all examples of the test.
            examples: how many examples share alpha.
            test: node id of the running test, empty for none.
            on_event: hears how far the audit is.
        """
        from audit.frontends.testing.reproduction import reproducing
        from audit.run_audit import run

        return run(
            self.mechanism,
            **self.claim,
            relation=self.relation,
            domain=self.domain,
            data=self.data,
            neighbors=self.neighbors,
            search=self.search,
            records=self.records,
            alpha=budget.alpha / examples,
            max_samples=budget.max_samples,
            max_seconds=budget.max_seconds,
            seed=budget.seed,
            timeout=budget.timeout,
            name=self.name,
            on_event=on_event,
            command=self.command or reproducing(self, budget, examples, test),
        )
