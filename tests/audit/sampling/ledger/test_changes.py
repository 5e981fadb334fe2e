"""What counts as a change of a target."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from audit.case import Settings
from audit.claims import PureDP
from audit.engine.preparation import case_for
from audit.sampling import ledger

RELEASE = "from parts import noise\n\ndef release(data, rng):\n    return noise(rng)\n"
PARTS = "import deep\n\ndef noise(rng):\n    return deep.scale * rng.laplace()\n"
DEEP = "scale = 1.0\n"
FILES = {"release": RELEASE, "parts": PARTS, "deep": DEEP}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    for name, source in FILES.items():
        (tmp_path / f"{name}.py").write_text(source)
    return tmp_path


def checksum(claim: float = 1.0, **given: Any) -> str:
    for name in FILES:
        sys.modules.pop(name, None)
    importlib.invalidate_caches()
    function = importlib.import_module("release").release
    options: dict[str, Any] = {"data": [1.0], "neighbors": [[]]} | given
    seed = options.pop("seed", 0)
    case = case_for(function, claim=PureDP(claim), **options)
    return ledger.unchanged(case, Settings(seed=seed, alpha=0.001))


def test_the_same_again_is_unchanged(project: Path) -> None:
    assert checksum() == checksum() == checksum(seed=5)


@pytest.mark.parametrize("name", sorted(FILES))
def test_every_file_that_it_uses_counts(project: Path, name: str) -> None:
    before = checksum()
    (project / f"{name}.py").write_text(f"{FILES[name]}\n# changed\n")
    assert checksum() != before


def test_data_and_claim_count(project: Path) -> None:
    assert len({checksum(), checksum(2.0), checksum(data=[2.0])}) == 3


def test_a_dependency_counts(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = checksum()
    monkeypatch.setattr(ledger, "_installed", lambda: ["numpy 99"])
    assert checksum() != before
