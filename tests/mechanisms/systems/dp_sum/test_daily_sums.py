"""Daily sums: scales by the formulas, noise against scipy, and what each placement truly spends."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng
from scipy import stats

from audit.claims import ApproxDP, GaussianDP, PureDP
from audit.declaration import Entry
from audit.errors import InputError
from mechanisms.systems.dp_sum import daily_sums
from mechanisms.systems.dp_sum.daily_sums import (
    APPROACHES,
    Approach,
    DailySums,
    gaussian_factor,
    records_of,
)
from mechanisms.systems.dp_sum.entries import ENTRIES

BUDGET = 1e-9
RECORDS = pd.DataFrame(
    {
        "client": [0, 0, 1, 2, 2],
        "day": [0, 2, 0, 1, 2],
        "steps": [10.0, 2000.0, 30.0, -5.0, math.nan],
    }
)
EXACT = [40.0, 0.0, 1000.0]


def small(approach: Approach, **parameters: object) -> DailySums:
    return DailySums(approach, num_days=3, max_records_per_day=2, **parameters)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("approach", "epsilon", "scale"),
    [("raw", 2 / 35, 17_500), ("local", 2 / 7, 3500), ("global", 2, 500)],
)
def test_allocation_and_scales(approach: Approach, epsilon: float, scale: float) -> None:
    """epsilon/(Z·Y), epsilon/Z, epsilon; Z·Y·X/epsilon, Z·X/epsilon, X/epsilon."""
    laplace = DailySums(approach, 2.0)
    assert laplace.release_epsilon == pytest.approx(epsilon)
    assert laplace.scale == pytest.approx(scale)
    gaussian = DailySums(approach, 2.0, "gaussian", 1e-5)
    assert gaussian.scale == pytest.approx(scale * 4.8448, rel=1e-4)
    assert gaussian_factor(1e-5) == pytest.approx(math.sqrt(2 * math.log(1.25e5)))


def test_claims_follow_the_noise() -> None:
    assert DailySums(epsilon=0.5).claim == PureDP(0.5)
    assert DailySums(epsilon=0.5, mechanism="gaussian").claim == ApproxDP(0.5, 1e-6)


@pytest.mark.parametrize("factor", [1.0, 0.7, 1.3])
@pytest.mark.parametrize("approach", APPROACHES)
def test_each_total_has_the_noise_of_its_releases(approach: Approach, factor: float) -> None:
    """Day 0 holds two records and three clients: 2, 3 and 1 draws; normal, so sums are exact."""
    mechanism = small(approach, mechanism="gaussian")
    drawn = mechanism.release(RECORDS, default_rng(1), 20_000)[:, 0]
    draws = {"raw": 2, "local": 3, "global": 1}[approach]
    sigma = factor * mechanism.scale * math.sqrt(draws)
    p_value = stats.kstest(drawn, stats.norm(40.0, sigma).cdf).pvalue
    assert (p_value > BUDGET) == (factor == 1.0)


@pytest.mark.parametrize("approach", APPROACHES)
def test_laplace_noise_is_summed_draw_by_draw(approach: Approach) -> None:
    mechanism = small(approach)
    drawn = mechanism.release(RECORDS, default_rng(2), 50)
    days = {"raw": [0, 2, 0, 1, 2], "local": [0, 1, 2] * 3, "global": [0, 1, 2]}[approach]
    noise = default_rng(2).laplace(0, mechanism.scale, (50, len(days)))
    for day in range(3):
        mine = noise[:, np.array(days) == day].sum(axis=1)
        assert drawn[:, day] == pytest.approx(EXACT[day] + mine)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block of one draw after the other is the same noise in another order of drawing."""
    monkeypatch.setattr(daily_sums, "_BLOCK", 60)
    drawn = small("raw").release(RECORDS, default_rng(3), 50)
    rng = default_rng(3)
    expected = np.tile(EXACT, (50, 1))
    for day in [0, 2, 0, 1, 2]:
        expected[:, day] += rng.laplace(0, 6000, (50, 1))[:, 0]
    assert drawn == pytest.approx(expected)


@pytest.mark.parametrize("approach", APPROACHES)
def test_consumption_of_randomness_ignores_steps_and_days(approach: Approach) -> None:
    left, right = default_rng(4), default_rng(4)
    small(approach).release(RECORDS, left, 20)
    small(approach).release(RECORDS.assign(steps=7.0, day=[1, 1, 1, 9, -3]), right, 20)
    assert left.bit_generator.state == right.bit_generator.state


def test_three_forms_of_data_agree() -> None:
    frame = pd.DataFrame({"client": [0, 0, 1, 1], "day": [0, 1, 0, 1], "steps": [1, 2, 3, 4]})
    forms = (frame, frame.to_numpy(), [1, 2, 3, 4])
    drawn = [DailySums(num_days=2).release(form, default_rng(5), 3) for form in forms]
    assert np.array_equal(drawn[0], drawn[1])
    assert np.array_equal(drawn[0], drawn[2])


def test_records_of_no_day_are_in_no_total() -> None:
    data = [[0, -1, 5], [0, 2, 5], [0, 0.5, 5], [0, math.nan, 5], [0, 1e300, 5], [0, 1, 5]]
    assert records_of(data, 2)[0].tolist() == [-1, -1, -1, -1, -1, 1]
    drawn = DailySums(epsilon=1e9, num_days=2).release(data, default_rng(6), 1)
    assert drawn == pytest.approx(np.array([[0, 5]]), abs=1e-3)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (np.ones((2, 2)), "not \\(client, day, steps\\)"),
        (pd.DataFrame({"day": [0]}), "no column steps"),
    ],
)
def test_data_of_another_shape_are_an_error(data: object, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        DailySums().release(data, default_rng(0), 1)


def test_empty_data_give_totals_of_zero() -> None:
    assert DailySums("raw").release([], default_rng(7), 2).tolist() == [[0.0] * 7] * 2
    assert DailySums("local").release([], default_rng(7), 2).std() > 0


@pytest.mark.parametrize("approach", APPROACHES)
def test_what_a_record_and_a_client_truly_pay(approach: Approach) -> None:
    """Shift over scale of every total that moves; a sum of Laplaces attains it in its tails."""
    mechanism = DailySums(approach, 0.9)
    assert mechanism.max_steps / mechanism.scale == pytest.approx(mechanism.release_epsilon)
    moved = mechanism.max_steps * mechanism.max_records_per_day / mechanism.scale
    assert mechanism.num_days * moved == pytest.approx(mechanism.client_epsilon)
    expected = {"raw": 0.9, "local": 4.5, "global": 31.5}[approach]
    assert mechanism.client_epsilon == pytest.approx(expected)


def test_a_day_without_records_gets_no_raw_noise() -> None:
    drawn = DailySums("raw").release([[0, 0, 1000]], default_rng(8), 100)
    assert np.all(drawn[:, 1:] == 0)
    assert np.all(drawn[:, 0] != 0)


def test_the_gaussian_entry_states_the_exact_epsilon() -> None:
    entry = next(e for e in ENTRIES if e.name == "dp-sum-global-gaussian")
    assert entry.truth.epsilon is not None
    exact = GaussianDP(1 / gaussian_factor(1e-6)).delta(entry.truth.epsilon)
    assert exact == pytest.approx(1e-6, rel=1e-3)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_entries_release_on_their_data_and_neighbors(entry: Entry) -> None:
    for data in (entry.data, *entry.neighbors):
        assert entry.mechanism.release(data, default_rng(9), 4).shape == (4, 7)


@pytest.mark.parametrize(
    "parameters",
    [{"epsilon": 0.0}, {"delta": 1.0}, {"num_days": 0}, {"num_clients": 1.5}, {"max_steps": -1.0}],
)
def test_bad_parameters_are_refused(parameters: dict[str, float]) -> None:
    with pytest.raises(InputError, match=next(iter(parameters))):
        DailySums(**parameters)  # type: ignore[arg-type]
