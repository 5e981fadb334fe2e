"""PipelineDP's other bounds: on sums, on vectors, on all rows, enforced before or by itself."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

from audit.declaration import Entry
from mechanisms.external.pipeline_dp import DELTA, Asked, people
from mechanisms.external.shelf import Shelf
from mechanisms.external.walks.pipeline_dp.asking import NOISES, asking

_BOUNDS = {"min_value": 0, "max_value": 1}
_SUMS = {"min_sum_per_partition": 0, "max_sum_per_partition": 1}
_NORMS = (("l1", "laplace"), ("linf", "laplace"), ("l2", "gaussian"), ("linf", "gaussian"))
_ENFORCED = "contribution_bounds_already_enforced"
_VALUES = ("SUM", "MEAN", "VARIANCE", "PERCENTILE(50)")


def entries(shelf: Shelf) -> Iterator[Entry]:
    """Rows of one id stay within the caps, as it is promised where they are enforced before."""
    for enforced in (False, True):
        told = {_ENFORCED: True} if enforced else {}
        for rows in (1, 3):
            given = {"max_contributions_per_partition": rows, **told}
            yield from _sums(shelf, {**_SUMS, **given}, rows)
            yield from _vectors(shelf, given, rows)
        yield from _capped(shelf, {"max_contributions_per_partition": 3, **told})
        yield from _altogether(shelf, {"max_contributions": 3, **told})


def _sums(shelf: Shelf, given: Mapping[str, object], rows: int) -> Iterator[Entry]:
    for noise, delta in NOISES.items():
        asked = Asked(("SUM",), {"noise_kind": noise, **given}, delta=delta)
        yield from asking(shelf, asked, people(0.0, 0.0), [(9, "a", 1.0)] * rows)


def _vectors(shelf: Shelf, given: Mapping[str, object], rows: int) -> Iterator[Entry]:
    """Partitions are private: with public ones the library fails on every dataset."""
    rest = [(number, "a", 0.0, 0.0) for number in range(60)]
    for norm, noise in _NORMS:
        options = {"vector_norm_kind": norm, "vector_max_norm": 1, "vector_size": 2, **given}
        asked = Asked(("VECTOR_SUM",), {"noise_kind": noise, **options}, None, delta=DELTA)
        both = 1.0 if norm == "linf" else 0.0
        yield from asking(shelf, asked, rest, [(99, "a", 1.0, both)] * rows)
        if norm == "l1" and rows == 1 and _ENFORCED not in given:
            yield from asking(shelf, asked, rest, [(99, "a", math.nan, 0.0)], "a value NaN")


def _capped(shelf: Shelf, given: Mapping[str, object]) -> Iterator[Entry]:
    for name in ("COUNT", *_VALUES):
        bounds = {} if name == "COUNT" else _BOUNDS
        for public in (("a",), None):
            rest = people(*[0.0] * (2 if public else 20))
            delta = 0.0 if public else DELTA
            asked = Asked((name,), {**bounds, **given}, public, delta=delta)
            yield from asking(shelf, asked, rest, [(99, "a", 1.0)] * 3)


def _altogether(shelf: Shelf, given: Mapping[str, object]) -> Iterator[Entry]:
    """Three rows in one partition, or one in each of three; more of them in all."""
    spread = {"in one": "aaa", "in three": "abc", "of nine": "aaabbbccc"}
    for noise, delta in NOISES.items():
        for name in ("COUNT", "PRIVACY_ID_COUNT", "SUM", "MEAN"):
            bounds = _BOUNDS if name in _VALUES else {}
            for told, places in spread.items():
                options = {"noise_kind": noise, **bounds, **given}
                if told == "of nine" and _ENFORCED in given:
                    continue
                asked = Asked((name,), options, ("a", "b", "c"), delta=delta)
                more = [(9, place, 1.0) for place in places]
                yield from asking(shelf, asked, people(0.0, 0.0), more, f"three rows {told}")
