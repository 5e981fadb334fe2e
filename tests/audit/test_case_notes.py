"""Facts about a case that a reader must know: users with several records, and no seed."""

from __future__ import annotations

import sys
from typing import Any

import pandas as pd
import pytest

from audit import DP, run
from audit.boxes import CommandBlackBox
from audit.engine.preparation import case_for

ROWS = [{"user": user, "price": i} for i, user in enumerate("aaabc")]
REPEATS = (
    "column 'user' repeats (up to 3 rows a user); one record is protected here, not one user: "
    "`relation='user'`"
)


def noisy(data: Any, rng: Any) -> float:
    return float(len(data) + rng.laplace())


def notes(**given: Any) -> tuple[str, ...]:
    return case_for(noisy, claim=DP(1.0), **given).notes


@pytest.mark.parametrize("data", [ROWS, pd.DataFrame(ROWS)])
def test_users_with_several_rows_are_noted_if_nobody_gave_a_relation(data: Any) -> None:
    assert notes(data=data) == (REPEATS,)


@pytest.mark.parametrize(
    "given",
    [
        {"data": pd.DataFrame(ROWS), "relation": "user"},
        {"data": pd.DataFrame(ROWS), "relation": "add-remove"},
        {"data": pd.DataFrame(ROWS[2:])},
        {"data": pd.DataFrame({"who": ["a", "a"]})},
        {"data": [1, 1]},
        {"domain": "int:0:9"},
    ],
)
def test_no_note_without_such_users_or_with_a_relation(given: dict[str, Any]) -> None:
    assert notes(**given) == ()


def test_a_program_without_seed_is_noted() -> None:
    words = [sys.executable, "-c", "print(1)", "{data}"]
    for seeded, expected in [
        (words, ("python takes no seed, so a repetition draws other outputs",)),
        ([*words, "{seed}"], ()),
    ]:
        box = CommandBlackBox(seeded)
        box.name = "python"
        assert case_for(box, claim=DP(1.0), data=[1]).notes == expected


def test_notes_reach_the_result() -> None:
    result = run(noisy, 1.0, data=pd.DataFrame(ROWS), search=False, max_samples=300)
    assert result.notes[0] == REPEATS
