"""Flags of the budget and the error level of an audit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter, Token

from audit.errors import InputError

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
