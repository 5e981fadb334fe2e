"""A JSON document read value by value, each knowing where it stands."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import StrEnum
from typing import Any, Protocol, TypeVar, cast

from audit.claims import Claim
from audit.errors import InputError, visible
from audit.verdict.result import Verdict

_DEEPEST = 40
_LONGEST = 60
_LARGEST_AMOUNT = 10**300
_INFINITIES = {"inf": math.inf, "-inf": -math.inf}
Choice = TypeVar("Choice", bound=StrEnum)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Node:
    """One value of the document.

    Attributes:
        value: as the JSON parser gave it.
        source: the document's name, for messages.
        place: the way to the value, for example "witness.p.low"; empty at the top.
    """

    value: Any
    source: str
    place: str = ""

    def wrong(self, expected: str) -> InputError:
        """The error that says what stands here and what should."""
        shown = visible(repr(self.value))
        found = shown if len(shown) <= _LONGEST else f"{shown[:_LONGEST]}…"
        where = f"{self.place!r} is {found}" if self.place else f"it holds {found}"
        return self.error(f"{where}, expected {expected}")

    def error(self, problem: str) -> InputError:
        """An error about this document, in one line."""
        return InputError(
            f"{visible(self.source)} is not a result of an audit: {visible(problem)}; "
            "give a file as --format json or --report writes it",
            self.value,
        )

    def names(self) -> list[str]:
        """The names of an object's values."""
        if not isinstance(self.value, dict):
            raise self.wrong("an object")
        return list(self.value)

    def at(self, key: str) -> Node:
        """A value of an object by its name."""
        place = f"{self.place}.{key}" if self.place else key
        if key not in self.names():
            raise self.error(f"{place!r} is missing")
        return Node(self.value[key], self.source, place)

    def elements(self) -> list[Node]:
        """The values of a list."""
        if not isinstance(self.value, list):
            raise self.wrong("a list")
        return [Node(v, self.source, f"{self.place}[{i}]") for i, v in enumerate(self.value)]

    def text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            raise self.wrong("a text")
        return self.value

    def truth(self) -> bool:
        """True or false, and no number in their place."""
        if not isinstance(self.value, bool):
            raise self.wrong("true or false")
        return self.value

    def whole(self) -> int:
        """A whole number; those that stand for counts are checked by `amount`."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.wrong("a whole number")
        return self.value

    def from_one(self) -> int:
        """An amount above 0."""
        if self.amount() < 1:
            raise self.wrong("a number from 1")
        return self.amount()

    def from_zero(self) -> float:
        """A number that is not negative."""
        return self.number(0.0)

    def amount(self) -> int:
        """A whole number that is not negative, and no larger than what epsilon = 300 takes."""
        if not 0 <= self.whole() <= _LARGEST_AMOUNT:
            raise self.wrong("a number of things, 0 or more")
        return self.whole()

    def number(self, low: float = -math.inf, high: float = math.inf) -> float:
        """A number between two ends; infinities are written "inf" and "-inf"."""
        word = isinstance(self.value, str)
        value = _INFINITIES.get(self.value, self.value) if word else self.value
        if not isinstance(value, (int, float)) or isinstance(value, bool) or not _fits(value):
            raise self.wrong('a number, "inf" or "-inf"')
        if not low <= value <= high:
            raise self.wrong(f"a number from {low:g} to {high:g}")
        return value

    def chance(self) -> float:
        """A number between 0 and 1, and neither of them."""
        if not 0.0 < self.number() < 1.0:
            raise self.wrong("a number between 0 and 1")
        return self.number()

    def choice(self, choices: type[Choice]) -> Choice:
        """One of the words of an enumeration."""
        words = [str(word) for word in choices]
        if not isinstance(self.value, str) or self.value not in words:
            raise self.wrong(f"one of {', '.join(words)}")
        return choices(self.value)

    def mapping(self) -> dict[str, Any]:
        """An object with values of any kind."""
        self.names()
        found: dict[str, Any] = self.anything()
        return found

    def anything(self) -> Any:
        """Any value that is not nested without end."""
        layer, depth = [self.value], 0
        while layer:
            depth += 1
            if depth > _DEEPEST:
                raise self.error(f"{self.place!r} is nested more than {_DEEPEST} deep")
            layer = [part for value in layer for part in _parts(value)]
        return self.value


def _parts(value: Any) -> list[Any]:
    found = list(value.values()) if isinstance(value, dict) else value
    return found if isinstance(found, list) else []


def _fits(value: float) -> bool:
    try:
        return not math.isnan(float(value))
    except OverflowError:
        return False


Reader = Callable[[Node], Any]
"""Checks a value and gives what it stands for."""


def optional(read: Callable[[Node], T]) -> Callable[[Node], T | None]:
    """Reader of what may be null."""
    return lambda node: None if node.value is None else read(node)


def several(read: Callable[[Node], T]) -> Callable[[Node], tuple[T, ...]]:
    """Reader of lists."""
    return lambda node: tuple(map(read, node.elements()))


_BY_TYPE: dict[str, Reader] = {
    "str": Node.text,
    "str | None": optional(Node.text),
    "bool": Node.truth,
    "int": Node.amount,
    "float": Node.number,
    "float | None": optional(Node.number),
    "tuple[str, ...]": several(Node.text),
    "dict[str, Any]": Node.mapping,
    "Any": Node.anything,
}


def record(
    kind: Callable[..., T], always: Collection[str] = (), /, **own: Reader
) -> Callable[..., T]:
    """Reader of the objects of a dataclass, each field under its name and as its type says.

    Args:
        kind: the dataclass; fields with a default may be missing, as earlier versions lack them.
        always: fields with a default that no version lacks.
        own: readers of fields of which the type does not say all.

    Returns:
        Makes one from a node, and from fields by name that are not to be read.
    """
    types = {field.name: str(field.type) for field in fields(cast(Any, kind))}
    needed = {f.name for f in fields(cast(Any, kind)) if MISSING is f.default is f.default_factory}

    def read(node: Node, **given: Any) -> T:
        known = needed.union(always, node.names())
        names = [n for n in types if n in known and n not in given]
        found = {n: (own.get(n) or _BY_TYPE[types[n]])(node.at(n)) for n in names}
        return kind(**found, **given)

    return read


class Stored(Protocol):
    """Interface of results of every kind."""

    @property
    def mechanism(self) -> str:
        """Name of the mechanism."""

    @property
    def claim(self) -> Claim:
        """The claim."""

    @property
    def verdict(self) -> Verdict:
        """The verdict."""

    @property
    def levels(self) -> Mapping[str, float]:
        """Lower bounds by name."""

    def to_json(self) -> dict[str, Any]:
        """The result as one JSON object."""


def render_json(result: Stored) -> str:
    """One JSON object in UTF-8, which `restore` reads back.

    Strings from a black box may hold what steers a terminal, and halves of
    surrogate pairs, which UTF-8 cannot; they are written as JSON's own escapes.
    """
    text = json.dumps(result.to_json(), ensure_ascii=False, allow_nan=False, indent=2)
    return "\n".join(visible(line, json.dumps) for line in text.split("\n")) + "\n"
