"""The command in a failure repeats its audit."""

from __future__ import annotations

import functools
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import audit
from audit.claims import GaussianDP, RenyiDP, profile_claim
from audit.errors import BlackBoxError
from audit.frontends.cli.main import main
from audit.frontends.testing.assertion import address_of
from audit.frontends.testing.budget import Budget
from audit.frontends.testing.running import running
from audit.neighbors.domain import parse_domain
from audit.testing import AuditFailure, assert_private
from tests.timeless import timeless

from . import releases
from .releases import Scaled, right, wrong

pytestmark = pytest.mark.slow

PAIR: dict[str, Any] = {"data": [0.0, 1.0], "neighbors": [[0.0]]}


def _command(mechanism: Any, test: str = "", **arguments: Any) -> str:
    with running(test, Budget(max_samples=4000)):
        return assert_private(mechanism, epsilon=2.0, alpha=0.5, **arguments).command


@pytest.mark.parametrize(
    "arguments",
    [
        {"epsilon": 1.0, **PAIR},
        {"claim": audit.ZCDP(0.05), **PAIR, "relation": "declared", "seed": 3},
        {"claim": RenyiDP(2.0, 0.125), **PAIR, "alpha": 1e-4},
        {"epsilon": 0.5, "delta": 1e-3, "domain": "float:0:1", "relation": "substitute"},
        {
            "claim": GaussianDP(0.5),
            "data": np.array([0.0, 1.0]),
            "domain": "float:0:1",
            "search": False,
        },
    ],
    ids=lambda arguments: next(iter(arguments)),
)
def test_the_command_line_finds_the_same(arguments: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(AuditFailure) as failure:
        assert_private(wrong, **arguments, max_samples=2000)
    result = failure.value.result
    program, *words = shlex.split(result.command)
    assert program == "audit"
    output = tmp_path / "result.json"
    assert main([*words, "--format", "json", "--output", str(output)]) == 1
    found = timeless(output.read_text("utf-8"))
    # On the command line it is called by its address.
    own = {"mechanism": found["mechanism"], "command": found["command"]}
    assert found["mechanism"].endswith("wrong")
    assert found == timeless(result) | own


def test_a_curve_is_no_flag() -> None:
    curve = profile_claim([(0.0, 0.9), (9.0, 0.5)])
    with running("", Budget(max_samples=4000)):
        command = assert_private(wrong, curve, alpha=0.5, **PAIR).command
    assert command.startswith("assert_private(wrong, claim=ProfileDP(")


def test_records_are_asked_for_again() -> None:
    table: dict[str, Any] = {"domain": "age=int:0:99", "records": "dict"}
    command = _command(releases.adults, **table)
    assert "--domain age=int:0:99 --records dict" in command
    with pytest.raises(BlackBoxError, match="or give `records=.dict.`"):
        _command(releases.adults, domain="age=int:0:99")


def test_an_address_is_a_file_or_a_module() -> None:
    assert address_of(np.linalg.norm) == "numpy.linalg:norm"
    address = address_of(wrong)
    assert address is not None
    assert address.endswith(":wrong")
    assert address_of(Scaled) is not None


@pytest.mark.parametrize(
    "mechanism",
    [
        functools.partial(right),
        lambda data, rng, size: right(data, rng, size),
        Scaled(),
        Scaled().release,
    ],
    ids=["partial", "lambda", "instance", "method"],
)
def test_what_has_no_address_is_repeated_by_its_test(mechanism: Any) -> None:
    assert address_of(mechanism) is None
    command = _command(mechanism, "tests/test_a.py::test_b[x y]", **PAIR, seed=4)
    assert command == (
        "pytest 'tests/test_a.py::test_b[x y]' "
        "--audit-seed 4 --audit-alpha 0.5 --audit-max-samples 4000"
    )


def test_outside_of_tests_it_is_repeated_by_the_call() -> None:
    command = _command(Scaled(), **PAIR, seed=4)
    assert command == (
        "assert_private(Scaled(scale=1.0), epsilon=2.0, data=[0.0, 1.0], neighbors=([0.0],), "
        "alpha=0.5, max_samples=4000, seed=4)"
    )


@pytest.mark.parametrize(
    "data",
    [
        pd.DataFrame({"age": [1.0, 2.0]}),
        np.array([0.0, 1.0], dtype=np.float32),
        (0.0, 1.0),
        [0.0] * 1000,
    ],
    ids=["table", "single precision", "tuple", "long"],
)
def test_data_that_would_come_back_as_something_else_is_not_written(data: Any) -> None:
    def counted(data: Any, rng: np.random.Generator, size: int) -> Any:
        return len(data) + rng.laplace(0.0, 1.0, size)

    releases.__dict__["counted"] = counted
    counted.__module__, counted.__qualname__ = releases.__name__, "counted"
    try:
        assert address_of(counted) is not None
        assert _command(counted, "test", data=data).startswith("pytest test ")
        assert _command(counted, "test", data=[0.0, 1.0]).startswith("audit python ")
    finally:
        del releases.__dict__["counted"]


def test_a_domain_is_written_as_it_is_read() -> None:
    assert "--domain float:0:1" in _command(right, domain="float:0:1")
    assert "--domain int:0:1" in _command(right, domain=parse_domain("int:0:1"))


def test_a_command_that_was_given_is_kept() -> None:
    assert _command(right, **PAIR, command="make audit") == "make audit"
