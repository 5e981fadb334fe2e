"""Daily sums in the catalogue: about one record, about a record that moves, about a client."""

from __future__ import annotations

from math import inf

import numpy as np
from numpy.typing import NDArray

from mechanisms.systems.dp_sum.daily_sums import DailySums
from mechanisms.table import breaks, declared, keeps, substitute, table

_RAW, _LOCAL, _GLOBAL = DailySums("raw"), DailySums("local"), DailySums("global")
_GAUSSIAN_EPSILON = 0.7837
"""What the classic Gaussian sigma for (1, 1e-6) truly keeps at that delta."""
_MOST = _RAW.max_steps
_RECORDS = _RAW.num_days * _RAW.max_records_per_day
"""Of a client."""


def _first_changed(steps: float) -> NDArray[np.float64]:
    """One record of 500 steps per client and day, of which the first has others."""
    return np.array([steps, *[500.0] * (_GLOBAL.num_clients * _GLOBAL.num_days - 1)])


_CHANGED = substitute(_first_changed(0.0), _first_changed(_MOST), "int:0:1000")
"""One record changes its steps from none to the most."""
_MOVED = substitute(np.array([[0.0, 0.0, _MOST]]), np.array([[0.0, 1.0, _MOST]]))
"""The only record, of the most steps, moves to another day."""
_CLIENT = declared(np.zeros(_RECORDS), np.full(_RECORDS, _MOST))
"""A client changes the steps of all its records."""

ENTRIES = table("DP sum", (
    ("dp-sum-raw", _RAW, _CHANGED,
     keeps("calculation: one release moves; 35 times more noise than one record asks for",
           _RAW.release_epsilon),
     "daily totals, noise for epsilon/(days records) on every record"),
    ("dp-sum-local", _LOCAL, _CHANGED,
     keeps("calculation: one release moves; 7 times more noise than one record asks for",
           _LOCAL.release_epsilon),
     "daily totals, noise for epsilon/days on every client's day"),
    ("dp-sum-global", _GLOBAL, _CHANGED, keeps("K01; one total moves by max_steps", 1.0),
     "daily totals, noise for epsilon on every total"),
    ("dp-sum-global-gaussian", DailySums("global", mechanism="gaussian"), _CHANGED,
     keeps("arXiv 1805.06530, Theorem 8; the classic sigma is conservative up to epsilon 1",
           _GAUSSIAN_EPSILON),
     "daily totals, classic Gaussian noise on every total"),
    ("dp-sum-raw-moved-day", _RAW, _MOVED,
     breaks("calculation: the total of a day without records is 0, without noise", inf, pairs=9.56),
     "raw noise when a record may change its day"),
    ("dp-sum-global-moved-day", _GLOBAL, _MOVED,
     breaks("B01; two totals move, 1/4 against e^-2/4", 2.0, pairs=143.0),
     "global noise when a record may change its day"),
    ("dp-sum-raw-client", _RAW, _CLIENT,
     keeps("composition: 35 releases move, epsilon/35 each", _RAW.client_epsilon),
     "raw noise when a client changes all its 35 records"),
    ("dp-sum-local-client", _LOCAL, _CLIENT,
     breaks("composition: 7 releases move by 5000 each, 5 epsilon/7 each", _LOCAL.client_epsilon),
     "local noise when a client changes all its 35 records"),
    ("dp-sum-global-client", _GLOBAL, _CLIENT,
     breaks("composition: 7 totals move by 5000 each, 5 epsilon each", _GLOBAL.client_epsilon),
     "global noise when a client changes all its 35 records"),
))  # fmt: skip
