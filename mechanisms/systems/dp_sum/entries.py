"""Daily sums in the catalogue: about one record, about a record that moves, about a client."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from audit.declaration import Entry, Truth
from audit.relation import Relation
from mechanisms.systems.dp_sum.daily_sums import DailySums

GROUP = "DP sum"
_RAW, _LOCAL, _GLOBAL = DailySums("raw"), DailySums("local"), DailySums("global")
_GAUSSIAN_EPSILON = 0.7837
"""What the classic Gaussian sigma for (1, 1e-6) truly keeps at that delta."""


def _first_changed(steps: float) -> NDArray[np.float64]:
    """One record of 500 steps per client and day, of which the first has others."""
    return np.array([steps, *[500.0] * (_GLOBAL.num_clients * _GLOBAL.num_days - 1)])


def _record(name: str, summary: str, mechanism: DailySums, truth: Truth) -> Entry:
    """An entry in which one record changes its steps from none to the most."""
    return Entry(
        name=f"dp-sum-{name}",
        group=GROUP,
        summary=summary,
        mechanism=mechanism,
        independent_calls=True,
        relation=Relation.SUBSTITUTE,
        data=_first_changed(0.0),
        neighbors=(_first_changed(mechanism.max_steps),),
        domain="int:0:1000",
        truth=truth,
    )


def _moved(mechanism: DailySums, truth: Truth) -> Entry:
    """An entry in which the only record, of the most steps, moves to another day."""
    return Entry(
        name=f"dp-sum-{mechanism.approach}-moved-day",
        group=GROUP,
        summary=f"{mechanism.approach} noise when a record may change its day",
        mechanism=mechanism,
        independent_calls=True,
        relation=Relation.SUBSTITUTE,
        data=np.array([[0.0, 0.0, mechanism.max_steps]]),
        neighbors=(np.array([[0.0, 1.0, mechanism.max_steps]]),),
        truth=truth,
    )


def _client(mechanism: DailySums, truth: Truth) -> Entry:
    """An entry in which a client changes the steps of all its records."""
    records = mechanism.num_days * mechanism.max_records_per_day
    return Entry(
        name=f"dp-sum-{mechanism.approach}-client",
        group=GROUP,
        summary=f"{mechanism.approach} noise when a client changes all its {records} records",
        mechanism=mechanism,
        independent_calls=True,
        relation=Relation.DECLARED,
        data=np.zeros(records),
        neighbors=(np.full(records, mechanism.max_steps),),
        truth=replace(truth, epsilon=mechanism.client_epsilon),
    )


ENTRIES: tuple[Entry, ...] = (
    _record(
        "raw",
        "daily totals, noise for epsilon/(days records) on every record",
        _RAW,
        Truth(
            keeps=True,
            epsilon=_RAW.release_epsilon,
            source="calculation: one release moves; 35 times more noise than one record asks for",
        ),
    ),
    _record(
        "local",
        "daily totals, noise for epsilon/days on every client's day",
        _LOCAL,
        Truth(
            keeps=True,
            epsilon=_LOCAL.release_epsilon,
            source="calculation: one release moves; 7 times more noise than one record asks for",
        ),
    ),
    _record(
        "global",
        "daily totals, noise for epsilon on every total",
        _GLOBAL,
        Truth(keeps=True, epsilon=1.0, source="K01; one total moves by max_steps"),
    ),
    _record(
        "global-gaussian",
        "daily totals, classic Gaussian noise on every total",
        DailySums("global", mechanism="gaussian"),
        Truth(
            keeps=True,
            epsilon=_GAUSSIAN_EPSILON,
            source="arXiv 1805.06530, Theorem 8; the classic sigma is conservative up to epsilon 1",
        ),
    ),
    _moved(
        _RAW,
        Truth(
            keeps=False,
            epsilon=math.inf,
            source="calculation: the total of a day without records is 0, without noise",
            pairs=9.56,
        ),
    ),
    _moved(
        _GLOBAL,
        Truth(
            keeps=False,
            epsilon=2.0,
            source="B01; two totals move, 1/4 against e^-2/4",
            pairs=143.0,
        ),
    ),
    _client(
        _RAW,
        Truth(keeps=True, source="composition: 35 releases move, epsilon/35 each"),
    ),
    _client(
        _LOCAL,
        Truth(keeps=False, source="composition: 7 releases move by 5000 each, 5 epsilon/7 each"),
    ),
    _client(
        _GLOBAL,
        Truth(keeps=False, source="composition: 7 totals move by 5000 each, 5 epsilon each"),
    ),
)
