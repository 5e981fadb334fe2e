"""Confidence of statements: each by itself, and all together."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom, laplace

import audit
from audit.report.loss import confidence, intervals, statements
from audit.report.text import render_text
from audit.verdict.result import AuditResult, Verdict

from .known_truth import audited
from .sample_results import all_samples, exception_violation, inconclusive, leak, violation
from .test_function_witness import broken

_AUDITS = 60
_ALPHA = 0.1


@pytest.mark.parametrize("name", sorted(all_samples()))
def test_every_report_says_its_confidence(name: str) -> None:
    result = all_samples()[name]
    for shown in (render_text(result, detail="verbose"), result.to_markdown()):
        words = " ".join(shown.split())
        assert re.search(
            r"(Each statement|The lower bound on ε) holds with 99\.9% confidence", words
        )


def test_what_shares_a_level_is_one_statement() -> None:
    assert statements(violation()) == [
        "the verdict with the lower bound on ε",
        "the floating-point leak",
        "the interval of P[D]",
        "the interval of P[D']",
        "all intervals of the tables",
    ]
    assert confidence(violation()) == (
        "Each statement holds with 99.9% confidence; all together with 99.5%"
    )
    assert statements(leak()) == [
        "the lower bound on ρ",
        "the lower bound on ε",
        "the floating-point leak",
    ]
    assert confidence(inconclusive()) == "The lower bound on ε holds with 99.9% confidence"


def test_the_bound_of_a_leak_is_a_statement() -> None:
    sized = dataclasses.replace(leak().leaks[0], epsilon_lower=4.0)
    found = statements(dataclasses.replace(leak(), leaks=(sized,)))
    assert found[-2:] == [
        "the floating-point leak",
        "the lower bound on ε of the floating-point leak",
    ]


def test_a_function_has_three_intervals() -> None:
    found = statements(broken())
    assert [one for one in found if "interval of" in one] == [
        "the interval of the mean on D",
        "the interval of the mean on D'",
        "the interval of h on D'",
    ]


@pytest.mark.slow
def test_a_verdict_on_rho_stands_with_its_own_bound_alone() -> None:
    assert statements(audited("concentrated"))[:2] == [
        "the verdict with the lower bound on ρ",
        "the lower bound on ε",
    ]


def test_bounds_that_do_not_count_have_no_level() -> None:
    failed = dataclasses.replace(inconclusive(), reason="its runs share noise")
    assert statements(failed) == []
    assert confidence(failed) == "No statement of this report claims a confidence level"
    assert "none counts" in render_text(failed, detail="verbose")
    null = dataclasses.replace(violation(), null=True)
    assert statements(null)[0] == "the verdict"


def test_bets_and_tables_of_recorded_outputs_share_one_level() -> None:
    result = dataclasses.replace(violation(), recorded=True, leaks=())
    together = "the verdict with the lower bound on ε with all intervals of the tables"
    assert result.witness is not None
    bin_of_a_table = dataclasses.replace(result.witness, counts=None)
    event_bet_on = dataclasses.replace(result.witness, counts=(90, 10, 100))
    tabled = dataclasses.replace(result, witness=bin_of_a_table)
    assert statements(tabled) == [together]
    assert intervals(tabled) == "simultaneous with those of the tables, 99.9%"
    assert confidence(tabled) == f"T{together[1:]} holds with 99.9% confidence"
    won = dataclasses.replace(result, witness=event_bet_on)
    assert statements(won) == [together, "the interval of P[D]", "the interval of P[D']"]
    assert intervals(won) == "Clopper-Pearson, 99.9% each"


def test_recorded_outputs_without_a_violation_have_what_is_left() -> None:
    bare = dataclasses.replace(inconclusive(), recorded=True, pairs=())
    assert statements(bare) == ["the lower bound on ε"]


def test_confidence_is_never_negative() -> None:
    found = confidence(dataclasses.replace(exception_violation(), alpha=0.6))
    assert found == "Each statement holds with 40% confidence; all together with 0%"


def _noisy(scale: float) -> Any:
    def answer(data: Any, rng: np.random.Generator, size: int) -> Any:
        return len(data) + rng.laplace(0.0, scale, size)

    return answer


def _many(scale: float, seed: int) -> AuditResult:
    return audit.run(
        _noisy(scale),
        epsilon=1.0,
        data=[1],
        neighbors=[[]],
        alpha=_ALPHA,
        max_samples=12_000,
        seed=seed,
        name="noisy",
    )


@pytest.mark.slow
def test_each_statement_is_wrong_as_seldom_as_it_says() -> None:
    """Verdict and bound together, p, q, and all intervals of the tables together."""
    wrong = dict.fromkeys(("verdict and bound", "p", "q", "tables"), 0)
    for seed in range(_AUDITS):
        for scale in (1.0, 0.5):
            found = _wrong(_many(scale, seed), scale)
            for name in found:
                wrong[name] += 1
    most = binom.isf(1e-6, 2 * _AUDITS, _ALPHA)
    assert max(wrong.values()) <= most, wrong


def _wrong(result: AuditResult, scale: float) -> set[str]:
    """The statements of a report that the known law contradicts."""
    found = set()
    if result.epsilon_lower > 1.0 / scale or (result.verdict is Verdict.VIOLATION and scale >= 1.0):
        found.add("verdict and bound")
    sums = {"D": 1.0, "D1": 0.0, "D1 singly": 0.0}
    if result.witness is not None and result.witness.event.parameters["feature"] == "output":
        for name, side, estimate in zip(
            "pq", result.witness.direction.split(" over "), _pq(result), strict=True
        ):
            ends = result.witness.event.parameters["intervals"]
            true = sum(_share(float(a), float(b), sums[side], scale) for a, b in ends)
            if not estimate.low <= true <= estimate.high:
                found.add(name)
    for table in result.pairs:
        for cell in table.bins if table.feature == "output" else ():
            assert cell.low is not None
            assert cell.high is not None
            for side, estimate in (("D", cell.p), (table.name, cell.q)):
                true = _share(cell.low, cell.high, sums[side], scale)
                if not estimate.low <= true <= estimate.high:
                    found.add("tables")
    return found


def _pq(result: AuditResult) -> Any:
    assert result.witness is not None
    return result.witness.p, result.witness.q


def _share(low: float, high: float, centre: float, scale: float) -> float:
    return float(laplace.cdf(high, centre, scale) - laplace.cdf(low, centre, scale))
