"""InfTDA in the catalogue: every row of its table with the user that moves the counts most.

Pairs are declared: a user's rows are no longer visible in the counts. A user is
substituted under bounded privacy and added under unbounded.
"""

from __future__ import annotations

import math
from itertools import product

from audit.declaration import Entry, Later, Truth
from audit.relation import Relation
from mechanisms.parts.frames import frame
from mechanisms.systems.inf_tda.top_down import InfTda

GROUP = "InfTDA"
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


def _entry(
    name: str,
    summary: str,
    mechanism: InfTda,
    pair: tuple[Later, Later],
    truth: Truth,
) -> Entry:
    return Entry(
        name=f"inf-tda-{name}" if name else "inf-tda",
        group=GROUP,
        summary=summary,
        mechanism=mechanism,
        independent_calls=True,
        relation=Relation.DECLARED,
        data=pair[0],
        neighbors=(pair[1],),
        truth=truth,
    )


def _example(*counts: int) -> Later:
    """Counts of all tuples of sex and age."""
    keys = product(("Male", "Female"), (">= 18", "< 18"))
    sex, age = zip(*keys, strict=True)
    return frame({"sex": sex, "age": age, "count": counts})


_KEPT = "composition: the table's distance holds at every level for "
_SHARED = "calculation: m tuples below one node move it by m, not sqrt(m); Gaussian approximation"
_MOVED_ONE = (_census(2, 2, r0p0=_FEW), _census(2, 2, r1p0=_FEW))
_MOVED_MANY = (_census(2, 2, r0p0=_MANY), _census(2, 2, r1p0=_MANY))
_MOVED_SHARED = (_census(2, _MANY, r0=1), _census(2, _MANY, r1=1))
_ADDED_SHARED = (_census(2, _MANY), _census(2, _MANY, r0=1))

_KEEPS = (
    _entry(
        "",
        "the hierarchy of sex and age, one tuple per user",
        InfTda(),
        (_example(100, 200, 300, 400), _example(100, 199, 300, 401)),
        Truth(keeps=True, source=_KEPT + "users of one tuple"),
    ),
    _entry(
        "bounded",
        "sqrt(2) m: a user moves one tuple it has m times",
        InfTda(contribution=_FEW, distinct_tuples=False, output="hierarchy"),
        _MOVED_ONE,
        Truth(keeps=True, source=_KEPT + "tuples that may repeat"),
    ),
    _entry(
        "unbounded",
        "m: a user comes with one tuple m times",
        InfTda(
            contribution=_FEW,
            privacy_type="unbounded",
            distinct_tuples=False,
            output="hierarchy",
        ),
        (_census(2, 2), _MOVED_ONE[0]),
        Truth(keeps=True, source=_KEPT + "tuples that may repeat"),
    ),
    _entry(
        "bounded-distinct",
        "sqrt(2m): a user moves m distinct tuples, no two of them below one node",
        InfTda(contribution=_FEW, output="hierarchy"),
        (
            _census(2 * _FEW, 2, **_spread(range(_FEW))),
            _census(2 * _FEW, 2, **_spread(range(_FEW, 2 * _FEW))),
        ),
        Truth(keeps=True, source=_KEPT + "users like this one, not for the next"),
    ),
    _entry(
        "bounded-distinct-levels",
        "m distinct tuples below one node move to another, sensitivity by level",
        InfTda(contribution=_MANY, sensitivity="levels", output="hierarchy"),
        _MOVED_SHARED,
        Truth(
            keeps=True, source="composition: the distance of each level, sqrt(2) m above the tuples"
        ),
    ),
    _entry(
        "unbounded-distinct-levels",
        "m distinct tuples below one node are added, sensitivity by level",
        InfTda(
            contribution=_MANY,
            privacy_type="unbounded",
            sensitivity="levels",
            output="hierarchy",
        ),
        _ADDED_SHARED,
        Truth(keeps=True, source="composition: the distance of each level, m above the tuples"),
    ),
)

_BREAKS = (
    _entry(
        "bounded-distinct-shared",
        "sqrt(2m): a user moves m distinct tuples from below one node to another",
        InfTda(contribution=_MANY, output="hierarchy"),
        _MOVED_SHARED,
        Truth(keeps=False, epsilon=3.52, source=_SHARED, pairs=963.0),
    ),
    _entry(
        "unbounded-distinct-shared",
        "sqrt(m): a user comes with m distinct tuples below one node",
        InfTda(contribution=_MANY, privacy_type="unbounded", output="hierarchy"),
        _ADDED_SHARED,
        Truth(keeps=False, epsilon=3.52, source=_SHARED, pairs=963.0),
    ),
    _entry(
        "unbounded-distinct",
        "sqrt(m): a user comes with m distinct tuples, no two of them below one node",
        InfTda(contribution=_MANY, privacy_type="unbounded", output="hierarchy"),
        (_census(_MANY, 2), _census(_MANY, 2, **_spread(range(_MANY)))),
        Truth(
            keeps=False,
            epsilon=2.83,
            source="calculation: the total moves by m, not sqrt(m); Gaussian approximation",
            pairs=2956.0,
        ),
    ),
    _entry(
        "exchanged",
        "the rows of the table mixed up: sqrt(2m) where one tuple may repeat m times",
        InfTda(
            contribution=_MANY,
            distinct_tuples=False,
            sensitivity="exchanged",
            output="hierarchy",
        ),
        _MOVED_MANY,
        Truth(
            keeps=False,
            epsilon=4.42,
            source="NynsenFaber/InfTDA_py, get_sensitivity at commit 91f6ed3; calculation, "
            "Gaussian approximation",
            pairs=363.0,
        ),
    ),
    _entry(
        "bounded-fewer",
        "a user with m tuples in the place of one with fewer: the total is exact",
        InfTda(contribution=_FEW, output="hierarchy"),
        (_census(2, 2, r0=1, r1=1), _census(2, 2, r0p0=1)),
        Truth(
            keeps=False,
            epsilon=math.inf,
            source="calculation: a bounded release tells the total, 4004 or 4001",
            pairs=9.56,
        ),
    ),
)

ENTRIES: tuple[Entry, ...] = _KEEPS + _BREAKS
