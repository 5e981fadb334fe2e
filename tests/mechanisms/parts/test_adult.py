"""The shipped counts of the Adult data, and the reader of its original layout."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.errors import InputError
from mechanisms.parts.adult import (
    ages,
    education_counts,
    education_levels,
    educations,
    load_ages,
)


def test_ages_are_those_of_the_adult_data() -> None:
    records = ages()
    above = records[records > 25]
    assert (records.size, above.size) == (32_561, 26_150)
    assert (above.min(), above.max()) == (26, 90)
    assert above.mean() == pytest.approx(42.7823, abs=5e-5)


def test_educations_agree_with_their_counts() -> None:
    assert len(education_levels()) == 16
    assert len(educations()) == education_counts().sum() == 32_561
    assert education_counts()[education_levels().index("Bachelors")] == 5_355


def test_each_call_returns_a_fresh_array() -> None:
    ages()[:] = 0
    assert ages().min() == 17


def test_lines_without_an_age_are_skipped_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "ages.csv"
    path.write_text(
        "age, workclass\n39, State-gov\n\n  50 , Private\r\n?, Private\n-3,x\n28\n3_9,x\n"
    )
    found = load_ages(path)
    assert found.ages.tolist() == [39, 50, 28]
    assert (found.blank, found.malformed, found.skipped) == (1, 3, 4)


def test_a_file_without_header_loses_no_line(tmp_path: Path) -> None:
    path = tmp_path / "ages.csv"
    path.write_text("\ufeff39, State-gov\n", encoding="utf-8")
    found = load_ages(path)
    assert (found.ages.tolist(), found.skipped) == ([39], 0)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.csv.*cannot be read"):
        load_ages(tmp_path / "absent.csv")


@pytest.mark.parametrize("text", ["", "\n\n", "age\n", "name,age\nAnn,39\n"])
def test_a_file_without_any_age_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "ages.csv"
    path.write_text(text)
    with pytest.raises(InputError, match="holds no age") as caught:
        load_ages(path)
    assert "\n" not in str(caught.value)
    assert caught.value.offender == path
