"""The command that repeats an audit outside the test that made it."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from audit.claims import ZCDP, ApproxDP, Claim, GaussianDP, PureDP, RenyiDP
from audit.engine.plan import as_dataset
from audit.errors import InputError
from audit.frontends.testing.budget import Budget
from audit.jsonable import jsonable
from audit.neighbors.domain import parse_domain
from audit.neighbors.read import read_data

if TYPE_CHECKING:
    from audit.frontends.testing.request import Request

_LONGEST = 2000


def reproducing(request: Request, budget: Budget, examples: int, test: str) -> str:
    """A command line: of the audit itself where it can be said in one, else of the test.

    Args:
        request: what is audited.
        budget: what it may spend, alpha for all examples of the test.
        examples: how many examples share alpha.
        test: node id of the running test, empty for none.
    """
    if request.address is not None:
        words = ["audit", "python", request.address]
        try:
            words += [*_claim(request.claim), *_datasets(request), *_spending(budget, examples)]
            return shlex.join(words)
        except _Unspoken:
            pass
    return _test_again(test, budget) if test else _call(request, budget)


class _Unspoken(Exception):
    """Something that a command line cannot say."""


def _claim(claim: Claim | None) -> tuple[str, ...]:
    match claim:
        case None:
            return ()
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


def _datasets(request: Request) -> Iterator[str]:
    if request.relation is not None:
        yield from ("--relation", str(request.relation))
    if request.data is not None:
        yield from ("--data", _json(request.data))
    for data in request.more_data:
        yield from ("--data", _json(data))
    for neighbor in request.neighbors:
        yield from ("--neighbor", _json(neighbor))
    if request.domain is not None:
        yield from ("--domain", _domain(request.domain))
    if request.questions is not None:
        raise _Unspoken
    yield from _search(request)


def _search(request: Request) -> Iterator[str]:
    if request.special:
        yield "--special"
    if request.until != "bound":
        yield from ("--until", str(request.until))
    if request.search is not None:
        yield "--search" if request.search else "--no-search"
    if request.records is not None:
        yield from ("--records", request.records)
    for assumption in request.assume:
        yield from ("--assume", assumption)


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


def _call(request: Request, budget: Budget) -> str:
    """The call as Python, the mechanism by its name."""
    named = {"relation": request.relation, "domain": request.domain, "data": request.data}
    named |= {"more_data": request.more_data or None, "neighbors": request.neighbors or None}
    named |= {"search": request.search, "special": request.special or None}
    named |= {"until": None if request.until == "bound" else request.until}
    named |= {"questions": request.questions}
    named |= {"records": request.records, "assume": request.assume or None}
    spent: dict[str, Any] = {"alpha": budget.alpha, "max_samples": budget.max_samples}
    spent |= {"max_seconds": budget.max_seconds, "seed": budget.seed}
    stated: dict[str, Any] = {"claim": request.claim}
    if isinstance(request.claim, PureDP | ApproxDP):
        stated = asdict(request.claim)
    given = {k: v for k, v in (stated | named | spent).items() if v is not None}
    made = request.mechanism is None
    called = request.factory if made else request.mechanism
    mechanism = getattr(called, "__qualname__", None) or repr(called)
    mechanism = f"factory={mechanism}" if made else mechanism
    arguments = ", ".join(f"{name}={_clipped(value)}" for name, value in given.items())
    return f"assert_private({mechanism}, {arguments})"


def _clipped(value: Any) -> str:
    try:
        text = repr(value)
    except ValueError:  # an integer of more digits than Python writes
        return "..."
    return text if len(text) <= _LONGEST else "..."
