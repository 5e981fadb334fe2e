"""A mechanism's parameters are its flags, and its claim follows them."""

from __future__ import annotations

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal

import pytest
from cyclopts import App

from audit.claims import ApproxDP, Claim, PureDP
from audit.declaration import Entry, Mechanism, parameters_of
from audit.errors import InputError
from audit.frontends.cli.flags import ClaimFlags
from audit.frontends.cli.listing import catalog
from audit.frontends.cli.mechanism import (
    claim_arguments,
    claim_flags_of,
    command_for,
    described,
    flags_of,
    rebuilt,
)

from .conftest import Audit

ONE_OF_EACH_KIND = list({type(entry.mechanism): entry for entry in catalog().values()}.values())


@dataclass(frozen=True, slots=True)
class Noisy:
    """A mechanism with one parameter of each kind.

    Attributes:
        epsilon: what it claims.
        delta: what it claims beside epsilon, when the
            noise is Gaussian.
        noise: distribution of the noise.
        bins: how many answers; the name of a shared flag.
        exact: whether nothing is added.
    """

    epsilon: float = 1.0
    delta: float = 1e-6
    noise: Literal["laplace", "gaussian"] = "laplace"
    bins: int = 4
    exact: bool = False

    @property
    def claim(self) -> Claim:
        if self.noise == "gaussian":
            return ApproxDP(self.epsilon, self.delta)
        return PureDP(self.epsilon)

    def release(self, data: list[float]) -> float:
        """The sum, with no noise at all."""
        return sum(data)


ENTRY = Entry(name="noisy", group="Tests", summary="a sum", mechanism=Noisy())


def chosen(**values: object) -> Entry:
    return rebuilt(ENTRY, flags_of(ENTRY.mechanism)(**values), ClaimFlags())


def claimed(entry: Entry, **values: float) -> tuple[Claim, dict[str, object]]:
    """The claim of the rebuilt mechanism, and what overrides it."""
    flags = claim_flags_of(entry.mechanism)(**values)  # type: ignore[arg-type]
    changed = rebuilt(entry, flags_of(entry.mechanism)(), flags)
    return changed.mechanism.claim, claim_arguments(changed.mechanism, flags)


def test_help_comes_from_the_docstring() -> None:
    assert described(Noisy) == {
        "epsilon": "what it claims",
        "delta": "what it claims beside epsilon, when the noise is Gaussian",
        "noise": "distribution of the noise",
        "bins": "how many answers; the name of a shared flag",
        "exact": "whether nothing is added",
    }


def test_flags_leave_the_claim_to_the_shared_ones() -> None:
    assert [f.name for f in fields(flags_of(ENTRY.mechanism))] == ["noise", "bins", "exact"]
    assert "epsilon" in {f.name for f in fields(claim_flags_of(ENTRY.mechanism))}


def test_unchanged_parameters_keep_the_entry() -> None:
    assert chosen() is ENTRY


def test_changed_parameters_rebuild_the_mechanism() -> None:
    entry = chosen(noise="gaussian", bins=9)
    assert entry.mechanism == Noisy(noise="gaussian", bins=9)
    assert entry.mechanism.claim == ApproxDP(1.0, 1e-6)
    assert entry.summary == ""  # it spoke of other parameters


def test_epsilon_sets_the_mechanisms_own() -> None:
    assert claimed(ENTRY, epsilon=0.25) == (PureDP(0.25), {})


def test_delta_sets_the_mechanisms_own_where_its_claim_has_one() -> None:
    gaussian = chosen(noise="gaussian")
    assert claimed(gaussian, epsilon=2.0, delta=0.01) == (ApproxDP(2.0, 0.01), {})


def test_delta_weakens_a_pure_claim_even_when_it_is_the_default() -> None:
    for delta in (1e-6, 0.01):
        claim, over = claimed(ENTRY, delta=delta)
        assert claim == PureDP(1.0)
        assert over == {"epsilon": 1.0, "delta": delta}


def test_claims_of_other_kinds_override() -> None:
    assert claimed(ENTRY, rho=0.5) == (PureDP(1.0), {"rho": 0.5})


@dataclass(frozen=True, slots=True)
class Plain:
    """A mechanism without parameters."""

    @property
    def claim(self) -> Claim:
        return PureDP(1.0)

    def release(self, data: list[float]) -> float:
        """Nothing of interest."""
        return 0.0


def test_a_mechanism_without_parameters_takes_all_claims() -> None:
    entry = Entry(name="plain", group="Tests", summary="", mechanism=Plain())
    assert parameters_of(entry.mechanism) == {}
    assert claimed(entry, epsilon=3.0) == (PureDP(1.0), {"epsilon": 3.0})


@pytest.mark.parametrize("entry", ONE_OF_EACH_KIND, ids=lambda e: type(e.mechanism).__name__)
def test_every_parameter_of_every_kind_of_mechanism_has_a_described_flag(entry: Entry) -> None:
    texts = described(type(entry.mechanism))
    assert parameters_of(entry.mechanism).keys() <= texts.keys()
    app = App(result_action="return_value")
    app.command(command_for(entry), name=entry.name)
    _, bound, _ = app.parse_args([entry.name], exit_on_error=False, print_error=False)
    assert rebuilt(entry, bound.kwargs.get("own", flags_of(entry.mechanism)()), ClaimFlags()) is (
        entry
    )


@pytest.mark.slow
def test_flags_reach_the_result(audit: Audit) -> None:
    run = audit(
        *("report-noisy-max-laplace", "--mechanism-output", "value", "--epsilon", "2", "--bins"),
        *("5", "--max-samples", "3000", "--format", "json", "--fail-on", "never"),
    )
    found = json.loads(run.out)
    assert found["parameters"]["output"] == "value"
    assert found["parameters"]["epsilon"] == 2.0
    assert found["claim"] == {"kind": "pure", "epsilon": 2.0, "delta": 0.0}
    assert found["summary"] == ""


def test_what_a_mechanism_refuses_is_one_line(audit: Audit) -> None:
    run = audit("noisy-average", "--epsilon", "-1")
    assert (run.code, run.out) == (2, "")
    assert run.err == "audit: epsilon -1.0 is not a number above 0; use for example 1\n"


@pytest.mark.slow
def test_an_epsilon_of_0_is_a_claim_where_noise_follows_from_it(
    audit: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    coin = audit("randomized-response", "--epsilon", "0", "--max-samples", "400")
    assert coin.code == 0
    assert "NOT REFUTED  randomized-response: no violation of ε = 0 was found\n" in coin.out
    for name in ("noisy-average-clamped", "laplace"):
        run = audit(name, "--epsilon", "0")
        assert run.code == 2
        assert f"--epsilon 0 is the parameter of {name} that its noise follows from" in run.err
    Path("zero.csv").write_text("epsilon,delta\n0,0\n", "utf-8")
    advised = audit("laplace", "--profile", "zero.csv", "--max-samples", "4000")
    assert advised.code == 1


def test_an_entry_is_refused_by_its_mechanism() -> None:
    mechanism: Mechanism = catalog()["noisy-average"].mechanism
    entry = Entry(name="x", group="Tests", summary="", mechanism=mechanism)
    with pytest.raises(InputError, match="epsilon"):
        rebuilt(entry, flags_of(mechanism)(), claim_flags_of(mechanism)(epsilon=-1.0))
