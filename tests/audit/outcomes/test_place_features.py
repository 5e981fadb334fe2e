"""A label beside the place of the largest number, and the places of what is no number."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import audit
from audit.outcomes.column import Column
from audit.outcomes.encoding import encode
from audit.outcomes.label_features import LabelBeside, PlacesOfGaps, of_places
from audit.outcomes.outcomes import Outcomes, codes_in
from audit.verdict.result import Verdict

NAMES = ("output['a']", "output['b']")


def encoded(*outputs: Any) -> Outcomes:
    return encode(list(outputs), len(outputs))


def said(column: Column) -> list[str]:
    assert column.symbols is not None
    return [column.names[code] for code in column.symbols.tolist()]


def test_the_place_of_the_largest_and_of_the_smallest_number() -> None:
    nan, inf = float("nan"), float("inf")
    told = encoded(
        {"w": "x", "a": 1.0, "b": 2.0},
        {"w": "y", "a": 3.0, "b": 3.0},
        {"w": "x", "a": nan, "b": -7.0},
        {"w": "x", "a": nan, "b": inf},
        {"w": None, "a": 1.0, "b": 2.0},
        {"a": 1.0, "b": 2.0},
    )
    label = "output['w']"
    assert said(LabelBeside(label, "largest", NAMES).read(told)) == [
        "('x', output['b'])",
        "('y', output['a'])",
        "('x', output['b'])",
        *["missing"] * 3,
    ]
    assert said(LabelBeside(label, "smallest", NAMES).read(told))[:3] == [
        "('x', output['a'])",
        "('y', output['a'])",
        "('x', output['b'])",
    ]


def test_the_places_of_gaps() -> None:
    nan = float("nan")
    told = encoded({"a": 1.0, "b": 2.0}, {"a": nan, "b": 0.0}, {"a": None, "b": nan}, {"b": 1.0})
    assert said(PlacesOfGaps(NAMES).read(told)) == [
        "none",
        "output['a']",
        "output['a'], output['b']",
        "output['a']",
    ]


def test_only_what_can_tell_something_is_offered() -> None:
    rng = np.random.default_rng(0)

    def drawn(labels: str, gaps: float) -> Outcomes:
        rows = rng.normal(size=(200, 3))
        rows[rng.random(rows.shape) < gaps] = np.nan
        return encoded(
            *({"w": labels[int(rng.integers(len(labels)))], "v": row.tolist()} for row in rows)
        )

    names = tuple(f"output['v'][{place}]" for place in range(3))

    def kinds(labels: str, gaps: float, names: tuple[str, ...] = names) -> list[str]:
        sides = drawn(labels, gaps), drawn(labels, gaps)
        return [type(found).__name__ for found in of_places(sides, names)]

    assert kinds("ab", 0.0) == ["LabelBeside"] * 2
    assert kinds("a", 0.0) == []
    assert kinds("".join(map(chr, range(97, 97 + 120))), 0.0) == []
    assert kinds("a", 0.3) == ["PlacesOfGaps"]
    assert kinds("ab", 0.3, names[:1]) == []


def test_gaps_that_hardly_ever_come_are_not_offered() -> None:
    rows = np.arange(1200.0).reshape(400, 3)
    rows[[1, 5, 9], [0, 1, 2]] = np.nan
    names = tuple(f"output[{place}]" for place in range(3))
    seldom, often = (encoded(*some.tolist()) for some in (rows, rows[:20]))
    assert list(of_places((seldom, seldom), names)) == []
    assert list(of_places((often, often), names)) == [PlacesOfGaps(names)]


def winner(told: float, rng: np.random.Generator) -> dict[str, Any]:
    """Noisy scores, and the name of the largest; or of another one."""
    scores = rng.normal(size=4)
    place = int(scores.argmax())
    place = place if rng.random() < told else (place + 1 + int(rng.integers(3))) % 4
    return {"scores": scores.round(2).tolist(), "winner": "ABCD"[place]}


def gaps(told: float, rng: np.random.Generator) -> dict[str, Any]:
    """Two series with one gap each, at the same place; or at another one."""
    first, second = rng.normal(size=(2, 6))
    place = int(rng.integers(6))
    first[place] = np.nan
    second[place if rng.random() < told else (place + 1 + int(rng.integers(5))) % 6] = np.nan
    return {"a": first.tolist(), "b": second.tolist()}


def check_digit(told: float, rng: np.random.Generator) -> str:
    """Digits and the last digit of their sum, in a text of several lengths; or another digit."""
    digits = rng.integers(0, 10, 5)
    last = int(digits.sum()) % 10
    last = last if rng.random() < told else (last + 1 + int(rng.integers(9))) % 10
    return f"id={''.join(map(str, digits))}{last},{rng.integers(200)}"


@pytest.mark.slow
@pytest.mark.parametrize("drawn", [winner, gaps, check_digit])
@pytest.mark.parametrize(
    ("told", "otherwise", "verdict"),
    [(1.0, 0.0, Verdict.VIOLATION), (0.6, 0.4, Verdict.NOT_REFUTED)],
)
def test_wrong_mechanisms_are_caught_and_right_ones_are_not(
    drawn: Any, told: float, otherwise: float, verdict: Verdict
) -> None:
    def release(data: Any, rng: np.random.Generator) -> Any:
        return drawn(told if len(data) else otherwise, rng)

    found = audit.run(
        release, data=[1], neighbors=[[]], epsilon=1.0, max_samples=2500, until="violation"
    )
    assert found.verdict is verdict


def test_codes_are_those_of_digits_that_all_texts_have() -> None:
    def places(*texts: str) -> list[int]:
        column = encoded(*texts).columns["output"]
        return [int(name.split()[3]) for name in codes_in(column, "output")]

    assert places("id=12,3", "id=45,678") == [4, 5, 7]
    assert places("id=12,3", "id=45,6") == list(range(1, 8))
    assert places("a=-1", "a=12") == [1, 2, 3, 4]
    assert places("a=-1", "a=12.5") == [4]
    assert places("", "abc") == []
    assert places("12", "1" * 10_000) == []
