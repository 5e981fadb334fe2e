"""`assert_private` by itself, as outside the plugin's reach."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import audit
from audit.case import More
from audit.claims import ZCDP, GaussianDP, RenyiDP
from audit.engine.run import run
from audit.errors import BlackBoxError, ClaimError, InputError
from audit.frontends.testing.assertion import Asked
from audit.frontends.testing.budget import Budget
from audit.frontends.testing.running import Running, current, running
from audit.report.counterexample import WitnessSides
from audit.report.formatting import interval_in_percent
from audit.report.sentences import brief
from audit.testing import AuditFailure, AuditInconclusive, assert_private
from audit.verdict.result import Verdict
from tests.timeless import timeless

from .releases import Scaled, failing, right, slow, wrong


class Released:
    """A noisy number of records: `fold` times less noise than ε = 1 needs."""

    def __init__(self, fold: float) -> None:
        self.scale = 2.0 / fold

    def release(self, data: Any, rng: Any, size: int) -> Any:
        return sum(data) + rng.laplace(0.0, self.scale, size)


PAIR: dict[str, Any] = {"data": [0.0, 1.0], "neighbors": [[0.0]]}


@pytest.mark.slow
def test_a_right_mechanism_passes_and_gives_its_result() -> None:
    result = assert_private(right, epsilon=1.0, **PAIR, max_samples=2000)
    assert result.verdict is Verdict.NOT_REFUTED
    assert result.alpha == Budget().alpha
    assert 0 < result.samples <= 2000


def test_a_wrong_mechanism_fails_and_shows_the_witness() -> None:
    with pytest.raises(AuditFailure) as failure:
        assert_private(wrong, epsilon=1.0, **PAIR, max_samples=2000)
    witness = failure.value.result.witness
    assert witness is not None
    lines = str(failure.value).splitlines()
    assert lines[0] == "FAIL  wrong is not ε = 1 differentially private"
    assert lines[1].startswith("      measured: ε ≥ ")
    assert len(lines) <= 20
    shown = {line.split()[0]: line for line in lines if line.startswith("  ")}
    assert shown["D"].endswith(" = [0.0, 1.0]")
    assert shown["D'"].endswith(" = [0.0]")
    assert brief(witness.event) in shown["event:"]
    found = WitnessSides.of(witness)
    assert interval_in_percent(found.left.estimate) in shown["P[D]"]
    assert interval_in_percent(found.right.estimate) in shown["P[D']"]
    command = str(failure.value).partition("Reproduce: ")[2].replace("\\\n", " ")
    assert command.split() == failure.value.result.command.split()
    assert failure.value.short.startswith("ε ≥ ")
    assert ", claimed 1: output" in failure.value.short


@pytest.mark.slow
def test_further_datasets_are_bet_on_and_asked_for_again() -> None:
    """The first alone shows nothing: a mechanism that is wrong where somebody has a five."""

    def fives(data: Any, rng: Any, size: int) -> Any:
        return sum(value == 5.0 for value in data) + rng.laplace(scale=0.3, size=size)

    first: dict[str, Any] = {"epsilon": 1.0, "data": [0.0, 1.0], "max_samples": 4000}
    assert assert_private(fives, **first).verdict is Verdict.NOT_REFUTED
    with pytest.raises(AuditFailure) as failure:
        assert_private(fives, **first, more_data=[[0.0, 5.0]])
    witness = failure.value.result.witness
    assert witness is not None and 5.0 in [*witness.dataset, *witness.neighbor]
    with pytest.raises(AuditFailure, match=r"--data '\[0.0, 1.0\]' (\\\\\s+)?--data '\[5.0\]'"):
        assert_private(wrong, epsilon=1.0, data=[0.0, 1.0], more_data=[[5.0]], max_samples=4000)


def test_an_inconclusive_audit_fails_too_and_says_what_it_needs() -> None:
    with pytest.raises(AuditInconclusive, match="INCONCLUSIVE") as failure:
        assert_private(wrong, epsilon=6.0, **PAIR, max_samples=1000)
    needed = failure.value.result.wanted
    assert needed > 1000
    assert f"give max_samples={needed}, or" in str(failure.value)
    assert f"--audit-max-samples {needed}" in str(failure.value)


def test_more_samples_are_no_remedy_for_a_mechanism_without_outputs() -> None:
    with pytest.raises(BlackBoxError, match="on every dataset tried, such as") as failure:
        assert_private(failing, epsilon=1.0, **PAIR, max_samples=1000)
    assert "max_samples=" not in str(failure.value)


def test_a_violation_is_not_taken_for_an_inconclusive_audit() -> None:
    assert not issubclass(AuditFailure, AuditInconclusive)
    assert not issubclass(AuditInconclusive, AuditFailure)
    assert issubclass(AuditFailure, AssertionError)
    assert issubclass(AuditInconclusive, AssertionError)


@pytest.mark.slow
def test_the_same_call_gives_the_same_result() -> None:
    once, twice = (
        assert_private(right, epsilon=1.0, domain="float:0:1", max_samples=1000) for _ in range(2)
    )
    assert timeless(once) == timeless(twice)


@pytest.mark.slow
def test_a_mechanism_may_bring_its_claim() -> None:
    assert assert_private(Scaled(), **PAIR, max_samples=2000).claim == Scaled().claim
    with pytest.raises(AuditFailure):
        assert_private(Scaled(0.5), **PAIR, max_samples=2000)


@pytest.mark.slow
def test_other_claims_are_passed_on() -> None:
    told = (ZCDP(0.5), GaussianDP(2.0), RenyiDP(2.0, 1.0))
    found = [assert_private(right, one, **PAIR, max_samples=1000).claim.kind for one in told]
    assert found == ["zcdp", "gaussian", "renyi"]


def test_bad_input_is_an_error_and_no_verdict() -> None:
    with pytest.raises(ClaimError, match="states no claim"):
        assert_private(right, **PAIR)
    with pytest.raises(InputError, match="alpha 2 is not a number between 0 and 1"):
        assert_private(right, epsilon=1.0, **PAIR, alpha=2)
    with pytest.raises(InputError, match="max_samples 0 is not a whole number from 1 to"):
        assert_private(right, epsilon=1.0, **PAIR, max_samples=0)


@pytest.mark.slow
def test_the_running_test_gives_the_budget_and_is_told() -> None:
    budget = Budget(alpha=1e-3, max_samples=1500, seed=7)
    with running("test_it.py::test", budget) as test:
        result = assert_private(right, epsilon=1.0, **PAIR)
        assert current() is test
        own = assert_private(right, epsilon=1.0, **PAIR, seed=8, alpha=0.01)
    assert (result.alpha, result.seed) == (1e-3, 7)
    assert result.samples <= 1500
    assert (own.alpha, own.seed) == (0.01, 8)
    assert [note.result for note in test.taken()] == [result, own]
    assert test.taken() == []


def test_running_tests_are_nested() -> None:
    with running("outer", Budget()) as outer:
        with running("inner", Budget()) as inner:
            assert current() is inner
        assert current() is outer
    assert current() == Running() or current().test.endswith("test_running_tests_are_nested")


@pytest.mark.slow
def test_assumptions_stand_in_the_result_and_its_command() -> None:
    result = assert_private(
        right, epsilon=1.0, **PAIR, max_samples=1000, assume=["independent-calls"]
    )
    assert result.assumptions == ("independent-calls",)
    assert "--assume independent-calls" in result.command
    with pytest.raises(InputError, match="'independence'"):
        assert_private(right, epsilon=1.0, **PAIR, max_samples=1000, assume=["independence"])


def test_a_factory_is_audited_and_named_in_the_command() -> None:
    with running("", Budget()), pytest.raises(AuditFailure) as failure:
        assert_private(
            factory=lambda: wrong, epsilon=1.0, **PAIR, max_samples=2000, until="violation"
        )
    command = failure.value.result.command
    assert command.startswith("assert_private(factory=")
    assert "until='violation'" in command


def test_what_a_factory_makes_carries_its_claim_as_the_object_itself_does() -> None:
    @audit.mechanism(epsilon=1.0, relation="substitute", domain="bool")
    class Declared(Released):
        """Inherits `release`."""

    for given in ({"mechanism": Declared(1.0)}, {"factory": lambda: Declared(1.0)}):
        result = assert_private(**given, max_samples=500)
        assert str(result.claim) == "ε = 1" and result.relation == "substitute"
    with pytest.raises(ClaimError, match="states no claim"):
        assert_private(factory=lambda: Released(1.0), domain="bool", max_samples=500)
    with pytest.raises(AuditFailure):
        assert_private(factory=lambda: Declared(4.0), max_samples=4000)


def test_a_mechanism_and_a_factory_are_refused_together() -> None:
    with pytest.raises(InputError, match="a mechanism and a factory"):
        assert_private(right, factory=lambda: right, epsilon=1.0, **PAIR)


def test_an_error_shows_no_frames_of_the_auditor() -> None:
    with pytest.raises(BlackBoxError) as caught:
        assert_private(failing, epsilon=1.0, **PAIR, max_samples=1000)
    assert [entry.name for entry in caught.traceback] == [
        "test_an_error_shows_no_frames_of_the_auditor",
        "assert_private",
    ]
    assert caught.value.__cause__ is None and caught.value.__suppress_context__


def test_arguments_are_those_of_run_or_named_as_exceptions() -> None:
    own = {*inspect.signature(assert_private).parameters, *Asked.__annotations__}
    others = {*inspect.signature(run).parameters, *More.__annotations__}
    missing = sorted(others - set(own))
    said = str(assert_private.__doc__).partition("Args:")[0]
    assert missing and all(f"`{name}`" in said for name in missing)


def test_time_that_ended_an_audit_is_named_as_the_test_gave_it() -> None:
    with pytest.raises(AuditInconclusive) as failure:
        assert_private(
            slow, epsilon=6.0, **PAIR, max_seconds=1, assume=("independent-calls",), timeout=5.0
        )
    said = " ".join(str(failure.value).split())
    assert "max_seconds=1 ended the bets" in said
    assert "or --audit-max-seconds" in said
    assert "--max-seconds 1 ended" not in said
    assert "let it run to its end" not in said
