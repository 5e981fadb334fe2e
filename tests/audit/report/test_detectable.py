"""The power that an audit states is the power that it has."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import logit
from scipy.stats import binom

import audit
from audit.betting import power
from audit.betting.bet import Design
from audit.betting.bettor import Bettor
from audit.betting.power import _ordinary as _ordinary_chances
from audit.betting.power import _reach, as_laplace, moved_apart
from audit.claims import ZCDP, ApproxDP, PureDP
from audit.report.answer import obstacle
from audit.report.formatting import read
from audit.report.loss import Interface, detectable, needed
from audit.report.text import render_text
from audit.sampling.units import UnitKind
from audit.verdict.result import Verdict
from tests.audit.betting.simulated import Law, Sides, Simulated, bettor_on

from .sample_results import inconclusive, leak, not_refuted

_SAID = re.compile(
    r"90% power to detect ε ≥ ([\d.]+) on the tested events"
    r"(?: \((?:≥ ([\d.]+)|none) if 10% of runs show it\))?"
)
_AUDITS = 60


def _frequent(times: float) -> tuple[float, float]:
    """How likely 1 is with a record and without; no other event but its complement says as much."""
    return times / (1.0 + times), 1.0 / (1.0 + times)


def _ordinary(times: float) -> tuple[float, float]:
    return 0.1, 0.1 / times


def _audited(chances: tuple[float, float], seed: int) -> audit.AuditResult:
    def bit(data: Any, rng: np.random.Generator, size: int) -> Any:
        return (rng.random(size) < chances[len(data) == 0]).astype(int)

    return audit.run(
        bit, epsilon=0.8, data=[1], neighbors=[[]], max_samples=8000, seed=seed, name="bit"
    )


@pytest.mark.slow
@pytest.mark.parametrize(("group", "chances"), [(1, _frequent), (2, _ordinary)])
def test_an_excess_as_large_as_stated_is_refuted_as_often_as_stated(
    group: int, chances: Callable[[float], tuple[float, float]]
) -> None:
    result = _audited(chances(math.exp(0.75)), 0)
    assert result.verdict is Verdict.NOT_REFUTED
    found = _SAID.search(detectable(result))
    assert found is not None
    times = math.exp(read(found[group]))
    assert math.exp(0.8) < times < (4.0 if group == 1 else math.exp(4.0))

    def caught(times: float, audits: int) -> int:
        seeds = range(1, audits + 1)
        found = [_audited(chances(times), seed).verdict for seed in seeds]
        return found.count(Verdict.VIOLATION)

    assert caught(times, _AUDITS) >= binom.ppf(1e-6, _AUDITS, 0.9)
    less = math.exp(0.8) + 0.3 * (times - math.exp(0.8))
    assert caught(less, _AUDITS // 2) <= binom.isf(1e-6, _AUDITS // 2, 0.5)


@pytest.mark.slow
def test_power_holds_where_instances_keep_their_noise() -> None:
    """At a claim of .3 two of three were refuted where nine of ten were stated."""

    def kept(epsilon: float) -> Law:
        def answers(rng: np.random.Generator, sides: Sides) -> Any:
            return rng.laplace(0.0, 1.0 / epsilon, 2)[sides.astype(int)] + sides

        return answers

    def audited(epsilon: float, seed: int) -> Bettor:
        source = Simulated(
            [kept(epsilon)], UnitKind.LIFE, coins=True, seed=seed, cost=(0.003, 1e-5)
        )
        bettor = bettor_on(source, PureDP(0.3), alpha=1e-3)
        bettor.prepare(20_000)
        bettor.play(20_000)
        return bettor

    found = power.detectable(audited(0.3, 100))
    assert found is not None and 0.3 < found.best < 0.45
    refuted = sum(audited(found.best, seed).claim.refuted for seed in range(30))
    assert refuted >= 25


@given(st.floats(1e-6, 1.0 - 1e-6), st.floats(1e-6, 1.0 - 1e-6), st.floats(0.01, 20.0))
def test_events_are_moved_apart_to_a_loss_around_the_odds_that_were_seen(
    first: float, second: float, epsilon: float
) -> None:
    own, other = moved_apart(np.array([first]), np.array([second]), epsilon)
    loss = max(math.log(own[0] / other[0]), math.log((1.0 - other[0]) / (1.0 - own[0])))
    assert loss == pytest.approx(epsilon, rel=1e-3)
    seen = logit(first) + logit(second)
    assert logit(own[0]) + logit(other[0]) == pytest.approx(seen, abs=1e-3)


def test_a_fair_coin_moves_apart_to_randomized_response_and_counts_as_noise() -> None:
    """Holding its smaller side asked for e^0.69 at most, so that much larger losses were stated.

    As randomized response, which earns the most, it promised more than Laplace noise has.
    """
    own, other = moved_apart(np.array([0.5, 1e-6]), np.array([0.5, 1e-6]), 1.2)
    assert own[0] == pytest.approx(1.0 - other[0]) == pytest.approx(1.0 / (1.0 + math.exp(-1.2)))
    assert own[1] / 1e-6 == pytest.approx(1e-6 / other[1], rel=1e-4)
    likely, rare = as_laplace(own, other, 1.2)
    assert likely == pytest.approx([0.5, own[1], 1.0 - 0.5 * math.exp(-0.6), own[1]])
    assert rare == pytest.approx([0.5 * math.exp(-1.2), other[1], 0.5 * math.exp(-0.6), other[1]])
    # No noise at all is detected by few runs: an event may become certain.
    likely, rare = as_laplace(*moved_apart(np.array([0.5]), np.array([0.5]), 50.0), 50.0)
    assert likely.max() > 1.0 - 1e-9 and rare.max() < 1e-9
    result = _audited((0.5, 0.5), 0)
    assert result.detectable_epsilon is not None and result.detectable_epsilon < 1.1


def test_the_detectable_loss_is_never_understated() -> None:
    for smallest in (0.10004, 1.043, 2.4001, 9.87):
        result = dataclasses.replace(
            not_refuted(), detectable_epsilon=smallest, detectable_tenth=None
        )
        found = _SAID.fullmatch(detectable(result))
        assert found is not None and found[2] is None
        assert smallest <= read(found[1]) <= 1.01 * smallest
        both = _SAID.fullmatch(detectable(dataclasses.replace(result, detectable_tenth=smallest)))
        assert both is not None and both[2] == both[1] == found[1]
    rare = dataclasses.replace(not_refuted(), detectable_tenth=math.inf)
    assert detectable(rare).endswith(" (nothing if 10% of runs show it)")
    seldom = dataclasses.replace(not_refuted(), detectable_epsilon=6.4, detectable_tenth=1.3)
    assert detectable(seldom).endswith(
        "(≥ 1.3 if 10% of runs show it; no tested event is so frequent)"
    )


@pytest.mark.parametrize("result", [not_refuted(), leak()])
def test_power_is_that_of_tested_events(result: audit.AuditResult) -> None:
    assert "90% power to detect" in " ".join(render_text(result).split())
    assert detectable(result) in " ".join(render_text(result).split())


def test_other_claims_than_pure_ones_have_the_power_of_one_event() -> None:
    for claim, allowed, beyond in (
        (ApproxDP(1.0, 1e-5), " (allowed: 2.72)", " beyond δ"),
        (ZCDP(0.5), "", ""),
    ):
        result = dataclasses.replace(
            not_refuted(), claim=claim, detectable_epsilon=1.1, detectable_tenth=None
        )
        said = f"90% power to detect a tested event 3.01 times{allowed} as likely{beyond}"
        assert detectable(result) == said
        tenth = dataclasses.replace(result, detectable_tenth=2.0)
        assert detectable(tenth) == f"{said} (7.39 times if 10% of runs show it)"


@pytest.mark.parametrize(
    ("smallest", "said"), [(None, "no event"), (math.inf, "no loss on the tested events")]
)
def test_where_nothing_could_be_seen_that_is_said(smallest: float | None, said: str) -> None:
    result = dataclasses.replace(not_refuted(), detectable_epsilon=smallest)
    assert detectable(result).startswith(said)
    assert "90%" not in detectable(result)


def test_the_null_self_check_tells_its_sides_apart_and_refutes_nothing() -> None:
    said = detectable(dataclasses.replace(not_refuted(), null=True))
    assert "power to detect a difference of ε ≥ 1.05" in said
    assert "claim" not in said


def test_only_an_audit_that_refuted_nothing_has_power() -> None:
    for result in (inconclusive(), dataclasses.replace(not_refuted(), verdict=Verdict.VIOLATION)):
        assert "power to detect" not in render_text(result, detail="verbose")


def test_what_an_audit_without_an_answer_lacks() -> None:
    assert inconclusive().wanted
    assert needed(inconclusive(), Interface.COMMAND) == "give --max-samples 1210000"
    assert needed(inconclusive(), Interface.PYTHON) == "give max_samples=1210000"
    why = "every run timed out after 10 seconds"
    stuck = dataclasses.replace(inconclusive(), wanted=0, reason=why)
    assert "more runs alone do not help" in needed(stuck, Interface.PYTHON)


def test_what_an_audit_lacks_is_never_runs_that_it_had() -> None:
    few = inconclusive()
    assert few.samples < 2 * few.floor
    assert obstacle(few).endswith("takes 304,300 runs")
    shared = dataclasses.replace(few, max_samples=400_000)
    assert obstacle(shared).startswith("400,000 runs cannot refute ε = 10: the search and ")
    many = dataclasses.replace(few, samples=400_000)
    assert "304,300" not in obstacle(many)
    assert obstacle(many).endswith("on the tested events: they are too rare")


def test_no_budget_is_advised_that_no_audit_may_have() -> None:
    heard: list[object] = []
    result = audit.run(
        len, epsilon=40.0, data=[1], neighbors=[[]], max_samples=2000, on_event=heard.append
    )
    (warned,) = (event for event in heard if isinstance(event, audit.progress.Warned))
    assert warned.sentence == (
        "2,000 runs cannot refute ε = 40, whatever len does; it takes more than an audit may make "
        "(1,000,000,000,000,000)"
    )
    text = " ".join(render_text(result).split())
    assert "this one needs more than 1,000,000,000,000,000 runs" in text
    assert "max_samples" not in text


def test_the_note_at_the_start_advises_no_other_budget_than_the_result() -> None:
    heard: list[object] = []
    result = audit.run(
        len, epsilon=8.0, data=[1], neighbors=[[]], max_samples=200, on_event=heard.append
    )
    (warned,) = (event for event in heard if isinstance(event, audit.progress.Warned))
    # The answer alone says why, and how many runs it takes.
    assert warned.sentence == (
        "200 runs cannot refute ε = 8, whatever len does; the audit will be inconclusive"
    )
    assert obstacle(result).endswith("impossible on D' takes 45,976 runs")


@pytest.mark.slow
def test_no_black_box_is_refuted_with_fewer_runs_than_stated() -> None:
    """Not even one that answers with its data."""

    def exact(data: Any, rng: np.random.Generator, size: int) -> Any:
        return np.full(size, float(len(data)))

    def result(runs: int) -> audit.AuditResult:
        return audit.run(exact, epsilon=4.0, data=[1], neighbors=[[]], max_samples=runs)

    few = result(400)
    assert few.verdict is Verdict.INCONCLUSIVE
    found = re.search(r"takes ([\d,]+) runs", obstacle(few))
    assert found is not None
    stated = int(read(found[1]))
    assert result(stated // 2).verdict is not Verdict.VIOLATION
    assert result(4 * stated).verdict is Verdict.VIOLATION


def test_units_of_every_design_count_for_the_power() -> None:
    """The last epochs of an audit whose time ends may hold few units, of many outputs each."""
    lines, chances = PureDP(1.0).lines(1.0), _ordinary_chances(2.0)
    many, few = Design(1), Design(256, 0.5)

    def reach(made: dict[Design, int]) -> float:
        return _reach(*chances, lines, made, 0.0)

    assert reach({many: 2_000, few: 8}) > reach({many: 2_000}) > 0.0
    assert reach({few: 8}) < 1.0 < reach({many: 2_000, few: 8})
    assert reach({many: 1_000, Design(1, 0.5): 0}) == pytest.approx(reach({many: 1_000}))


def _laplace(epsilon: float, *, kept: bool) -> Law:
    def answers(rng: np.random.Generator, sides: Sides) -> np.ndarray[Any, np.dtype[np.float64]]:
        noise = rng.laplace(0.0, 1.0 / epsilon, 2 if kept else len(sides))
        return np.asarray((noise[sides.astype(int)] if kept else noise) + sides)

    return answers


@pytest.mark.slow
@pytest.mark.parametrize("kept", [False, True], ids=["fresh noise", "noise that instances keep"])
def test_laplace_noise_as_small_as_stated_is_refuted_as_often_as_stated(kept: bool) -> None:
    """Stated by events as telling as randomized response, it was refuted in 38% and 28%."""

    def bettor(epsilon: float, seed: int) -> Bettor:
        lives: dict[str, Any] = {"kind": UnitKind.LIFE, "coins": True, "cost": (0.003, 1e-5)}
        source = Simulated([_laplace(epsilon, kept=kept)], seed=seed, **(lives if kept else {}))
        made = bettor_on(source, PureDP(1.0), alpha=1e-3)
        made.prepare(6000)
        made.play(6000)
        return made

    found = power.detectable(bettor(1.0, 100))
    assert found is not None
    assert 1.1 < found.best < 1.5
    audits = 40
    caught = sum(bettor(found.best, seed).claim.refuted for seed in range(audits))
    assert caught >= binom.ppf(1e-6, audits, 0.9)
    less = sum(bettor(1.08, seed).claim.refuted for seed in range(audits))
    assert less <= binom.isf(1e-6, audits, 0.5)
