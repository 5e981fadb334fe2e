"""Hypothesis tests: audits whose examples share one level, and neighboring datasets.

The examples that Hypothesis tries before anything has failed do not depend on
what the audits saw, so their chances of a false alarm add up: each example of a
test with n of them is audited at alpha/n, the same whenever it is run again, so
that a failure stays one. The sum holds for parameters chosen without looking at
results: a test that passes results on to `hypothesis.target`, or draws from
them, voids it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count
from typing import TYPE_CHECKING, Any

from audit.errors import InputError

if TYPE_CHECKING:
    from hypothesis import settings

    from audit.neighbors.domain import Domain
    from audit.relation import AnyRelation

_REMEDY = "decorate the test with @audited() from audit.testing"


def audited(max_examples: int = 20, **others: Any) -> settings:
    """Hypothesis settings for tests that audit, used as a decorator.

    No deadline, because audits take as long as they take; Hypothesis may run
    inside Hypothesis, because the search for worse neighbors uses it; and no
    explain phase, which traces every line of every audit.

    The mechanism should take a generator: one with randomness of its own gives
    another answer when Hypothesis runs an example again.

    Args:
        max_examples: examples to try; they share the test's alpha.
        others: any other settings of Hypothesis.

    Returns:
        Settings that decorate a test.
    """
    from hypothesis import HealthCheck, Phase, settings

    phases = [phase for phase in Phase if phase is not Phase.explain]
    calm: dict[str, Any] = {
        "deadline": None,
        "phases": phases,
        "suppress_health_check": [HealthCheck.nested_given, HealthCheck.too_slow],
    }
    return settings(max_examples=max_examples, **(calm | others))


def examples_sharing() -> int | None:
    """Number of examples that share the level of the running test; None outside Hypothesis.

    Raises:
        InputError: under the test's settings an audit would fail for reasons of
            its own.
    """
    hypothesis = sys.modules.get("hypothesis")
    if hypothesis is None or not hypothesis.currently_in_test_context():
        return None
    found = hypothesis.settings.default
    if found.deadline is not None:
        raise InputError(
            f"an audit may outlast Hypothesis' deadline of {found.deadline}; {_REMEDY}", found
        )
    if hypothesis.HealthCheck.nested_given not in found.suppress_health_check:
        raise InputError(
            f"the search for worse neighbors uses Hypothesis inside this test; {_REMEDY}", found
        )
    return int(found.max_examples)


_numbers = count()


def given_neighbors(
    domain: str | Domain, relation: str | AnyRelation = "add-remove", max_size: int = 20
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Give neighboring datasets to a Hypothesis test, as its arguments `data` and `neighbor`.

    They come from the same strategies as those that an audit searches with: extremes of the
    domain come up often, and a failing pair shrinks to the fewest and simplest records. For
    what must hold exactly for every pair, as that a sensitivity is what it is said to be.

    Args:
        domain: what one record may be, in the notation of `--domain`.
        relation: what makes two datasets neighbors, as with `--relation`.
        max_size: records of the larger one at most.

    Returns:
        A decorator, as `hypothesis.given` is one: settings and fixtures go with it.

    Raises:
        InputError: the domain or the relation cannot be read, or has no neighbors.
    """
    from hypothesis import given
    from hypothesis import strategies as st

    from audit.neighbors.domain import parse_domain
    from audit.neighbors.search.strategies import pairs
    from audit.relation import relation_named

    space = parse_domain(domain) if isinstance(domain, str) else domain
    related = relation_named(str(relation))
    # Shared, so that both arguments are of one pair; named, so that no other test shares it.
    pair = st.shared(pairs(space, related, max_size), key=f"neighbors {next(_numbers)}")
    return given(data=pair.map(lambda p: p.dataset), neighbor=pair.map(lambda p: p.neighbor))
