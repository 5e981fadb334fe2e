"""The study's page, and the rates that it must show."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit.diagnosis.cause import Cause
from tests.diagnosis.outcome import Diagnosed
from tests.diagnosis.page import page
from tests.diagnosis.study import all_diagnosed


def test_the_page_counts_right_wrong_and_unknown() -> None:
    text = page(
        [
            Diagnosed("uniform-noise", 0, Cause.BOUNDED_NOISE, "an edge | a hole", "two-sided"),
            Diagnosed("uniform-noise", 1, Cause.SCALE),
            Diagnosed("gaussian-as-pure", 0, Cause.UNKNOWN),
            Diagnosed("gaussian-as-pure", 1, None),
        ],
        "python -m tests.diagnosis.study",
    )
    assert "| 4 | 3 | 1 (33.3%) | 1 (33.3%) | 1 (33.3%) |" in text
    assert "| `bounded-noise` | 2 | 2 | 1 | 1 | 0 |" in text
    assert "| uniform-noise | 1 | `bounded-noise` | `data-dependent-scale` |" in text
    assert "an edge \\| a hole" in text


@pytest.mark.slow
def test_nine_of_ten_are_right_and_three_of_a_hundred_wrong(tmp_path: Path) -> None:
    found = [one for one in all_diagnosed([0], tmp_path) if one.cause is not None]
    assert len(found) > 120
    assert sum(one.right for one in found) >= 0.9 * len(found)
    assert sum(one.wrong for one in found) <= 0.03 * len(found)
