"""Flags of the privacy claim, of datasets, domain and search, of budget and error level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter, Token

from audit.claims import Claim, claim_from
from audit.errors import InputError

CLAIM = Group("Claim", sort_key=1)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFlags:
    """The privacy claim and the adjacency relation.

    Attributes:
        epsilon: claimed epsilon.
        delta: claimed delta, together with epsilon.
        rho: claimed zCDP parameter.
        mu: claimed Gaussian DP parameter.
        renyi: claimed Rényi order and epsilon, as ORDER:EPSILON.
        profile: file of a claimed curve.
        relation: the adjacency relation.
    """

    epsilon: Annotated[float | None, Parameter(group=CLAIM, help="claimed ε")] = None
    delta: Annotated[float | None, Parameter(group=CLAIM, help="claimed δ, with --epsilon")] = None
    rho: Annotated[float | None, Parameter(group=CLAIM, help="claimed ρ of zCDP")] = None
    mu: Annotated[float | None, Parameter(group=CLAIM, help="claimed μ of Gaussian DP")] = None
    renyi: Annotated[
        str | None, Parameter(group=CLAIM, help="claimed Rényi DP, as ORDER:EPSILON")
    ] = None
    profile: Annotated[
        str | None,
        Parameter(
            group=CLAIM,
            help="claimed privacy profile: a CSV with columns epsilon, delta and optionally "
            "direction, or FILE.py:NAME of a function of ε or of a privacy-loss distribution",
        ),
    ] = None
    relation: Annotated[
        str | None,
        Parameter(
            group=CLAIM,
            help="adjacency: add-remove (the default), substitute, user or declared; l1:K, "
            "l2:K or linf:K for vectors at a distance of at most K; changes:K for at most K "
            "changed records",
        ),
    ] = None

    @property
    def claim(self) -> Claim | None:
        """The claim that was given, None if there is none.

        Raises:
            ClaimError: two claims, or a number out of its range.
        """
        return claim_from(**self.given())

    def given(self) -> dict[str, Any]:
        """The parameters of the claim that were given, by name."""
        values = {
            "epsilon": self.epsilon,
            "delta": self.delta,
            "rho": self.rho,
            "mu": self.mu,
            "renyi": None if self.renyi is None else _order_and_epsilon(self.renyi),
            "profile": self.profile,
        }
        return {name: value for name, value in values.items() if value is not None}


def _order_and_epsilon(text: str) -> tuple[float, float]:
    order, _, epsilon = text.partition(":")
    try:
        return float(order), float(epsilon)
    except ValueError:
        raise InputError(
            f"--renyi {text!r} is not ORDER:EPSILON; write for example 2:0.5", text
        ) from None


DATA = Group("Data", sort_key=2)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class DataFlags:
    """Datasets, the domain of a record, and the search for neighbors.

    Attributes:
        data: the dataset D, JSON or a file; further ones after it.
        column: the only column of a table, or field of JSON objects, to use.
        records: format of the records, None for the default.
        neighbor: D1, D2, ..., each JSON or a file.
        domain: domain of one record.
        special: NaN and the infinities belong to bounded float domains.
        search: search for worse neighbors; None for the default.
    """

    data: Annotated[
        tuple[str, ...],
        Parameter(
            group=DATA,
            negative="",
            show_default=False,
            help="the dataset D: a JSON list, or a file (CSV, Parquet, ...); may be repeated, one "
            "audit then builds neighbors from each",
        ),
    ] = ()
    column: Annotated[
        str | None,
        Parameter(group=DATA, help="the only column of a table, or field of JSON objects, to use"),
    ] = None
    records: Annotated[
        Literal["dict", "json"] | None,
        Parameter(
            group=DATA,
            help="format of records: dict passes a list of dicts to a function instead of a "
            "DataFrame, json passes one JSON value a line to a program",
        ),
    ] = None
    neighbor: Annotated[
        tuple[str, ...],
        Parameter(
            group=DATA,
            negative="",
            show_default=False,
            help="a neighbor D1, D2, ... of D; may be repeated; built from D if none is given",
        ),
    ] = ()
    domain: Annotated[
        str | None,
        Parameter(
            group=DATA,
            help="domain of one record: int:0:100, float:-1:1, choice:a,b,c, bool, columns as "
            "age=int:0:120,sex=choice:f,m, or FILE.py:STRATEGY; a suffix [37] or [2..40] fixes "
            "the number of records; turns on the search for the worst neighbors",
        ),
    ] = None
    special: Annotated[
        bool,
        Parameter(
            group=DATA,
            negative="",
            help="let the search use NaN, ±inf and −0.0 inside a bounded float domain",
        ),
    ] = False
    search: Annotated[
        bool | None,
        Parameter(
            group=DATA,
            help="search for worse neighbors, in the domain or near D; by default if no neighbor "
            "is given",
        ),
    ] = None


BUDGET = Group("Budget", sort_key=3)


def whole_number(_kind: Any, tokens: Sequence[Token]) -> int:
    """A whole number, also written as 4e5 or 400_000; no other number is rounded to one.

    Raises:
        InputError: it is something else.
    """
    text = tokens[0].value
    try:
        return int(text)
    except ValueError:
        number = _number(text)
    if not number.is_integer():
        raise InputError(
            f"{tokens[0].keyword} {text!r} is not a whole number; write for example 1000", text
        )
    return int(number)


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetFlags:
    """Budget and error level of an audit.

    Attributes:
        max_samples: runs of the mechanism at most.
        max_seconds: time at most; None for no limit.
        until: stopping rule.
        alpha: false alarm probability.
        bins: bins of the tables.
        seed: every number of the audit follows from it.
        workers: processes.
        timeout: seconds for one run of the black box.
        cluster: address of a Dask scheduler that draws instead.
        store: file of finished batches.
        ledger: file of all audits of a target.
        null: A/A test, D against itself.
        timing: test running time as well.
        assume: assumptions that the caller declares.
    """

    max_samples: Annotated[
        int,
        Parameter(
            group=BUDGET,
            converter=whole_number,
            help="runs of the mechanism at most, all datasets and stages together",
        ),
    ] = 400_000
    max_seconds: Annotated[
        float | None,
        Parameter(
            group=BUDGET,
            help="seconds at most; the evidence so far is the result, which then depends on the "
            "machine",
        ),
    ] = None
    until: Annotated[
        Literal["violation", "bound", "budget"],
        Parameter(
            group=BUDGET,
            help="violation stops at a refutation, bound when the lower bound settles, budget "
            "spends all runs",
        ),
    ] = "bound"
    alpha: Annotated[
        float,
        Parameter(group=BUDGET, help="probability of flagging a mechanism within its claim"),
    ] = 0.001
    bins: Annotated[
        int, Parameter(group=BUDGET, converter=whole_number, help="bins of the tables")
    ] = 20
    seed: Annotated[
        int,
        Parameter(
            group=BUDGET, converter=whole_number, help="seed of every random number of the audit"
        ),
    ] = 0
    workers: Annotated[
        int, Parameter(group=BUDGET, converter=whole_number, help="processes, at most 256")
    ] = 1
    timeout: Annotated[
        float, Parameter(group=BUDGET, help="seconds for one run of the black box")
    ] = 10.0
    cluster: Annotated[
        str | None,
        Parameter(
            group=BUDGET,
            help="address of a Dask scheduler, as tcp://host:8786; the result is the same",
        ),
    ] = None
    store: Annotated[
        str | None,
        Parameter(
            group=BUDGET,
            help="file of finished batches: the same command resumes, and continues with more "
            "--max-samples",
        ),
    ] = None
    ledger: Annotated[
        str | None,
        Parameter(
            group=BUDGET,
            help="file of all audits: alpha is then the probability of ever flagging this target "
            "falsely, in any version",
        ),
    ] = None
    null: Annotated[
        bool,
        Parameter(
            group=BUDGET,
            negative="",
            help="A/A test, D against itself: a violation means that runs are not independent",
        ),
    ] = False
    timing: Annotated[
        bool,
        Parameter(
            group=BUDGET,
            negative="",
            help="test running time as well: a side channel, never a violation",
        ),
    ] = False
    assume: Annotated[
        tuple[Literal["independent-calls", "independent-canaries"], ...],
        Parameter(
            group=BUDGET,
            negative="",
            show_default=False,
            help="an assumption that is not tested; the result names it; may be repeated",
        ),
    ] = ()

    def given(self) -> dict[str, Any]:
        """The budget as arguments of `audit.run`, without workers and cluster."""
        return {
            "max_samples": self.max_samples,
            "max_seconds": self.max_seconds,
            "until": self.until,
            "alpha": self.alpha,
            "bins": self.bins,
            "seed": self.seed,
            "timeout": self.timeout,
            "null": self.null,
            "timing": self.timing,
            "assume": self.assume,
            "store": self.store,
            "ledger": self.ledger,
        }
