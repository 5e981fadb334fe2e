"""Flags of the privacy claim, of datasets, domain and search, of budget and error level."""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal, TypeVar

from cyclopts import Group, Parameter, Token

from audit.claims import Claim, claim_from
from audit.errors import InputError
from audit.report.document import Detail

Kind = TypeVar("Kind", bound=type)
Known = TypeVar("Known", bound=type | Callable[..., Any])
CLAIM = Group("Claim", sort_key=1)
DATA = Group("Data", sort_key=2)
BUDGET = Group("Budget", sort_key=3)
OUTPUT = Group("Output", sort_key=4)


def helped(documented: Known) -> Known:
    """Make what a docstring says of arguments or attributes the help of their flags."""
    # Python 3.13 takes the indentation of docstrings away, earlier versions keep it.
    first, *rest = re.sub(r"\n {8}", " ", inspect.cleandoc(documented.__doc__ or "")).split("\n")
    if rest:
        first, *rest = (line.removesuffix(".") for line in (first, *rest))
    documented.__doc__ = "\n".join([first, *rest])
    return documented


def flags(group: Group) -> Callable[[Kind], Kind]:
    """Make the fields of a dataclass flags of a group, helped by its docstring."""
    return lambda kind: Parameter(name="*", group=group, negative="")(helped(kind))


def whole_number(_kind: Any, tokens: Sequence[Token]) -> int:
    """A whole number, also written as 4e5 or 400_000; no other number is rounded to one.

    Raises:
        InputError: it is something else.
    """
    text, number = tokens[0].value, math.nan
    with suppress(ValueError):
        return int(text)
    with suppress(ValueError):
        number = float(text)
    if not number.is_integer():
        raise InputError(
            f"{tokens[0].keyword} {text!r} is not a whole number; write for example 1000", text
        )
    return int(number)


Whole = Annotated[int, Parameter(converter=whole_number)]
Several = Annotated[tuple[str, ...], Parameter(show_default=False)]


@flags(CLAIM)
@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimFlags:
    """The privacy claim and the adjacency relation.

    Attributes:
        epsilon: claimed ε.
        delta: claimed δ, with --epsilon.
        rho: claimed ρ of zCDP.
        mu: claimed μ of Gaussian DP.
        renyi: claimed Rényi DP, as ORDER:EPSILON.
        profile: claimed privacy profile: a CSV with columns epsilon, delta and optionally
            direction, or FILE.py:NAME of a function of ε or of a privacy-loss distribution.
        relation: adjacency: add-remove (the default), substitute, user or declared; l1:K, l2:K or
            linf:K for vectors at a distance of at most K; changes:K for at most K changed records.
    """

    epsilon: float | None = None
    delta: float | None = None
    rho: float | None = None
    mu: float | None = None
    renyi: str | None = None
    profile: str | None = None
    relation: str | None = None

    @property
    def claim(self) -> Claim | None:
        """The claim that was given, None if there is none.

        Raises:
            ClaimError: two claims, or a number out of its range.
        """
        return claim_from(**self.given())

    def given(self) -> dict[str, Any]:
        """The parameters of the claim that were given, by name."""
        given = {name: value for name, value in asdict(self).items() if value is not None}
        given.pop("relation", None)
        if self.renyi is not None:
            order, _, epsilon = self.renyi.partition(":")
            try:
                given["renyi"] = float(order), float(epsilon)
            except ValueError:
                raise InputError(
                    f"--renyi {self.renyi!r} is not ORDER:EPSILON; write for example 2:0.5",
                    self.renyi,
                ) from None
        return given


@flags(DATA)
@dataclass(frozen=True, slots=True, kw_only=True)
class DataFlags:
    """Datasets, the domain of a record, and the search for neighbors.

    Attributes:
        data: the dataset D: a JSON list, or a file (CSV, Parquet, ...); may be repeated, one audit
            then builds neighbors from each.
        column: the only column of a table, or field of JSON objects, to use.
        records: format of records: dict passes a list of dicts to a function instead of a
            DataFrame, json passes one JSON value a line to a program.
        neighbor: a neighbor D1, D2, ... of D; may be repeated; built from D if none is given.
        domain: domain of one record: int:0:100, float:-1:1, choice:a,b,c, bool, columns as
            age=int:0:120,sex=choice:f,m, or FILE.py:STRATEGY; a suffix [37] or [2..40] fixes the
            number of records; turns on the search for the worst neighbors.
        special: let the search use NaN, ±inf and −0.0 inside a bounded float domain.
        search: search for worse neighbors, in the domain or near D; by default if no neighbor is
            given.
    """

    data: Several = ()
    column: str | None = None
    records: Literal["dict", "json"] | None = None
    neighbor: Several = ()
    domain: str | None = None
    special: bool = False
    search: Annotated[bool | None, Parameter(negative=None)] = None


@flags(BUDGET)
@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetFlags:
    """Budget and error level of an audit.

    Attributes:
        max_samples: runs of the mechanism at most, all datasets and stages together.
        max_seconds: seconds at most; the evidence so far is the result, which then depends on the
            machine.
        until: violation stops at a refutation, bound when the lower bound settles, budget spends
            all runs.
        alpha: probability of flagging a mechanism within its claim.
        bins: bins of the tables.
        seed: seed of every random number of the audit.
        workers: processes, at most 256.
        timeout: seconds for one run of the black box.
        cluster: address of a Dask scheduler, as tcp://host:8786; the result is the same.
        store: file of finished batches: the same command resumes, and continues with more
            --max-samples.
        ledger: file of all audits: alpha is then the probability of ever flagging this target
            falsely, in any version.
        null: A/A test, D against itself: a violation means that runs are not independent.
        timing: test running time as well: a side channel, never a violation.
        assume: an assumption that is not tested; the result names it; may be repeated.
    """

    max_samples: Whole = 400_000
    max_seconds: float | None = None
    until: Literal["violation", "bound", "budget"] = "bound"
    alpha: float = 0.001
    bins: Whole = 20
    seed: Whole = 0
    workers: Whole = 1
    timeout: float = 10.0
    cluster: str | None = None
    store: str | None = None
    ledger: str | None = None
    null: bool = False
    timing: bool = False
    assume: Annotated[
        tuple[Literal["independent-calls", "independent-canaries"], ...],
        Parameter(show_default=False),
    ] = ()

    def given(self) -> dict[str, Any]:
        """The budget as arguments of `audit.run`, without workers and cluster."""
        return {name: value for name, value in asdict(self).items() if name not in _EXECUTION}


_EXECUTION = ("workers", "cluster")
"""Flags of the budget that say how an audit is carried out."""


@flags(OUTPUT)
@dataclass(frozen=True, slots=True, kw_only=True)
class NameFlag:
    """The name of the mechanism in results and reports.

    Attributes:
        name: name in results and reports; by default its own name or address.
    """

    name: str | None = None

    def given(self) -> dict[str, Any]:
        """The name as an argument of `audit.run`, if there is one.

        Raises:
            InputError: it is blank.
        """
        if self.name is not None and not self.name.strip():
            raise InputError(f"--name {self.name!r} names nothing; leave it out, or give a name")
        return {} if self.name is None else {"name": self.name}


@flags(OUTPUT)
@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFlags:
    """Format and files of the result, progress, and the exit code.

    Attributes:
        format: format of the result.
        output: file for the result instead of standard output.
        report: folder for the report: page, Markdown, JSON and figures.
        verbose: the whole report as text: evidence, events, tables, levels.
        quiet: verdict and numbers in one line.
        fail_on: finding with exit code 1.
        progress: progress on standard error.
    """

    format: Literal["text", "json", "markdown", "html", "sarif"] = "text"
    output: str | None = None
    report: str | None = None
    verbose: Annotated[bool, Parameter(alias="-v")] = False
    quiet: Annotated[bool, Parameter(alias="-q")] = False
    fail_on: Literal["violation", "leak", "never"] = "violation"
    progress: Literal["auto", "on", "off"] = "auto"

    @property
    def detail(self) -> Detail:
        """Level of detail of the result text.

        Raises:
            InputError: --verbose and --quiet are both given.
        """
        if self.verbose and self.quiet:
            raise InputError("--verbose and --quiet exclude each other; give one of them")
        return "quiet" if self.quiet else "verbose" if self.verbose else "normal"


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFlags:
    """All flags of an audit of a black box."""

    claim: ClaimFlags = ClaimFlags()
    data: DataFlags = DataFlags()
    budget: BudgetFlags = BudgetFlags()
    named: NameFlag = NameFlag()
    output: OutputFlags = OutputFlags()
