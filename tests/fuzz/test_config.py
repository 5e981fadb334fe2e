"""Whatever the pytest plugin is told, by flags, by pyproject.toml or by a marker, is checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import audit
from audit.errors import AuditError
from audit.frontends.testing.budget import Budget, budget_in
from audit.frontends.testing.plugin import _argument
from audit.frontends.testing.running import running
from audit.testing import AuditFailure, AuditInconclusive, assert_private
from tests.audit.frontends.testing.releases import right, wrong

from .examples import examples
from .refusals import clear
from .test_claims import anything
from .test_domains import SPECS
from .words import mutated, numerals, texts, words

FLAGS = ("alpha", "max_samples", "seed")
KEYS = ("alpha", "max-samples", "max-samples-per-example", "seed", "timeout")

TABLES = (
    "[tool.audit]\nalpha = 0.01\nmax-samples = 7\nseed = 5\n",
    "[tool.audit]\ntimeout = 4\nmax-samples-per-example = 6\n",
    "[tool.audit]\nalpha = 1e-9\n[tool.audit.more]\nx = 1\n",
    "[tool]\naudit = {alpha = 0.5}\n",
    "[[tool.audit]]\nalpha = 0.5\n",
    "tool = 3\n",
)
literals = st.one_of(
    numerals,
    texts.map(repr),
    st.sampled_from(["true", "1979-05-27", "[1]", "{a = 1}", '"""\n"""', "0xff", "-inf", "1_000"]),
)
tables = st.dictionaries(st.sampled_from(KEYS) | texts, literals, max_size=4).map(
    lambda held: "[tool.audit]\n" + "".join(f"{key} = {value}\n" for key, value in held.items())
)
contents = (tables | mutated(st.sampled_from(TABLES)) | texts).map(
    lambda text: text.encode("utf-8", "surrogatepass")
) | st.binary(max_size=40)


def assert_sound(budget: Budget) -> None:
    """Every setting is what an audit can be given."""
    assert 0.0 < budget.alpha < 1.0
    assert 0.0 < budget.timeout < 1e8
    assert budget.seed >= 0
    assert min(budget.max_samples, budget.max_samples_per_example) >= 1
    counts = (budget.seed, budget.max_samples, budget.max_samples_per_example)
    assert set(map(type, counts)) == {int}


@examples(130)
@given(contents)
def test_any_pyproject_is_a_budget_or_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "pyproject.toml"
    path.write_bytes(content)
    try:
        assert_sound(budget_in(path))
    except AuditError as error:
        assert str(path) in clear(str(error))


@examples(100)
@given(st.sampled_from(FLAGS), numerals | words)
def test_any_flag_is_a_setting_or_refused(name: str, text: str) -> None:
    try:
        value = _argument(name)(text)
    except pytest.UsageError as error:
        line = clear(str(error))
        assert line.startswith(f"--audit-{name.replace('_', '-')}: {text!r} is not a ")
        return
    assert_sound(Budget().but(**{name: value}))


seconds = st.sampled_from([-1, 0, 5, 0.5, "5", True, 1e9, 10**400, float("nan"), float("inf")])
"""None too short for anything at all, which would strike where Hypothesis counts its time."""

small = st.integers(-1, 100) | st.sampled_from([1.5, "80", True, np.int64(80), float("nan")])
arguments: dict[str, st.SearchStrategy[Any]] = {
    "epsilon": anything,
    "delta": anything,
    "claim": anything | st.just(audit.ZCDP(0.5)),
    "relation": st.sampled_from(["add-remove", "substitute", "user", "declared"]) | texts,
    "domain": st.sampled_from(SPECS) | mutated(st.sampled_from(SPECS)),
    "alpha": anything,
    "max_samples": small,
    "seed": anything,
    "timeout": seconds,
    "search": st.booleans(),
    "name": texts,
    "command": texts,
}
FITTING: dict[str, Any] = {"data": [0.0, 1.0], "neighbors": [[0.0]], "max_samples": 100}
few = st.lists(
    st.one_of([st.tuples(st.just(name), value) for name, value in arguments.items()]), max_size=2
).map(dict)


@pytest.mark.slow
@examples(60)
@given(st.sampled_from([right, wrong]), few)
def test_any_arguments_of_a_marker_end_in_a_verdict_or_are_refused(
    mechanism: Any, given_arguments: dict[str, Any]
) -> None:
    claim = {} if "claim" in given_arguments else {"epsilon": 1.0}
    try:
        with running("", Budget()):  # apart from this test, whose own audits these are not
            result = assert_private(mechanism, **(FITTING | claim | given_arguments))
    except (AuditFailure, AuditInconclusive) as failure:
        assert str(failure).replace("\n", "").isprintable()
    except AuditError as error:
        clear(str(error))
    else:
        assert result.verdict == "not-refuted"
