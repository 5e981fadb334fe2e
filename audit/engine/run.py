"""The public way to run an audit from Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import fields, replace
from pathlib import Path
from time import perf_counter
from typing import Any, TypedDict, TypeVar, Unpack

from audit.blackbox.isolation.environment import left_as_found
from audit.blackbox.python import PythonBlackBox
from audit.case import (
    Budget,
    Case,
    Execution,
    Settings,
    Until,
    assumptions_named,
    check_kind,
    check_path,
    check_time,
    check_truth,
    refuse,
)
from audit.claims import Claim, claim_from
from audit.engine.preparation import case_for
from audit.engine.steps import audit_case
from audit.errors import InputError, Interrupted
from audit.neighbors.domain import Domain, DomainLike
from audit.progress import Subscriber, logged
from audit.relation import AnyRelation, relation_named
from audit.sampling.ledger import Ledger, Standing
from audit.validation import check_amounts, refuse_unknown
from audit.verdict.result import AuditResult, Verdict, timed


class Flat(TypedDict, total=False):
    """The fields of `Budget` and `Execution` as arguments of their own."""

    max_samples: int
    until: Until | str
    timeout: float
    max_seconds: float | None
    workers: int
    executor: Executor | None
    store: str | Path | None
    shared: bool


Group = TypeVar("Group", Budget, Execution)


def run(
    mechanism: Any = None,
    *,
    factory: Callable[[], Any] | None = None,
    claim: Claim | None = None,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    mu: float | None = None,
    renyi: tuple[float, float] | None = None,
    profile: Any = None,
    relation: str | AnyRelation | None = None,
    data: Any = None,
    more_data: Sequence[Any] = (),
    neighbors: Sequence[Any] = (),
    domain: DomainLike | None = None,
    search: bool | None = None,
    special: bool = False,
    records: str | None = None,
    alpha: float = 0.001,
    bins: int = 20,
    seed: int = 0,
    null: bool = False,
    timing: bool = False,
    assume: Sequence[str] = (),
    name: str | None = None,
    questions: str | Domain | Sequence[Any] | None = None,
    command: str | None = None,
    budget: Budget | None = None,
    execution: Execution | None = None,
    ledger: Ledger | str | Path | None = None,
    on_event: Subscriber = logged,
    **flat: Unpack[Flat],
) -> AuditResult:
    """Audit a mechanism against its claim.

    Args:
        mechanism: a callable f(data), f(data, rng), f(data, rng, size) or
            f(data, size), also a coroutine function; an object with `release`; a
            catalogue entry; or a black box.
        factory: in place of `mechanism`, a function without arguments that makes it, anew in
            every fresh instance; what its constructor draws is then drawn anew as well.
        claim: what it claims, of whatever kind, also one of your own (see `audit.claims.Claim`).
        epsilon: claimed epsilon; with `delta` for approximate DP.
        delta: claimed delta.
        rho: claimed zCDP parameter.
        mu: claimed Gaussian DP parameter.
        renyi: claimed Rényi order and epsilon.
        profile: a curve that is claimed: rows of epsilon and delta, a function from epsilon
            to delta, a privacy-loss distribution of dp_accounting, or the path of a file.
        relation: what makes datasets neighbors, as a `Relation`, a `Within`, or written as
            with `--relation`; "add-remove" where nobody says.
        data: the dataset D.
        more_data: further datasets, whose neighbors are built from them and bet on in the
            same audit: one wealth, one alpha.
        neighbors: D1, D2, ...; built from D when none is given.
        domain: one record, in the notation of `--domain`, or as a dict of columns such as
            {"age": "int:0:120", "sex": "choice:f,m"}; derived from D where D is a DataFrame,
            no domain is given and neighbors are searched for.
        search: whether to look for worse neighbors, those of the domain or else others
            of D; by default where no neighbor is given.
        special: whether NaN, the infinities and -0.0 are records of its bounded
            floating-point numbers as well.
        records: "dict" where a function wants records with named columns as a list
            of dicts instead of a DataFrame.
        alpha: probability of flagging a mechanism that satisfies its claim.
        bins: bins of the tables.
        seed: every number of the audit follows from it.
        null: audit D against itself.
        timing: bet on the time that runs take, too, with a fourth of the budget and a
            level of its own; it is reported as a leak, never as a violation.
        assume: assumptions to take for granted instead of testing them, of
            "independent-calls" (each call draws its noise anew) and "independent-canaries";
            results and reports name them.
        name: how the result calls the mechanism; by default its own name, which all
            functions that one factory makes have in common.
        questions: what a session is asked, where the mechanism opens sessions (see `session`).
        command: what repeats this audit, for the report.
        budget: how much it may spend.
        execution: who draws, and where draws are kept.
        ledger: a file that remembers every audit of this mechanism: alpha is then the chance
            that any of them, of whatever version of it, ever accuses it falsely. Seed and
            level of this one follow from the file, and an unchanged mechanism goes on with
            the wealth it has.
        on_event: called with events while the audit runs (see `audit.progress`); by default
            warnings are logged by the logger "audit".
        flat: any field of `Budget` and `Execution` by its own name: `max_samples=10_000` is
            `budget=Budget(max_samples=10_000)`. Beside a `budget` or `execution` it stands
            in place of that field.

    Returns:
        The result; `verdict`, `epsilon_lower` and `witness` are what most want.

    Raises:
        TypeError: there is no such argument.
        AuditError: an argument makes no sense, or the black box cannot be run.
        Interrupted: Ctrl-C, with the evidence so far as `result`.
    """
    refuse_unknown(run, flat.keys() - Flat.__annotations__, Flat.__annotations__)
    started = perf_counter()
    check_kind("name", name, str, '"my mechanism"')
    check_truth(search=search is None or search, special=special, null=null, timing=timing)
    if not callable(on_event):
        refuse("on_event", on_event, "nothing that can be called", "print")
    assumed = assumptions_named(assume)
    check_kind("budget", budget, Budget, "Budget(max_samples=100_000)")
    check_kind("execution", execution, Execution, "Execution(workers=2)")
    spent, drawing = _with(budget or Budget(), flat), _with(execution or Execution(), flat)
    if (mechanism is None) is (factory is None):
        found = (
            "no mechanism is given" if factory is None else "a mechanism and a factory are given"
        )
        raise InputError(
            f"{found}; give either the mechanism, or factory= (a function without arguments that "
            "makes it)",
            mechanism,
        )
    if factory is not None:
        mechanism = PythonBlackBox.made_by(factory, name, spent.timeout, records)
    case = case_for(
        mechanism,
        claim=claim_from(
            claim=claim,
            epsilon=epsilon,
            delta=delta,
            rho=rho,
            mu=mu,
            renyi=renyi,
            profile=profile,
        ),
        relation=None if relation is None else relation_named(str(relation)),
        data=data,
        more_data=more_data,
        neighbors=neighbors,
        domain=domain,
        search=search,
        special=special,
        records=records,
        timeout=spent.timeout,
        name=name,
        command=command or "",
        null=null,
        questions=questions,
    )
    check_amounts(alpha=alpha, bins=bins, seed=seed)
    check_time(spent.max_seconds, drawing.store, timing)
    settings = Settings(
        alpha=alpha,
        bins=bins,
        seed=int(seed),
        null=null,
        timing=timing,
        assume=assumed,
        budget=spent,
        execution=drawing,
        on_event=on_event,
    )
    with left_as_found():
        try:
            return timed(_audited(case, settings, ledger), started)
        except Interrupted as interrupt:
            raise Interrupted(timed(interrupt.result, started)) from interrupt


def session(
    factory: Any, *, questions: str | Domain | Sequence[Any], **arguments: Any
) -> AuditResult:
    """Audit a mechanism that is asked one question after the other.

    Every run opens a session of its own, asks, and keeps the transcript, which is the output:
    one answer for each question, "raised" and a type where a question ended in an exception.
    The session goes on after that, so budgets that run out are part of it. Where questions are
    chosen, the search tries them together with the datasets, on draws that are not the ones
    judged, and shrinks the worst sequence: the dataset of the witness is
    {"data": ..., "questions": [...]}.

    Args:
        factory: f(data) or f(data, rng), or a class, that opens a session: an object with
            `ask(question)`, or a function of a question.
        questions: what one question may be, as a domain or in the notation of `--domain`, with
            [m..n] behind it for the number of questions (12 at most where nobody says); or a
            list with the questions to ask.
        arguments: whatever `run` takes besides.

    Returns:
        The result, as `run` gives it.
    """
    return run(factory, questions=questions, **arguments)


def _audited(case: Case, settings: Settings, ledger: Ledger | str | Path | None) -> AuditResult:
    """The result, by itself or as one of all audits that a ledger has of its target."""
    if ledger is None:
        return audit_case(case, settings)
    if not isinstance(ledger, Ledger):
        check_path("ledger", ledger)
    kept = ledger if isinstance(ledger, Ledger) else Ledger(Path(ledger))
    # The level of an audit that fails is spent: why it failed may depend on its draws.
    entered = kept.entered(case, settings)
    try:
        result = audit_case(case, entered.settings(settings))
    except Interrupted as interrupt:
        raise Interrupted(replace(interrupt.result, standing=entered.standing)) from interrupt
    standing = entered.end(str(result.verdict), result.log_evalue, result.samples, result.gained)
    return standing_at(result, standing)


def _with(group: Group, flat: Flat) -> Group:
    """The group with those of its fields that were given by their own names."""
    given: dict[str, Any] = dict(flat)
    own = {field.name: given[field.name] for field in fields(group) if field.name in given}
    return replace(group, **own)


def standing_at(result: AuditResult, standing: Standing) -> AuditResult:
    """The result where it stands in its ledger: a violation where all versions show one.

    There is no witness then: the event is another one in every version.
    """
    told = replace(result, standing=standing, gained=None)
    together = standing.together
    if together is None or not together.accused or result.verdict is Verdict.VIOLATION:
        return told
    return replace(told, verdict=Verdict.VIOLATION, reason="", wanted=0)
