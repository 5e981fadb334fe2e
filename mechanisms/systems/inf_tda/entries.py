"""InfTDA in the catalogue: every row of its table with the user that moves the counts most.

Pairs are declared: a user's rows are no longer visible in the counts. A user is
substituted under bounded privacy and added under unbounded.
"""

from __future__ import annotations

from itertools import product
from math import inf

from audit.declaration import Later
from mechanisms.systems.inf_tda.top_down import InfTda
from mechanisms.table import breaks, declared, frame, keeps, table

_FEW, _MANY = 4, 32
_OTHERS = 1000
"""Count of every tuple from all other users, far above the noise."""


def _census(regions: int, places: int, **users: int) -> Later:
    """Counts of all places of all regions; a user adds the number for its region.

    "r3=2" adds 2 to each place of region 3, "r3p0=2" adds 2 to its place 0.
    """
    rows = [
        (f"r{r}", f"p{p}", _OTHERS + users.get(f"r{r}", 0) + users.get(f"r{r}p{p}", 0))
        for r in range(regions)
        for p in range(places)
    ]
    return frame(dict(zip(("region", "place", "count"), zip(*rows, strict=True), strict=True)))


def _spread(regions: range) -> dict[str, int]:
    """A user with one tuple in each of these regions."""
    return {f"r{r}p0": 1 for r in regions}


def _example(*counts: int) -> Later:
    """Counts of all tuples of sex and age."""
    keys = product(("Male", "Female"), (">= 18", "< 18"))
    sex, age = zip(*keys, strict=True)
    return frame({"sex": sex, "age": age, "count": counts})


_KEPT = "composition: the table's distance holds at every level for "
_SHARED = "calculation: m tuples below one node move it by m, not sqrt(m); Gaussian approximation"
_MOVED_ONE = declared(_census(2, 2, r0p0=_FEW), _census(2, 2, r1p0=_FEW))
_MOVED_MANY = declared(_census(2, 2, r0p0=_MANY), _census(2, 2, r1p0=_MANY))
_MOVED_SHARED = declared(_census(2, _MANY, r0=1), _census(2, _MANY, r1=1))
_MOVED_APART = declared(
    _census(2 * _FEW, 2, **_spread(range(_FEW))),
    _census(2 * _FEW, 2, **_spread(range(_FEW, 2 * _FEW))),
)
_ADDED_ONE = declared(_census(2, 2), _census(2, 2, r0p0=_FEW))
_ADDED_SHARED = declared(_census(2, _MANY), _census(2, _MANY, r0=1))
_ADDED_APART = declared(_census(_MANY, 2), _census(_MANY, 2, **_spread(range(_MANY))))

ENTRIES = table("InfTDA", (
    ("inf-tda", InfTda(), declared(_example(100, 200, 300, 400), _example(100, 199, 300, 401)),
     keeps(_KEPT + "users of one tuple"),
     "the hierarchy of sex and age, one tuple per user"),
    ("inf-tda-bounded", InfTda(contribution=_FEW, distinct_tuples=False, output="hierarchy"),
     _MOVED_ONE, keeps(_KEPT + "tuples that may repeat"),
     "sqrt(2) m: a user moves one tuple it has m times"),
    ("inf-tda-unbounded",
     InfTda(contribution=_FEW, privacy_type="unbounded", distinct_tuples=False, output="hierarchy"),
     _ADDED_ONE, keeps(_KEPT + "tuples that may repeat"),
     "m: a user comes with one tuple m times"),
    ("inf-tda-bounded-distinct", InfTda(contribution=_FEW, output="hierarchy"), _MOVED_APART,
     keeps(_KEPT + "users like this one, not for the next"),
     "sqrt(2m): a user moves m distinct tuples, no two of them below one node"),
    ("inf-tda-bounded-distinct-levels",
     InfTda(contribution=_MANY, sensitivity="levels", output="hierarchy"), _MOVED_SHARED,
     keeps("composition: the distance of each level, sqrt(2) m above the tuples"),
     "m distinct tuples below one node move to another, sensitivity by level"),
    ("inf-tda-unbounded-distinct-levels",
     InfTda(contribution=_MANY, privacy_type="unbounded", sensitivity="levels", output="hierarchy"),
     _ADDED_SHARED, keeps("composition: the distance of each level, m above the tuples"),
     "m distinct tuples below one node are added, sensitivity by level"),
    ("inf-tda-bounded-distinct-shared", InfTda(contribution=_MANY, output="hierarchy"),
     _MOVED_SHARED, breaks(_SHARED, 3.52, pairs=963.0),
     "sqrt(2m): a user moves m distinct tuples from below one node to another"),
    ("inf-tda-unbounded-distinct-shared",
     InfTda(contribution=_MANY, privacy_type="unbounded", output="hierarchy"), _ADDED_SHARED,
     breaks(_SHARED, 3.52, pairs=963.0),
     "sqrt(m): a user comes with m distinct tuples below one node"),
    ("inf-tda-unbounded-distinct",
     InfTda(contribution=_MANY, privacy_type="unbounded", output="hierarchy"), _ADDED_APART,
     breaks("calculation: the total moves by m, not sqrt(m); Gaussian approximation", 2.83,
            pairs=2956.0),
     "sqrt(m): a user comes with m distinct tuples, no two of them below one node"),
    ("inf-tda-exchanged",
     InfTda(contribution=_MANY, distinct_tuples=False, sensitivity="exchanged", output="hierarchy"),
     _MOVED_MANY,
     breaks("NynsenFaber/InfTDA_py, get_sensitivity at commit 91f6ed3; calculation, "
            "Gaussian approximation", 4.42, pairs=363.0),
     "the rows of the table mixed up: sqrt(2m) where one tuple may repeat m times"),
    ("inf-tda-bounded-fewer", InfTda(contribution=_FEW, output="hierarchy"),
     declared(_census(2, 2, r0=1, r1=1), _census(2, 2, r0p0=1)),
     breaks("calculation: a bounded release tells the total, 4004 or 4001", inf, pairs=9.56),
     "a user with m tuples in the place of one with fewer: the total is exact"),
))  # fmt: skip
