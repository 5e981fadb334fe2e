"""The public way to run an audit from Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any, Unpack

from audit.blackbox.environment import left_as_found
from audit.blackbox.python import PythonBlackBox
from audit.case import (
    Budget,
    Case,
    Execution,
    More,
    Options,
    Settings,
    assumptions_named,
    check_time,
    with_fields,
)
from audit.claims import Claim, claim_from
from audit.engine.preparation import case_for
from audit.engine.steps import audit_case
from audit.errors import InputError, Interrupted
from audit.neighbors.domain import Domain, DomainLike
from audit.progress import Subscriber, logged
from audit.relation import AnyRelation, relation_named
from audit.sampling.ledger import Ledger
from audit.validation import check_amounts, check_kind, check_path, refuse, refuse_unknown
from audit.verdict.renderers import timed
from audit.verdict.result import AuditResult, Verdict


def run(
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
    alpha: float = 0.001,
    seed: int = 0,
    assume: Sequence[str] = (),
    budget: Budget | None = None,
    execution: Execution | None = None,
    on_event: Subscriber = logged,
    **more: Unpack[More],
) -> AuditResult:
    """Audit a mechanism against its claim.

    Args:
        mechanism: a callable f(data), f(data, rng), f(data, rng, size) or
            f(data, size), also a coroutine function; an object with `release`; a
            catalogue entry; or a black box.
        claim: an epsilon, or a claim such as `audit.DP(1.0, 1e-5)` and `audit.ZCDP(0.5)`; all
            kinds are in `audit.claims`, which says how to write one of your own.
        factory: in place of `mechanism`, a function without arguments that makes it, anew in
            every fresh instance; what its constructor draws is then drawn anew as well.
        epsilon: claimed epsilon, in place of `claim`; with `delta` for approximate DP.
        delta: claimed delta.
        relation: what makes datasets neighbors, as a `Relation`, a `Within`, or written as
            with `--relation`; "add-remove" by default.
        data: the dataset D.
        neighbors: D1, D2, ...; built from D if none is given.
        domain: one record, in the notation of `--domain`, or as a dict of columns such as
            {"age": "int:0:120", "sex": "choice:f,m"}; derived from D if D is a DataFrame,
            no domain is given and neighbors are searched for.
        alpha: probability of flagging a mechanism that satisfies its claim.
        seed: every number of the audit follows from it.
        assume: assumptions to take for granted instead of testing them, of
            "independent-calls" (each call draws its noise anew) and "independent-canaries";
            results and reports name them.
        budget: how much it may spend.
        execution: who draws, and where draws are kept.
        on_event: called with events while the audit runs (see `audit.progress`); by default
            warnings are logged by the logger "audit".
        more: rarely used arguments by name: fields of `Budget` and `Execution`
            (`max_samples=10_000` is `budget=Budget(max_samples=10_000)`, and wins over it);
            `more_data`, `search`, `special`, `records`, `bins`, `null`, `timing`, `questions`,
            `name` and `command`, as `audit.case.Options` says; and `ledger`, a file that
            remembers all audits of this mechanism, so that alpha is the chance that any of
            them, of whatever version, ever accuses it falsely.

    Returns:
        The result; `verdict`, `epsilon_lower` and `witness` are what most want.

    Raises:
        TypeError: there is no such argument.
        AuditError: an argument makes no sense, or the black box cannot be run.
        Interrupted: Ctrl-C, with the evidence so far as `result`.
    """
    refuse_unknown(run, more.keys() - More.__annotations__, More.__annotations__)
    started = perf_counter()
    if not callable(on_event):
        refuse("on_event", on_event, "nothing that can be called", "print")
    assumed = assumptions_named(assume)
    check_kind("budget", budget, Budget, "Budget(max_samples=100_000)")
    check_kind("execution", execution, Execution, "Execution(workers=2)")
    spent = with_fields(budget or Budget(), more)
    drawing = with_fields(execution or Execution(), more)
    options = with_fields(Options(), more)
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
        mechanism = PythonBlackBox.made_by(factory, options.name, spent.timeout, options.records)
    case = case_for(
        mechanism,
        claim=claim_from(claim, epsilon=epsilon, delta=delta),
        relation=None if relation is None else relation_named(str(relation)),
        data=data,
        neighbors=neighbors,
        domain=domain,
        timeout=spent.timeout,
        options=options,
    )
    check_amounts(alpha=alpha, seed=seed)
    check_time(spent.max_seconds, drawing.store, options.timing)
    settings = Settings(
        alpha=alpha,
        bins=options.bins,
        seed=int(seed),
        null=options.null,
        timing=options.timing,
        assume=assumed,
        budget=spent,
        execution=drawing,
        on_event=on_event,
    )
    with left_as_found():
        try:
            ledger = more.get("ledger")
            if ledger is None:
                return timed(audit_case(case, settings), started)
            return timed(_in_ledger(case, settings, ledger), started)
        except Interrupted as interrupt:
            raise Interrupted(timed(interrupt.result, started)) from interrupt


def session(
    factory: Any,
    claim: Claim | float | None = None,
    *,
    questions: str | Domain | Sequence[Any],
    **arguments: Any,
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
        claim: an epsilon, or a claim of any kind, as in `run`.
        questions: what one question may be, as a domain or in the notation of `--domain`, with
            [m..n] behind it for the number of questions (12 at most where nobody says); or a
            list with the questions to ask.
        arguments: whatever `run` takes besides.

    Returns:
        The result, as `run` gives it.
    """
    return run(factory, claim, questions=questions, **arguments)


def _in_ledger(case: Case, settings: Settings, ledger: Ledger | str | Path) -> AuditResult:
    """The result as one of all audits that a ledger has of its target.

    It is a violation if all versions together show one. There is no witness then: the event is
    another one in every version.
    """
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
    told = replace(result, standing=standing, gained=None)
    together = standing.together
    if together is None or not together.accused or result.verdict is Verdict.VIOLATION:
        return told
    return replace(told, verdict=Verdict.VIOLATION, reason="", wanted=0)
