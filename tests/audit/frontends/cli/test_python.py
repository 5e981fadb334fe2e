"""`audit python`: functions of somebody's own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from .conftest import Audit

MODULE = '''
"""A release."""
import os
from dataclasses import dataclass

import audit
from audit.claims import PureDP

print("loaded")


def noisy_count(data, rng, size):
    print("asked")
    return len(data) + rng.laplace(0, 1, size)


@audit.mechanism(epsilon=1.0, relation="substitute", domain="float:0:1")
def declared(data, rng, size):
    return data.sum() + rng.laplace(0, 1, size)


def adults(data, rng):
    return sum(record["age"] >= 18 for record in data) + rng.laplace()


def chatty(data):
    os.write(1, b"from below Python")
    if len(data):
        raise SystemExit(3)
    return 0.0


@dataclass
class Exact:
    epsilon: float = 0.5

    @property
    def claim(self):
        return PureDP(self.epsilon)

    def release(self, data, rng, size):
        return [len(data)] * size
'''
FEW = ("--max-samples", "6000", "--format", "json")


@pytest.mark.slow
def test_a_function_that_keeps_its_claim(audit: Audit, here: Path) -> None:
    (here / "release.py").write_text(MODULE)
    run = audit("python", "release.py:noisy_count", "--epsilon", "1", "--domain", "bool", *FEW)
    found = json.loads(run.out)
    assert run.code == 0
    assert found["mechanism"] == "release.py:noisy_count"
    loaded, printed = run.err.splitlines()
    assert loaded == "loaded"
    assert re.fullmatch(r"audit: the mechanism printed [\d,]+ lines; the first: asked", printed)
    assert found["command"] == (
        "audit python release.py:noisy_count --epsilon 1 --domain bool --max-samples 6000"
    )


@pytest.mark.slow
def test_a_function_that_breaks_its_claim(audit: Audit, here: Path) -> None:
    (here / "release.py").write_text(MODULE)
    run = audit("python", "release.py:noisy_count", "--epsilon", "0.5", "--domain", "bool", *FEW)
    assert run.code == 1
    assert json.loads(run.out)["witness"] is not None


@pytest.mark.slow
def test_a_decorated_function_brings_its_claim(audit: Audit, here: Path) -> None:
    (here / "release.py").write_text(MODULE)
    found = json.loads(audit("python", "release.py:declared", *FEW).out)
    assert found["claim"] == {"kind": "pure", "epsilon": 1.0, "delta": 0.0}
    assert found["relation"] == "substitute"


def test_a_class_stands_for_its_instance(audit: Audit, here: Path) -> None:
    (here / "release.py").write_text(MODULE)
    run = audit("python", "release.py:Exact", "--domain", "bool", *FEW)
    found = json.loads(run.out)
    assert run.code == 1
    assert found["claim"]["epsilon"] == 0.5
    assert found["parameters"] == {"epsilon": 0.5}


def test_what_a_black_box_prints_is_kept_from_the_result(audit: Audit, here: Path) -> None:
    (here / "release.py").write_text(MODULE)
    run = audit(
        *("python", "release.py:chatty", "--epsilon", "1", "--data", "[1]", "--neighbor", "[]"),
        *("--max-samples", "300", "--format", "json"),
    )
    json.loads(run.out)
    assert "from below Python" in run.err


def test_without_a_claim_or_data_it_says_what_to_give(audit: Audit, here: Path) -> None:
    (here / "release.py").write_text(MODULE)
    run = audit("python", "release.py:noisy_count", "--domain", "bool")
    assert run.code == 2
    assert "noisy_count states no claim; give --epsilon" in run.err
    run = audit("python", "release.py:noisy_count", "--epsilon", "1")
    assert run.code == 2
    assert "give --data, --domain" in run.err


@pytest.mark.slow
def test_tables_and_columns(audit: Audit, here: Path) -> None:
    (here / "release.py").write_text(MODULE)
    (here / "ages.csv").write_text("name,age\na,1\nb,2\nc,30\n")
    words = ("python", "release.py:noisy_count", "--epsilon", "1", "--data", "ages.csv", *FEW)
    assert audit(*words).code == 0
    found = json.loads(audit(*words, "--column", "age").out)
    assert found["pairs"][0]["difference"] == "without one record 30"
    assert "'size' of file" not in audit(*words, "--column", "size").err


@pytest.mark.slow
def test_records_as_dicts(audit: Audit, here: Path) -> None:
    (here / "release.py").write_text(MODULE)
    words = ("python", "release.py:adults", "--epsilon", "1", "--records", "dict", *FEW)
    assert audit(*words, "--domain", "age=int:0:99,sex=choice:f,m").code == 0
    run = audit(*words, "--data", "[1, 2]")
    assert run.code == 2
    assert "--records dict needs records with named columns" in run.err
