"""What was not made as it is declared is refused in one line; what was is not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from audit.canary.design import Assignment, Design, screen
from audit.errors import InputError

from .tables import noisy, scores_of

RNG = np.random.default_rng(5)
MEMBERS, VALUES = noisy(200, 1.0)
EXACT = np.arange(200) % 2 == 0
FRESH = RNG.normal(0.0, 1.0, 200)
PAIRED = np.repeat(np.arange(100), 2)


def screened(design: Design | None = None, *, declared: bool = True, **columns: Any) -> list[str]:
    told: list[str] = []
    screen(scores_of(**columns), design or Design(), declared=declared, warn=told.append)
    return told


def test_coins_pass_without_a_word() -> None:
    assert screened(member=MEMBERS, score=VALUES) == []
    assert screened(member=MEMBERS, score=VALUES, declared=False) == []
    runs = np.arange(200) // 100
    assert screened(member=MEMBERS, score=VALUES, run=runs) == []
    assert screened(Design(assignment=Assignment.HALVES), member=EXACT, score=VALUES) == []
    pairs = Design(assignment=Assignment.PAIRS)
    assert screened(pairs, member=EXACT, score=VALUES, pair=PAIRED) == []


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"member": [1] * 50, "score": VALUES[:50]}, "each of the 50 canaries is a member"),
        ({"member": [0] * 50, "score": VALUES[:50]}, "each of the 50 canaries is left out"),
        ({"member": np.arange(200) < 150, "score": VALUES}, "150 of the 200 canaries are members"),
        (
            {"member": np.tile(MEMBERS, 2), "score": np.tile(VALUES, 2)},
            "each of the 200 scores stands there 2 times",
        ),
        (
            {"member": MEMBERS, "score": VALUES, "canary": [0, *range(199)]},
            "a canary stands in two rows of one run",
        ),
        (
            {
                "member": [*MEMBERS, *MEMBERS],
                "score": [*VALUES, *FRESH],
                "run": np.repeat([1, 2], 200),
            },
            "run 2 has the same members as run 1",
        ),
        (
            {
                "member": [*MEMBERS, *EXACT],
                "score": [*VALUES, *VALUES],
                "run": np.repeat(["a", "b"], 200),
            },
            "run b has the same scores as run a",
        ),
        ({"member": MEMBERS, "score": [np.nan] * 200}, "no canary has a score"),
        ({"member": MEMBERS, "guess": [0] * 200}, "no canary is guessed"),
        ({"member": MEMBERS, "score": MEMBERS.astype(float)}, "a copy of the column of members"),
    ],
)
def test_what_no_coins_give_is_refused(columns: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        screened(**columns)


def test_designs_that_look_fixed_have_to_be_declared() -> None:
    declared = "state the design with `assignment='halves'`, or `assignment='coin'` if it is chance"
    with pytest.raises(InputError, match="exactly 100 of 200 canaries are members.*" + declared):
        screened(member=EXACT, score=VALUES, declared=False)
    (told,) = screened(member=EXACT, score=VALUES)
    assert told.startswith("exactly 100 of 200 canaries are members: if their number was fixed")
    with pytest.raises(InputError, match="there is a column of pairs, but no design"):
        screened(member=EXACT, score=VALUES, pair=PAIRED, declared=False)


def test_runs_with_the_same_number_of_members_look_fixed() -> None:
    """Eighty of two hundred in each of three runs: coins seldom give one number three times."""
    rng = np.random.default_rng(11)
    runs = np.repeat([1, 2, 3], 200)
    fixed = np.concatenate([rng.permutation(200) < 80 for _ in range(3)])
    chance = np.concatenate([rng.permutation(200) < count for count in (80, 81, 80)])
    values = rng.normal(0.0, 1.0, 600)
    with pytest.raises(InputError, match="exactly 80 of 200 canaries of each run are members"):
        screened(member=fixed, score=values, run=runs, declared=False)
    assert len(screened(member=fixed, score=values, run=runs)) == 1
    assert screened(member=chance, score=values, run=runs, declared=False) == []


def test_canaries_some_of_which_were_copied_are_told() -> None:
    copied = np.concatenate([np.arange(200), np.arange(30)])
    (told,) = screened(member=MEMBERS[copied], score=VALUES[copied])
    assert told.startswith("30 scores stand there more than once, each always with the same member")
    coarse = np.round(VALUES, 1)  # ties as rounding makes them, with members and others
    assert screened(member=MEMBERS, score=coarse) == []


def test_coins_of_another_probability_are_told_by_it() -> None:
    members, values = noisy(400, 1.0, probability=0.1)
    assert screened(Design(probability=0.1), member=members, score=values) == []
    with pytest.raises(InputError, match="state theirs with `probability`"):
        screened(member=members, score=values)


def test_pairs_have_one_member_each() -> None:
    design = Design(assignment=Assignment.PAIRS)
    with pytest.raises(InputError, match="no column tells who belongs together"):
        screened(design, member=EXACT, score=VALUES)
    with pytest.raises(InputError, match="a pair of 2 canaries with 2 members is none"):
        screened(design, member=[1, 1, 0, 0], score=[1, 2, 3, 4], pair=[0, 0, 1, 1])
    with pytest.raises(InputError, match="a pair of 3 canaries"):
        screened(design, member=[1, 0, 0, 1], score=[1, 2, 3, 4], pair=[0, 0, 0, 1])


def test_scores_that_were_cut_are_told() -> None:
    cut = (VALUES > 0.5).astype(float)
    (told,) = screened(member=MEMBERS, score=cut)
    assert "the scores take two values only" in told
    (told,) = screened(member=MEMBERS, score=np.ones(200))
    assert "all scores are 1" in told
