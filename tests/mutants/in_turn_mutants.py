"""Mutants of how noise that is given in turn is seen."""

from __future__ import annotations

from audit.sampling.in_turn import _coins
from audit.verdict.checks import _dependent, checked
from tests.audit.test_noise_in_turn import ManyInTurn

from .mutation import Mutant

_FAIR = "test_in_turn.py::test_the_wealth_is_fair_for_every_law_of_two_outputs"
_ACCUSED = "test_noise_in_turn.py::test_a_right_box_with_a_table_is_not_accused"

IN_TURN_MUTANTS = [
    Mutant(
        "both following runs may give what followed before",
        _coins,
        "first and not second",
        "first",
        _FAIR,
        {"context": 1, "chance": 0.5},
    ),
    Mutant(
        "coins have a run in common",
        _coins,
        "asked = place + 2",
        "asked = place + 1",
        _FAIR,
        {"context": 1, "chance": 0.2},
    ),
    Mutant(
        "runs that come in turn are passed over",
        checked,
        "won and record.in_turn",
        "False",
        "test_noise_in_turn.py::test_a_table_of_many_is_seen_as_well",
        {"seed": 1},
    ),
    Mutant(
        "calls that come in turn are passed over",
        _dependent,
        "found.confirmer and found.confirmer.in_turn",
        "False",
        _ACCUSED,
        {"kind": ManyInTurn, "size": 50, "seed": 0},
    ),
]
