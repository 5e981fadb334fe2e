"""The flags that all audits share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter, Token

from audit.errors import InputError

CLAIM = Group("Claim", sort_key=1)
DATASETS = Group("Datasets", sort_key=2)
BUDGET = Group("Audit", sort_key=3)
OUTPUT = Group("Output", sort_key=4)


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
class ClaimFlags:
    """What the mechanism says about itself.

    Attributes:
        epsilon: claimed epsilon.
        delta: claimed delta, beside epsilon.
        rho: claimed zCDP parameter.
        mu: claimed Gaussian DP parameter.
        renyi: claimed Rényi order and epsilon, as ORDER:EPSILON.
        relation: what makes two datasets neighbors.
    """

    epsilon: Annotated[float | None, Parameter(group=CLAIM, help="claimed ε")] = None
    delta: Annotated[float | None, Parameter(group=CLAIM, help="claimed δ, beside ε")] = None
    rho: Annotated[float | None, Parameter(group=CLAIM, help="claimed ρ of zCDP")] = None
    mu: Annotated[float | None, Parameter(group=CLAIM, help="claimed μ of Gaussian DP")] = None
    renyi: Annotated[
        str | None, Parameter(group=CLAIM, help="claimed Rényi DP, as ORDER:EPSILON")
    ] = None
    relation: Annotated[
        str | None,
        Parameter(
            group=CLAIM,
            help="what makes two datasets neighbors: add-remove, substitute, user or declared; "
            "l1:K, l2:K or linf:K for vectors of numbers at a distance of at most K; changes:K for "
            "at most K records changed; where nothing says otherwise add-remove",
        ),
    ] = None

    def given(self) -> dict[str, Any]:
        """The parameters of the claim that were given, as arguments of `audit.run`."""
        values = {
            "epsilon": self.epsilon,
            "delta": self.delta,
            "rho": self.rho,
            "mu": self.mu,
            "renyi": None if self.renyi is None else _order_and_epsilon(self.renyi),
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


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class DataFlags:
    """Datasets, and where to look for more.

    Attributes:
        data: the dataset D, JSON or a file.
        column: the one column of a table to take.
        records: how the mechanism wants its records, None for as they are.
        neighbor: D1, D2, ..., each JSON or a file.
        domain: what one record may be.
        special: whether NaN and the infinities are records of bounded floats.
        search: whether to look beyond the pairs given; None where nobody says.
    """

    data: Annotated[
        str | None,
        Parameter(group=DATASETS, help="the dataset D: a JSON list, or a file (CSV, Parquet, ...)"),
    ] = None
    column: Annotated[
        str | None, Parameter(group=DATASETS, help="the one column of a table to take")
    ] = None
    records: Annotated[
        Literal["dict", "json"] | None,
        Parameter(
            group=DATASETS,
            help="how records arrive: dict gives a function a list of dicts instead of a "
            "DataFrame, json gives a program one JSON value a line",
        ),
    ] = None
    neighbor: Annotated[
        tuple[str, ...],
        Parameter(
            group=DATASETS,
            negative="",
            show_default=False,
            help="a neighbor D1, D2, ... of D; may be repeated; built from D when not given",
        ),
    ] = ()
    domain: Annotated[
        str | None,
        Parameter(
            group=DATASETS,
            help="what one record may be: int:0:100, float:-1:1, choice:a,b,c, bool, columns as "
            "age=int:0:120,sex=choice:f,m, or FILE.py:STRATEGY; [37] or [2..40] behind it says "
            "how many records there are; lets the audit search for the worst neighbors",
        ),
    ] = None
    special: Annotated[
        bool,
        Parameter(
            group=DATASETS,
            negative="",
            help="let the search try NaN, the infinities and −0.0 inside a bounded float domain",
        ),
    ] = False
    search: Annotated[
        bool | None,
        Parameter(
            group=DATASETS,
            help="whether to look for worse neighbors, of the domain or else of D; by default "
            "where no neighbor is given",
        ),
    ] = None


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetFlags:
    """How much work, at which level of error.

    Attributes:
        max_samples: runs of the mechanism at most.
        max_seconds: time at most; None for no limit.
        until: when to stop betting.
        alpha: chance of flagging a mechanism that keeps its claim.
        bins: bins of the tables.
        seed: every number of the audit follows from it.
        workers: processes.
        timeout: seconds for one run of the black box.
        cluster: address of a Dask scheduler that draws instead.
        store: where finished batches are kept.
        null: whether D is audited against itself.
        timing: whether the time that runs take is bet on, too.
    """

    max_samples: Annotated[
        int,
        Parameter(
            group=BUDGET, converter=whole_number, help="runs of the mechanism at most, in all"
        ),
    ] = 400_000
    max_seconds: Annotated[
        float | None,
        Parameter(
            group=BUDGET,
            help="time at most, for one audit; the evidence so far is the result, and the same "
            "seed may then give other numbers",
        ),
    ] = None
    until: Annotated[
        Literal["violation", "bound", "budget"],
        Parameter(
            group=BUDGET,
            help="stop at a refutation; go on until the lower bound settles, which says how "
            "large the loss is; or spend all runs",
        ),
    ] = "bound"
    alpha: Annotated[
        float,
        Parameter(group=BUDGET, help="chance of flagging a mechanism that keeps its claim"),
    ] = 0.001
    bins: Annotated[
        int, Parameter(group=BUDGET, converter=whole_number, help="bins of the tables")
    ] = 20
    seed: Annotated[
        int,
        Parameter(
            group=BUDGET, converter=whole_number, help="every number of the audit follows from it"
        ),
    ] = 0
    workers: Annotated[int, Parameter(group=BUDGET, converter=whole_number, help="processes")] = 1
    timeout: Annotated[
        float, Parameter(group=BUDGET, help="seconds for one run of the black box")
    ] = 10.0
    cluster: Annotated[
        str | None,
        Parameter(
            group=BUDGET,
            help="address of a Dask scheduler whose workers draw, as tcp://host:8786; the result "
            "is the same",
        ),
    ] = None
    store: Annotated[
        str | None,
        Parameter(
            group=BUDGET,
            help="file that keeps finished batches: the same command goes on where it stopped, "
            "and with more --max-samples beyond that",
        ),
    ] = None
    null: Annotated[
        bool,
        Parameter(
            group=BUDGET,
            negative="",
            help="audit D against itself: a violation then means that the runs are not independent",
        ),
    ] = False

    timing: Annotated[
        bool,
        Parameter(
            group=BUDGET,
            negative="",
            help="bet on the time that runs take, too: reported as a leak, not as a violation",
        ),
    ] = False

    def given(self) -> dict[str, Any]:
        """What an audit is told about its budget, as arguments of `audit.run`.

        Who draws is left out: in a survey that is decided once for all audits.
        """
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
            "store": self.store,
        }


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class NameFlag:
    """What results and reports call the mechanism.

    Attributes:
        name: in place of its own name or address; None where nobody says.
    """

    name: Annotated[
        str | None,
        Parameter(
            group=OUTPUT,
            help="what results and reports call it; by default its name or address",
        ),
    ] = None

    def given(self) -> dict[str, Any]:
        """The name as an argument of `audit.run`, if there is one.

        Raises:
            InputError: it is blank.
        """
        if self.name is not None and not self.name.strip():
            raise InputError(f"--name {self.name!r} names nothing; leave it out, or give a name")
        return {} if self.name is None else {"name": self.name}


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFlags:
    """Where the result goes, and what it makes of the exit code.

    Attributes:
        format: of the result.
        output: a file for the result instead of standard output.
        report: a folder for the report and its figures.
        tables: whether text shows every table, and not only the witness's.
        fail_on: what makes the exit code 1.
        progress: on standard error; auto shows it on a terminal.
    """

    format: Annotated[
        Literal["text", "json", "markdown", "html", "sarif"],
        Parameter(group=OUTPUT, help="format of the result"),
    ] = "text"
    output: Annotated[
        str | None, Parameter(group=OUTPUT, help="file for the result; standard output if none")
    ] = None
    report: Annotated[
        str | None,
        Parameter(group=OUTPUT, help="folder in which to write the report and its figures too"),
    ] = None
    tables: Annotated[
        bool,
        Parameter(
            group=OUTPUT,
            negative="",
            help="every table in the text, which is longer than a screen then",
        ),
    ] = False
    fail_on: Annotated[
        Literal["violation", "leak", "never"],
        Parameter(group=OUTPUT, help="what makes the exit code 1"),
    ] = "violation"
    progress: Annotated[
        Literal["auto", "on", "off"], Parameter(group=OUTPUT, help="progress on standard error")
    ] = "auto"
