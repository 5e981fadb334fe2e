"""State of Hypothesis outside of its settings, put aside while the auditor uses it.

Hypothesis has no public names for this. Where a version has other private ones,
less is put aside and everything still works; the tests tell what is then lost.
"""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from hypothesis import configuration

_HOME = "__hypothesis_home_directory"
_PROVIDERS = "hypothesis.internal.conjecture.providers"
_CONSTANTS = "hypothesis.internal.constants_ast"
_CONSTANTS_REMEMBERED = 1024


@contextmanager
def put_aside() -> Iterator[None]:
    """Its folder and the constants of loaded modules, until the end of the block."""
    with ExitStack() as stack:
        stack.enter_context(_another_folder())
        stack.enter_context(_without_constants_of_modules())
        yield


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
