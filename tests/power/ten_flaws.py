"""Ten mistakes as people make them, each beside the same function done right.

All claim epsilon = 1. `FLAWS` names for each the two functions, the domain and
the relation under which a search has to find the neighbors that show it.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.random import Generator
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

EPSILON = 1.0


def sum_up_to_the_largest(data: Floats, rng: Generator, size: int) -> Floats:
    """Wrong: the bound on a record is read from the data."""
    bound = float(data.max(initial=0.0))
    return float(data.sum()) + rng.laplace(0.0, bound / EPSILON, size)


def sum_up_to_one(data: Floats, rng: Generator, size: int) -> Floats:
    """Right: nobody adds more than 1."""
    return float(data.clip(0.0, 1.0).sum()) + rng.laplace(0.0, 1.0 / EPSILON, size)


def median_with_local_noise(data: Integers, rng: Generator, size: int) -> Floats:
    """Wrong: the noise is as large as one record could move the median of these data."""
    values = np.sort(data)
    middle = len(values) // 2
    if len(values) < 3:
        return rng.laplace(50.0, 100.0 / EPSILON, size)
    reach = max(values[middle + 1] - values[middle], values[middle] - values[middle - 1])
    return float(values[middle]) + rng.laplace(0.0, reach / EPSILON, size)


def median_with_global_noise(data: Integers, rng: Generator, size: int) -> Floats:
    """Right: a median moves by 100 at most."""
    middle = float(np.median(data)) if len(data) else 50.0
    return middle + rng.laplace(0.0, 100.0 / EPSILON, size)


def mean_over_the_exact_count(data: Floats, rng: Generator) -> float:
    """Wrong: how much noise is left tells how many records there are."""
    total = float(data.sum()) + rng.laplace(0.0, 1.0 / EPSILON)
    return float(total / max(len(data), 1))


def mean_over_a_noisy_count(data: Floats, rng: Generator) -> float:
    """Right: half of epsilon for the sum, half for the count."""
    total = float(data.sum()) + rng.laplace(0.0, 2.0 / EPSILON)
    count = len(data) + rng.laplace(0.0, 2.0 / EPSILON)
    return float(total / max(count, 1.0))


def mean_that_raises(data: Floats, rng: Generator) -> float:
    """Wrong: only the empty dataset raises."""
    if len(data) == 0:
        raise ValueError("mean of nothing")
    return mean_over_a_noisy_count(data, rng)


def count_from_ten_on(data: Integers, rng: Generator) -> float | None:
    """Wrong: whether the count is shown depends on the true one."""
    return len(data) + float(rng.laplace(0.0, 1.0 / EPSILON)) if len(data) >= 10 else None


def noisy_count_from_ten_on(data: Integers, rng: Generator) -> float | None:
    """Right: whether the count is shown depends on the noisy one."""
    count = len(data) + float(rng.laplace(0.0, 1.0 / EPSILON))
    return count if count >= 10 else None


def counts_of_those_present(data: list[str], rng: Generator) -> dict[str, float]:
    """Wrong: a key that nobody has is missing."""
    return {
        key: data.count(key) + float(rng.laplace(0.0, 1.0 / EPSILON)) for key in sorted(set(data))
    }


def counts_of_all_keys(data: list[str], rng: Generator) -> dict[str, float]:
    """Right: every key is there, whoever has it."""
    return {
        key: data.count(key) + float(rng.laplace(0.0, 1.0 / EPSILON)) for key in ("a", "b", "c")
    }


def sum_by_range(data: Integers, rng: Generator, size: int) -> Floats:
    """Wrong: one record more adds up to 100, not 100 - 90."""
    return float(data.clip(90, 100).sum()) + rng.laplace(0.0, (100 - 90) / EPSILON, size)


def sum_by_magnitude(data: Integers, rng: Generator, size: int) -> Floats:
    """Right: one record more adds up to 100."""
    return float(data.clip(90, 100).sum()) + rng.laplace(0.0, 100 / EPSILON, size)


def sum_in_one_byte(data: Integers, rng: Generator, size: int) -> Floats:
    """Wrong: after 127 comes -128."""
    return float(data.astype(np.int8).sum(dtype=np.int8)) + rng.laplace(0.0, 1.0 / EPSILON, size)


def sum_in_eight_bytes(data: Integers, rng: Generator, size: int) -> Floats:
    """Right: nothing wraps."""
    return float(data.sum(dtype=np.int64)) + rng.laplace(0.0, 1.0 / EPSILON, size)


def quantile_within_the_data(data: Floats, rng: Generator) -> float:
    """Wrong: no output lies outside of the smallest and largest record."""
    low, high = (float(data.min()), float(data.max())) if len(data) else (0.0, 1.0)
    return _median_between(data, low, high, rng)


def quantile_within_the_domain(data: Floats, rng: Generator) -> float:
    """Right: outputs lie anywhere between 0 and 1."""
    return _median_between(data, 0.0, 1.0, rng)


def _median_between(data: Floats, low: float, high: float, rng: Generator) -> float:
    """The exponential mechanism on the gaps between records; a rank moves by 1."""
    ends = np.concatenate([[low], np.sort(data), [high]])
    utility = -np.abs(np.arange(len(data) + 1) - len(data) / 2)
    widths = np.maximum(np.diff(ends), 1e-12)
    weights = widths * np.exp(EPSILON / 2 * (utility - utility.max()))
    reached = np.cumsum(weights)
    chosen = np.searchsorted(reached, rng.random() * reached[-1])
    return float(rng.uniform(ends[chosen], ends[chosen + 1]))


def visits(data: pd.DataFrame, rng: Generator, size: int) -> Floats:
    """Wrong: a user may have five rows."""
    return len(data) + rng.laplace(0.0, 1.0 / EPSILON, size)


def visits_of_five(data: pd.DataFrame, rng: Generator, size: int) -> Floats:
    """Right: noise for five rows."""
    return len(data) + rng.laplace(0.0, 5.0 / EPSILON, size)
