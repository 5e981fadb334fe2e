"""InfTDA (`inf-tda`): the package itself; `systems/inf_tda` follows its paper.

Its randomness is OpenDP's and cannot be seeded. Data are counts of tuples; a pair
of datasets is declared, because a user's rows are no longer visible in them. What
is released is read as the README does: the counts of the tuples, zeros filled in.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from audit.claims import ApproxDP
from audit.declaration import Entry
from mechanisms.external.call import Release, imported
from mechanisms.external.shelf import Finding, Shelf

REQUIREMENT = "inf-tda==0.1' 'opendp==0.12.1"
_TABLE = "README, How to set the sensitivity"
_OTHERS = 1000
_FEW, _MANY, _MOST = 4, 32, 128
_BUDGET = (1.0, 1e-6)


def entries() -> tuple[Entry, ...]:
    """Calls of inf-tda.

    Raises:
        InputError: it is not installed.
    """
    library, version = imported("InfTDA", "inf-tda", REQUIREMENT)
    shelf = Shelf("inf-tda", version, "github.com/NynsenFaber/InfTDA_py")
    return (*_table(shelf, library.inf_tda), *_edges(shelf, library.inf_tda))


def _series(counts: dict[tuple[str, ...], int]) -> pd.DataFrame:
    """Counts as a frame of key columns with the counts in the last one."""
    rows = [(*keys, count) for keys, count in counts.items()]
    levels = len(next(iter(counts)))
    return pd.DataFrame(rows, columns=[*(f"level {i}" for i in range(levels)), "count"])


def _census(regions: int, places: int, **users: int) -> pd.DataFrame:
    """Counts of all places; "r1=2" adds 2 to each place of region 1, "r1p0=2" to one."""
    return _series(
        {
            (f"r{r}", f"p{p}"): _OTHERS + users.get(f"r{r}", 0) + users.get(f"r{r}p{p}", 0)
            for r in range(regions)
            for p in range(places)
        }
    )


def _released(function: Callable[..., Any], parents: bool = False, **options: Any) -> Release:
    """The call of the README; with `parents` the counts of the first level, as it prints them."""

    def release(data: pd.DataFrame) -> Any:
        keys = pd.MultiIndex.from_frame(data.iloc[:, :-1])
        series = pd.Series(data.iloc[:, -1].to_numpy(), index=keys)
        found = function(data=series, budget=_BUDGET, **options)
        shown = found.groupby(level=list(range(keys.nlevels))).sum()
        shown = shown.reindex(keys.unique(), fill_value=0)
        return (shown.groupby(level=0, sort=False).sum() if parents else shown).to_numpy()

    return release


def _table(shelf: Shelf, function: Callable[..., Any]) -> tuple[Entry, ...]:
    """The four rows of the table that says how far one user moves the counts."""

    def row(
        name: str,
        call: str,
        pair: tuple[Any, Any],
        parents: bool,
        why: Finding | None,
        **options: Any,
    ) -> Entry:
        does = _released(function, parents, **options)
        claim = ApproxDP(*_BUDGET)
        return shelf.entry(name, call, does, *pair, claims=claim, documented=_TABLE, broken=why)

    moved = (_census(2, 2, r0p0=_MOST), _census(2, 2, r1p0=_MOST))
    shared = (_census(2, _MANY, r0=1), _census(2, _MANY, r1=1))
    spread = {f"r{r}p0": 1 for r in range(_FEW)}
    swapped = (
        "get_sensitivity has the rows of its table swapped: sqrt(2 m) where tuples may repeat "
        "and the table says sqrt(2) m"
    )
    return (
        row(
            "bounded-distinct",
            f"contribution={_FEW}, m distinct tuples, no two below one node",
            (_census(2 * _FEW, 2, **spread), _census(2 * _FEW, 2, **_opposite(spread))),
            False,
            None,
            contribution=_FEW,
        ),
        row(
            "bounded-distinct-shared",
            f"contribution={_MANY}, m distinct tuples below one node move to another",
            shared,
            True,
            None,
            contribution=_MANY,
        ),
        row(
            "bounded-repeated",
            f"contribution={_MOST}, distinct_tuples=False, one tuple m times moves",
            moved,
            True,
            Finding(swapped, None),
            contribution=_MOST,
            distinct_tuples=False,
        ),
        row(
            "unbounded-distinct",
            f"contribution={_FEW}, privacy_type='unbounded': raises NotImplementedError",
            (_census(2, 2), _census(2, 2, r0=1)),
            False,
            None,
            contribution=_FEW,
            privacy_type="unbounded",
        ),
        row(
            "unbounded-repeated",
            f"contribution={_FEW}, distinct_tuples=False, privacy_type='unbounded': raises",
            (_census(2, 2), _census(2, 2, r0p0=_FEW)),
            False,
            None,
            contribution=_FEW,
            privacy_type="unbounded",
            distinct_tuples=False,
        ),
    )


def _opposite(spread: dict[str, int]) -> dict[str, int]:
    return {f"r{r + len(spread)}p0": count for r, count in enumerate(spread.values())}


def _edges(shelf: Shelf, function: Callable[..., Any]) -> tuple[Entry, ...]:
    """The README's example, small and odd counts, and users with fewer tuples."""
    sexes, ages = ("Male", "Female"), (">= 18", "< 18")
    keys = [(sex, age) for sex in sexes for age in ages]
    example = dict(zip(keys, (100, 200, 300, 400), strict=True))
    alone = dict.fromkeys(keys, 0)
    unsorted = [("b", "y"), ("a", "x"), ("b", "x"), ("a", "y")]
    deep = [(a, b, c) for a in "xy" for b in "xy" for c in "xy"]
    fewer = (
        "the total is released exactly, and contribution is documented as what a user "
        "contributes at most: substituting a user who contributes less changes it"
    )

    def edge(
        name: str, call: str, left: Any, right: Any, why: Finding | None = None, m: int = 1
    ) -> Entry:
        return shelf.entry(
            name,
            call,
            _released(function, contribution=m),
            left if isinstance(left, pd.DataFrame) else _series(left),
            right if isinstance(right, pd.DataFrame) else _series(right),
            claims=ApproxDP(*_BUDGET),
            documented=f"{_TABLE}; inf_tda(data, budget, contribution)",
            broken=why,
        )

    def moved(counts: dict[Any, int], one: Any, other: Any) -> dict[Any, int]:
        return {**counts, one: counts[one] - 1, other: counts[other] + 1}

    plain = dict(zip(unsorted, (5, 0, 3, 1), strict=True))
    levels = dict.fromkeys(deep, 10)
    return (
        edge("example", "the README's example", example, moved(example, keys[1], keys[3])),
        edge(
            "one-user",
            "one user and three empty tuples",
            {**alone, keys[0]: 1},
            {**alone, keys[3]: 1},
        ),
        edge(
            "unsorted", "unsorted tuples, one empty", plain, moved(plain, unsorted[0], unsorted[1])
        ),
        edge("three-levels", "three levels", levels, moved(levels, deep[0], deep[7])),
        edge("repeated-key", "a tuple listed twice", *_twice()),
        edge(
            "fewer-tuples",
            f"contribution={_FEW}, a user with {_FEW} tuples in the place of one with 1",
            _census(2, 2, r0=1, r1=1),
            _census(2, 2, r0p0=1),
            Finding(fewer),
            m=_FEW,
        ),
    )


def _twice() -> tuple[pd.DataFrame, pd.DataFrame]:
    """A user moves from one of two rows of the same tuple to another tuple."""
    left = pd.DataFrame({"a": ["x", "x", "y"], "b": ["u", "u", "u"], "count": [9, 4, 7]})
    return left, left.assign(count=np.array([8, 4, 8]))
