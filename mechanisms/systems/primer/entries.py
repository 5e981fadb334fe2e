"""Statistics of the primer in the catalogue, with the records on which they lose most."""

from __future__ import annotations

from math import inf, nan

import numpy as np

from mechanisms.systems.primer.changes import FewestChanges
from mechanisms.systems.primer.correlation import Correlation
from mechanisms.systems.primer.counts import CumulativeCounts
from mechanisms.systems.primer.median import Median
from mechanisms.systems.primer.sums import ClampedSum, Count, Moment
from mechanisms.table import Inputs, add_remove, breaks, keeps, table

_NUMBERS = "float:-1:1"
_NONE = np.array([])
_ONE = add_remove(np.array([1.0]), _NONE, _NUMBERS)
_LOWEST = add_remove(np.array([-1.0]), _NONE, _NUMBERS)
_MISSING = add_remove(np.array([nan]), _NONE)
_CORNER = add_remove(np.array([[1.0, 1.0]]), np.empty((0, 2)))
_HOLE = breaks(
    "A01; the event 1/epsilon <= output < 1 + 1/epsilon never happens around 1", inf, pairs=30.3
)


def _equal(records: int, value: float) -> Inputs:
    """Equal records, and one more record of 1."""
    data = np.full(records, value)
    return add_remove(data, np.append(data, 1.0), _NUMBERS)


ENTRIES = table("Primer", (
    ("primer-count", Count(), _ONE, keeps("K01", 1.0),
     "noisy count"),
    ("primer-count-printed", Count(sampler="printed"), _ONE, _HOLE,
     "count, noise with a hole around 0"),
    ("primer-sum", ClampedSum(), _ONE, keeps("K01", 1.0),
     "noisy sum of numbers in [-1, 1]"),
    ("primer-sum-printed", ClampedSum(sampler="printed"), _ONE, _HOLE,
     "sum, noise with a hole around 0"),
    ("primer-sum-nan", ClampedSum(missing="nan"), _MISSING,
     breaks("calculation: with a NaN record the output is NaN, without it never", inf, pairs=9.56),
     "sum whose clamp lets NaN through"),
    ("primer-mean", Moment(), _ONE, keeps("K24; two parts at epsilon/2"),
     "noisy sum over noisy count"),
    ("primer-mean-printed", Moment(sampler="printed"), _ONE,
     breaks("calculation: the event 2 <= output < 3 has probability 0.1206 without the "
            "record and 0.0155 with it", pairs=291.0),
     "mean, both sums with a hole in their noise"),
    ("primer-second-moment", Moment(statistic="second-moment"), _ONE,
     keeps("composition: two parts at epsilon/2"),
     "noisy sum of squares over noisy count"),
    ("primer-variance", Moment(statistic="variance"), _ONE,
     keeps("composition: three parts at epsilon/3"),
     "variance from a count and two noisy sums"),
    ("primer-standard-deviation", Moment(statistic="standard-deviation"), _ONE,
     keeps("composition: three parts at epsilon/3"),
     "standard deviation from a count and two noisy sums"),
    ("primer-correlation", Correlation(), _CORNER, keeps("composition: six parts at epsilon/6"),
     "correlation of pairs from six noisy sums"),
    ("primer-median", Median(), _equal(48, 0.4),
     keeps("K09; approached when one value dominates, 0.93 on this pair", 1.0),
     "median among the integers of 32 bits, by the exponential mechanism"),
    ("primer-fewest-changes-mean", FewestChanges(), _equal(20, -0.99),
     keeps("K09; the score moves by at most 1"),
     "mean, by how few records must change to reach it"),
    ("primer-fewest-changes-median", FewestChanges(statistic="median"), _equal(20, 0.4),
     keeps("K09; the score moves by at most 1"),
     "median, by how few records must change to reach it"),
    ("primer-cumulative-counts", CumulativeCounts(), _LOWEST,
     keeps("composition: epsilon/scales each, attained by a record in all first bins", 1.0),
     "records below every threshold, from counts at powers of two"),
))  # fmt: skip
