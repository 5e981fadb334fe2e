"""OpenDP: counts, sums and selected keys, chained from transformations and a measurement."""

from __future__ import annotations

from typing import Any

from audit.claims import ApproxDP, PureDP
from audit.declaration import Entry
from audit.relation import Relation
from mechanisms.external.call import invoked, many
from mechanisms.external.shelf import ADD_REMOVE, SUBSTITUTE, Finding, Shelf

_MAP = "measurement.map(d_in) bounds the privacy loss"
_EQUAL = (
    "keys whose noisy count equals the threshold are released, but the reported delta leaves "
    "their probability out"
)


def entries(shelf: Shelf, dp: Any) -> tuple[Entry, ...]:
    """Aggregates of records, at the loss that the chain's map reports."""
    return (*_aggregates(shelf, dp), *_keys(shelf, dp))


def _aggregates(shelf: Shelf, dp: Any) -> tuple[Entry, ...]:
    whole = dp.vector_domain(dp.atom_domain(T=int)), dp.symmetric_distance()
    real = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()
    sized = (
        dp.vector_domain(dp.atom_domain(T=float, nan=False), size=4),
        dp.symmetric_distance(),
    )
    unit = dp.t.then_clamp((0.0, 1.0))
    edge = 2**30

    def summed(
        name: str, call: str, made: Any, kind: type, relation: Relation, *data: Any
    ) -> Entry:
        claims = PureDP(float(made.map(2 if relation is SUBSTITUTE else 1)))
        return shelf.entry(
            name,
            call,
            invoked(made, many(kind)),
            *data,
            claims=claims,
            relation=relation,
            documented=_MAP,
        )

    quarters = [0.0, 0.25, 0.5, 1.0]
    moved = [1.0, *quarters[1:]]
    return (
        summed(
            "count",
            "then_count() >> then_laplace(1)",
            whole >> dp.t.then_count() >> dp.m.then_laplace(1.0),
            int,
            ADD_REMOVE,
            [1, 2],
            [1],
        ),
        summed(
            "sum-int",
            "then_clamp((0, 10)) >> then_sum() >> then_laplace(10)",
            whole >> dp.t.then_clamp((0, 10)) >> dp.t.then_sum() >> dp.m.then_laplace(10.0),
            int,
            ADD_REMOVE,
            [1, 99],
            [1],
        ),
        summed(
            "sum-int-edge",
            f"then_clamp((0, {edge})) >> then_sum() >> then_laplace({edge}), i32 at its edge",
            whole
            >> dp.t.then_clamp((0, edge))
            >> dp.t.then_sum()
            >> dp.m.then_laplace(float(edge)),
            int,
            ADD_REMOVE,
            [edge, edge],
            [edge],
        ),
        summed(
            "sum-float",
            "then_clamp((0, 1)) >> then_sum() >> then_laplace(1)",
            real >> unit >> dp.t.then_sum() >> dp.m.then_laplace(1.0),
            float,
            ADD_REMOVE,
            [0.5, 1.0],
            [0.5],
        ),
        summed(
            "mean",
            "then_clamp((0, 1)) >> then_mean() >> then_laplace(0.25), 4 records",
            sized >> unit >> dp.t.then_mean() >> dp.m.then_laplace(0.25),
            float,
            SUBSTITUTE,
            quarters,
            moved,
        ),
        summed(
            "variance",
            "then_clamp((0, 1)) >> then_variance() >> then_laplace(0.25), 4 records",
            sized >> unit >> dp.t.then_variance() >> dp.m.then_laplace(0.25),
            float,
            SUBSTITUTE,
            [0.0, 0.0, 0.0, 0.0],
            [1.0, 0.0, 0.0, 0.0],
        ),
        summed(
            "median",
            "make_private_quantile(candidates=[0, 0.5, 1], alpha=0.5, scale=1)",
            dp.m.make_private_quantile(
                *real, dp.max_divergence(), candidates=[0.0, 0.5, 1.0], alpha=0.5, scale=1.0
            ),
            float,
            ADD_REMOVE,
            [0.0, 0.0, 1.0],
            [0.0, 0.0],
        ),
    )


def _keys(shelf: Shelf, dp: Any) -> tuple[Entry, ...]:
    words = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    counted = dp.t.make_count_by(*words)
    laplace = counted >> dp.m.then_laplace_threshold(scale=1.0, threshold=3)
    categories = dp.t.make_count_by_categories(*words, ["a", "b"], null_category=False)
    histogram = categories >> dp.m.then_laplace(1.0)
    epsilon, delta = map(float, laplace.map(1))
    common = ["a"] * 4
    return (
        shelf.entry(
            "laplace-threshold",
            "make_count_by() >> then_laplace_threshold(scale=1, threshold=3), d_in = 1",
            invoked(laplace, many(str)),
            [*common, "b"],
            common,
            claims=ApproxDP(epsilon, delta),
            relation=ADD_REMOVE,
            documented=_MAP,
            broken=Finding(_EQUAL, None, "github.com/opendp/opendp/issues/2922 (open)"),
        ),
        shelf.entry(
            "histogram",
            "make_count_by_categories(['a', 'b']) >> then_laplace(1)",
            invoked(histogram, many(str)),
            [*common, "b"],
            common,
            claims=PureDP(float(histogram.map(1))),
            relation=ADD_REMOVE,
            documented=_MAP,
        ),
    )
