"""Hypothesis at work for the auditor: seeded, silent, leaving nothing behind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, Verbosity, find, given, seed, settings, target
from hypothesis.errors import NoSuchExample, Unsatisfiable
from hypothesis.strategies import SearchStrategy

from audit.neighbors.domain import StrategyDomain
from audit.neighbors.search.hypothesis_state import put_aside

Answer = TypeVar("Answer")

_RECORDS_TRIED = 50


class Enough(BaseException):
    """Raised by a visitor to end an exploration; not an error, so nothing catches it."""


def explore(
    strategy: SearchStrategy[Any], visit: Callable[[Any], float], examples: int, start: int
) -> None:
    """Show examples to a visitor, later ones more often near those it scored highest.

    Args:
        strategy: what examples come from.
        visit: scores one example, or ends the exploration by raising `Enough`.
        examples: how many to show at most.
        start: the seed; the same visitor sees the same examples again.

    Raises:
        Exception: whatever the visitor raises, unchanged.
    """
    failures: list[Exception] = []

    @seed(start)
    @_quiet(examples, Phase.generate, Phase.target)
    @given(strategy)
    def show(example: Any) -> None:
        target(_kept_whole(visit, failures)(example))

    with _undisturbed(failures):
        show()


def simplest_example(domain: StrategyDomain, record: Any, holds: Callable[[Any], bool]) -> Any:
    """Simplest record of a strategy, found by Hypothesis; the record itself if it finds none."""
    failures: list[Exception] = []
    quiet = _quiet(_RECORDS_TRIED, Phase.generate, Phase.shrink, derandomize=True)
    with _undisturbed(failures):
        return find(domain.strategy, _kept_whole(holds, failures), settings=quiet)
    return record


def _kept_whole(
    function: Callable[[Any], Answer], failures: list[Exception]
) -> Callable[[Any], Answer]:
    """The function, but what it raises ends everything: Hypothesis would study and change it."""

    def watched(example: Any) -> Answer:
        try:
            return function(example)
        except Exception as error:
            failures.append(error)
            raise Enough from error

    return watched


def _quiet(examples: int, *phases: Phase, derandomize: bool = False) -> settings:
    return settings(
        max_examples=examples,
        phases=phases,
        derandomize=derandomize,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
        print_blob=False,
        backend="hypothesis",
    )


@contextmanager
def _undisturbed(failures: list[Exception]) -> Iterator[None]:
    """Run Hypothesis to its end, whichever it is."""
    with put_aside(), suppress(Enough, NoSuchExample, Unsatisfiable):
        yield
    if failures:
        raise failures[0]
