"""trasgodp: local mechanisms for columns, drawn from numpy's global state.

Each record is one person's, so neighbors differ in the value of one.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from audit.claims import ApproxDP, Claim
from audit.declaration import Entry
from mechanisms.external.call import Release, imported
from mechanisms.external.shelf import DECLARED, SUBSTITUTE, Finding, Shelf

REQUIREMENT = "trasgodp==2.1.0"
_README = "README: different mechanisms for ε-differential privacy under a local approach"
_SEEN = "the categories are those that the column holds: a value that one person has shows"
_MISSING = "a missing value stays missing"


def entries() -> tuple[Entry, ...]:
    """Calls of trasgodp.

    Raises:
        InputError: it is not installed.
    """
    _, version = imported("trasgodp", "trasgodp", REQUIREMENT)
    shelf = Shelf("trasgodp", version, "github.com/IFCA-Advanced-Computing/trasgoDP")
    return (*_numbers(shelf), *_categories(shelf))


def _numbers(shelf: Shelf) -> tuple[Entry, ...]:
    library = importlib.import_module("trasgodp.numerical")

    def entry(
        name: str, kind: type, pair: tuple[Any, Any], why: Finding | None = None, delta: float = 0.0
    ) -> Entry:
        noise = "gaussian" if delta else "laplace"
        function = getattr(library, f"dp_clip_{noise}_array")
        extra = {"delta": delta} if delta else {}
        claims: Claim | None = ApproxDP(1.0, delta) if delta else None

        def release(data: Any) -> Any:
            return function(np.asarray(data, dtype=kind), 1.0, 0, 4, **extra)

        return shelf.entry(
            name,
            f"dp_clip_{noise}_array({kind.__name__}, epsilon=1, 0, 4)",
            release,
            *pair,
            claims=claims,
            relation=SUBSTITUTE,
            documented=_README,
            broken=why,
        )

    gap = ([1.5], [float("nan")])
    return (
        entry("laplace-float", float, ([0.0], [4.0])),
        entry("laplace-int", int, ([0], [4])),
        entry("gaussian-float", float, ([0.0], [4.0]), delta=0.01),
        entry("gaussian-int", int, ([0], [4]), delta=0.01),
        entry("laplace-missing", float, gap, Finding(_MISSING)),
        entry("gaussian-missing", float, gap, Finding(_MISSING), delta=0.01),
    )


def _categories(shelf: Shelf) -> tuple[Entry, ...]:
    library = importlib.import_module("trasgodp.categorical")

    def entry(name: str, call: str, pair: tuple[Any, Any], why: Finding | None = None) -> Entry:
        function = getattr(library, f"dp_{call}_array")
        does: Release = lambda data: function(np.array([str(v) for v in data]), 1.0)  # noqa: E731
        return shelf.entry(
            name,
            f"dp_{call}_array(x, epsilon=1)",
            does,
            *pair,
            relation=DECLARED,
            documented=_README,
            broken=why,
        )

    kept = (["a", "b", "c", "a"], ["b", "b", "c", "a"])
    alone = (["a", "b", "c", "d"], ["b", "b", "c", "d"])
    return (
        entry("exponential", "exponential", kept),
        entry("randomized-response", "randomized_response_kary", kept),
        entry(
            "randomized-response-binary", "randomized_response_binary", (list("aab"), list("abb"))
        ),
        entry("exponential-lone", "exponential", alone, Finding(_SEEN)),
        entry("randomized-response-lone", "randomized_response_kary", alone, Finding(_SEEN)),
        entry(
            "randomized-response-binary-lone",
            "randomized_response_binary",
            (list("abb"), list("bbb")),
            Finding(_SEEN),
        ),
    )
