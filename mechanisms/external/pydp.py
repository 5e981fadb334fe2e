"""PyDP (OpenMined), the Python wrapper of Google's C++ building blocks.

Its randomness cannot be seeded. A user contributes one record to one partition
unless `l0_sensitivity` and `linf_sensitivity` say otherwise.
"""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from audit.claims import ApproxDP
from audit.declaration import Entry
from mechanisms.external.call import Release, imported
from mechanisms.external.shelf import ADD_REMOVE, Finding, Shelf

REQUIREMENT = "python-dp==1.1.5"
_ALGORITHMS = "pydp.algorithms.laplacian, epsilon-differentially private aggregates"
_PARTITIONS = "pydp.algorithms.partition_selection, (epsilon, delta) partition selection"
_MECHANISMS = "pydp.algorithms.numerical_mechanisms"
_DELTA = 0.05
_FINE = (
    "the noise is a multiple of a tiny power of two (2^57 steps in the root of a binomial), "
    "finer than the 53 bits of a double: 1 + noise is rounded to a coarser grid than 0 + noise"
)
_FINE_SEEN = (
    "no thread on this library found; the same doubt about such grids is in "
    "github.com/opendp/opendp/issues/414 (comment of 2022-04-12)"
)
_FEW = [0.0, 0.0, 0.2]


def entries() -> tuple[Entry, ...]:
    """Calls of PyDP.

    Raises:
        InputError: it is not installed.
    """
    _, version = imported("pydp", "python-dp", REQUIREMENT)
    shelf = Shelf("pydp", version, "pydp.readthedocs.io")
    return (
        *_aggregates(shelf),
        *_bounds_found(shelf),
        *_edges(shelf),
        *_selection(shelf),
        *_additive(shelf),
    )


def _laplacian(name: str, dtype: str = "float", **options: Any) -> Release:
    kind = getattr(importlib.import_module("pydp.algorithms.laplacian"), name)
    cast = float if dtype == "float" else int

    def release(data: Any) -> Any:
        records = [cast(record) for record in data]
        return kind(epsilon=1.0, dtype=dtype, **options).quick_result(records)

    return release


def _aggregates(shelf: Shelf) -> tuple[Entry, ...]:
    unit: dict[str, Any] = {"lower_bound": 0.0, "upper_bound": 1.0}

    def one(name: str, kind: str, **options: Any) -> Entry:
        shown = ", ".join(f"{key}={value}" for key, value in options.items())
        return shelf.entry(
            name,
            f"{kind}({shown}).quick_result(x)",
            _laplacian(kind, **options),
            _FEW,
            [*_FEW, 1.0],
            [*_FEW, 0.0],
            relation=ADD_REMOVE,
            documented=_ALGORITHMS,
        )

    return (
        shelf.entry(
            "count",
            "Count().quick_result(x)",
            _laplacian("Count", "int"),
            [1, 2, 3],
            [1, 2],
            relation=ADD_REMOVE,
            documented=_ALGORITHMS,
        ),
        one("sum", "BoundedSum", **unit),
        one("sum-far", "BoundedSum", lower_bound=-1.0, upper_bound=0.5),
        one("mean", "BoundedMean", **unit),
        one("variance", "BoundedVariance", **unit),
        one("standard-deviation", "BoundedStandardDeviation", **unit),
        one("max", "Max", **unit),
        one("min", "Min", **unit),
        one("median", "Median", **unit),
        one("percentile", "Percentile", percentile=0.9, **unit),
        shelf.entry(
            "quantile-tree",
            "QuantileTree(0, 1, 4, 4).compute_quantiles(1, 0, 1, 1, [0.5])",
            _tree,
            _FEW,
            [*_FEW, 1.0],
            [*_FEW, 0.0],
            relation=ADD_REMOVE,
            documented="pydp.algorithms.quantile_tree",
        ),
    )


def _tree(data: Any) -> float:
    kind = importlib.import_module("pydp.algorithms.quantile_tree").QuantileTree
    tree = kind(0.0, 1.0, 4, 4)
    for record in data:
        tree.add_entry(float(record))
    return float(tree.compute_quantiles(1.0, 0.0, 1, 1, [0.5])[0])


def _bounds_found(shelf: Shelf) -> tuple[Entry, ...]:
    """Without bounds the library spends half of epsilon on finding some."""
    return tuple(
        shelf.entry(
            f"{name}-no-bounds",
            f"{kind}().quick_result(x), bounds privately inferred",
            _laplacian(kind),
            [1.0] * 60,
            [1.0] * 59,
            [1.0] * 60 + [1e6],
            relation=ADD_REMOVE,
            documented=f"{_ALGORITHMS}; bounds can be manually set or privately inferred",
        )
        for name, kind in (("sum", "BoundedSum"), ("mean", "BoundedMean"))
    )


def _edges(shelf: Shelf) -> tuple[Entry, ...]:
    """NaN, infinities, integers at the edge of their type, users with several records."""
    unit: dict[str, Any] = {"lower_bound": 0.0, "upper_bound": 1.0}
    largest = 2**31 - 1
    return (
        shelf.entry(
            "sum-nan",
            "BoundedSum(0, 1).quick_result(x) with NaN and infinite records",
            _laplacian("BoundedSum", **unit),
            [0.5, float("nan")],
            [0.5],
            [0.5, float("nan"), float("inf")],
            relation=ADD_REMOVE,
            documented=_ALGORITHMS,
        ),
        shelf.entry(
            "mean-nan",
            "BoundedMean(0, 1).quick_result(x) with NaN and infinite records",
            _laplacian("BoundedMean", **unit),
            [0.5, float("nan")],
            [0.5],
            [0.5, float("nan"), float("-inf")],
            relation=ADD_REMOVE,
            documented=_ALGORITHMS,
        ),
        shelf.entry(
            "sum-int-edge",
            "BoundedSum(0, 2**31 - 1, dtype='int').quick_result(x)",
            _laplacian("BoundedSum", "int", lower_bound=0, upper_bound=largest),
            [largest, largest],
            [largest],
            relation=ADD_REMOVE,
            documented=_ALGORITHMS,
            warned="sums may wrap around, as the noise does: google/differential-privacy/issues/40",
        ),
        shelf.entry(
            "count-of-users",
            "Count(l0_sensitivity=1, linf_sensitivity=3), a user with three records",
            _laplacian("Count", "int", l0_sensitivity=1, linf_sensitivity=3),
            [1, 1, 1, 1],
            [1],
            documented=_ALGORITHMS,
        ),
    )


def _selection(shelf: Shelf) -> tuple[Entry, ...]:
    create = importlib.import_module("pydp.algorithms.partition_selection")

    def strategy(name: str, threshold: int | None) -> Release:
        chosen = create.create_partition_strategy(name, 1.0, _DELTA, 1, threshold)

        def release(data: Any) -> bool:
            return bool(chosen.should_keep(len(data)))

        return release

    return tuple(
        shelf.entry(
            f"keep-{name.replace('_', '-')}{'' if threshold is None else '-pre'}",
            f"create_partition_strategy({name!r}, 1, {_DELTA}, 1, {threshold}).should_keep(users)",
            strategy(name, threshold),
            np.zeros(3),
            np.zeros(2),
            np.zeros(4),
            claims=ApproxDP(1.0, _DELTA),
            relation=ADD_REMOVE,
            documented=_PARTITIONS,
        )
        for name in ("truncated_geometric", "laplace", "gaussian")
        for threshold in (None, 3)
    )


def _additive(shelf: Shelf) -> tuple[Entry, ...]:
    library = importlib.import_module(_MECHANISMS)
    laplace = library.LaplaceMechanism(1.0, 1.0)
    gaussian = library.GaussianMechanism(1.0, _DELTA, 1.0)
    usual = library.GaussianMechanism(1.0, 1e-5, 1.0)

    def added(mechanism: Any, cast: type) -> Release:
        def release(data: Any) -> Any:
            return mechanism.add_noise(cast(data[0]))

        return release

    return (
        shelf.entry(
            "laplace",
            "LaplaceMechanism(1, sensitivity=1).add_noise(float)",
            added(laplace, float),
            [0.0],
            [1.0],
            documented=_MECHANISMS,
        ),
        shelf.entry(
            "laplace-integer",
            "LaplaceMechanism(1, sensitivity=1).add_noise(int)",
            added(laplace, int),
            [0],
            [1],
            documented=_MECHANISMS,
        ),
        shelf.entry(
            "gaussian-bits",
            "GaussianMechanism(1, 1e-5, sensitivity=1).add_noise(float), bits after the point",
            lambda data: usual.add_noise(float(data[0])).as_integer_ratio()[1].bit_length() - 1,
            [0.0],
            [1.0],
            claims=ApproxDP(1.0, 1e-5),
            documented=f"{_MECHANISMS}; Google's Secure_Noise_Generation.pdf",
            broken=Finding(_FINE, None, _FINE_SEEN),
        ),
        shelf.entry(
            "gaussian",
            f"GaussianMechanism(1, {_DELTA}, sensitivity=1).add_noise(float)",
            added(gaussian, float),
            [0.0],
            [1.0],
            claims=ApproxDP(1.0, _DELTA),
            documented=_MECHANISMS,
        ),
    )
