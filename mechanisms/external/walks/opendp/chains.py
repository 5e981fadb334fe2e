"""OpenDP's chains: records are cleaned, aggregated, and noise is added at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from audit.declaration import Entry
from mechanisms.external.call import many
from mechanisms.external.shelf import ADD_REMOVE, SUBSTITUTE
from mechanisms.external.walks.opendp.measured import Measured, cast_of

_BOUNDS = ((0, 1), (-3, 5), (90, 100))
_NOISES = ("laplace", "gaussian")


def entries(measured: Measured) -> Iterator[Entry]:
    """Statistics of numbers, counts of words, and what was filled in for missing records."""
    yield from _statistics(measured)
    yield from _words(measured)
    yield from _keys(measured)
    yield from _quantiles(measured)


def _statistics(measured: Measured) -> Iterator[Entry]:
    """Of one size that is known, or of any size."""
    dp = measured.dp
    steps = {"sum": dp.t.then_sum, "mean": dp.t.then_mean, "variance": dp.t.then_variance}
    for name in ("i32", "i64", "f32", "f64"):
        cast = cast_of(name)
        for size in (None, 4):
            relation = ADD_REMOVE if size is None else SUBSTITUTE
            space = (
                dp.vector_domain(measured.atoms(name), size=size),
                dp.symmetric_distance(),
            )
            for low, high in _BOUNDS:
                bounds = cast(low), cast(high)
                for statistic, last in steps.items():
                    scale = max(abs(low), abs(high)) if size is None else high - low
                    for noise in _NOISES:
                        made = measured.made(_chain, dp, space, bounds, last(), noise, scale)
                        if made is None:
                            continue
                        words = f"{name}, bounds=({low}, {high}), size={size}, {noise}"
                        pair, far = _records(low, high, size), 1 if size is None else 2
                        call = f"then_{statistic}({words})"
                        yield measured.entry(call, made, many(cast), pair, far, relation)


def _chain(dp: Any, space: Any, bounds: Any, last: Any, noise: str, scale: float) -> Any:
    return space >> dp.t.then_clamp(bounds) >> last >> _noise(dp, noise, scale)


def _noise(dp: Any, noise: str, width: float) -> Any:
    return getattr(dp.m, f"then_{noise}")(float(width))


def _records(low: int, high: int, size: int | None) -> tuple[list[int], list[int]]:
    """Three or four records; the last one goes, or moves from one bound to the other."""
    rest = [low, high, high]
    return ([*rest, high], rest) if size is None else ([*rest, high], [*rest, low])


def _words(measured: Measured) -> Iterator[Entry]:
    """Counts, of records, of different ones, of categories, and of a tree above them."""
    dp = measured.dp
    space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    pair = ["a", "a", "a", "b"], ["a", "a", "a"]
    categories = dp.t.make_count_by_categories(*space, ["a", "b", "c"], null_category=True)
    steps = {
        "then_count()": dp.t.make_count(*space),
        "then_count_distinct()": dp.t.make_count_distinct(*space),
        "then_count_by_categories(3 categories)": categories,
    }
    for call, counted in steps.items():
        for scale in (0.5, 2.0):
            made = counted >> dp.m.then_laplace(scale)
            words = f"{call[:-1]}{', ' if call[-2] != '(' else ''}scale={scale})"
            yield measured.entry(words, made, many(str), pair, 1, ADD_REMOVE)
    for leaves, branching in ((4, 2), (5, 2), (9, 3)):
        counted = dp.t.make_count_by_categories(
            *space, list("abcdefghi")[: leaves - 1], null_category=True
        )
        tree = measured.made(_tree, dp, counted, leaves, branching)
        if tree is not None:
            call = f"then_b_ary_tree({leaves} leaves, branching_factor={branching})"
            yield measured.entry(call, tree, many(str), pair, 1, ADD_REMOVE)


def _tree(dp: Any, counted: Any, leaves: int, branching: int) -> Any:
    tree = dp.t.then_b_ary_tree(leaf_count=leaves, branching_factor=branching)
    return counted >> tree >> _noise(dp, "laplace", 2)


def _keys(measured: Measured) -> Iterator[Entry]:
    """Keys whose noisy count passes a threshold, when one record more has a key of its own."""
    dp = measured.dp
    space = dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance()
    pair = ["a", "a", "a", "b"], ["a", "a", "a"]
    for noise in _NOISES:
        for kind in ("i32", "i64", "f64"):
            for scale, threshold in ((0.5, 2), (1.0, 3), (1.0, 5)):
                limits = {"scale": scale, "threshold": cast_of(kind)(threshold)}
                keys = measured.kind(kind), noise, limits
                made = measured.made(_passing, dp, space, *keys)
                if made is not None:
                    call = f"then_{noise}_threshold({kind}, scale={scale}, threshold={threshold})"
                    yield measured.entry(call, made, many(str), pair, 1, ADD_REMOVE)


def _passing(dp: Any, space: Any, kind: Any, noise: str, limits: Mapping[str, Any]) -> Any:
    counted = dp.t.make_count_by(*space, TV=kind)
    return counted >> getattr(dp.m, f"then_{noise}_threshold")(**limits)


def _quantiles(measured: Measured) -> Iterator[Entry]:
    dp = measured.dp
    measures = {"pure": dp.max_divergence(), "zcdp": dp.zero_concentrated_divergence()}
    for name in ("i32", "f64"):
        cast = cast_of(name)
        candidates = [cast(value) for value in (0, 1, 2, 5)]
        for size in (None, 4):
            space = (
                dp.vector_domain(measured.atoms(name), size=size),
                dp.symmetric_distance(),
            )
            for alpha in (0.1, 0.5, 0.9):
                for measure, output in measures.items():
                    make = dp.m.make_private_quantile
                    options = {"candidates": candidates, "alpha": alpha, "scale": 0.5}
                    made = measured.made(make, *space, output, **options)
                    if made is None:
                        continue
                    words = f"{name}, alpha={alpha}, size={size}, {measure}"
                    relation = ADD_REMOVE if size is None else SUBSTITUTE
                    pair, far = _records(0, 5, size), 1 if size is None else 2
                    call = f"make_private_quantile({words})"
                    yield measured.entry(call, made, many(cast), pair, far, relation)
