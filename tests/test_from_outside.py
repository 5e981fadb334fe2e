"""With `import audit` alone: what the command line does, and what others write themselves."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.random import Generator

import audit

PAIR: dict[str, Any] = {"data": [1, 1, 0], "neighbors": [[1, 1]], "max_samples": 20_000}
COUNT = """
import random, sys
random.seed(int(sys.argv[2]))
print(len(open(sys.argv[1]).readlines()) + random.choice([0, 1]))
"""


def noisy_count(data: Any, rng: Generator, size: int) -> Any:
    return len(data) + rng.laplace(0.0, 1.0, size)


@audit.claims.register_claim
@dataclass(frozen=True, slots=True)
class Probabilistic(audit.claims.Claim):
    """Outputs that are at most so many times as likely, whatever the neighbors: e^loss times."""

    loss: float
    kind: ClassVar[str] = "probabilistic"
    symbol: ClassVar[str] = "loss"
    bound: ClassVar[str] = "loss_lower"

    @property
    def level(self) -> float:
        return self.loss

    def at(self, level: float) -> Probabilistic:
        return replace(self, loss=level)

    def delta(self, epsilon: float) -> float:
        return float(epsilon < self.loss)

    def lines(self, level: float) -> Any:
        return np.array([[np.exp(level), 0.0]])

    def __str__(self) -> str:
        return f"loss = {self.loss:g}"


@dataclass
class BoundDice:
    """Faces that come more often the longer the dataset is."""

    weights: Any

    def draw(self, rng: Generator, size: int) -> Any:
        return rng.choice(len(self.weights), size, p=self.weights)


@dataclass
class LoadedDice:
    """Randomized response over six faces: the true one `odds` times as likely as any other."""

    odds: float
    name: str = "loaded dice"
    seeded: bool = True
    many: bool = True

    def bind(self, data: Any) -> BoundDice:
        weights = np.where(np.arange(6) == len(data) % 6, self.odds, 1.0)
        return BoundDice(weights / weights.sum())


def test_a_claim_and_a_black_box_of_others_keep_it() -> None:
    result = audit.run(LoadedDice(2.0), claim=Probabilistic(np.log(2.0)), **PAIR)
    assert result.verdict == "not-refuted"
    assert 0.4 < result.levels["loss_lower"] <= np.log(2.0)


def test_a_claim_and_a_black_box_of_others_break_it(tmp_path: Path) -> None:
    result = audit.run(LoadedDice(3.0), claim=Probabilistic(np.log(2.0)), **PAIR)
    assert result.verdict == "violation"
    assert np.log(2.0) <= result.levels["loss_lower"] <= np.log(3.0)
    assert result.witness is not None
    assert result.mechanism == "loaded dice"
    report = audit.write_report(result, str(tmp_path))[0]
    again = audit.read_result(report.with_suffix(".json"))
    assert again.to_json() == result.to_json()
    for kind in ("text", "json", "markdown", "html"):
        assert audit.render(again, kind) == audit.render(result, kind)
        assert "loss" in audit.render(again, kind)


@pytest.mark.slow
def test_a_program(tmp_path: Path) -> None:
    program = tmp_path / "count.py"
    program.write_text(COUNT)
    box = audit.boxes.CommandBlackBox([sys.executable, str(program), "{data}", "{seed}"])
    result = audit.run(box, epsilon=1.0, data=[1], neighbors=[[]], max_samples=400)
    assert result.verdict == "violation"


@pytest.mark.slow
def test_a_query() -> None:
    pytest.importorskip("duckdb")
    query = "SELECT count(*) + ln(random()) - ln(random()) FROM data"
    result = audit.run(audit.boxes.SqlBlackBox(query), epsilon=0.2, **{**PAIR, "max_samples": 4000})
    assert result.verdict == "violation"


@pytest.mark.slow
def test_a_function_and_a_domain() -> None:
    for domain in ("int:0:9", audit.domains.parse_domain("int:0:9"), audit.domains.IntDomain(0, 9)):
        result = audit.run(
            audit.boxes.PythonBlackBox(noisy_count), epsilon=0.5, domain=domain, max_samples=20_000
        )
        assert result.verdict == "violation"


def test_files_of_recorded_outputs(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    for name, records in (("D.txt", [1]), ("D1.txt", [])):
        np.savetxt(tmp_path / name, noisy_count(records, rng, 3000))
    files = [tmp_path / "D.txt", tmp_path / "D1.txt"]
    held, broken = (audit.samples(files, audit.claims.PureDP(e)) for e in (1.2, 0.5))
    assert (held.verdict, broken.verdict) == ("not-refuted", "violation")


def test_relations_are_given_by_themselves_or_as_they_are_written() -> None:
    def noisy(data: Any, rng: Generator, size: int) -> Any:
        return data[0] + rng.laplace(0.0, 1.0, size)

    within = audit.domains.Within(audit.domains.Measure.L1, 1.0)
    for relation in (within, "l1:1"):
        result = audit.run(
            noisy,
            epsilon=1.0,
            data=[0.5, 0.5],
            neighbors=[[1.5, 0.5]],
            relation=relation,
            max_samples=4000,
        )
        assert result.relation == within
        assert result.verdict == "not-refuted"


def test_data_of_a_file(tmp_path: Path) -> None:
    (tmp_path / "ages.csv").write_text("age\n31\n47\n")
    data = audit.read_data(str(tmp_path / "ages.csv"), column="age")
    result = audit.run(noisy_count, epsilon=1.2, data=data, max_samples=6000)
    assert result.verdict == "not-refuted"


def test_a_format_that_is_not_there_is_named() -> None:
    result = audit.run(noisy_count, epsilon=1.0, **{**PAIR, "max_samples": 1000})
    with pytest.raises(
        audit.errors.InputError, match="format 'pdf' is not known; use one of text, json"
    ):
        audit.render(result, "pdf")
    assert json.loads(audit.render(result, "json"))["schema"] == 1


def test_groups_and_flat_arguments_say_the_same() -> None:
    given = {name: value for name, value in PAIR.items() if name != "max_samples"}
    grouped = audit.run(
        noisy_count,
        epsilon=0.5,
        **given,
        budget=audit.Budget(max_samples=20_000, until="violation"),
        execution=audit.Execution(workers=1),
    )
    flat = audit.run(
        noisy_count, epsilon=0.5, **given, max_samples=20_000, until="violation", workers=1
    )
    assert grouped == flat
    assert grouped.samples < 20_000


def test_a_flat_argument_stands_in_place_of_that_of_its_group() -> None:
    large = audit.Budget(max_samples=50_000, until="violation")
    result = audit.run(noisy_count, epsilon=1.0, **{**PAIR, "max_samples": 600}, budget=large)
    assert result.samples <= 600


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"max_samples": 0}, "max_samples 0 is not a whole number from 1 to"),
        ({"until": "noon"}, "until 'noon' is not known; use one of violation"),
        ({"workers": 0}, "workers 0 is not a whole number from 1 to 256; give for example 2"),
        ({"workers": 300}, "workers 300 is not a whole number from 1 to 256"),
        ({"max_samples": "10"}, "max_samples '10' is not a whole number from 1 to"),
        ({"max_seconds": "x"}, "max_seconds 'x' is not a number of seconds above 0 and up to"),
    ],
)
def test_what_no_audit_can_be_made_with_is_refused(given: dict[str, Any], said: str) -> None:
    group: Any = audit.Execution if "workers" in given else audit.Budget
    for call in (lambda: group(**given), lambda: audit.run(noisy_count, epsilon=1.0, **given)):
        with pytest.raises(audit.errors.InputError, match=said):
            call()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"domain": 5},
            "domain 5 does not describe a record; write for example `domain='int:0:100'`",
        ),
        ({"alpha": "x"}, "alpha 'x' is not a number between 0 and 1; give for example 0.001"),
        ({"seed": "a"}, "seed 'a' is not a whole number of at least 0"),
        ({"bins": 2.5}, "bins 2.5 is not a whole number from 1 to 1,000"),
        ({"timeout": "soon"}, "timeout 'soon' is not a number of seconds above 0"),
    ],
)
def test_what_is_of_another_type_is_refused_in_a_line(given: dict[str, Any], said: str) -> None:
    with pytest.raises(audit.errors.InputError, match=said):
        audit.run(noisy_count, epsilon=1.0, **{**PAIR, **given})


def test_an_argument_that_is_not_there_is_refused() -> None:
    more: dict[str, Any] = {"max_sample": 3}
    with pytest.raises(TypeError, match="unexpected keyword argument 'max_sample'"):
        audit.run(noisy_count, epsilon=1.0, **more)


@pytest.mark.parametrize(
    "function",
    [audit.run, audit.samples, audit.canaries, audit.testing.assert_private],
    ids=lambda f: f.__name__,
)
def test_the_closest_argument_is_named(function: Any) -> None:
    said = (
        rf"{function.__name__}\(\) got an unexpected keyword argument 'eps'; did you mean epsilon="
    )
    with pytest.raises(TypeError, match=said):
        function(noisy_count, eps=1.0)
    with pytest.raises(TypeError, match="argument 'alfa'; did you mean alpha="):
        function(noisy_count, alfa=0.1)
    with pytest.raises(TypeError, match="argument 'xyz'$"):
        function(noisy_count, xyz=1)


@pytest.mark.parametrize("name", ["max_sample", "max_runs"])
def test_the_budget_is_named_by_its_argument(name: str) -> None:
    more: dict[str, Any] = {name: 3}
    with pytest.raises(TypeError, match="did you mean max_samples="):
        audit.run(noisy_count, epsilon=1.0, **more)
