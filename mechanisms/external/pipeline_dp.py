"""PipelineDP (OpenMined and Google): aggregations by its LocalBackend.

The claim of an entry is the budget that its accountant is given "for the entire pipeline".
Neighbors differ by one privacy id with all of its rows: rows are an id, a partition and a
value, or several numbers where the value is a vector. Randomness cannot be seeded.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from audit.claims import ApproxDP, Claim, PureDP
from audit.declaration import Entry
from mechanisms.external.call import Release, imported
from mechanisms.external.shelf import Finding, Shelf

REQUIREMENT = "pipeline-dp==0.3.1"
DELTA = 0.01
WORDS = "NaiveBudgetAccountant, total_epsilon: epsilon for the entire pipeline"
_ENUMS = {
    "noise_kind": "NoiseKind",
    "vector_norm_kind": "NormKind",
    "partition_selection_strategy": "PartitionSelectionStrategy",
}
_CAPS = {"max_partitions_contributed": 1, "max_contributions_per_partition": 1}
_USUAL = {"noise_kind": "laplace", **_CAPS}
Row = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """A query in the library's own terms.

    Attributes:
        metrics: their names, a percentile with its number.
        options: of AggregateParams; enumerations by their values.
        public: the public partitions, None where partitions are selected.
        epsilon: of the accountant.
        delta: of the accountant.
    """

    metrics: tuple[str, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    public: tuple[str, ...] | None = ("a", "b")
    epsilon: float = 1.0
    delta: float = 0.0

    @property
    def claim(self) -> Claim:
        """The whole budget, and nothing else is promised."""
        return ApproxDP(self.epsilon, self.delta) if self.delta else PureDP(self.epsilon)

    def given(self) -> dict[str, Any]:
        """Arguments of AggregateParams; one row in one partition where nothing is said."""
        told = dict(self.options)
        if "max_contributions" not in told:
            told = {**_CAPS, **told}
        metrics = [_metric(name) for name in self.metrics]
        return {"metrics": metrics, **{key: _enum(key, value) for key, value in told.items()}}


def entries() -> tuple[Entry, ...]:
    """Calls of PipelineDP.

    Raises:
        InputError: it is not installed.
    """
    return tuple(_written(shelf()))


def shelf() -> Shelf:
    """All calls of PipelineDP share it.

    Raises:
        InputError: it is not installed.
    """
    _, version = imported("pipeline_dp", "pipeline-dp", REQUIREMENT)
    return Shelf("pipeline-dp", version, "pipelinedp.io")


def pipeline() -> Any:
    """The library, imported when it is needed."""
    return importlib.import_module("pipeline_dp")


def _metric(name: str) -> Any:
    kind, _, number = name.rstrip(")").partition("(")
    found = getattr(pipeline().Metrics, kind)
    return found(float(number)) if number else found


def _enum(key: str, value: Any) -> Any:
    if key not in _ENUMS:
        return value
    return getattr(importlib.import_module("pipeline_dp.aggregate_params"), _ENUMS[key])(value)


def run(asked: Asked, rows: Sequence[Row]) -> list[tuple[Any, Any]]:
    """One pipeline over some rows: partitions with their metrics, as the library lists them."""
    library = pipeline()
    accountant = library.NaiveBudgetAccountant(asked.epsilon, asked.delta)
    engine = library.DPEngine(accountant, library.LocalBackend())
    public = None if asked.public is None else list(asked.public)
    params = library.AggregateParams(**asked.given())
    found = engine.aggregate([*rows], params, extractors(), public)
    accountant.compute_budgets()
    return list(found)


def extractors() -> Any:
    """Meaning of the parts of a row."""
    return pipeline().DataExtractors(
        privacy_id_extractor=lambda row: row[0],
        partition_extractor=lambda row: row[1],
        value_extractor=lambda row: row[2] if len(row) == 3 else row[2:],
    )


def released(asked: Asked, read: Callable[[Any], Any] | None = None) -> Release:
    """Runs a pipeline; the answer is each partition's metrics by name, or what `read` makes."""

    def release(data: Any) -> Any:
        return (read or _flat)(run(asked, data))

    return release


def _flat(found: Iterable[tuple[Any, Any]]) -> dict[str, Any]:
    """The order of partitions is left out: it is audited by itself, see `order-of-keys`."""
    told = {}
    for key, metrics in sorted(found):
        for name, value in metrics._asdict().items():
            parts = value if hasattr(value, "__len__") else [value]
            told.update({f"{key} {name} {i}": float(one) for i, one in enumerate(parts)})
    return told


def _squares(found: Sequence[tuple[Any, Any]]) -> list[float]:
    """Count, sum and sum of squares, computed back from count, mean and variance."""
    one = found[0][1]
    return [one.count, one.mean * one.count, (one.variance + one.mean**2) * one.count]


def people(*values: Any, partition: str = "a") -> list[Row]:
    """One row for each value, of as many privacy ids."""
    return [(number, partition, value) for number, value in enumerate(values)]


def _written(shelf: Shelf) -> Iterator[Entry]:
    around = Asked(("COUNT", "MEAN", "VARIANCE"), {"min_value": -1, "max_value": 1}, ("a",))
    yield _entry(
        shelf,
        "squares",
        around,
        people(0.0, 0, 0, 0, 0),
        [(9, "a", 1.0)],
        Finding(SQUARES, 4 / 3),
        _squares,
    )
    order = Asked(("COUNT",), {}, ("a", "b"))
    yield _entry(
        shelf,
        "order-of-keys",
        order,
        [(0, "a", 0.0)],
        [(9, "b", 0.0)],
        Finding(ORDER),
        lambda found: "".join(key for key, _ in found),
        first=True,
    )


SQUARES = "squares around the middle have noise for squares around 0, half of what they need"
ORDER = "partitions with rows come first, in the order of the rows"


def _entry(
    shelf: Shelf,
    name: str,
    asked: Asked,
    rest: Sequence[Row],
    more: Sequence[Row],
    broken: Finding | None,
    read: Callable[[Any], Any] | None = None,
    first: bool = False,
) -> Entry:
    data = [*more, *rest] if first else [*rest, *more]
    return shelf.entry(
        name,
        words(asked),
        released(asked, read),
        data,
        [*rest],
        claims=asked.claim,
        documented=WORDS,
        broken=broken,
    )


def words(asked: Asked) -> str:
    """A call in words of the library, its metrics first, without what is usual here."""
    told = [f"{key}={value}" for key, value in asked.options.items() if _USUAL.get(key) != value]
    if asked.public is None:
        told.append("private partitions")
    if asked.epsilon != 1:
        told.append(f"total_epsilon={asked.epsilon:g}")
    if asked.delta:
        told.append(f"total_delta={asked.delta:g}")
    return f"{' and '.join(asked.metrics)}({', '.join(told)})"
