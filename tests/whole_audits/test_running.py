"""Audits from Python: few false alarms, and violations of many kinds are caught."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from scipy import stats

from audit.claims import DP, ZCDP, ApproxDP, Claim, GaussianDP, PureDP, RenyiDP
from audit.engine.run import run
from audit.errors import AuditError
from audit.report.text import render_text
from audit.verdict.result import AuditResult, Verdict
from tests.timeless import timeless

Mechanism = Callable[..., Any]
ERROR_BUDGET = 1e-9


def laplace(scale: float) -> Mechanism:
    return lambda data, rng, size: data + rng.laplace(scale=scale, size=size)


def gaussian(scale: float) -> Mechanism:
    return lambda data, rng, size: data + rng.normal(scale=scale, size=size)


def geometric(scale: float) -> Mechanism:
    def draw(data: float, rng: Generator, size: int) -> Any:
        rate = -math.expm1(-1.0 / scale)
        return int(data) + rng.geometric(rate, size) - rng.geometric(rate, size)

    return draw


def response(scale: float) -> Mechanism:
    truth = 1.0 / (1.0 + math.exp(-1.0 / scale))
    return lambda data, rng, size: np.where(rng.random(size) < truth, data, 1 - data) > 0.5


def word(scale: float) -> Mechanism:
    """One of four words, the true one most often; one draw per call."""
    odds = math.exp(1.0 / scale)

    def draw(data: float, rng: Generator) -> str:
        chances = np.where(np.arange(4) == int(data), odds, 1.0)
        return "abcd"[int(rng.choice(4, p=chances / chances.sum()))]

    return draw


def moody(scale: float) -> Mechanism:
    """Fails or declines now and then, whatever the data."""

    def draw(data: float, rng: Generator) -> Any:
        mood = rng.random()
        if mood < 0.02:
            raise ValueError(mood)
        return None if mood < 0.1 else data + rng.laplace(scale=scale)

    return draw


def vector(scale: float) -> Mechanism:
    def draw(data: float, rng: Generator, size: int) -> Any:
        return data + rng.laplace(scale=2.0 * scale, size=(size, 2))

    return draw


def lists(scale: float) -> Mechanism:
    """Lists of any length, arrays that are missing at times: no randomness from outside."""
    own = np.random.default_rng(11)

    def draw(data: float) -> Any:
        if own.random() < 0.01:
            return None
        return np.array([data + own.laplace(scale=scale), own.random(), *own.random(2)])

    return draw


def keys(scale: float) -> Mechanism:
    """A key that shows with probability delta where it exists."""

    def draw(data: float, rng: Generator, size: int) -> Any:
        shows = rng.random(size) < 0.2 / scale * data
        return [{"new": 1} if show else {} for show in shows]

    return draw


KINDS: dict[str, tuple[Callable[[float], Mechanism], Claim]] = {
    "laplace": (laplace, PureDP(1.0)),
    "geometric": (geometric, PureDP(1.0)),
    "response": (response, PureDP(1.0)),
    "word": (word, PureDP(1.0)),
    "moody": (moody, PureDP(1.0)),
    "vector": (vector, PureDP(1.0)),
    "lists": (lists, PureDP(1.0)),
    "keys": (keys, ApproxDP(0.5, 0.2)),
    "gaussian": (gaussian, GaussianDP(1.0)),
    "gaussian, zcdp": (gaussian, ZCDP(0.5)),
    "gaussian, renyi": (gaussian, RenyiDP(4.0, 2.0)),
    "gaussian, approximate": (gaussian, ApproxDP(1.0, GaussianDP(1.0).delta(1.0))),
}


def refuted(
    mechanism: Mechanism, claim: Claim, seed: int, samples: int, *, null: bool = False
) -> bool:
    """True if an audit at level 0.05 refutes the claim on 1 against 0, or on 1 against itself."""
    result = run(
        mechanism,
        claim=claim,
        relation="declared",
        data=1.0,
        neighbors=[0.0],
        alpha=0.05,
        seed=seed,
        null=null,
        max_samples=samples,
        until="violation",
    )
    return result.verdict is Verdict.VIOLATION


@pytest.mark.slow
def test_mechanisms_that_just_keep_their_claim_are_seldom_flagged() -> None:
    """Tight mechanisms of every kind, and the same dataset twice: 300 audits at level 0.05."""
    audits = []
    for make, claim in KINDS.values():
        audits += [refuted(make(1.0), claim, seed, 120 if seed else 1000) for seed in range(20)]
        audits += [refuted(make(1.0), PureDP(0.01), seed, 120, null=True) for seed in range(5)]
    assert len(audits) == 300
    assert sum(audits) <= stats.binom.isf(ERROR_BUDGET, len(audits), 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_too_little_noise_is_caught_and_too_much_is_not(kind: str) -> None:
    make, claim = KINDS[kind]
    samples = 60_000 if make in (gaussian, keys) else 12_000
    if kind != "gaussian, renyi":
        # One order of Rényi divergence says too little for so small an excess.
        assert refuted(make(0.7), claim, 0, samples)
    assert refuted(make(0.3), claim, 0, samples)
    assert not refuted(make(1.3), claim, 0, samples // 10)


def totalled(scale: float) -> Mechanism:
    return lambda data, rng, size: np.sum(data) + rng.laplace(scale=scale, size=size)


def audited(scale: float = 0.5, **more: Any) -> AuditResult:
    settings: dict[str, Any] = {"epsilon": 1.0, "data": [1.0], "neighbors": [[]]}
    return run(totalled(scale), **{**settings, "max_samples": 20_000, **more})


@pytest.mark.slow
def test_a_violation_comes_with_its_witness() -> None:
    result = audited()
    assert result.verdict is Verdict.VIOLATION
    assert result.samples <= 20_000
    assert 1.0 <= result.epsilon_lower <= 2.0
    assert result.witness is not None
    assert result.witness.p.low > result.witness.slope * result.witness.q.high
    assert result.coupled
    assert result.log_evalue >= math.log(1000.0)


@pytest.mark.slow
def test_no_violation_says_what_could_have_been_seen() -> None:
    result = audited(1.0, alpha=0.05)
    assert result.verdict is Verdict.NOT_REFUTED
    assert result.witness is None
    assert result.epsilon_lower < 1.0
    assert result.detectable_epsilon is not None
    assert 1.0 < result.detectable_epsilon < 2.0


@pytest.mark.slow
def test_the_same_seed_gives_the_same_result() -> None:
    first, second, third = (audited(1.0, seed=seed) for seed in (7, 7, 8))
    assert json.dumps(timeless(first)) == json.dumps(timeless(second))
    assert first.pairs != third.pairs


@pytest.mark.slow
def test_spending_the_whole_budget_gives_a_better_bound() -> None:
    short, whole = (audited(until=until, max_samples=40_000) for until in ("violation", "budget"))
    assert whole.verdict is Verdict.VIOLATION
    assert whole.samples > 1.5 * short.samples
    assert short.epsilon_lower < whole.epsilon_lower <= 2.0


@pytest.mark.slow
def test_a_dataset_against_itself() -> None:
    result = audited(null=True, alpha=0.05)
    assert result.verdict is Verdict.NOT_REFUTED
    assert result.null
    assert not result.coupled


@pytest.mark.slow
def test_too_small_a_budget_is_inconclusive() -> None:
    assert audited(epsilon=8.0).verdict is Verdict.INCONCLUSIVE


def test_where_nothing_was_drawn_nothing_failed() -> None:
    result = run(lambda data: 1.0, epsilon=1.0, data=[1.0], neighbors=[[]], max_samples=1)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert (result.samples, result.failure, result.reason) == (0, None, "")
    assert "What to do: give max_samples=" in render_text(result)


def test_runs_that_all_fail_end_an_audit_at_once() -> None:
    def fails(data: Any) -> float:
        raise KeyError

    pair: dict[str, Any] = {"data": [1.0], "neighbors": [[]]}
    with pytest.raises(AuditError, match="on every dataset tried, such as"):
        run(fails, epsilon=0.1, max_samples=2000, **pair)
    result = run(fails, epsilon=0.1, max_samples=40, **pair)
    assert result.verdict is Verdict.INCONCLUSIVE
    assert "failed in the same way" in result.reason


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({"alpha": 0.0}, "alpha 0.0"),
        ({"alpha": 1.0}, "alpha 1.0"),
        ({"alpha": math.nan}, "alpha nan"),
        ({"max_samples": 0}, "max_samples 0"),
        ({"bins": 0}, "bins 0"),
        ({"seed": -1}, "seed -1"),
        ({"epsilon": -1.0}, "epsilon -1.0"),
        ({"epsilon": None}, "states no claim"),
        ({"claim": DP(1.0)}, "two claims"),
        ({"relation": "friends"}, "friends"),
        ({"neighbors": [[2.0]]}, "no neighbor"),
        ({"data": None}, "`data`"),
        ({"data": None, "neighbors": ()}, "nothing to compare"),
        (
            {"data": None, "neighbors": (), "domain": "int:0:9", "relation": "declared"},
            "nothing to compare",
        ),
        ({"search": True}, "`domain`"),
    ],
)
def test_arguments_that_make_no_sense_are_named(arguments: dict[str, Any], named: str) -> None:
    with pytest.raises(AuditError, match=named):
        audited(**arguments)


@pytest.mark.slow
@pytest.mark.parametrize("domain", [None, "float:0:2"])
def test_neighbors_may_be_rows_of_an_array(domain: str | None) -> None:
    rows = np.array([[1.0], [2.0]])
    result = audited(data=[1.0, 2.0], neighbors=rows, domain=domain)
    assert [table.name for table in result.pairs] == ["D1", "D2", "pooled"]


def test_runs_that_may_decide_hold_those_of_the_search_again() -> None:
    def count(data: Any, rng: np.random.Generator, size: int) -> Any:
        return len(data) + rng.laplace(0, 0.75, size)

    result = run(count, epsilon=1.0, domain="int:0:9", seed=3, max_samples=1_200)
    assert result.suggestive is not None and result.effort["search"] > 0
    assert result.suggestive.runs_wanted >= result.samples + result.effort["bets"] / 2
