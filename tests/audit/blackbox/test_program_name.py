"""Programs are called by their own file, whoever runs it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from audit.blackbox.command import CommandBlackBox, program_name
from audit.blackbox.served import ServedBlackBox


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name in ("count.py", "count.js", "config.toml"):
        (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["./bin/noisy_count", "{data}"], "noisy_count"),
        (["./bin/noisy_count", "{folder}/config.toml"], "noisy_count"),
        (["python3", "{folder}/count.py", "{data}"], "count.py"),
        (["/usr/bin/python3.11", "-SEs", "-W", "error", "{folder}/count.py", "1.0"], "count.py"),
        (["python", "-m", "packages.count", "{data}"], "packages.count"),
        (["python3", "-c", "print(1)", "{folder}/config.toml"], "python3"),
        (["python3", "-Sc", "print(1)", "{folder}/config.toml"], "python3"),
        (["node", "-e", "1", "{folder}/config.toml"], "node"),
        (["node", "--no-warnings", "{folder}/count.js"], "count.js"),
        (["env", "A=1", "python3", "{folder}/count.py"], "count.py"),
        (["bash", "no-such-file"], "bash"),
        (["sh", "-c", "ls -l < {data}"], "ls"),
        (["bash", "-ec", "cat {data} | python3 {folder}/count.py"], "count.py"),
        (["sh", "-c", "A=1 ls < {data}"], "sh"),
        (["sh", "-c", "no-such-program < {data}"], "sh"),
        (["sh", "-c", "'ls"], "sh"),
        (["sh", "-c", ""], "sh"),
        (["sh", "-c"], "sh"),
        (["python3", "-m"], "python3"),
        (["python3"], "python3"),
    ],
)
def test_the_file_names_the_program(words: list[str], name: str, files: Path) -> None:
    assert program_name([word.replace("{folder}", str(files)) for word in words]) == name


def test_both_kinds_of_programs_are_called_so(files: Path) -> None:
    script = str(files / "count.py")
    assert CommandBlackBox([sys.executable, script, "{data}"]).name == "count.py"
    assert ServedBlackBox([sys.executable, script]).name == "count.py"
