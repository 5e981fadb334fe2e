"""Every statement of a report, and every key of the JSON, is true."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest

import audit
from audit.verdict.result import AuditResult, Verdict

from . import said
from .known_truth import (
    BY_LIVES,
    CURVE,
    DIES_AFTER,
    LAWLESS,
    MAX_SAMPLES,
    MECHANISMS,
    UNCOUPLED,
    Watched,
    watched,
)
from .truths import chances, hold, true_epsilon

NAMES = [
    pytest.param(name, marks=(pytest.mark.lives, pytest.mark.slow) if name in BY_LIVES else ())
    for name in sorted(MECHANISMS)
]


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_statement_is_true(name: str) -> None:
    seen = watched(name)
    for sentence in said.statements(seen.result):
        hold(sentence, seen)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_front_matter_says_what_the_json_says(name: str) -> None:
    result = watched(name).result
    stored, front = result.to_json(), said.front(result)
    shown = {key: value for key, value in stored.items() if key in front}
    assert front == shown
    assert set(result.levels) <= set(front)


def _true(condition: bool) -> None:
    assert condition


def _failure(seen: Watched, found: Any) -> None:
    failures = {
        "raises": ("ValueError", "no records wanted", 1),
        "dies": ("RuntimeError", "the budget is spent", DIES_AFTER + 1),
    }
    if seen.name not in failures:
        assert found is None
        return
    kind, message, call = failures[seen.name]
    assert (found["type"], found["message"]) == (kind, message)
    assert call <= found["call"] <= call + 1
    assert "array" in found["dataset"]
    assert f"_{seen.name}" in found["where"]


def _lower(seen: Watched, name: str, value: Any) -> None:
    assert 0.0 <= float(value) <= MECHANISMS[seen.name].levels[name]


def _near(seen: Watched, finished: str) -> None:
    at = datetime.fromisoformat(finished)
    assert seen.began - timedelta(seconds=1) <= at <= seen.ended + timedelta(seconds=1)


def _witnessed(seen: Watched, found: Any) -> None:
    witness = seen.result.witness
    assert (found is None) == (witness is None)
    assert (found is not None) == (seen.result.verdict is Verdict.VIOLATION)
    if witness is None:
        return
    for side, truth in zip("pq", chances(seen, witness), strict=True):
        assert found[side]["low"] <= truth <= found[side]["high"]
    q = (found["q"] if witness.function is None else found["function"]["mean"])["estimate"]
    ratio = found["p"]["estimate"] / q if q else math.inf
    assert math.isclose(float(found["ratio"]), ratio)
    assert (found["dataset"], found["neighbor"]) == ([1.0], [])


def _pairs(seen: Watched, found: Any) -> None:
    if not found:
        assert seen.result.effort["tables"] == 0
        assert any(note.startswith("no tables were drawn") for note in seen.result.notes)
        return
    (pair,) = found
    assert pair["name"] == ("D0" if seen.result.null else "D1")
    assert pair["satisfied"] == (not any(cell["flagged"] for cell in pair["bins"]))
    assert math.isclose(sum(cell["p"]["estimate"] for cell in pair["bins"]), 1.0)


def _tried(seen: Watched, found: list[str]) -> None:
    for line in found:
        hold(f"tried: {line}", seen)


def _worst(seen: Watched, found: Any) -> None:
    """There is one pair only, on which the bound was earned."""
    if seen.result.verdict is not Verdict.VIOLATION:
        assert found is None
        return
    assert (found["dataset"], found["neighbor"]) == ([1.0], [])
    assert float(found["epsilon_lower"]) == seen.result.epsilon_lower


def _diagnosis(seen: Watched, found: Any) -> None:
    """The true cause, unless no runs were left to look for it."""
    if seen.result.verdict is not Verdict.VIOLATION and not seen.result.leaks:
        assert found is None
        return
    known = MECHANISMS[seen.name]
    if found is None:
        assert seen.runs == known.options.get("max_samples", MAX_SAMPLES)
        return
    assert found["cause"] == known.cause


_CLAIMS = {
    "curve": {"kind": "profile", "rows": [list(row) for row in CURVE]},
    "concentrated": {"kind": "zcdp", "rho": 0.5},
    "normal": {"kind": "gaussian", "mu": 1.0},
}
"""Claims as JSON that are no keyword of `audit.run`."""
KEYS: dict[str, Callable[[Watched, Any], None]] = {
    "schema": lambda seen, it: _true(it == 1),
    "mechanism": lambda seen, it: _true(it == seen.name),
    "parameters": lambda seen, it: _true(it == {}),
    "claim": lambda seen, it: _true(
        it == _CLAIMS[seen.name]
        if seen.name in _CLAIMS
        else it.items() >= MECHANISMS[seen.name].claim.items()
    ),
    "relation": lambda seen, it: _true(it == "add-remove"),
    "verdict": lambda seen, it: _true(it == str(_verdict(seen))),
    "epsilon_lower": lambda seen, it: _lower(seen, "epsilon_lower", it),
    "rho_lower": lambda seen, it: _lower(seen, "rho_lower", it),
    "shift_lower": lambda seen, it: _lower(seen, "shift_lower", it),
    "mu_lower": lambda seen, it: _lower(seen, "mu_lower", it),
    "curve": lambda seen, it: _true(
        all(row["epsilon_lower"] <= true_epsilon(seen.name, row["delta"]) for row in it)
    ),
    "estimate": lambda seen, it: _true(
        it is None
        or (
            0.0 < it["level"] < _truth(seen) + 5.0 * it["standard_error"]
            and 0 < it["units"] <= seen.result.effort["bets"]
        )
    ),
    "alpha": lambda seen, it: _true(it == 0.001),
    "log_evalue": lambda seen, it: _true(
        (it >= math.log(1000.0)) == (seen.result.verdict is Verdict.VIOLATION)
        or seen.name in LAWLESS
    ),
    "samples": lambda seen, it: _true(it == seen.runs),
    "effort": lambda seen, it: _true(sum(it.values()) == seen.runs),
    "failure": _failure,
    "seconds": lambda seen, it: _true(0 < it <= (seen.ended - seen.began).total_seconds() + 0.01),
    "finished": _near,
    "detectable_epsilon": lambda seen, it: _true(it is not None and float(it) > 0.0),
    "detectable_tenth": lambda seen, it: _true(it is not None and float(it) > 0.0),
    "coupled": lambda seen, it: _true(it == (seen.name not in UNCOUPLED)),
    "null": lambda seen, it: _true(it == (seen.name == "null")),
    "witness": _witnessed,
    "pairs": _pairs,
    "search": lambda seen, it: _true(it is None),
    "leaks": lambda seen, it: _true(all(leak["log_evalue"] >= math.log(1000.0) for leak in it)),
    "tried": lambda seen, it: _tried(seen, it),
    "notes": lambda seen, it: _true(
        it == [] or (len(it) == 1 and it[0].startswith("no tables were drawn"))
    ),
    "given_data": lambda seen, it: _true(it is True),
    "no_fractions": lambda seen, it: _true(
        it is True and (seen.name == "bit" or MECHANISMS[seen.name].law is None)
    ),
    "floor": lambda seen, it: _true(it >= math.log(1000.0) / math.log1p(math.exp(-_level(seen)))),
    "wanted": lambda seen, it: _true((it > seen.runs) == (seen.name == "too few")),
    "max_samples": lambda seen, it: _true(
        seen.runs <= it == MECHANISMS[seen.name].options.get("max_samples", MAX_SAMPLES)
    ),
    "reason": lambda seen, it: _true(bool(it) == (seen.name in LAWLESS)),
    "place": lambda seen, it: _true(it.startswith("tests/audit/report/known_truth.py:")),
    "summary": lambda seen, it: _true(it == ""),
    "seed": lambda seen, it: _true(it == 5),
    "version": lambda seen, it: _true(it == audit.__version__),
    "command": lambda seen, it: _true(it == ""),
    "worst": lambda seen, it: _worst(seen, it),
    "diagnosis": lambda seen, it: _diagnosis(seen, it),
    "assumptions": lambda seen, it: _true(
        it == ["shared-constructor" if seen.name in BY_LIVES else "independent-calls"]
    ),
    "suggestive": lambda seen, it: _true(it is None),
    "time_limit": lambda seen, it: _true(it is None),
    "units": lambda seen, it: _true(
        it["kind"] == ("life" if seen.name in BY_LIVES else "call")
        and 0 < it["count"] <= seen.result.effort["bets"]
    ),
}


def _truth(seen: Watched) -> float:
    return MECHANISMS[seen.name].levels[seen.result.claim.bound]


def _level(seen: Watched) -> float:
    return seen.result.claim.level if "epsilon" in MECHANISMS[seen.name].claim else 0.0


def _verdict(seen: Watched) -> Verdict:
    others = {
        "right": Verdict.NOT_REFUTED,
        "kept": Verdict.NOT_REFUTED,
        "null": Verdict.NOT_REFUTED,
        "too few": Verdict.INCONCLUSIVE,
        **dict.fromkeys(LAWLESS, Verdict.INCONCLUSIVE),
    }
    return others.get(seen.name, Verdict.VIOLATION)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_key_of_the_json_is_true(name: str) -> None:
    seen = watched(name)
    for key, value in seen.result.to_json().items():
        KEYS[key](seen, value)


def _falsified(result: AuditResult) -> dict[str, AuditResult]:
    """The same result with one untrue thing in it, by what is untrue."""
    witness = result.witness
    assert witness is not None
    table = result.pairs[0]
    cell = table.bins[0]
    shifted = dataclasses.replace(cell, p=cell.q, q=cell.p, ratio=cell.reverse, reverse=cell.ratio)
    return {
        "runs": dataclasses.replace(result, samples=result.samples - 4),
        "bound": dataclasses.replace(result, levels={"epsilon_lower": 2.01}),
        "wealth": dataclasses.replace(result, log_evalue=5.0),
        "estimate": dataclasses.replace(
            result, witness=dataclasses.replace(witness, p=witness.q, q=witness.p)
        ),
        "counts": dataclasses.replace(
            result, witness=dataclasses.replace(witness, counts=(1000, 900, 6000))
        ),
        "neighbor": dataclasses.replace(
            result, witness=dataclasses.replace(witness, neighbor=[2.0])
        ),
        "coupling": dataclasses.replace(result, coupled=False),
        "search": dataclasses.replace(result, tried=("3 pairs of datasets: D1, D2, D3",)),
        "table": dataclasses.replace(
            result, pairs=(dataclasses.replace(table, bins=(shifted, *table.bins[1:])),)
        ),
        "seed": dataclasses.replace(result, seed=6),
    }


def _hold_all(sentences: list[str], seen: Watched) -> None:
    for sentence in sentences:
        hold(sentence, seen)


UNTRUE = (
    "bound",
    "counts",
    "coupling",
    "estimate",
    "neighbor",
    "runs",
    "search",
    "seed",
    "table",
    "wealth",
)


@pytest.mark.slow
@pytest.mark.parametrize("untrue", UNTRUE)
def test_what_is_untrue_is_found(untrue: str) -> None:
    seen = watched("bit")
    false = dataclasses.replace(seen, result=_falsified(seen.result)[untrue])
    sentences = said.statements(false.result)
    with pytest.raises(AssertionError):
        _hold_all(sentences, false)


@pytest.mark.slow
def test_a_sentence_that_nobody_knows_is_an_error() -> None:
    with pytest.raises(AssertionError, match="no rule knows"):
        hold("This mechanism is private", watched("half"))
