"""Mutants of what copies of a black box are asked before a violation or a bound is told."""

from __future__ import annotations

from audit.audit_session import AuditSession
from audit.blackbox.own_generator import begin_elsewhere
from audit.verdict.by_copies import by_copies
from audit.verdict.other_law import _found, _gives_others, _happens_oftener, _vary
from audit.verdict.won_by_copies import _begin_alike
from audit.verdict.won_by_copies import _found as _won
from tests.audit.verdict.test_other_law import Sticky, cached, partly_given

from .mutation import Mutant

OTHER_LAW_MUTANTS = [
    Mutant(
        "copies that give others are passed over",
        _gives_others,
        "_share(feature, here, there) >= _MOST_ALIKE",
        "False",
        "test_other_law.py::test_what_was_seen_is_said",
        {"make": Sticky},
    ),
    Mutant(
        "what gives others each time counts",
        _vary,
        "any(_share(feature, first, sides) for sides in again)",
        "False",
        "test_other_law.py::test_what_copies_do_as_well_is",
        {"make": partly_given, "seed": 0},
    ),
    Mutant(
        "an event that copies see more often is passed over",
        _happens_oftener,
        "min(chances) * 2 * len(made) < _CHANCE",
        "False",
        "test_other_law.py::test_what_was_seen_is_said",
        {"make": cached},
    ),
    Mutant(
        "copies are not asked about bounds",
        AuditSession.may_hold_more,
        "self.held != held_by(box)",
        "False",
        "test_other_law.py::test_nor_for_a_bound_where_nothing_is_refuted",
        {"seed": 0},
    ),
    Mutant(
        "copies need not win again what may be kept noise",
        by_copies,
        "not session.may_hold_more",
        "True",
        "test_by_copies.py::test_kept_noise_is_no_evidence_however_few_runs_there_are",
        {"kind": "travels", "runs": 600},
    ),
    Mutant(
        "a look at few runs is as good as at many",
        _found,
        "len(made) == _COPIES and size >= _TELLING",
        "True",
        "test_by_copies.py::test_kept_noise_is_no_evidence_however_few_runs_there_are",
        {"kind": "travels", "runs": 600},
    ),
    Mutant(
        "what copies do not win is said all the same",
        _won,
        "return _lost(session, made >= _LONGER * plan.copies)",
        "return ''",
        "test_by_copies.py::test_kept_noise_is_no_evidence_however_few_runs_there_are",
        {"kind": "travels", "runs": 600},
    ),
    Mutant(
        "copies carry their generators with them",
        begin_elsewhere,
        "type(generator) in SETTABLE",
        "False",
        "test_by_copies.py::test_generators_of_copies_begin_apart_and_those_that_stand_alike_stay_alike",
    ),
    Mutant(
        "copies that begin alike are as good as others",
        _begin_alike,
        "len(firsts) < 3",
        "False",
        "test_by_copies.py::test_copies_that_begin_alike_are_no_evidence",
        {"before": True},
    ),
]
