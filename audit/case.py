"""What is audited, and how: a case and the settings of its audit."""

from __future__ import annotations

from concurrent.futures import Executor
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from audit.blackbox.interface import BlackBox
from audit.claim import Claim
from audit.errors import InputError
from audit.neighbors import Pair
from audit.neighbors.domain import Domain
from audit.progress import Subscriber, nobody
from audit.relation import AnyRelation

_MOST_SAMPLES = 10**15
"""No audit lasts so long; much larger integers leave the range of floats."""


_MOST_SECONDS = 1e9


class Until(StrEnum):
    """When to stop betting, if the budget has not ended before."""

    VIOLATION = "violation"
    BOUND = "bound"
    BUDGET = "budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything about an audit but the mechanism and its datasets.

    Attributes:
        alpha: chance of flagging a mechanism that keeps its claim.
        bins: bins of the tables.
        max_samples: runs of the black box at most, all stages together.
        max_seconds: time at most, None for no limit.
        seed: every number of the audit follows from it.
        null: audit D against itself.
        until: when to stop betting.
        tables: whether to draw the tables that people read.
        workers: processes that draw; the result does not depend on it.
        executor: draws through this instead, for example a cluster's.
        store: a file for finished batches, None for none.
        shared: whether audits of other mechanisms may be in the same file.
        on_event: hears how far the audit is.
    """

    alpha: float = 0.001
    bins: int = 20
    max_samples: int = 400_000
    max_seconds: float | None = None
    seed: int = 0
    null: bool = False
    until: Until = Until.BOUND
    tables: bool = True
    workers: int = 1
    executor: Executor | None = None
    store: Path | None = None
    shared: bool = False
    on_event: Subscriber = nobody


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What is audited.

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


def check_amounts(
    *, alpha: float, bins: int = 1, max_samples: int = 1, seed: int = 0, workers: int = 1
) -> None:
    """Refuse numbers that no audit can be made with.

    Raises:
        InputError: the message names it and says what was expected.
    """
    if not 0.0 < alpha < 1.0:
        raise InputError(f"alpha {alpha!r} is not between 0 and 1", alpha)
    for name, value, least in (
        ("bins", bins, 1),
        ("max_samples", max_samples, 1),
        ("seed", seed, 0),
        ("workers", workers, 1),
    ):
        if value < least:
            raise InputError(f"{name} {value!r} is less than {least}", value)
    if max_samples > _MOST_SAMPLES:
        raise InputError(
            f"max_samples is more than {_MOST_SAMPLES:,}; give a smaller one", max_samples
        )


def check_time(max_seconds: float | None, store: object = None) -> None:
    """Refuse a time that is none, and one beside a store.

    Raises:
        InputError: the message names it and says what was expected.
    """
    if max_seconds is None:
        return
    if not 0 < max_seconds < _MOST_SECONDS:
        raise InputError(
            f"max_seconds {max_seconds!r} is not a number of seconds above 0", max_seconds
        )
    if store is not None:
        raise InputError(
            "--max-seconds and --store exclude each other: how far an audit gets in a time does "
            "not follow from its seed, and a store goes on only with what does; give --max-samples",
            max_seconds,
        )


def until_named(name: str) -> Until:
    """When to stop, by its name.

    Raises:
        InputError: there is no such rule; the message lists those there are.
    """
    try:
        return Until(name)
    except ValueError:
        known = ", ".join(Until)
        raise InputError(f"until {name!r} is not known; use one of {known}", name) from None
