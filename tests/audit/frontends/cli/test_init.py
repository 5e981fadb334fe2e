"""`audit init` and `audit completion`: what is written for a beginner and for a shell."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from audit.frontends.project import settings_in

from .conftest import Audit

RELEASE = (
    "def noisy(data, rng, size):\n    return data.sum() + rng.laplace(0, 1, size)\n"
    "class Bare:\n    def __init__(self, scale):\n        self.scale = scale\n"
)
WORDS = ("init", "release.py:noisy", "--epsilon", "1", "--domain", "float:0:1")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "release.py").write_text(RELEASE)
    return tmp_path


def test_what_is_written_can_be_used(audit: Audit, here: Path) -> None:
    found = audit(*WORDS, "--relation", "substitute")
    assert (found.code, found.out) == (0, "")
    assert (settings_in(here / "pyproject.toml") or {})["max-samples"] == 20_000
    assert "minute" not in (here / "pyproject.toml").read_text()  # which nobody measured here
    test = (here / "test_noisy_privacy.py").read_text()
    compile(test, "test", "exec")
    assert "from release import noisy" in test
    assert 'assert_private(noisy, epsilon=1.0, relation="substitute", domain="float:0:1")' in test


@pytest.mark.parametrize(
    ("flags", "name", "claim"),
    [
        (("--rho", "0.5"), "ZCDP", "ZCDP(rho=0.5)"),
        (("--mu", "1"), "GaussianDP", "GaussianDP(mu=1.0)"),
        (("--renyi", "2:1"), "RenyiDP", "RenyiDP(order=2.0, epsilon=1.0)"),
        (("--profile", "curve.csv"), "profile_claim", 'profile_claim("curve.csv")'),
    ],
)
def test_another_claim_is_imported(
    audit: Audit, here: Path, flags: tuple[str, str], name: str, claim: str
) -> None:
    (here / "curve.csv").write_text("epsilon,delta\n0,0.5\n1,0.1\n")
    assert audit("init", "release.py:noisy", *flags, "--domain", "bool").code == 0
    test = (here / "test_noisy_privacy.py").read_text()
    assert f"from audit.claims import {name}\n" in test
    assert f'assert_private(noisy, claim={claim}, domain="bool")' in test


def test_a_class_with_arguments_gets_a_factory(audit: Audit, here: Path) -> None:
    (here / "counts.py").write_text(
        "class Noisy:\n"
        "    def __init__(self, scale, bound, shift=0):\n"
        "        self.scale = scale\n"
        "    def release(self, data, rng):\n"
        "        return len(data) + rng.laplace(0, self.scale)\n"
    )
    found = audit("init", "counts.py:Noisy", "--epsilon", "1", "--domain", "bool")
    assert found.code == 0 and "replace each ... in it by a value" in found.err
    test = (here / "test_Noisy_privacy.py").read_text()
    compile(test, "test", "exec")
    made = "assert_private(factory=lambda: Noisy(scale=..., bound=...), epsilon=1.0"
    assert made in test and "# factory= makes the object anew" in test


@pytest.mark.slow
def test_the_test_passes_and_keeps_no_ledger(audit: Audit, here: Path) -> None:
    audit(*WORDS)
    words = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    words += ["test_noisy_privacy.py", "--audit-max-samples", "4000"]
    ran = subprocess.run(words, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert not (here / "audits.jsonl").exists()


def test_a_table_is_added_behind_what_is_there(audit: Audit, here: Path) -> None:
    before = '[project]\nname = "x"'
    (here / "pyproject.toml").write_text(before)
    assert audit(*WORDS).code == 0
    text = (here / "pyproject.toml").read_text()
    assert text.startswith(before)
    assert tomllib.loads(text)["project"] == {"name": "x"}
    assert tomllib.loads(text)["tool"]["audit"] == {"max-samples": 20_000}


def test_the_nearest_project_gets_the_table_and_is_named(
    audit: Audit, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "pyproject.toml").write_text('[project]\nname = "x"\n')
    (here / "src").mkdir()
    (here / "release.py").rename(here / "src" / "release.py")
    monkeypatch.chdir(here / "src")
    assert str(here / "pyproject.toml") in "".join(audit(*WORDS).err.split("\n"))
    assert not (here / "src" / "pyproject.toml").exists()


def test_a_table_that_is_there_stays_as_it_is(audit: Audit, here: Path) -> None:
    (here / "pyproject.toml").write_text("[tool.audit]\nseed = 3\n")
    found = audit(*WORDS)
    assert found.code == 0 and "stays as it is" in found.err
    assert (here / "pyproject.toml").read_text() == "[tool.audit]\nseed = 3\n"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("init", "release.py:nothing", "--epsilon", "1", "--domain", "bool"), "nothing"),
        (("init", "release.py:Bare", "--epsilon", "1", "--domain", "bool"), "neither release"),
        (("init", "nowhere.py:f", "--epsilon", "1", "--domain", "bool"), "nowhere.py"),
        (("init", "release.py:noisy", "--domain", "bool"), "needs a claim"),
        (("init", "release.py:noisy", "--epsilon", "-1", "--domain", "bool"), "-1"),
        (("init", "release.py:noisy", "--epsilon", "1", "--domain", "no"), "no"),
        (("init", "release.py:noisy", "--epsilon", "1"), "domain"),
    ],
)
def test_what_makes_no_test_is_refused_and_nothing_written(
    audit: Audit, here: Path, words: tuple[str, ...], why: str
) -> None:
    found = audit(*words)
    assert found.code == 2 and why in found.err and len(found.err.splitlines()) == 1
    assert {path.name for path in here.iterdir()} <= {"release.py", "__pycache__"}


def test_a_test_that_is_there_is_not_lost(audit: Audit, here: Path) -> None:
    (here / "test_noisy_privacy.py").write_text("mine")
    assert audit(*WORDS).code == 2
    assert (here / "test_noisy_privacy.py").read_text() == "mine"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_reads_its_script(audit: Audit, here: Path, shell: str) -> None:
    found = audit("completion", shell)
    assert found.code == 0 and found.err == ""
    for word in ("canaries", "compare", "max-samples", "fail-on"):
        assert word in found.out
    if shutil.which(shell):
        (here / "script").write_text(found.out)
        assert subprocess.run([shell, "-n", "script"]).returncode == 0


def test_other_shells_are_refused_in_one_line(audit: Audit) -> None:
    found = audit("completion", "csh")
    assert found.code == 2 and len(found.err.splitlines()) == 1
