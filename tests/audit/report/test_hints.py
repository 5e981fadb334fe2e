"""Hints: given where they fit, true of mechanisms whose laws are known, and not elsewhere."""

from __future__ import annotations

import dataclasses
import math
import re
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, norm

import audit
from audit.claims import ApproxDP
from audit.report.causes import hints as hints_for
from audit.report.loss import Interface
from audit.report.text import render_text
from audit.verdict.result import AuditResult, Verdict

from .known_truth import audited
from .sample_results import all_samples, exception_violation, violation


def hints(result: AuditResult) -> list[str]:
    return hints_for(result, Interface.COMMAND)


@cache
def _gaussian() -> AuditResult:
    """A refuted Gaussian, with a table: bets end when it is refuted."""
    return _of(lambda rng, size: rng.normal(0.0, 1.0, size), 5, until="violation")


@pytest.mark.slow
def test_a_gaussian_sold_without_a_delta_is_asked_about_it() -> None:
    (hint,) = hints(_gaussian())
    assert "give it with --delta" in hint
    assert "give it with delta=" in hints_for(_gaussian(), Interface.PYTHON)[0]
    found = re.search(r"a δ of about ([\d.]+)\)$", hint)
    assert found is not None
    # What a Gaussian of mu = 1 needs at epsilon = 1 (arXiv 1905.02383, Corollary 2.13).
    enough = float(norm.cdf(-0.5) - math.e * norm.cdf(-1.5))
    witness = _gaussian().witness
    assert witness is not None
    slack = (witness.p.high - witness.p.low) + witness.slope * (witness.q.high - witness.q.low)
    assert 0.0 < float(found[1]) <= enough + slack


@pytest.mark.slow
@pytest.mark.parametrize("name", ["half", "bit", "exact", "right", "gaussian with a delta", "null"])
def test_no_other_mechanism_is_asked_about_a_delta(name: str) -> None:
    assert not any("--delta" in hint for hint in hints(audited(name)))


def test_a_claim_with_a_delta_and_a_witness_too_weak_get_no_hint() -> None:
    gaussian = _gaussian()
    assert hints(gaussian)
    assert not hints(dataclasses.replace(gaussian, claim=ApproxDP(1.0, 1e-5)))
    assert not hints(dataclasses.replace(gaussian, verdict=Verdict.NOT_REFUTED))
    assert gaussian.witness is not None
    weak = dataclasses.replace(gaussian.witness, slope=9.0)
    assert not hints(dataclasses.replace(gaussian, witness=weak))


def test_a_mechanism_that_nearly_always_fails_is_asked_about_its_domain() -> None:
    result = exception_violation()
    assert result.witness is not None
    assert not hints(result)
    always = dataclasses.replace(result.witness.p, estimate=1.0)
    failing = dataclasses.replace(result, witness=dataclasses.replace(result.witness, p=always))
    (hint,) = hints(failing)
    assert "nearly every run on D' fails" in hint
    assert "--domain or --data" in hint
    assert f"Hint: {hint}"[:60] in render_text(failing)
    assert "domain or --data" in failing.to_markdown()


def test_outputs_of_a_type_are_no_failures() -> None:
    result = exception_violation()
    assert result.witness is not None
    event = dataclasses.replace(
        result.witness.event,
        parameters=result.witness.event.parameters | {"symbols": ["float"]},
    )
    always = dataclasses.replace(result.witness.p, estimate=1.0)
    witness = dataclasses.replace(result.witness, event=event, p=always)
    assert not hints(dataclasses.replace(result, witness=witness))


@pytest.mark.parametrize("name", sorted(all_samples()))
def test_samples_have_no_hints(name: str) -> None:
    assert hints(all_samples()[name]) == []
    assert violation().witness is not None


def _of(noise: Any, seed: int, **options: Any) -> AuditResult:
    return audit.run(
        lambda data, rng, size: np.sum(data) + noise(rng, size),
        epsilon=1.0,
        data=[1.0],
        neighbors=[[]],
        max_samples=40_000,
        seed=seed,
        name="noisy",
        **options,
    )


@pytest.mark.slow
def test_the_loss_of_a_gaussian_grows_and_that_of_laplace_noise_does_not() -> None:
    """Sixteen audits of each; two standard errors leave one in forty to chance."""
    audits = 16
    found = {
        name: sum(
            any("--delta" in hint for hint in hints(_of(noise, seed))) for seed in range(audits)
        )
        for name, noise in {
            "gaussian": lambda rng, size: rng.normal(0.0, 1.0, size),
            "laplace": lambda rng, size: rng.laplace(0.0, 0.6, size),
        }.items()
    }
    assert found["gaussian"] >= binom.ppf(1e-9, audits, 0.95)
    assert found["laplace"] <= binom.isf(1e-6, audits, 0.025)


def test_without_a_table_nothing_is_said_of_the_tail() -> None:
    gaussian = _gaussian()
    assert not hints(dataclasses.replace(gaussian, pairs=()))
    other = tuple(dataclasses.replace(pair, feature="something") for pair in gaussian.pairs)
    assert not hints(dataclasses.replace(gaussian, pairs=other))
