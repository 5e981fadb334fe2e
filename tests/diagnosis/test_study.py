"""The study's page, and the rates that it must show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.diagnosis.page import page
from tests.diagnosis.study import Audited, all_audited, broken
from tests.diagnosis.sums import SOLD


def one(name: str, seed: int, cause: str | None, **more: Any) -> Audited:
    given = {"refuted": cause is not None, "bound": 1.8, "truth": 2.0, "runs": 9_000}
    return Audited(
        name=name,
        seed=seed,
        cause=cause,
        **{**given, "sentence": "an edge | a hole", "advice": "two-sided", **more},
    )


def test_the_page_counts_right_wrong_and_unknown() -> None:
    text = page(
        [one("squares", 0, "unknown"), one("squares", 1, "unknown", bound=1.6)],
        [
            one("uniform-noise", 0, "bounded-noise"),
            one("uniform-noise", 1, "data-dependent-scale", bound=0.1),
            one("gaussian-as-pure", 0, "unknown", truth=None),
            one("gaussian-as-pure", 1, None),
        ],
        "python -m tests.diagnosis.study",
    )
    assert "| squares | 2.00 | 2 | 2 | 1.70 | 1.60 | 0.85 | 0.80 |" in text
    assert "| 4 | 3 | 1 (33.3%) | 1 (33.3%) | 1 (33.3%) |" in text
    assert "| `bounded-noise` | 2 | 2 | 1 | 1 | 0 |" in text
    assert "| uniform-noise | 1 | `bounded-noise` | `data-dependent-scale` |" in text
    assert "an edge \\| a hole" in text


@pytest.mark.slow
def test_causes_of_a_sample_of_the_catalogue_are_right(tmp_path: Path) -> None:
    """The page has all of them: nine of ten are right, three of a hundred wrong."""
    found = [one for one in all_audited(broken()[::12], 1, tmp_path, 1) if one.refuted]
    assert len(found) >= 8
    assert sum(one.right for one in found) >= 0.75 * len(found)
    assert sum(one.wrong for one in found) <= 1


@pytest.mark.slow
@pytest.mark.parametrize("name", list(SOLD)[::4])
def test_the_bound_is_that_of_the_worst_pair(name: str, tmp_path: Path) -> None:
    (found,) = all_audited([name], 1, tmp_path, 1)
    assert found.refuted
    assert 0.8 * SOLD[name].epsilon <= found.bound <= SOLD[name].epsilon
