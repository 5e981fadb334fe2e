"""A claim written outside the package: bet against, reported, stored and read again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.claims import check_claim, interface
from audit.claims.interface import Claim, Lines, register_claim
from audit.errors import ClaimError, InputError
from audit.frontends.testing.assertion import Request
from audit.frontends.testing.budget import Budget
from audit.frontends.testing.reproduction import reproducing
from audit.report.restore import restore
from audit.testing import assert_private
from audit.verdict.recorded.run import samples
from audit.verdict.renderers import render


@register_claim
@dataclass(frozen=True, slots=True)
class TotalVariation(Claim):
    """Total variation of at most tau: P[E] <= Q[E] + tau for every event."""

    tau: float
    kind: ClassVar[str] = "outer-variation"
    symbol: ClassVar[str] = "τ"
    bound: ClassVar[str] = "tau_lower"

    @property
    def level(self) -> float:
        return self.tau

    def at(self, level: float) -> TotalVariation:
        return TotalVariation(level)

    def delta(self, epsilon: float) -> float:
        return self.tau

    def lines(self, level: float) -> Lines:
        return np.array([[1.0, min(level, 1.0)]])

    def __str__(self) -> str:
        return f"τ = {self.tau:g} (total variation)"


def flipped(data: Any, rng: Generator, size: int) -> Any:
    """One bit that is kept with probability .7: its total variation is .4."""
    return (len(data) % 2) ^ (rng.random(size) >= 0.7)


def audited(tau: float, **more: Any) -> audit.AuditResult:
    return audit.run(
        flipped,
        claim=TotalVariation(tau),
        data=[1],
        neighbors=[[]],
        max_samples=60_000,
        **more,
    )


@pytest.mark.slow
def test_a_claim_that_holds_is_not_refuted_and_bounded_from_below() -> None:
    result = audited(0.4)
    assert result.verdict == "not-refuted"
    assert 0.3 < result.levels["tau_lower"] <= 0.4


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_one_that_does_not_is_broken_by_a_witness(workers: int) -> None:
    result = audited(0.3, workers=workers)
    assert result.verdict == "violation"
    assert 0.3 <= result.levels["tau_lower"] <= 0.4
    assert result.witness is not None
    assert (result.witness.slope, result.witness.offset) == (1.0, 0.3)


@pytest.mark.slow
@pytest.mark.parametrize("tau", [0.3, 0.4])
def test_its_results_are_read_again_and_say_its_name(tau: float) -> None:
    result = audited(tau)
    again = restore(json.loads(render(result, "json")))
    assert again.claim == TotalVariation(tau)
    assert again.to_json() == result.to_json()
    for kind in ("text", "markdown", "html"):
        shown = render(result, kind)
        assert render(again, kind) == shown
        assert f"τ = {tau:g} (total variation)" in shown
        assert "τ ≥ 0." in shown or "at least τ = 0." in shown
    assert "tau_lower: 0." in result.to_markdown()


@pytest.mark.slow
def test_recorded_outputs_are_judged_by_it(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    for name, data in (("D.txt", [1]), ("D1.txt", [])):
        np.savetxt(tmp_path / name, flipped(data, rng, 4000), fmt="%d")
    paths = [tmp_path / "D.txt", tmp_path / "D1.txt"]
    held, broken = (samples(paths, TotalVariation(tau)) for tau in (0.45, 0.3))
    assert (held.verdict, broken.verdict) == ("not-refuted", "violation")
    assert 0.3 <= broken.levels["tau_lower"] < 0.45
    assert restore(broken.to_json()).claim == TotalVariation(0.3)


@pytest.mark.slow
def test_a_test_asserts_it() -> None:
    where: Any = {"data": [1], "neighbors": [[]], "max_samples": 20_000}
    assert_private(flipped, claim=TotalVariation(0.4), **where)
    with pytest.raises(AssertionError, match="does not satisfy τ = 0.2"):
        assert_private(flipped, claim=TotalVariation(0.2), **where)


def test_what_repeats_it_is_the_test_and_no_command_line() -> None:
    request = Request(
        flipped, None, {"claim": TotalVariation(0.4), "data": [1], "neighbors": ([],)}
    )
    assert reproducing(request, Budget(), 1, "tests/test_it.py").startswith("pytest tests/")
    assert "claim=TotalVariation(tau=0.4)" in reproducing(request, Budget(), 1, "")


@pytest.mark.slow
def test_it_may_stand_where_the_function_is_written() -> None:
    declared = audit.mechanism(claim=TotalVariation(0.2))(
        lambda data, rng: flipped(data, rng, 1)[0]
    )
    result = audit.run(declared, data=[1], neighbors=[[]], max_samples=6000)
    assert result.claim == TotalVariation(0.2)
    assert result.verdict == "violation"


@pytest.mark.slow
def test_a_kind_that_nobody_registered_is_looked_for_in_installed_packages(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    document = audited(0.4).to_json()
    monkeypatch.delitem(interface._KINDS, "outer-variation")  # as in a process of its own
    with pytest.raises(InputError, match="'outer-variation', expected zcdp, renyi, gaussian"):
        restore(document)
    point: Any = SimpleNamespace(load=lambda: TotalVariation)
    named: dict[str, list[EntryPoint]] = {"dp_audit.claims": [point]}
    monkeypatch.setattr(interface, "entry_points", lambda group: named[group])
    assert restore(document).claim == TotalVariation(0.4)


def test_a_kind_belongs_to_one_class() -> None:
    class Other(TotalVariation):
        pass

    with pytest.raises(ClaimError, match=r"kind 'outer-variation' of .*Other is that of"):
        register_claim(Other)
    assert register_claim(TotalVariation) is TotalVariation


def test_a_bound_has_a_name_that_results_are_read_by() -> None:
    class Other(TotalVariation):
        kind = "other"
        bound = "tau"

    with pytest.raises(ClaimError, match="'tau' of .* does not end in '_lower'"):
        register_claim(Other)
    with pytest.raises(ClaimError, match="does not end in '_lower'"):
        audit.run(flipped, claim=Other(0.5), data=[1], neighbors=[[]])


class _Falling(TotalVariation):
    def lines(self, level: float) -> Lines:
        return np.array([[1.0, max(0.0, 1.0 - level)]])


class _Flat(TotalVariation):
    def lines(self, level: float) -> Lines:
        return np.array([1.0, level])


class _Steep(TotalVariation):
    def lines(self, level: float) -> Lines:
        return np.array([[0.5, level]])


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        (_Falling(0.3), "its lines fall where its level grows"),
        (_Flat(0.3), r"its lines have shape \(2,\), expected"),
        (_Steep(0.3), "slopes below 1 or offsets outside"),
        (TotalVariation(0.0), "its level 0.0 is not a number above 0"),
        (TotalVariation(float("nan")), "its level nan is not"),
    ],
)
def test_a_claim_that_cannot_be_bet_against_is_refused(claim: Claim, said: str) -> None:
    with pytest.raises(ClaimError, match=said):
        check_claim(claim)
    with pytest.raises(ClaimError, match=said):
        audit.run(flipped, claim=claim, data=[1], neighbors=[[]])


@pytest.mark.slow
def test_a_stored_claim_is_checked_value_by_value() -> None:
    document = audited(0.4).to_json()
    for claim, said in (
        ({"kind": "outer-variation"}, "'claim.tau' is missing"),
        ({"kind": "outer-variation", "tau": "much"}, "expected a claim of kind outer-variation"),
        ({"kind": "outer-variation", "tau": [1]}, "expected a claim of kind outer-variation"),
        ({"kind": "outer-variation", "tau": -1}, "level -1 is not a number above 0"),
    ):
        with pytest.raises(InputError, match=said):
            restore({**document, "claim": claim})


def test_two_claims_are_one_too_many() -> None:
    with pytest.raises(ClaimError, match="claim and epsilon state two claims"):
        audited(0.4, epsilon=1.0)
    not_a_claim: Any = "0.4"
    with pytest.raises(ClaimError, match=r"claim '0\.4' is no claim; give an epsilon"):
        audit.run(flipped, claim=not_a_claim, data=[1], neighbors=[[]])


def test_fields_alone_give_its_json() -> None:
    claim = TotalVariation(0.25)
    document: Mapping[str, Any] = claim.as_json()
    assert document == {"kind": "outer-variation", "tau": 0.25}
    assert TotalVariation.from_json(document) == claim
