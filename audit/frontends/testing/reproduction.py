"""The command that repeats an audit outside the test that made it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from audit.claims import ZCDP, ApproxDP, Claim, GaussianDP, PureDP, RenyiDP
from audit.engine.plan import as_dataset
from audit.errors import InputError
from audit.frontends.testing.budget import Budget
from audit.jsonable import jsonable
from audit.neighbors.data_files import read_data
from audit.neighbors.domain import parse_domain

if TYPE_CHECKING:
    from audit.frontends.testing.assertion import Request

_LONGEST = 2000


def reproducing(request: Request, budget: Budget, examples: int, test: str) -> str:
    """A command line: of the audit itself where it can be said in one, else of the test.

    Alpha of the budget is that of all examples of the test; `test` is empty if none runs.
    """
    if request.address is not None:
        words = ["audit", "python", request.address]
        try:
            for name, said in _WORDS.items():
                if (value := request.arguments.get(name)) is not None:
                    words += said(value)
            return shlex.join([*words, *_spending(budget, examples)])
        except _Unspoken:
            pass
    return _test_again(test, budget) if test else _call(request, budget)


class _Unspoken(Exception):
    """Something that a command line cannot say."""


def _claim(claim: Claim) -> tuple[str, ...]:
    match claim:
        case PureDP(epsilon):
            return "--epsilon", repr(epsilon)
        case ApproxDP(epsilon, delta):
            return "--epsilon", repr(epsilon), "--delta", repr(delta)
        case ZCDP(rho):
            return "--rho", repr(rho)
        case GaussianDP(mu):
            return "--mu", repr(mu)
        case RenyiDP(order, epsilon):
            return "--renyi", f"{order!r}:{epsilon!r}"
    raise _Unspoken


def _json(data: Any) -> str:
    """The dataset as JSON, when that is read back as the same dataset."""
    try:
        text = json.dumps(jsonable(data))
        same = len(text) <= _LONGEST and _equal(read_data(text), as_dataset(data))
    except (InputError, ValueError):
        same = False
    if not same:
        raise _Unspoken
    return text


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype == other.dtype and bool(np.array_equal(one, other))
    return type(one) is type(other) and isinstance(one, list) and repr(one) == repr(other)


def _domain(domain: Any) -> str:
    text = str(domain)
    if isinstance(domain, str):
        return text
    try:
        if parse_domain(text) == domain:
            return text
    except InputError:
        pass
    raise _Unspoken


def _unspoken(value: object) -> NoReturn:
    raise _Unspoken


_WORDS: dict[str, Callable[[Any], Iterable[str]]] = {
    "claim": _claim,
    "relation": lambda relation: ("--relation", str(relation)),
    "data": lambda data: ("--data", _json(data)),
    "more_data": lambda several: (word for data in several for word in ("--data", _json(data))),
    "neighbors": lambda several: (word for d in several for word in ("--neighbor", _json(d))),
    "domain": lambda domain: ("--domain", _domain(domain)),
    "questions": _unspoken,
    "special": lambda special: ("--special",) * special,
    "until": lambda until: () if until == "bound" else ("--until", str(until)),
    "search": lambda search: ("--search" if search else "--no-search",),
    "records": lambda records: ("--records", records),
    "assume": lambda several: (word for name in several for word in ("--assume", name)),
}
"""By argument: the words of a command line that say it."""


def _spending(budget: Budget, examples: int) -> Iterator[str]:
    yield from ("--max-samples", str(budget.max_samples))
    if budget.max_seconds is not None:
        yield from ("--max-seconds", repr(budget.max_seconds))
    yield from ("--alpha", repr(budget.alpha / examples))
    yield from ("--seed", str(budget.seed))
    if budget.timeout != Budget().timeout:
        yield from ("--timeout", repr(budget.timeout))


def _test_again(test: str, budget: Budget) -> str:
    """The test alone; flags that the test's own arguments override do no harm."""
    words = ["--audit-seed", str(budget.seed), "--audit-alpha", repr(budget.alpha)]
    words += ["--audit-max-samples", str(budget.max_samples)]
    if budget.max_seconds is not None:
        words += ["--audit-max-seconds", repr(budget.max_seconds)]
    return shlex.join(["pytest", test, *words])


_OF_BUDGET = ("alpha", "max_samples", "max_seconds", "seed")
_OF_DATA = ("claim", "relation", "domain", "data", "more_data", "neighbors")
_OF_SEARCH = ("search", "special", "until", "questions", "records", "assume")


def _call(request: Request, budget: Budget) -> str:
    asked = {name: request.arguments.get(name) for name in _OF_DATA + _OF_SEARCH}
    if isinstance(claim := request.arguments.get("claim"), PureDP | ApproxDP):
        asked = asdict(claim) | asked | {"claim": None}
    spent = {name: getattr(budget, name) for name in _OF_BUDGET}
    given = {k: v for k, v in (asked | spent).items() if v is not None and not _usual(k, v)}
    made = request.mechanism is None
    called = request.factory if made else request.mechanism
    mechanism = getattr(called, "__qualname__", None) or repr(called)
    mechanism = f"factory={mechanism}" if made else mechanism
    arguments = ", ".join(f"{name}={_clipped(value)}" for name, value in given.items())
    return f"assert_private({mechanism}, {arguments})"


def _usual(name: str, value: Any) -> bool:
    if name == "until":
        return bool(value == "bound")
    return name in ("more_data", "neighbors", "special", "assume") and not value


def _clipped(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python writes
        return "..."
    return text if len(text) <= _LONGEST else "..."
