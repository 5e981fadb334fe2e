"""OpenDP's noise on one number and on vectors of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from audit.declaration import Entry
from mechanisms.external.call import many, one
from mechanisms.external.walks.opendp.measured import REAL, WHOLE, Measured, cast_of
from mechanisms.external.walks.steps import shown

_LARGEST = 2**63 - 1
"""Data are held in 64-bit integers with a sign."""


def entries(measured: Measured) -> Iterator[Entry]:
    """Laplace, geometric, Gaussian and canonical noise."""
    for maker in ("make_laplace", "make_gaussian"):
        for name in (*WHOLE, *REAL):
            for scale in (0.7, 3.0):
                yield from _scalar(measured, maker, name, scale=scale)
    for name in ("i32", "i64"):
        for bounds in ((0, 5), (-3, 3)):
            yield from _scalar(measured, "make_geometric", name, scale=1.0, bounds=bounds)
    for k in (-10, 0, 2):
        for maker in ("make_laplace", "make_gaussian"):
            yield from _scalar(measured, maker, "f64", scale=1.5, k=k)
    yield from _canonical(measured)
    yield from _vectors(measured)


def _scalar(measured: Measured, maker: str, name: str, **options: object) -> Iterator[Entry]:
    dp, cast = measured.dp, cast_of(name)
    space = measured.atoms(name), dp.absolute_distance(T=measured.kind(name))
    made = measured.made(getattr(dp.m, maker), *space, **options)
    if made is None:
        return
    for place, left, right in places(name):
        call = f"{maker}({name}, {shown(options)}) {place}"
        yield measured.entry(call, made, one(cast), ([left], [right]), cast(1))


def places(name: str) -> Iterator[tuple[str, int, int]]:
    """Neighbors at a distance of 1: in the middle, and at the ends of a type."""
    yield "in the middle", 0, 1
    if name in REAL:
        edge = 2**24 if name == "f32" else 2**53
        yield "at its largest step of 1", edge - 1, edge
        return
    info = np.iinfo(f"{'u' if name[0] == 'u' else ''}int{name[1:]}")
    if info.max <= _LARGEST:
        yield "at its top", int(info.max) - 1, int(info.max)
    if info.min < 0:
        yield "at its bottom", int(info.min), int(info.min) + 1


def _canonical(measured: Measured) -> Iterator[Entry]:
    dp = measured.dp
    for epsilon, delta in ((1.0, 0.01), (0.5, 0.1), (2.0, 1e-6)):
        for sensitivity in (1.0, 3.0):
            space = measured.atoms("f64"), dp.absolute_distance(T=float)
            made = dp.m.make_canonical_noise(*space, d_in=sensitivity, d_out=(epsilon, delta))
            call = f"make_canonical_noise(f64, d_in={sensitivity}, d_out=({epsilon}, {delta}))"
            pair = [0.0], [sensitivity]
            yield measured.entry(call, made, one(float), pair, sensitivity)


def _vectors(measured: Measured) -> Iterator[Entry]:
    """Four numbers, of which one moves by 2 or all move by 1."""
    dp = measured.dp
    for maker, metric in (("make_laplace", "l1_distance"), ("make_gaussian", "l2_distance")):
        for name in ("i32", "i64", "f64"):
            cast = cast_of(name)
            distance = getattr(dp, metric)(T=measured.kind(name))
            space = dp.vector_domain(measured.atoms(name)), distance
            for scale in (1.0, 4.0):
                made = getattr(dp.m, maker)(*space, scale)
                for moved, right in (("one", [2, 0, 0, 0]), ("all", [1, 1, 1, 1])):
                    far = cast(sum(right) if metric == "l1_distance" else 2)
                    call = f"{maker}(vector of {name}, scale={scale}), {moved} moved"
                    yield measured.entry(call, made, many(cast), ([0] * 4, right), far)
