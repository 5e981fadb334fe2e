"""Declaration of a mechanism: its claim, its relation, its known truth.

A mechanism in a catalogue is a frozen dataclass: its fields are its parameters
(and become flags on the command line), its `release` is the black box, its
`claim` is what it says about itself. An `Entry` adds what an audit needs around
it. Nothing here knows any concrete mechanism.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Protocol, Self, TypeVar, runtime_checkable

from audit.claims import Claim, claim_from
from audit.relation import AnyRelation, Relation, relation_named


@runtime_checkable
class Mechanism(Protocol):
    """A black box together with its claim.

    `release` is a method of one of the shapes f(data), f(data, rng),
    f(data, rng, size) and f(data, size); with `size` it returns that many
    independent outputs along the first axis.
    """

    @property
    def claim(self) -> Claim:
        """Claim of the mechanism."""

    @property
    def release(self) -> Callable[..., Any]:
        """The black box."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Truth:
    """Known truth about a mechanism beyond its claim.

    Attributes:
        keeps: whether the claim holds.
        epsilon: the smallest epsilon that holds at the claim's delta
            (`math.inf` when none does, None where it is not known).
        source: where this is shown: a paper, a thread, a calculation.
        pairs: pairs of runs that an oracle knowing the best event needs at
            level 0.05 with independent draws, None where it is not known.
        reachable: False when no ordinary budget can show the violation.
        leaks: True when the bits of its floating-point outputs are known to give
            the data away, although the claim may hold in real arithmetic.
    """

    keeps: bool
    epsilon: float | None = None
    source: str = ""
    pairs: float | None = None
    reachable: bool = True
    leaks: bool = False


@dataclass(frozen=True, slots=True)
class Later:
    """A dataset that is made when somebody asks for it.

    Making it may load a library that takes longer than a small audit, and a catalogue is read
    for one of its mechanisms.
    """

    make: Callable[[], Any]


class _Made:
    """A field of an entry: where it holds anything to be made later, that is made once."""

    def __init__(self, default: Any) -> None:
        self._default = default

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = f"_{name}"

    def __get__(self, entry: object, owner: type) -> Any:
        if entry is None:
            return self._default
        held = vars(entry)[self._name]
        made = tuple(map(_made, held)) if isinstance(held, tuple) else _made(held)
        vars(entry)[self._name] = made
        return made

    def __set__(self, entry: object, value: Any) -> None:
        vars(entry)[self._name] = value


def _made(data: Any) -> Any:
    return data.make() if isinstance(data, Later) else data


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One mechanism of a catalogue, ready to be audited.

    Attributes:
        name: its name on the command line, in kebab-case.
        group: the heading under which `audit list` shows it.
        summary: one line for people.
        mechanism: an instance with the default parameters.
        relation: what makes two of its datasets neighbors.
        data: the default dataset D, declared as it is or as `Later`.
        neighbors: default neighbors of D, declared likewise; empty when they are built from D.
        domain: the record domain in the notation of `--domain`, or None.
        questions: what a session may be asked, in the notation of `--domain`; None where the
            mechanism answers once. Its `release` opens a session then: an object with
            `ask(question)`, or a function of a question.
        truth: what is known about the default parameters.
        reader: reads a dataset from a file of a layout of its own; gives the
            data and notes on what it left out, one sentence each.
        classic: D1, D2, ... of somebody's data, where the mechanism knows which
            neighbors are worth trying; otherwise they are built from D.
        independent_calls: declares that its calls are independent of each other: no call sees what
            another one drew or changed.
    """

    name: str
    group: str
    summary: str
    mechanism: Mechanism
    relation: AnyRelation = Relation.ADD_REMOVE
    data: Any = _Made(None)
    neighbors: Any = _Made(())
    domain: str | None = None
    questions: str | None = None
    truth: Truth = field(default_factory=lambda: Truth(keeps=True))
    reader: Callable[[str], tuple[Any, tuple[str, ...]]] | None = None
    classic: Callable[[Any], tuple[Any, ...]] | None = None
    independent_calls: bool = False


def parameters_of(mechanism: object) -> dict[str, Any]:
    """The parameters of a mechanism or benchmark and their values; none if it is no dataclass."""
    if not is_dataclass(mechanism):
        return {}
    return {f.name: getattr(mechanism, f.name) for f in fields(mechanism) if f.init}


Function = TypeVar("Function", bound=Callable[..., Any])
_DECLARATION = "__dp_audit__"
"""The attribute that the `mechanism` decorator adds."""


@dataclass(frozen=True, slots=True)
class Declared:
    """Declaration that the `mechanism` decorator leaves on a function."""

    claim: Claim | None
    relation: AnyRelation | None
    domain: str | None


def mechanism(
    claim: Claim | float | None = None,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    relation: str | None = None,
    domain: str | None = None,
) -> Callable[[Function], Function]:
    """Declare the claim of a function, or of the objects of a class, where it is written.

    The function or class itself is returned unchanged; the audit reads the declaration
    and flags or arguments given to the audit override it.

    Args:
        claim: an epsilon, or a claim of any kind.
        epsilon: claimed epsilon, in place of `claim`; with `delta` for approximate DP.
        delta: claimed delta.
        relation: what makes datasets neighbors.
        domain: what one record may be, in the notation of `--domain`.

    Returns:
        A decorator.

    Raises:
        ClaimError: the claim makes no sense.
        InputError: the relation is unknown.
    """
    stated = claim_from(claim, epsilon=epsilon, delta=delta)
    declared = Declared(stated, None if relation is None else relation_named(relation), domain)

    def attach(function: Function) -> Function:
        setattr(function, _DECLARATION, declared)
        return function

    return attach


def declared_by(function: object) -> Declared:
    """The declaration attached to a function, empty when there is none."""
    found = getattr(function, _DECLARATION, None)
    return found if isinstance(found, Declared) else Declared(None, None, None)


Catalog = Mapping[str, Entry]


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """One approach of a benchmark at one epsilon.

    Attributes:
        approach: its name.
        epsilon: what it claims.
        figures: how good it is, by name: errors, noise scales, averaged over repetitions.
        entry: the approach, ready to be audited.
    """

    approach: str
    epsilon: float
    figures: Mapping[str, float]
    entry: Entry


class Benchmark(Protocol):
    """Approaches to one job under one claim: a frozen dataclass whose fields become flags."""

    def over(self, low: float, high: float, step: float) -> Self:
        """The same benchmark for epsilon from low to high in equal steps."""

    def compared(self) -> Sequence[Compared]:
        """All approaches at all epsilons, in the order in which they are to be shown."""
