"""Mechanisms that remember something, audited by fresh instances as users do."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.blackbox.python import PythonBlackBox
from audit.frontends.cli.main import main
from audit.verdict.result import AuditResult
from tests import stateful

pytestmark = pytest.mark.lives

KINDS = ("generator", "memoized", "walking", "table", "cache", "iterator", "call", "budget")
QUICK = ("call", "memoized_less")
"""Of the audits; each waits some seconds for the preliminary sample."""


def audited(name: str, epsilon: float = 1.0, **more: Any) -> AuditResult:
    """The audit of a function in a file, each instance of which reads the file anew."""
    box = PythonBlackBox.at(f"{stateful.__file__}:{name}")
    asked: dict[str, Any] = {"data": [1.0], "neighbors": [[]], "alpha": 0.05, "max_samples": 2_000}
    return audit.run(box, epsilon=epsilon, **asked | more)


def named(ending: str) -> list[Any]:
    names = [f"{kind}{ending}" for kind in KINDS]
    return [pytest.param(n, marks=[] if n in QUICK else [pytest.mark.slow]) for n in names]


@pytest.mark.slow
@pytest.mark.parametrize("name", named(""))
def test_what_it_remembers_is_no_evidence(name: str) -> None:
    result = audited(name)
    assert result.verdict == "not-refuted"
    assert result.epsilon_lower <= 1.0
    assert result.units is not None
    assert result.units.kind == "life"


@pytest.mark.slow
@pytest.mark.parametrize("name", named("_less"))
def test_too_little_noise_is_refuted_whatever_it_remembers(name: str) -> None:
    result = audited(name, max_samples=20_000, until="violation")
    assert result.verdict == "violation"
    assert result.witness is not None


@pytest.mark.slow
def test_a_permanent_randomized_response_loses_what_one_answer_does() -> None:
    pair: dict[str, Any] = {"neighbors": [[0.0]], "relation": "substitute"}
    right = audited("response", math.log(3.0), **pair)
    assert right.verdict == "not-refuted"
    assert right.epsilon_lower <= math.log(3.0)
    wrong = audited("response", 0.5, max_samples=20_000, until="violation", **pair)
    assert wrong.verdict == "violation"


DRAWN = """\
import numpy as np


class Drawn:
    def __init__(self, scale):
        self.noise = float(np.random.default_rng().laplace(0.0, scale))

    def __call__(self, data):
        return len(data) + self.noise


release, loud = Drawn(1.0), Drawn(0.2)
"""


@pytest.mark.parametrize(("name", "code"), [("release", 0), ("loud", 1)])
def test_the_command_makes_an_object_of_a_file_anew(
    name: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What its constructor drew was in all instances: no noise, said the audit."""
    (tmp_path / "kept.py").write_text(DRAWN)
    given = ["--epsilon", "1", "--data", "[1]", "--neighbor", "[]", "--max-samples", "2000"]
    words = ["python", f"{tmp_path / 'kept.py'}:{name}", *given, "--until", "violation"]
    assert main([*words, "--format", "json"]) == code
    assert json.loads(capsys.readouterr().out)["assumptions"] == []
