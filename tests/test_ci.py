"""The workflows run the steps of `.ci/run` and the parts of `.ci/nightly`, all of them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

yaml: Any = pytest.importorskip("yaml")

ROOT = Path(__file__).parents[1]


def workflow(name: str) -> Any:
    return yaml.safe_load((ROOT / ".github" / "workflows" / name).read_text("utf-8"))


def called(script: str, *words: str, path: str) -> subprocess.CompletedProcess[str]:
    """A script of the folder .ci, with this PATH."""
    bash = shutil.which("bash")
    assert bash is not None
    return subprocess.run(
        [bash, ROOT / ".ci" / script, *words],
        capture_output=True,
        text=True,
        env=os.environ | {"PATH": path},
    )


def test_the_workflow_has_a_job_for_every_step() -> None:
    (job,) = workflow("ci.yml")["jobs"].values()
    (steps,) = re.findall(r"^steps=\((.*)\)$", (ROOT / ".ci" / "run").read_text(), re.MULTILINE)
    assert job["strategy"]["matrix"]["step"] == steps.split()
    assert job["steps"][-1]["run"] == ".ci/run ${{ matrix.step }}"


def test_the_nightly_workflow_has_a_job_for_every_part() -> None:
    (job,) = workflow("nightly.yml")["jobs"].values()
    assert job["strategy"]["matrix"]["part"] == list(range(1, 11))
    assert job["steps"][-1]["run"] == ".ci/nightly ${{ matrix.part }}"


@pytest.mark.parametrize(
    ("script", "word", "message"),
    [
        ("run", "lint", "'lint' is no step; use: readme style docs package longer"),
        ("nightly", "11", "'11' is no part; use a number from 1 to 10, or nothing for all"),
    ],
)
def test_an_unknown_word_is_refused(script: str, word: str, message: str) -> None:
    done = called(script, word, path=os.environ["PATH"])
    assert (done.returncode, done.stdout, done.stderr.strip()) == (2, "", message)


@pytest.mark.parametrize("script", ["run", "nightly"])
def test_missing_programs_are_named_first(script: str, tmp_path: Path) -> None:
    for name in ("bash", "env", "git", "python3", "g++", "dirname"):
        found = shutil.which(name)
        assert found is not None, name
        (tmp_path / name).symlink_to(found)
    done = called(script, path=str(tmp_path))
    assert done.returncode == 1
    assert re.search(r"missing on this machine: node rustc\b.*; install them", done.stderr)
    assert done.stdout == ""
