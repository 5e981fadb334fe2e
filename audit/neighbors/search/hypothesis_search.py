"""Hypothesis at work for the auditor: seeded, silent, leaving nothing behind.

Its state outside of its settings is put aside meanwhile. Hypothesis has no public names for
this. Where a version has other private ones, less is put aside and everything still works; the
tests tell what is then lost.
"""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

import hypothesis
from hypothesis import HealthCheck, Phase, Verbosity, configuration, settings
from hypothesis.errors import NoSuchExample, Unsatisfiable
from hypothesis.strategies import SearchStrategy

from audit.neighbors.domain import StrategyDomain

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

    @hypothesis.seed(start)
    @_quiet(examples, Phase.generate, Phase.target)
    @hypothesis.given(strategy)
    def show(example: Any) -> None:
        hypothesis.target(_kept_whole(visit, failures)(example))

    with _undisturbed(failures):
        show()


def simplest_example(domain: StrategyDomain, record: Any, holds: Callable[[Any], bool]) -> Any:
    """Simplest record of a strategy, found by Hypothesis; the record itself if it finds none."""
    failures: list[Exception] = []
    quiet = _quiet(_RECORDS_TRIED, Phase.generate, Phase.shrink, derandomize=True)
    with _undisturbed(failures):
        return hypothesis.find(domain.strategy, _kept_whole(holds, failures), settings=quiet)
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
    ends = suppress(Enough, NoSuchExample, Unsatisfiable)
    with _another_folder(), _without_constants_of_modules(), ends:
        yield
    if failures:
        raise failures[0]


_HOME = "__hypothesis_home_directory"
_PROVIDERS = "hypothesis.internal.conjecture.providers"
_CONSTANTS = "hypothesis.internal.constants_ast"
_CONSTANTS_REMEMBERED = 1024


@contextmanager
def _another_folder() -> Iterator[None]:
    """Keep its notes out of the user's folder."""
    move = getattr(configuration, "set_hypothesis_home_dir", None) or (lambda folder: None)
    home = configuration.__dict__.get(_HOME)  # None until it is first used
    with tempfile.TemporaryDirectory() as place:
        move(place)
        try:
            yield
        finally:
            move(home)


@contextmanager
def _without_constants_of_modules() -> Iterator[None]:
    """Keep Hypothesis from drawing constants that it reads in the source of loaded modules.

    Which modules are loaded, and whether they count as somebody's own, depends on
    how an audit was started; what is searched must depend on the seed alone.
    """
    holder, replacements = _replacements()
    kept = {name: holder[name] for name in replacements}
    holder.update(replacements)
    try:
        yield
    finally:
        holder.update(kept)


def _replacements() -> tuple[dict[str, Any], dict[str, Any]]:
    """The names of a module of Hypothesis, and those to replace; none where it has others."""
    try:
        providers = importlib.import_module(_PROVIDERS).__dict__
        found = {
            "_get_local_constants": importlib.import_module(_CONSTANTS).__dict__["Constants"],
            "CONSTANTS_CACHE": type(providers["CONSTANTS_CACHE"])(_CONSTANTS_REMEMBERED),
        }
    except (ImportError, KeyError, TypeError):
        return {}, {}
    return (providers, found) if found.keys() <= providers.keys() else ({}, {})
