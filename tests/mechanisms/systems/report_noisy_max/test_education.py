"""Education levels chosen with noise: names, candidates, and how little of the claim is spent."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.random import default_rng

from audit.declaration import Entry
from audit.errors import InputError
from mechanisms.parts.adult import education_counts, education_levels, educations
from mechanisms.systems.report_noisy_max.education import EducationMax
from mechanisms.systems.report_noisy_max.entries import ENTRIES


def test_records_and_counts_give_the_same_answer() -> None:
    by_records = EducationMax().release(educations(), default_rng(1), 200)
    by_counts = EducationMax().release(education_counts(), default_rng(1), 200)
    assert np.array_equal(by_records, by_counts)
    assert set(by_records) <= set(education_levels())


def test_the_original_prefers_the_most_frequent_level_as_often() -> None:
    """About 92 in 100; a binomial of 20,000 draws stays within 6.2 deviations at 1e-9."""
    share = np.mean(EducationMax().release(educations(), default_rng(2), 20_000) == "HS-grad")
    assert 0.85 < share < 0.97


def test_noise_does_not_follow_the_true_sensitivity_by_default() -> None:
    mechanism = EducationMax()
    assert mechanism.spent == pytest.approx(0.001)
    honest = EducationMax(sensitivity=0.001)
    assert honest.spent == pytest.approx(honest.epsilon)
    assert set(honest.release(educations(), default_rng(3), 1000)) == {"HS-grad"}


def test_observed_candidates_betray_a_single_record() -> None:
    mechanism = EducationMax(candidates="observed")
    with_it = mechanism.release(["HS-grad", "Doctorate"], default_rng(4), 1000)
    without = mechanism.release(["HS-grad"], default_rng(4), 1000)
    assert 400 < np.sum(with_it == "Doctorate") < 600
    assert set(without) == {"HS-grad"}
    with pytest.raises(ValueError, match="too few"):
        mechanism.release([], default_rng(4), 1)


@pytest.mark.parametrize("candidates", ["listed", "observed"])
def test_consumption_of_randomness_ignores_the_data(candidates: str) -> None:
    mechanism = EducationMax(candidates=candidates)  # type: ignore[arg-type]
    left, right = default_rng(5), default_rng(5)
    mechanism.release(educations(), left, 50)
    mechanism.release(["HS-grad", "unheard of"], right, 50)
    assert left.bit_generator.state == right.bit_generator.state


def test_empty_data_are_sixteen_zeros() -> None:
    drawn = EducationMax().release(np.array([]), default_rng(6), 5000)
    assert len(set(drawn)) == 16


def test_other_outputs_name_levels_too() -> None:
    best = EducationMax(output="top-two", sensitivity=0.001).release(
        educations(), default_rng(7), 9
    )
    assert {tuple(row) for row in best} == {("HS-grad", "Some-college")}
    rare = EducationMax(output="kth-smallest", k=2, sensitivity=0.001)
    assert set(rare.release(educations(), default_rng(8), 9)) == {"1st-4th"}


def test_counts_of_another_length_are_an_error() -> None:
    with pytest.raises(ValueError, match="3 counts"):
        EducationMax().release(np.array([1, 2, 3]), default_rng(0), 1)


def test_bad_parameters_are_refused() -> None:
    for name in ("epsilon", "divisor", "sensitivity"):
        with pytest.raises(InputError, match=name):
            EducationMax(**{name: 0.0})  # type: ignore[arg-type]


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_entries_release_on_their_data_and_neighbors(entry: Entry) -> None:
    mechanism = entry.mechanism
    for data in (entry.data, *entry.neighbors):
        assert len(mechanism.release(data, default_rng(0), 7)) == 7
