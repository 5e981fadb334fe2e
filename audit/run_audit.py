"""The public way to run an audit from Python."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path
from time import perf_counter
from typing import Any

from audit.blackbox.isolation.environment import left_as_found
from audit.case import Settings, check_amounts, check_time, until_named
from audit.claim import Claim, claim_from
from audit.engine import audit_case
from audit.errors import Interrupted
from audit.neighbors.domain import Domain
from audit.preparation import case_for
from audit.progress import Subscriber, nobody
from audit.relation import relation_named
from audit.verdict.result import AuditResult, timed


def run(
    mechanism: Any,
    *,
    claim: Claim | None = None,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    mu: float | None = None,
    renyi: tuple[float, float] | None = None,
    relation: str | None = None,
    data: Any = None,
    neighbors: Sequence[Any] = (),
    domain: str | Domain | None = None,
    search: bool | None = None,
    special: bool = False,
    records: str | None = None,
    max_samples: int = 400_000,
    max_seconds: float | None = None,
    alpha: float = 0.001,
    bins: int = 20,
    seed: int = 0,
    workers: int = 1,
    executor: Executor | None = None,
    store: str | Path | None = None,
    shared: bool = False,
    timeout: float = 10.0,
    null: bool = False,
    until: str = "bound",
    name: str | None = None,
    command: str | None = None,
    on_event: Subscriber = nobody,
) -> AuditResult:
    """Audit a mechanism against its claim.

    Args:
        mechanism: a callable f(data), f(data, rng), f(data, rng, size) or
            f(data, size), also a coroutine function; an object with `release`; a
            catalogue entry; or a black box.
        claim: what it claims, of whatever kind, also one of your own (see `audit.Claim`).
        epsilon: claimed epsilon; with `delta` for approximate DP.
        delta: claimed delta.
        rho: claimed zCDP parameter.
        mu: claimed Gaussian DP parameter.
        renyi: claimed Rényi order and epsilon.
        relation: what makes datasets neighbors; "add-remove" where nobody says.
        data: the dataset D.
        neighbors: D1, D2, ...; built from D when none is given.
        domain: what one record may be, in the notation of `--domain`.
        search: whether to look for worse neighbors, those of the domain or else others
            of D; by default where no neighbor is given.
        special: whether NaN, the infinities and -0.0 are records of its bounded
            floating-point numbers as well.
        records: "dict" where a function wants records with named columns as a list
            of dicts instead of a DataFrame.
        max_samples: runs of the mechanism at most, all stages together.
        max_seconds: time at most, as far as can be foreseen; the evidence so far is the
            result. How far an audit gets does not follow from its seed.
        alpha: chance of flagging a mechanism that keeps its claim.
        bins: bins of the tables.
        seed: every number of the audit follows from it.
        workers: how many draw at the same time; the result does not depend on it.
        executor: draws through this instead, from `concurrent.futures` or, for
            example, `dask.distributed.Client(...).get_executor()`.
        store: a file that keeps finished batches: the same call goes on where it
            stopped, and with a larger budget beyond that.
        shared: whether audits of other mechanisms may be in the same file.
        timeout: seconds for one run of the black box.
        null: audit D against itself.
        until: when to stop betting: at a "violation"; when its lower "bound" has settled,
            which says how large the loss is; or when the "budget" is spent.
        name: how the result calls the mechanism; by default its own name, which all
            functions that one factory makes have in common.
        command: what repeats this audit, for the report.
        on_event: called with what is told while the audit runs (see `audit.progress`).

    Returns:
        The result; `verdict`, `epsilon_lower` and `witness` are what most want.

    Raises:
        AuditError: an argument makes no sense, or the black box cannot be run.
        Interrupted: Ctrl-C, with the evidence so far as `result`.
    """
    started = perf_counter()
    case = case_for(
        mechanism,
        claim=claim_from(
            claim=claim, epsilon=epsilon, delta=delta, rho=rho, mu=mu, renyi=renyi
        ),
        relation=None if relation is None else relation_named(relation),
        data=data,
        neighbors=neighbors,
        domain=domain,
        search=search,
        special=special,
        records=records,
        timeout=timeout,
        name=name,
        command=command or "",
        null=null,
    )
    check_amounts(alpha=alpha, bins=bins, max_samples=max_samples, seed=seed, workers=workers)
    check_time(max_seconds, store)
    settings = Settings(
        alpha=alpha,
        bins=bins,
        max_samples=max_samples,
        max_seconds=max_seconds,
        seed=seed,
        workers=workers,
        executor=executor,
        store=None if store is None else Path(store),
        shared=shared,
        null=null,
        until=until_named(until),
        on_event=on_event,
    )
    with left_as_found():
        try:
            return timed(audit_case(case, settings), started)
        except Interrupted as interrupt:
            raise Interrupted(timed(interrupt.result, started)) from interrupt
