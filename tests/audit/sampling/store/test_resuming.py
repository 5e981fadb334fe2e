"""Audits that stop and go on: the same draws, the same result, the same wealth."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from numpy.random import Generator

import audit
from audit.blackbox.python import PythonBlackBox
from audit.case import Execution, Settings
from audit.claims import PureDP
from audit.engine.preparation import case_for
from audit.errors import InputError, Interrupted, StoreError
from audit.relation import Relation
from audit.sampling.draws import draws_of
from audit.sampling.source import Stage
from audit.sampling.unit_sources import CallUnits
from audit.sampling.units import UnitBatch, UnitPlan
from tests import noise_elsewhere
from tests.audit.sampling.store.counted import Counted
from tests.timeless import timeless

PAIR: dict[str, Any] = {"relation": "declared", "data": [1.0], "neighbors": [[0.0]]}


@pytest.fixture(autouse=True)
def same_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the code of a black box identifies it, not what it has counted."""
    monkeypatch.setattr(PythonBlackBox, "identity", property(lambda box: (box.name,)))


def audited(box: Any, store: Path | None, **more: Any) -> str:
    where: dict[str, Any] = PAIR if "domain" not in more else {}
    options: dict[str, Any] = {"epsilon": 1.0, "max_samples": 3000, "name": "box"}
    return json.dumps(timeless(audit.run(box, store=store, **where, **options | more)))


@pytest.mark.slow
@pytest.mark.lowest
@pytest.mark.parametrize("shape", ["many", "one"])
@pytest.mark.parametrize("stop", [1, 60, 1_000])
def test_an_interrupted_audit_goes_on_where_it_stopped(
    tmp_path: Path, shape: str, stop: int
) -> None:
    """Units that were begun when it stopped are missing outcomes; others are not drawn again."""
    store = tmp_path / "store"
    whole = Counted(1.0)
    expected = json.loads(audited(getattr(whole, shape), None))
    first, second, third = Counted(1.0, stop), Counted(1.0), Counted(1.0)
    with pytest.raises(KeyboardInterrupt):
        audited(getattr(first, shape), store)
    result = audited(getattr(second, shape), store)
    found = json.loads(result)
    assert (found["verdict"], found["samples"]) == (expected["verdict"], expected["samples"])
    assert first.calls + second.calls <= whole.calls + 1
    assert audited(getattr(third, shape), store) == result
    assert third.calls == 0, "a finished audit draws nothing again"


def test_instances_of_an_audit_that_goes_on_have_other_times(tmp_path: Path) -> None:
    """No two instances of one audit have the second in common, which may seed their noise."""
    code = "import time\n\ndef since(data):\n    return time.time() - 1.5e9\n"
    (tmp_path / "clock.py").write_text(code)
    case = case_for(
        PythonBlackBox.at(f"{tmp_path / 'clock.py'}:since"),
        claim=PureDP(1.0),
        relation=Relation.DECLARED,
        data=PAIR["data"],
        neighbors=PAIR["neighbors"],
    )
    settings = Settings(execution=Execution(store=tmp_path / "store"))
    times: list[float] = []
    for first in (0, 40):
        with draws_of(case, settings) as draws:
            draws.add_pair(0, case.pairs[0])
            column = draws.outputs(Stage.BET, 0, False, first, 40).columns["output"]
            times += column.values.tolist()
    assert len({int(time) for time in times}) == 80


def of_the_system(data: Any, size: int) -> Any:
    return data[0] + noise_elsewhere.unseeded(1.0, size)


@pytest.mark.slow
def test_noise_of_the_operating_system_may_be_kept(tmp_path: Path) -> None:
    first = audited(of_the_system, tmp_path / "store")
    assert audited(of_the_system, tmp_path / "store") == first


@pytest.mark.slow
def test_a_search_goes_on_too(tmp_path: Path) -> None:
    def observed(data: Any, rng: Generator, size: int) -> Any:
        return float(sum(data)) + rng.laplace(0.0, float(max(data, default=0.0)), size)

    where = {"domain": "int:0:5", "max_samples": 40_000}
    expected = audited(observed, None, **where)
    assert audited(observed, tmp_path / "store", **where) == expected
    assert audited(observed, tmp_path / "store", **where) == expected
    assert json.loads(expected)["verdict"] == "violation"


@pytest.mark.slow
def test_the_evidence_so_far_comes_with_the_interrupt(tmp_path: Path) -> None:
    box = Counted(0.98, stop=3_000)
    with pytest.raises(Interrupted) as interrupt:
        audited(box.many, None, max_samples=100_000)
    result = interrupt.value.result
    assert result.verdict == "not-refuted"
    assert 0 < result.samples < 100_000
    assert re.search(r"interrupted after [\d,]+ of at most 100,000 runs", result.notes[-1])
    assert 0.0 < result.epsilon_lower <= 1 / 0.98


@pytest.mark.slow
def test_a_larger_budget_continues_the_same_wealth(tmp_path: Path) -> None:
    """1.05 sold as 1 is not refuted by few runs; going on needs only the runs that are new."""
    store = tmp_path / "store"
    small, large = Counted(1 / 1.2), Counted(1 / 1.2)
    before = json.loads(audited(small.many, store, max_samples=1000))
    after = json.loads(audited(large.many, store, max_samples=40_000))
    assert before["verdict"] == "not-refuted"
    assert after["verdict"] == "violation"
    assert after["samples"] > before["samples"]
    alone = json.loads(audited(Counted(1 / 1.2).many, None, max_samples=40_000))
    # A look at the end of the smaller budget is all that may be different.
    assert after["effort"]["bets"] < 2 * alone["effort"]["bets"]
    assert large.calls > 0
    with pytest.raises(InputError, match="--max-samples 1000 is less than the 40000"):
        audited(small.many, store, max_samples=1000)


@pytest.mark.parametrize("budgets", [(1000, 4000), (3000, 6000, 12_000)])
def test_a_larger_budget_draws_no_unit_again(
    tmp_path: Path, budgets: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Up to the smaller budget everything is chosen as it was: units that were drawn count."""
    drawn: list[tuple[int, int]] = []
    draw = CallUnits.draw

    def noted(units: CallUnits, plan: UnitPlan) -> UnitBatch:
        if plan.stage is Stage.BET:
            drawn.extend((plan.pair, plan.first + place) for place in range(plan.count))
        return draw(units, plan)

    monkeypatch.setattr(CallUnits, "draw", noted)
    for budget in budgets:
        found = json.loads(
            audited(Counted(1.0).many, tmp_path / "store", max_samples=budget, until="budget")
        )
    assert len(drawn) == len(set(drawn))
    assert len(drawn) == found["units"]["count"]


@pytest.mark.slow
def test_the_wealth_of_the_first_part_is_kept(tmp_path: Path) -> None:
    """Whatever was bet before is part of what is bet after: nothing is tried again."""
    store = tmp_path / "store"
    first = Counted(1.0)
    audited(first.one, store, max_samples=2000, alpha=0.01)
    again = Counted(1.0)
    audited(again.one, store, max_samples=2002, alpha=0.01)
    # One pair more, and what is only looked at: the check and tables of the larger budget.
    assert first.calls > 1400
    assert again.calls <= 300


@pytest.mark.slow
@pytest.mark.lowest
def test_stores_are_the_same_for_any_number_of_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for workers in (1, 2):
        store = tmp_path / f"store{workers}"
        with pytest.raises(KeyboardInterrupt):
            audited(Counted(1.0, stop=500).one, store, max_samples=1000)
        with monkeypatch.context() as slow:
            slow.setattr("audit.sampling.runs.SLOW", 0.0)
            found.append(audited(Counted(1.0).one, store, workers=workers, max_samples=1000))
    assert found[0] == found[1]


@pytest.mark.slow
def test_another_audit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = tmp_path / "store"
    audited(Counted(1.0).many, store)
    for change, words in (
        ({"seed": 1}, "its seed is 0, here it is 1"),
        ({"epsilon": 2.0}, "its claim is ε = 1, here it is ε = 2"),
        ({"alpha": 0.01}, "its alpha is 0.001, here it is 0.01"),
        ({"name": "other"}, "it is of box, this one of other"),
        ({"null": True}, "its --null is false, here it is true"),
        ({"until": "budget"}, "rule of stopping"),
        ({"data": [2.0], "neighbors": [[1.0]]}, "datasets"),
    ):
        with pytest.raises(InputError, match=re.escape(words)) as refusal:
            audit.run(
                Counted(1.0).many,
                store=store,
                **PAIR | {"epsilon": 1.0, "max_samples": 3000, "name": "box"} | change,
            )
        assert "\n" not in str(refusal.value)
    monkeypatch.setattr("audit.sampling.identity.VERSION", "0.0.1")
    with pytest.raises(InputError, match=r"here it is 0\.0\.1"):
        audited(Counted(1.0).many, store)


def test_a_store_in_use_is_refused(tmp_path: Path) -> None:
    store = tmp_path / "store"

    def inside(data: Any, rng: Generator, size: int) -> Any:
        with pytest.raises(StoreError, match="in use by another audit"):
            audited(Counted(1.0).many, store)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        audited(inside, store)


@pytest.mark.slow
def test_audits_of_one_survey_share_a_file(tmp_path: Path) -> None:
    store = tmp_path / "store"
    for name in ("box", "other", "box"):
        audited(Counted(1.0).many, store, name=name, shared=True)
    with pytest.raises(InputError, match="it is of"):
        audited(Counted(1.0).many, store)
