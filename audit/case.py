"""Case and settings of an audit, and checks of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from audit.blackbox.interface import BlackBox
from audit.claims import Claim
from audit.errors import InputError
from audit.neighbors import Pair
from audit.neighbors.domain import Domain
from audit.neighbors.questions import Questions
from audit.progress import Subscriber, nobody
from audit.relation import AnyRelation
from audit.validation import check_amounts, check_kind, check_path, check_truth, refuse

if TYPE_CHECKING:
    from audit.sampling.ledger import Ledger

ASSUMPTIONS = ("independent-calls", "independent-canaries")
"""Assumptions that a caller may declare; the audit then does not test them."""


class Until(StrEnum):
    """Stopping rule of the bets, besides the end of the budget."""

    VIOLATION = "violation"
    BOUND = "bound"
    BUDGET = "budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Budget of an audit.

    Attributes:
        max_samples: runs of the black box at most, all stages together.
        until: when to stop betting: at a "violation"; when its lower "bound" has settled,
            which says how large the loss is; or when the "budget" is spent.
        timeout: seconds for one run of the black box.
        max_seconds: time at most for the audit, as far as can be foreseen: the evidence so
            far is the result. How far an audit gets does not follow from its seed.

    Raises:
        InputError: no audit can be made with one of them.
    """

    max_samples: int = 400_000
    until: Until | str = Until.BOUND
    timeout: float = 10.0
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        check_amounts(max_samples=self.max_samples)
        check_time(self.max_seconds)
        _until_named(self.until)

    @property
    def rule(self) -> Until:
        """Stopping rule of the bets."""
        return _until_named(self.until)


@dataclass(frozen=True, slots=True, kw_only=True)
class Execution:
    """Workers and store of the draws; the result depends on none of it.

    Attributes:
        workers: how many processes draw at the same time.
        executor: draws through this instead, from `concurrent.futures` or, for
            example, `dask.distributed.Client(...).get_executor()`.
        store: a file that keeps finished batches: the same call goes on where it
            stopped, and with a larger budget beyond that; None for none.
        shared: whether audits of other mechanisms may be in the same file.

    Raises:
        InputError: there is no worker, or the store is no path.
    """

    workers: int = 1
    executor: Executor | None = None
    store: str | Path | None = None
    shared: bool = False

    def __post_init__(self) -> None:
        check_amounts(workers=self.workers)
        check_path("store", self.store)


class More(TypedDict, total=False):
    """The fields of `Budget`, `Execution` and `Options` by name, and a ledger.

    Seed and level of an audit with a ledger follow from that file, and an unchanged mechanism
    keeps its evidence.
    """

    max_samples: int
    until: Until | str
    timeout: float
    max_seconds: float | None
    workers: int
    executor: Executor | None
    store: str | Path | None
    shared: bool
    more_data: Sequence[Any]
    search: bool | None
    special: bool
    records: str | None
    bins: int
    null: bool
    timing: bool
    questions: str | Domain | Sequence[Any] | None
    name: str | None
    command: str | None
    ledger: Ledger | str | Path | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Rarely used arguments of an audit, each of which has a name of its own in `audit.run`.

    Attributes:
        more_data: further datasets, whose neighbors are built from them and tested in the
            same audit: one wealth, one alpha.
        search: search for worse neighbors, those of the domain or else others of D; by
            default if no neighbor is given.
        special: True if NaN, the infinities and -0.0 are records of bounded floating-point
            numbers as well.
        records: "dict" passes records with named columns as a list of dicts instead of a
            DataFrame.
        bins: bins of the tables.
        null: audit D against itself.
        timing: test the time that runs take as well, with a fourth of the budget and a level
            of its own; it is reported as a leak, never as a violation.
        questions: of an interactive mechanism (see `session`).
        name: of the mechanism in the result; by default its own, which all functions that
            one factory makes have in common.
        command: what repeats this audit, for the report.

    Raises:
        InputError: one of them makes no sense.
    """

    more_data: Sequence[Any] = ()
    search: bool | None = None
    special: bool = False
    records: str | None = None
    bins: int = 20
    null: bool = False
    timing: bool = False
    questions: str | Domain | Sequence[Any] | None = None
    name: str | None = None
    command: str | None = None

    def __post_init__(self) -> None:
        check_kind("name", self.name, str, '"my mechanism"')
        check_truth(
            search=self.search is None or self.search,
            special=self.special,
            null=self.null,
            timing=self.timing,
        )
        check_amounts(bins=self.bins)


Group = TypeVar("Group", Budget, Execution, Options)


def with_fields(group: Group, more: More) -> Group:
    """The group with those of its fields that were given by their own names."""
    given: dict[str, Any] = dict(more)
    own = {field.name: given[field.name] for field in fields(group) if field.name in given}
    return replace(group, **own)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything about an audit but the mechanism and its datasets.

    Attributes:
        alpha: probability of flagging a mechanism that satisfies its claim.
        bins: bins of the tables.
        seed: every number of the audit follows from it.
        null: audit D against itself.
        timing: whether to bet on the time that runs take, too.
        assume: ids of the assumptions that the caller declares, each of `ASSUMPTIONS`.
        budget: how much it may spend.
        execution: who draws, and where draws are kept.
        on_event: hears how far the audit is.
    """

    alpha: float = 0.001
    bins: int = 20
    seed: int = 0
    null: bool = False
    timing: bool = False
    assume: tuple[str, ...] = ()
    budget: Budget = field(default_factory=Budget)
    execution: Execution = field(default_factory=Execution)
    on_event: Subscriber = nobody

    @property
    def max_samples(self) -> int:
        """Runs of the black box at most."""
        return self.budget.max_samples

    @property
    def max_seconds(self) -> float | None:
        """Time at most; None for no limit."""
        return self.budget.max_seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """Case of an audit: claim, black box, and neighbors to search.

    Attributes:
        box: the black box.
        claim: what it says about itself.
        relation: what makes datasets neighbors.
        pairs: neighboring datasets that were given or built from D.
        domain: where to search for worse ones, None for no search.
        name: how the result calls it.
        parameters: its parameters as plain values.
        command: what repeats this audit.
        summary: one line about the mechanism, may be empty.
        built: whether the pairs were built from one dataset, whose other neighbors may
            be looked at as well.
        questions: what a session may be asked, where the search is to choose; None elsewhere.
        known: pairs of datasets without questions that it may choose them for.
        independent_calls: whether a catalogue declares that calls are independent of each other.
        given_data: whether the caller gave D, so that results hold records of it.
        notes: facts that a reader must know, one sentence each.
    """

    box: BlackBox
    claim: Claim
    relation: AnyRelation
    pairs: tuple[Pair, ...]
    domain: Domain | None
    name: str
    parameters: dict[str, Any]
    command: str
    summary: str = ""
    built: bool = False
    questions: Questions | None = None
    known: tuple[Pair, ...] = ()
    independent_calls: bool = False
    given_data: bool = False
    notes: tuple[str, ...] = ()


def check_time(
    max_seconds: float | None,
    store: object = None,
    timing: bool = False,
    naming: Callable[[str], str] = str,
) -> None:
    """Refuse a time that is none, and one beside what it does not go with.

    Args:
        max_seconds: the time; None for no limit.
        store: where batches are kept, if they are.
        timing: whether the time that runs take is bet on.
        naming: how the caller calls `max_seconds`.

    Raises:
        InputError: the message names it and says what was expected.
    """
    if max_seconds is None:
        return
    check_amounts(naming, max_seconds=max_seconds)
    if store is not None:
        raise InputError(
            "`max_seconds` and `store` exclude each other: how far an audit gets in a time does "
            "not follow from its seed, and a store goes on only with what does; give `max_samples`",
            max_seconds,
        )
    if timing:
        raise InputError(
            "`max_seconds` and `timing` exclude each other: timed runs are made to their end; "
            "give `max_samples`",
            max_seconds,
        )


def assumptions_named(names: Sequence[str]) -> tuple[str, ...]:
    """Declared assumptions, each once, in the order of `ASSUMPTIONS`.

    Raises:
        InputError: one of them is unknown, or they are not a sequence of ids.
    """
    example = f'("{ASSUMPTIONS[0]}",)'
    if isinstance(names, str) or not isinstance(names, Sequence):
        refuse("assume", names, "not a sequence of assumptions", example)
    for name in names:
        if name not in ASSUMPTIONS:
            refuse("assume", name, f"not one of {', '.join(ASSUMPTIONS)}", example)
    return tuple(name for name in ASSUMPTIONS if name in names)


def _until_named(name: str) -> Until:
    try:
        return Until(name)
    except ValueError:
        known = ", ".join(Until)
        raise InputError(f"until {name!r} is not known; use one of {known}", name) from None
