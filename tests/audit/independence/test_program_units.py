"""Programs: starts that share a second or a folder for temporary files accuse nobody."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import audit
from audit.boxes import CommandBlackBox, ServedBlackBox
from audit.case import Execution, Settings
from audit.claims import PureDP
from audit.engine.preparation import case_for
from audit.relation import Relation
from audit.sampling.draws import draws_of
from audit.sampling.source import Stage
from audit.sampling.units import UnitPlan

CLOCK = "BEGIN { srand() } { print $1 + log(1 - rand()) - log(1 - rand()) }"
LESS = "BEGIN { srand(seed) } { print $1 + (log(1 - rand()) - log(1 - rand())) / 9 }"
COUNTING = 'while read line; do n=$((n + 1)); sleep .012; echo "[$n]"; done'
KEPT = """
kept="$TMPDIR/$(cat "$1")"
[ -e "$kept" ] || awk -v seed="$2" '
    BEGIN { srand(seed) } { print $1 + log(rand() / rand()) }
' "$1" > "$kept"
cat "$kept"
"""


def audited(*arguments: str, **more: Any) -> audit.AuditResult:
    given: dict[str, Any] = {
        "epsilon": 1.0,
        "max_samples": 240,
        "alpha": 0.05,
        "until": "violation",
    }
    box = CommandBlackBox(arguments)
    return audit.run(box, relation="declared", data=[1.0], neighbors=[[0.0]], **given | more)


def test_noise_that_is_seeded_by_the_clock_accuses_nobody() -> None:
    result = audited("awk", CLOCK, "{data}", until="budget")
    assert result.verdict == "inconclusive"
    assert "seeded by the clock" in result.reason


def test_too_little_noise_is_refuted_and_the_assumption_is_stated() -> None:
    result = audited("awk", "-v", "seed={seed}", LESS, "{data}")
    assert result.verdict == "violation"
    assert result.assumptions == ("outside-process",)


def test_a_start_has_temporary_files_of_its_own() -> None:
    right, wrong = (audited("sh", "-c", KEPT, "sh", "{data}", seed) for seed in ("{seed}", "0"))
    assert right.verdict == "not-refuted"
    assert wrong.verdict == "violation"


@pytest.mark.parametrize("workers", [1, 4])
def test_answers_of_a_life_come_from_one_start(workers: int) -> None:
    """Each is its number since the start, and takes long enough to ask others meanwhile."""
    box = ServedBlackBox(["sh", "-c", COUNTING])
    case = case_for(
        box, claim=PureDP(1.0), relation=Relation.DECLARED, data=[1.0], neighbors=[[0.0]]
    )
    settings = Settings(execution=Execution(workers=workers))
    with draws_of(case, settings) as draws:
        draws.add_pair(0, case.pairs[0])
        batch = draws.drawn(UnitPlan(Stage.BET, 0, 0, 6, 8, 0.5))
    answers = np.concatenate([side.column("output").values for side in batch.sides])
    units = np.concatenate(batch.units)
    for unit in range(6):
        assert sorted(answers[units == unit]) == list(range(1, 9))
