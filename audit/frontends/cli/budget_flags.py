"""Flags for how much work an audit may be, and at which level of error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter, Token

from audit.errors import InputError

BUDGET = Group("Audit", sort_key=3)


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
        ledger: a file that remembers every audit of a target.
        null: whether D is audited against itself.
        timing: whether the time that runs take is bet on, too.
        assume: assumptions that the caller declares.
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
    ledger: Annotated[
        str | None,
        Parameter(
            group=BUDGET,
            help="file that remembers every audit: alpha is then the chance of ever flagging this "
            "mechanism falsely, in whatever version; what is unchanged goes on with its wealth",
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
    assume: Annotated[
        tuple[Literal["independent-calls", "independent-canaries"], ...],
        Parameter(
            group=BUDGET,
            negative="",
            show_default=False,
            help="take this assumption for granted instead of testing it; the result names it; "
            "may be repeated",
        ),
    ] = ()

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
            "assume": self.assume,
            "store": self.store,
            "ledger": self.ledger,
        }
