"""The noisy average: exact scales, its three sensitivities and its neighbors.

Sampled assertions are Kolmogorov-Smirnov tests at 1e-9 on fixed seeds.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.random import default_rng
from numpy.typing import NDArray
from scipy import stats

from audit.declaration import Entry
from audit.errors import InputError
from mechanisms.parts.adult import ages
from mechanisms.systems.noisy_average.average import NoisyAverage, classic_neighbors
from mechanisms.systems.noisy_average.entries import ENTRIES

ADULT = ages()
MEAN = 42.782256214149136
BUDGET = 1e-9


def p_value(values: NDArray[np.float64], scale: float) -> float:
    return float(stats.kstest(values, stats.laplace(MEAN, scale).cdf).pvalue)


@pytest.mark.parametrize(("sensitivity", "width"), [("observed", 64.0), ("global", 100.0)])
def test_noise_has_the_stated_scale_and_no_other(sensitivity: str, width: float) -> None:
    mechanism = NoisyAverage(0.5, sensitivity)  # type: ignore[arg-type]
    values = mechanism.release(ADULT, default_rng(1), 20_000)
    scale = width / 26_150 / 0.5
    assert p_value(values, scale) > BUDGET
    assert p_value(values, 0.7 * scale) < BUDGET
    assert p_value(values, 1.3 * scale) < BUDGET


def test_noise_is_an_inversion_of_one_uniform() -> None:
    uniform = default_rng(3).random(1000)
    expected = np.where(uniform < 0.5, np.log(2 * uniform), -np.log(2 * (1 - uniform)))
    scale = 64 / 26_150 / 0.5
    values = NoisyAverage().release(ADULT, default_rng(3), 1000)
    assert values == pytest.approx(MEAN + scale * expected, abs=1e-9)


def test_a_single_record_is_released_bare_when_the_range_is_observed() -> None:
    assert set(NoisyAverage().release([26, 20], default_rng(0), 5)) == {26.0}
    assert len(set(NoisyAverage().release([26, 90], default_rng(0), 5))) == 5


@pytest.mark.parametrize("sensitivity", ["observed", "global"])
@pytest.mark.parametrize("data", [[], [25, 20], [math.nan]])
def test_nobody_above_25_is_an_error(sensitivity: str, data: list[float]) -> None:
    with pytest.raises(ValueError, match="above 25"):
        NoisyAverage(0.5, sensitivity).release(data, default_rng(0), 3)  # type: ignore[arg-type]


@pytest.mark.parametrize("data", [[], [25], [math.nan, math.inf], [1e9, -5, 26]])
def test_clamped_always_answers_with_numbers(data: list[float]) -> None:
    values = NoisyAverage(0.5, "clamped").release(data, default_rng(0), 1000)
    assert values.shape == (1000,)
    assert np.isfinite(values).all()


def test_clamped_is_a_noisy_sum_over_a_noisy_count() -> None:
    values = NoisyAverage(0.5, "clamped").release([30, 40, 500], default_rng(7), 2000)
    rng = default_rng(7)
    total = 170 + rng.laplace(0, 400, 2000)
    count = 3 + rng.laplace(0, 4, 2000)
    assert np.array_equal(values, total / np.where(count < 1, 1, count))


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_consumption_of_randomness_ignores_the_data(entry: Entry) -> None:
    release = entry.mechanism.release
    left, right = default_rng(5), default_rng(5)
    release(ADULT, left, 100)
    release([30, 31], right, 100)
    assert left.bit_generator.state == right.bit_generator.state


def test_classic_neighbors_of_adult() -> None:
    d1, d2, d3 = classic_neighbors(ADULT)
    counts = [np.bincount(d.astype(int), minlength=91) for d in (ADULT, d1, d2, d3)]
    removed = [np.flatnonzero(counts[0] - c).tolist() for c in counts[1:]]
    assert removed == [[90], [26], [26]]
    assert [d.size for d in (d1, d2, d3)] == [32_560] * 3


def test_classic_neighbors_of_a_file_where_nobody_is_26() -> None:
    d1, d2, d3 = classic_neighbors([20, 60, 30, 40])
    assert [d.tolist() for d in (d1, d2, d3)] == [[20, 30, 40], [20, 60, 40], [20, 60, 40]]
    with pytest.raises(InputError, match="above 25"):
        classic_neighbors([20, 25])


def test_the_adult_neighbors_stay_below_the_claim_in_the_bulk() -> None:
    """Why the classic comparison sees nothing: shift over scale, as the truth states."""
    scale = 64 / 26_150 / 0.5
    shifts = [abs(d[d > 25].mean() - MEAN) / scale for d in classic_neighbors(ADULT)]
    assert shifts == pytest.approx([0.3689, 0.1311, 0.1311], abs=1e-4)


def test_bad_parameters_are_refused() -> None:
    for epsilon in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(InputError, match="epsilon"):
            NoisyAverage(epsilon)


def test_entries_keep_what_their_names_promise() -> None:
    keeps = {entry.name: entry.truth.keeps for entry in ENTRIES}
    assert keeps == {
        "noisy-average": False,
        "noisy-average-global": False,
        "noisy-average-clamped": True,
    }
