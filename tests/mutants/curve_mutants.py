"""Mutants of claims that are curves: of their rows, and of what moves them."""

from __future__ import annotations

import tempfile
from pathlib import Path

from audit.claims.profile import ProfileDP, _check_row, _of_both_directions, check_rows, chosen_rows
from audit.verdict.evidence import curve_wealths

from .mutation import Mutant

_LEVELS = "test_profile_claim.py::test_levels_move_all_rows"
_BETWEEN = "test_profile_claim.py::test_nothing_is_promised_between_rows_but_what_follows_from_them"
_REFUSED = "test_profile_claim.py::test_what_is_no_curve_is_refused_in_one_line"
_RISING = {"rows": [(0.0, 0.1), (1.0, 0.2)], "words": "delta 0.2 in row 2 of the curve exceeds"}
_LARGE = {"rows": [(0.0, 1.5)], "words": "delta 1.5 in row 1 of the curve is not between 0 and 1"}

CURVE_MUTANTS = [
    Mutant(
        "rows moved the other way",
        ProfileDP.lines,
        "epsilons + (level",
        "epsilons - (level",
        _LEVELS,
    ),
    Mutant("rows moved below 0", ProfileDP.lines, "0.0, LARGEST", "-9.0, LARGEST", _LEVELS),
    Mutant(
        "a shift without its origin", ProfileDP.stated, "level - self._origin", "level", _LEVELS
    ),
    Mutant(
        "the weakest row in place of the strongest", ProfileDP.delta, "min(two", "max(two", _BETWEEN
    ),
    Mutant("rows may rise", check_rows, "delta > before[1]", "delta > 2.0", _REFUSED, _RISING),
    Mutant("deltas above 1", _check_row, "delta <= 1.0", "delta <= 9.0", _REFUSED, _LARGE),
    Mutant(
        "all rows of a fine curve",
        chosen_rows,
        "<= MOST_ROWS",
        "<= 999",
        "test_profile_claim.py::test_a_dozen_rows_are_bet_on_and_the_ends_are_among_them",
    ),
    Mutant(
        "more than both directions promise",
        _of_both_directions,
        "max(_at",
        "min(_at",
        "test_profile_claim.py::test_directions_promise_together_the_larger_delta",
        {"tmp_path": Path(tempfile.mkdtemp())},
    ),
    Mutant(
        "deltas that do not share alpha",
        curve_wealths,
        "alpha / len(CURVE)",
        "alpha",
        "verdict/test_privacy_profile.py::test_all_bounds_together_have_the_level_of_the_audit",
    ),
]
