"""The statistics of the primer in the catalogue, with the records that show them at their limit."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from audit.declaration import Entry, Mechanism, Truth
from mechanisms.systems.primer.changes import FewestChanges
from mechanisms.systems.primer.correlation import Correlation
from mechanisms.systems.primer.counts import CumulativeCounts
from mechanisms.systems.primer.median import Median
from mechanisms.systems.primer.sums import ClampedSum, Count, Moment

GROUP = "Primer"
_NUMBERS = "float:-1:1"
_NONE, _ONE = np.array([]), np.array([1.0])
_HOLE = Truth(
    keeps=False,
    epsilon=math.inf,
    source="A01; the event 1/epsilon <= output < 1 + 1/epsilon never happens around 1",
    pairs=30.3,
)


def _entry(
    name: str,
    summary: str,
    mechanism: Mechanism,
    truth: Truth,
    *,
    data: NDArray[np.float64] = _ONE,
    neighbor: NDArray[np.float64] = _NONE,
    domain: str | None = _NUMBERS,
) -> Entry:
    return Entry(
        name=f"primer-{name}",
        group=GROUP,
        summary=summary,
        mechanism=mechanism,
        data=data,
        neighbors=(neighbor,),
        domain=domain,
        truth=truth,
    )


def _keeps(source: str, epsilon: float | None = None) -> Truth:
    return Truth(keeps=True, epsilon=epsilon, source=source)


_SUMS = (
    _entry("count", "noisy count", Count(), _keeps("K01", 1.0)),
    _entry("count-printed", "count, noise with a hole around 0", Count(sampler="printed"), _HOLE),
    _entry("sum", "noisy sum of numbers in [-1, 1]", ClampedSum(), _keeps("K01", 1.0)),
    _entry("sum-printed", "sum, noise with a hole around 0", ClampedSum(sampler="printed"), _HOLE),
    _entry(
        "sum-nan",
        "sum whose clamp lets NaN through",
        ClampedSum(missing="nan"),
        Truth(
            keeps=False,
            epsilon=math.inf,
            source="calculation: with a NaN record the output is NaN, without it never",
            pairs=9.56,
        ),
        data=np.array([math.nan]),
        domain=None,
    ),
    _entry("mean", "noisy sum over noisy count", Moment(), _keeps("K24; two parts at epsilon/2")),
    _entry(
        "mean-printed",
        "mean, both sums with a hole in their noise",
        Moment(sampler="printed"),
        Truth(
            keeps=False,
            source="calculation: the event 2 <= output < 3 has probability 0.1206 without the "
            "record and 0.0155 with it",
            pairs=291.0,
        ),
    ),
    _entry(
        "second-moment",
        "noisy sum of squares over noisy count",
        Moment(statistic="second-moment"),
        _keeps("composition: two parts at epsilon/2"),
    ),
    _entry(
        "variance",
        "variance from a count and two noisy sums",
        Moment(statistic="variance"),
        _keeps("composition: three parts at epsilon/3"),
    ),
    _entry(
        "standard-deviation",
        "standard deviation from a count and two noisy sums",
        Moment(statistic="standard-deviation"),
        _keeps("composition: three parts at epsilon/3"),
    ),
    _entry(
        "correlation",
        "correlation of pairs from six noisy sums",
        Correlation(),
        _keeps("composition: six parts at epsilon/6"),
        data=np.array([[1.0, 1.0]]),
        neighbor=np.empty((0, 2)),
        domain=None,
    ),
)

_CHOICES = (
    _entry(
        "median",
        "median among the integers of 32 bits, by the exponential mechanism",
        Median(),
        _keeps("K09; approached when one value dominates, 0.93 on this pair", 1.0),
        data=np.full(48, 0.4),
        neighbor=np.append(np.full(48, 0.4), 1.0),
    ),
    _entry(
        "fewest-changes-mean",
        "mean, by how few records must change to reach it",
        FewestChanges(),
        _keeps("K09; the score moves by at most 1"),
        data=np.full(20, -0.99),
        neighbor=np.append(np.full(20, -0.99), 1.0),
    ),
    _entry(
        "fewest-changes-median",
        "median, by how few records must change to reach it",
        FewestChanges(statistic="median"),
        _keeps("K09; the score moves by at most 1"),
        data=np.full(20, 0.4),
        neighbor=np.append(np.full(20, 0.4), 1.0),
    ),
    _entry(
        "cumulative-counts",
        "records below every threshold, from counts at powers of two",
        CumulativeCounts(),
        _keeps("composition: epsilon/scales each, attained by a record in all first bins", 1.0),
        data=np.array([-1.0]),
    ),
)

ENTRIES: tuple[Entry, ...] = _SUMS + _CHOICES
