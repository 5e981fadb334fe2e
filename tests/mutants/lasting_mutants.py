"""Mutants of bounds of black boxes that keep something from call to call."""

from __future__ import annotations

from audit.audit_session import AuditSession
from audit.betting.drawing import Drawing
from audit.betting.schedule import Schedule
from audit.verdict.checks import checked
from audit.verdict.table_draws import TableDraws

from .mutation import Mutant

_FEW = "test_lasting_boxes.py::test_after_few_runs_half_of_them_are_for_the_bound"
_AHEAD = "test_lasting_boxes.py::test_nothing_is_drawn_ahead_that_does_not_count"

LASTING_MUTANTS = [
    Mutant(
        "no runs are kept for the bound",
        Schedule.keep,
        "min(self.kept_if_lasting, max(0, self.limit - runs) / whole)",
        "0.0",
        _FEW,
        {"seed": 0},
    ),
    Mutant(
        "runs that are planned are taken back",
        Schedule.keep,
        "min(self.kept_if_lasting, max(0, self.limit - runs) / whole)",
        "self.kept_if_lasting",
        _AHEAD,
        {"first": 20},
    ),
    Mutant(
        "runs are planned ahead before it is known what is kept",
        Drawing._plan_ahead,
        "not self.sampler.watch.settled",
        "False",
        _AHEAD,
        {"first": 0},
    ),
    Mutant(
        "what confirms a bound is taken from the tables",
        AuditSession.beside,
        "self.tried + self.confirming +",
        "self.tried +",
        _FEW,
        {"seed": 0},
    ),
    Mutant(
        "what drifts is passed over where nothing was won",
        checked,
        "Checked(_NOTHING_WON) if record.in_a_row else found",
        "found",
        "test_lasting_boxes.py::test_what_drifts_is_no_answer_though_nothing_was_won",
        {"step": 0.01, "verdict": "inconclusive"},
    ),
    Mutant(
        "tables are drawn one side after the other",
        TableDraws.draw,
        "_TURNS if self.session.sampler.lasting else 1",
        "1",
        "test_lasting_boxes.py::test_tables_show_no_difference_that_only_lies_in_time",
    ),
]
