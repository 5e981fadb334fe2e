"""The example project, run as its owner would run it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from .conftest import Project

pytestmark = pytest.mark.slow

pytest_plugins = ("pytester",)

EXAMPLE = Path(__file__).parents[3] / "example_project"


def test_the_right_count_passes_and_the_hasty_one_is_caught(project: Project) -> None:
    shutil.copytree(EXAMPLE, project.pytester.path, dirs_exist_ok=True)
    result = project.tested("-rA")
    result.assert_outcomes(passed=3, failed=3)
    result.stdout.fnmatch_lines_random(
        [
            "PASSED audit_noisy_counts.py::test_noisy_count_keeps_its_claim",
            "PASSED audit_noisy_counts.py::test_on_one_pair[[]noisy_count[]]",
            "PASSED audit_noisy_counts.py::test_noise_for_every_level",
            "FAILED audit_noisy_counts.py::test_hasty_count_keeps_its_claim*",
            "FAILED audit_noisy_counts.py::test_on_one_pair[[]hasty_count[]]*",
            "FAILED audit_noisy_counts.py::test_hasty_count_at_every_length*",
            "*audit python noisy_counts.py:hasty_count --epsilon 1.0 *",
            "*--domain float:0:1 *",
            "*records=1,",
        ]
    )
