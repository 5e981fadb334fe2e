"""Mutants of the bound that a leak of low bits states."""

from __future__ import annotations

from audit.verdict.leak_size import _epsilon

from .mutation import Mutant

_ABSENT = "test_leak_size.py::test_an_absence_on_the_other_side_counts_against_it"
_DELTA = "test_leak_size.py::test_delta_is_taken_off"
_LEVEL = "test_leak_size.py::test_the_bound_is_near_the_truth_and_seldom_above"

LEAK_MUTANTS = [
    Mutant("the wrong end of an interval", _epsilon, "q.high))", "q.low))", _LEVEL),
    Mutant("an absence is no event", _epsilon, "(own > 0.0) | absent", "own > 0.0", _ABSENT),
    Mutant(
        "delta is not taken off", _epsilon, "math.log((p.low - delta)", "math.log((p.low)", _DELTA
    ),
]
