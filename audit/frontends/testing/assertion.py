"""`assert_private`: one audit as an assertion."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from audit.frontends.testing.hypothesis_tests import examples_sharing
from audit.frontends.testing.request import Request
from audit.frontends.testing.running import Note, current
from audit.progress import Event, Warned

if TYPE_CHECKING:
    from audit.claims import Claim
    from audit.neighbors.domain import Domain
    from audit.verdict.result import AuditResult


def assert_private(
    mechanism: Any,
    *,
    claim: Claim | None = None,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    mu: float | None = None,
    renyi: tuple[float, float] | None = None,
    profile: Any = None,
    relation: str | None = None,
    domain: str | Domain | None = None,
    data: Any = None,
    more_data: Sequence[Any] = (),
    neighbors: Sequence[Any] = (),
    alpha: float | None = None,
    max_samples: int | None = None,
    max_seconds: float | None = None,
    seed: int | None = None,
    timeout: float | None = None,
    search: bool | None = None,
    records: str | None = None,
    assume: Sequence[str] = (),
    name: str | None = None,
    command: str | None = None,
) -> AuditResult:
    """Fail unless an audit of the mechanism ends without refuting its claim.

    Passing is no proof of privacy: this budget did not refute the claim. Defaults
    come from the command line, then from [tool.audit] in pyproject.toml, then from
    `Budget`.

    Args:
        mechanism: whatever `audit.run` takes.
        claim: the privacy claim, of any kind.
        epsilon: claimed epsilon; with `delta` for approximate DP.
        delta: claimed delta.
        rho: claimed zCDP parameter.
        mu: claimed Gaussian DP parameter.
        renyi: claimed Rényi order and epsilon.
        profile: a claimed curve of epsilon and delta, as `audit.run` takes it.
        relation: adjacency relation; "add-remove" by default.
        domain: domain of one record, such as "int:0:100".
        data: the dataset D.
        more_data: further datasets; neighbors are built from each.
        neighbors: D1, D2, ...; built from D if none is given.
        alpha: probability of failing although the claim holds; the examples of a
            Hypothesis test share it.
        max_samples: runs of the mechanism at most, in this audit.
        max_seconds: seconds at most; the evidence so far decides.
        seed: seed of every random number of the audit.
        timeout: seconds for one run of the mechanism.
        search: search for worse neighbors; by default if a domain is known and no
            neighbor is given.
        records: "dict" passes records with named columns as a list of dicts
            instead of a DataFrame.
        assume: assumptions that the audit does not test, as in `audit.run`; messages
            and reports name them.
        name: name of the mechanism in messages.
        command: command that repeats the audit, in messages; derived by default.

    Returns:
        The result of an audit that did not refute the claim.

    Raises:
        AuditFailure: the claim is broken; the message shows the witness.
        AuditInconclusive: the audit decides nothing; the message says what it needs.
        AuditError: an argument makes no sense, or the mechanism cannot be run.
    """
    __tracebackhide__ = True
    request = Request(
        mechanism=mechanism,
        claim={
            "claim": claim,
            "epsilon": epsilon,
            "delta": delta,
            "rho": rho,
            "mu": mu,
            "renyi": renyi,
            "profile": profile,
        },
        relation=relation,
        domain=domain,
        data=data,
        more_data=tuple(more_data),
        neighbors=tuple(neighbors),
        search=search,
        records=records,
        assume=assume,
        name=name,
        command=command,
    )
    spending = {
        "alpha": alpha,
        "max_samples": max_samples,
        "max_seconds": max_seconds,
        "seed": seed,
        "timeout": timeout,
    }
    result = _audited(request, spending)
    if result.verdict == "violation":
        raise AuditFailure(result)
    if result.verdict == "inconclusive":
        raise AuditInconclusive(result)
    return result


def _audited(request: Request, spending: dict[str, Any]) -> AuditResult:
    """The result, noted for the summary of the test run."""
    __tracebackhide__ = True
    running, examples = current(), examples_sharing()
    budget = running.budget.but(**spending)
    if examples is not None and spending["max_samples"] is None:
        budget = budget.but(max_samples=budget.max_samples_per_example)
    warnings: list[str] = []

    def heard(event: Event) -> None:
        if isinstance(event, Warned):
            warnings.append(event.sentence)

    if running.shares is not None and spending["max_seconds"] is None:
        share = running.shares.share(running.test, examples)
        budget = budget.but(max_seconds=min(share, budget.max_seconds or share))
    result = request.carried_out(budget, examples, running, heard)
    if running.shares is not None:
        running.shares.took(result.seconds or 0.0)
    running.notes.append(Note.of(running.test, result, examples is not None, warnings))
    return result


class _WithResult(AssertionError):
    """An audit lets a test fail."""

    __module__ = "audit.testing"

    def __init__(self, result: AuditResult) -> None:
        super().__init__(_message(result))
        self.result = result
        self.short = _short(result)


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


def _message(result: AuditResult) -> str:
    """The short answer."""
    from audit.report.loss import Interface
    from audit.report.text import render_text

    return render_text(result, interface=Interface.PYTEST).rstrip()


def _short(result: AuditResult) -> str:
    from audit.report.answer import short

    return short(result)
