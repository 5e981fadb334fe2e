"""The small C++ program that stands for all compiled ones."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2] / "programs" / "noisy_average.cpp"


@pytest.fixture(scope="session")
def noisy_average(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Path of the compiled program."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("there is no g++ to compile tests/programs/noisy_average.cpp")
    program = tmp_path_factory.mktemp("programs") / "noisy_average"
    subprocess.run([compiler, "-std=c++17", "-O1", "-o", program, SOURCE], check=True)
    return str(program)
