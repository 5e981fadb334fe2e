"""What is built and installed, seen from outside the checkout.

    python -m tests.distribution DIST PYTHON

DIST holds a wheel and an sdist, PYTHON is an interpreter in which the wheel is installed.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

ROOT = Path(__file__).parents[1]
PACKAGES = ("audit", "mechanisms")
ADAPTERS = "mechanisms/external/"
"""The folder that only a checkout and an sdist hold."""
BESIDE = ("README.md", "LICENSE", "NOTICE", "CHANGELOG.md", "pyproject.toml", "mkdocs.yml")
ENTRY_POINTS = {
    ("console_scripts", "audit"),
    ("dp_audit.benchmarks", "dp-sum"),
    ("dp_audit.catalogs", "mechanisms"),
    ("pytest11", "dp_audit"),
}
PROGRAM = Path(__file__).parent / "programs" / "typed_use.py"
MISTAKES = {
    "bound: float": ("bound: str", 'variable has type "str"'),
    "refuted: bool": ("refuted: str", 'variable has type "str"'),
    "PureDP(1.0)": ('PureDP("1")', 'has incompatible type "str"'),
    "max_samples=2000": ("max_sample=2000", "max_sample"),
    "noise: float": ("noise: str", 'variable has type "str"'),
    "files: list[Path]": ("files: list[str]", 'variable has type "list[str]"'),
}
"""Mistakes in the program, and a piece of what mypy says of each."""
_LOADED = """
from importlib.metadata import distribution
for point in distribution("dp-audit").entry_points:
    if point.group != "pytest11":
        point.load()
    print(point.group, point.name)
"""


def missing_from_wheel(names: set[str], files: set[str]) -> set[str]:
    """Files of the packages that a wheel lacks, and files that do not belong into it.

    Args:
        names: files of the wheel.
        files: files of the checkout.
    """
    found = {name for name in names if ".dist-info/" not in name}
    packaged = {file for file in files if file.split("/")[0] in PACKAGES}
    return found ^ {file for file in packaged if not file.startswith(ADAPTERS)}


def missing_from_sdist(names: set[str], files: set[str]) -> set[str]:
    """What of these files an sdist has not."""
    wanted = {f for f in files if f.split("/")[0] in (*PACKAGES, "docs", "tests") or f in BESIDE}
    return wanted - {name.partition("/")[2] for name in names}


def tracked() -> set[str]:
    """The files of this checkout."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return set(listed.stdout.split("\n")) - {""}


def entry_points(python: str) -> set[tuple[str, str]]:
    """Groups and names of what is installed; all but the plugin of pytest are loaded."""
    with TemporaryDirectory() as folder:
        done = subprocess.run(
            [python, "-c", _LOADED], cwd=folder, capture_output=True, text=True, check=True
        )
    return {(group, name) for group, name in map(str.split, done.stdout.splitlines())}


def types(python: str, program: str) -> str:
    """The messages of mypy on a program that uses the installed package; "" for none."""
    with TemporaryDirectory() as folder:
        Path(folder, "use.py").write_text(program, encoding="utf-8")
        words = ["-m", "mypy", "--strict", "--no-error-summary", "--python-executable", python]
        done = subprocess.run(
            [sys.executable, *words, "use.py"], cwd=folder, capture_output=True, text=True
        )
    return done.stdout + done.stderr


def wrong_types(python: str) -> Iterator[str]:
    """A right program with messages, and wrong ones without."""
    program = PROGRAM.read_text("utf-8")
    if messages := types(python, program):
        yield f"types from outside: {messages}"
    for right, (wrong, _) in MISTAKES.items():
        assert program.count(right) == 1, right
        program = program.replace(right, wrong)
    messages = types(python, program)
    for wrong, message in MISTAKES.values():
        (line,) = (n for n, text in enumerate(program.splitlines(), 1) if wrong in text)
        if not re.search(
            rf"^use\.py:{line}: error: .*{re.escape(message)}", messages, re.MULTILINE
        ):
            yield f"types from outside: {wrong!r} is accepted"


def check(dist: Path, python: str) -> list[str]:
    """What is wrong; nothing where all is right."""
    (wheel,), (sdist,) = dist.glob("*.whl"), dist.glob("*.tar.gz")
    files = tracked()
    with zipfile.ZipFile(wheel) as opened, tarfile.open(sdist) as unpacked:
        inside, beside = set(opened.namelist()), set(unpacked.getnames())
    found = [f"wheel: {name}" for name in sorted(missing_from_wheel(inside, files))]
    found += [f"sdist: {name}" for name in sorted(missing_from_sdist(beside, files))]
    if "audit/py.typed" not in inside:
        found.append("wheel: no py.typed")
    if (points := entry_points(python)) != ENTRY_POINTS:
        found.append(f"entry points: {sorted(points)}")
    found += wrong_types(python)
    return found


def main() -> None:
    """Say what is wrong, with exit code 1."""
    dist, python = sys.argv[1:]
    found = check(Path(dist), python)
    print("\n".join(found) or "wheel and sdist hold what they should")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
