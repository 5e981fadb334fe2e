"""Programs: starts that share a second or a folder for temporary files accuse nobody."""

from __future__ import annotations

from typing import Any

import audit
from audit.boxes import CommandBlackBox

CLOCK = "BEGIN { srand() } { print $1 + log(1 - rand()) - log(1 - rand()) }"
LESS = "BEGIN { srand(seed) } { print $1 + (log(1 - rand()) - log(1 - rand())) / 9 }"
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
