"""isage-privacy: mechanisms and perturbed vectors, drawn from numpy's global state.

A mechanism keeps account of what it spent, so each call has one of its own.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from audit.claims import ApproxDP, Claim
from audit.declaration import Entry
from audit.relation import Relation
from mechanisms.external.call import imported
from mechanisms.external.shelf import DECLARED, SUBSTITUTE, Finding, Shelf

REQUIREMENT = "isage-privacy==0.1.0.2 isage-common==0.2.5.0"
_DP = "dp.LaplaceMechanism and dp.GaussianMechanism, docstrings"
_VECTOR = "VectorPerturbation, docstring: applies differential privacy perturbation to vectors"
_CLIPPED = "unlearning.LaplaceMechanism: clip_bound; privacy_cost: satisfies pure ε-DP"
_BOUND = "noise that is cut to [-c, c] tells x wherever the output is beyond c of its neighbor"
_HALF = "half of the coordinates get no noise"
_SHARE = "a coordinate's noise shrinks with its share of the vector: one that is all of it has none"


def entries() -> tuple[Entry, ...]:
    """Calls of isage-privacy.

    Raises:
        InputError: it is not installed.
    """
    _, version = imported("sage_privacy", "isage-privacy", REQUIREMENT)
    shelf = Shelf("isage-privacy", version, "github.com/intellistream/sage-privacy")
    return (*_mechanisms(shelf), *_clipped(shelf), *_vectors(shelf))


def _floats(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda data: function(np.asarray(data, dtype=float))


def _mechanisms(shelf: Shelf) -> tuple[Entry, ...]:
    library = importlib.import_module("sage_libs.sage_privacy.dp")

    def laplace() -> Any:
        return library.LaplaceMechanism(epsilon=1.0)

    def gaussian() -> Any:
        return library.GaussianMechanism(epsilon=1.0, delta=0.01)

    values = [0.0, 0.0, 1.0], [1.0, 0.0, 1.0]
    bounds = (0.0, 1.0)

    def one(
        name: str,
        call: str,
        does: Callable[[Any], Any],
        pair: tuple[Any, Any] = values,
        relation: Relation = SUBSTITUTE,
        claims: Claim | None = None,
    ) -> Entry:
        return shelf.entry(
            name, call, _floats(does), *pair, relation=relation, claims=claims, documented=_DP
        )

    vector = [0.0, 0.0], [1.0, 0.0]
    return (
        one(
            "sum",
            "LaplaceMechanism(1).private_sum(x, (0, 1))",
            lambda x: laplace().private_sum(x, bounds),
        ),
        one(
            "mean",
            "LaplaceMechanism(1).private_mean(x, (0, 1))",
            lambda x: laplace().private_mean(x, bounds),
        ),
        one(
            "count",
            "LaplaceMechanism(1).private_count(x > 0)",
            lambda x: laplace().private_count(x > 0),
        ),
        one(
            "histogram",
            "LaplaceMechanism(1).perturb_histogram(counts)",
            lambda x: laplace().perturb_histogram(x),
            ([2.0, 3.0], [3.0, 3.0]),
            DECLARED,
        ),
        one(
            "vector",
            "LaplaceMechanism(1).perturb_vector(v)",
            lambda x: laplace().perturb_vector(x),
            vector,
            DECLARED,
        ),
        one(
            "vector-gaussian",
            "GaussianMechanism(1, 0.01).perturb_vector(v)",
            lambda x: gaussian().perturb_vector(x),
            vector,
            DECLARED,
            ApproxDP(1.0, 0.01),
        ),
    )


def _clipped(shelf: Shelf) -> tuple[Entry, ...]:
    library = importlib.import_module("sage_libs.sage_privacy.unlearning")

    def one(name: str, bound: float | None, why: Finding | None) -> Entry:
        made = library.LaplaceMechanism(epsilon=1.0, clip_bound=bound)
        return shelf.entry(
            name,
            f"x + unlearning.LaplaceMechanism(1, clip_bound={bound}).compute_noise()",
            lambda data: float(data[0]) + made.compute_noise(),
            [0.0],
            [1.0],
            documented=_CLIPPED,
            broken=why,
        )

    return (one("laplace", None, None), one("laplace-clipped", 2.0, Finding(_BOUND)))


def _vectors(shelf: Shelf) -> tuple[Entry, ...]:
    library = importlib.import_module("sage_privacy.dp_unlearning")

    def perturbed(vector: Any, strategy: str) -> Any:
        made = library.VectorPerturbation(library.SimpleLaplaceMechanism(epsilon=1.0))
        return made.perturb_single_vector(vector, strategy)

    def one(strategy: str, why: Finding | None) -> Entry:
        return shelf.entry(
            f"vector-{strategy}",
            f"VectorPerturbation(LaplaceMechanism(1)).perturb_single_vector(v, {strategy!r})",
            _floats(lambda vector: perturbed(vector, strategy)),
            [1.0, 0.0],
            [0.5, 0.5],
            documented=_VECTOR,
            broken=why,
        )

    return (
        one("uniform", None),
        one("selective", Finding(_HALF)),
        one("adaptive", Finding(_SHARE)),
    )
