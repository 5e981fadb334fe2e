"""Functions are found by their address, and what is wrong is said in one line."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.random import default_rng

from audit.blackbox.callables import load_callable
from audit.blackbox.python import PythonBlackBox
from audit.errors import InputError

SOURCE = """
from __future__ import annotations
from dataclasses import dataclass
import neighbor_of_mine

print("hello")

def noisy_sum(data, rng):
    return sum(data) + rng.laplace()

def lazy(data):
    import late_neighbor
    return late_neighbor.VALUE

@dataclass(frozen=True)
class Mechanism:
    scale: float = 1.0

    def release(self, data, rng, size):
        return neighbor_of_mine.SHIFT + rng.laplace(0, self.scale, size)

    def other(self, data):
        return 0

chosen = Mechanism(2.0)
number = 3

class Counter:
    def count(self, data, rng):
        return len(data) + rng.laplace()

counter = Counter()
"""


@pytest.fixture(autouse=True)
def import_state() -> Iterator[None]:
    path, modules = list(sys.path), set(sys.modules)
    yield
    sys.path[:] = path
    for name in set(sys.modules) - modules:
        del sys.modules[name]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "neighbor_of_mine.py").write_text("SHIFT = 1.0\n")
    (tmp_path / "late_neighbor.py").write_text("VALUE = 7\n")
    path = tmp_path / "random.py"
    path.write_text(SOURCE)
    return path


@pytest.mark.parametrize("path", ["noisy_sum", "Mechanism", "chosen", "chosen.release"])
def test_file_is_loaded(file: Path, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    box = PythonBlackBox.at(f"{file}:{path}")
    assert box.seeded
    assert box.name == ("noisy_sum" if path == "noisy_sum" else "Mechanism")
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "hello\n")


def test_relative_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    assert PythonBlackBox.at("random.py:noisy_sum").name == "noisy_sum"


def test_module_in_this_folder(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = file.parent / "pack"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "inner.py").write_text("def constant(data):\n    return 5\n")
    monkeypatch.chdir(file.parent)
    assert PythonBlackBox.at("pack.inner:constant").bind([]).draw(default_rng(0), 1) == 5
    assert load_callable("statistics:mean")([1, 3]) == 2


def test_late_imports_still_find_their_neighbors(file: Path) -> None:
    assert PythonBlackBox.at(f"{file}:lazy").bind([]).draw(default_rng(0), 1) == 7


def test_modules_of_the_same_name_stay(file: Path) -> None:
    load_callable(f"{file}:noisy_sum")
    import random

    assert random.__file__ != str(file)


def test_loaded_black_box_travels_to_another_process(file: Path) -> None:
    box = PythonBlackBox.at(f"{file}:Mechanism", timeout=3.0)
    code = (
        "import pickle, sys; from numpy.random import default_rng;"
        "box = pickle.loads(sys.stdin.buffer.read());"
        "print(box.bind([]).draw(default_rng(4), 2).tolist())"
    )
    root = str(Path(__file__).parents[3])
    done = subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(box), capture_output=True, check=True,
        cwd=root,
    )  # fmt: skip
    assert done.stdout.decode().strip() == str(box.bind([]).draw(default_rng(4), 2).tolist())


def test_plain_function_travels() -> None:
    box = pickle.loads(pickle.dumps(PythonBlackBox(np.mean, "average", 2.0)))
    assert (box.name, box.bind([1.0, 3.0]).draw(default_rng(0), 1)) == ("average", 2.0)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("{file}", "FILE.py:FUNCTION"),
        ("noisy_sum", "FILE.py:FUNCTION"),
        (":f", "FILE.py:FUNCTION"),
        ("{file}:", "FILE.py:FUNCTION"),
        ("{folder}/none.py:f", "does not exist"),
        ("{folder}:f", "is a folder"),
        ("{file}:noisy_summ", "did you mean noisy_sum"),
        ("{file}:Mechanism.realease", "did you mean release"),
        ("{file}:zzz", "it defines Counter, Mechanism, lazy, noisy_sum"),
        ("{file}:number", "of type int and cannot be called; it defines Counter"),
        ("{file}:counter", "Counter and cannot be called; give its method, .*:counter.count$"),
        ("{file}:Counter.count", "is a method without an object; give a function: def mechanism"),
        ("{file}:Mechanism.other", r"def mechanism\(data\): return Mechanism\(...\).other\(data\)"),
        ("no_such_package.module:f", "neither installed"),
        (".relative:f", "neither installed"),
    ],
)
def test_wrong_addresses(file: Path, address: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as caught:
        load_callable(address.format(file=file, folder=file.parent))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("x = 1\ny = x / 0\n", "in line 2 .*ZeroDivisionError: division by zero"),
        ("def f(:\n", "in line 1 .*SyntaxError"),
        ("import no_such_module_here\n", "in line 1 .*ModuleNotFoundError"),
        ("import sys\n\nsys.exit(2)\n", "in line 3 .*SystemExit: 2"),
        ("raise ValueError('a\\nb')\n", "ValueError: a b"),
        ("x = '\0'", "SyntaxError|ValueError"),
    ],
)
def test_files_that_fail(tmp_path: Path, source: str, words: str) -> None:
    path = tmp_path / "failing.py"
    path.write_text(source)
    with pytest.raises(InputError, match=words) as caught:
        load_callable(f"{path}:f")
    assert "\n" not in str(caught.value)


def test_file_that_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "binary.py"
    path.write_bytes(bytes(range(128, 256)))
    with pytest.raises(InputError, match="fails"):
        load_callable(f"{path}:f")


def test_module_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "failing_module.py").write_text("1 / 0\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match="ZeroDivisionError"):
        load_callable("failing_module:f")
