"""Mutants of what copies of a black box are asked before a violation or a bound is told."""

from __future__ import annotations

from audit.verdict.other_law import _gives_others, _happens_oftener, _may_hold_more, _vary
from tests.audit.verdict.test_other_law import cached, partly_given

from .mutation import Mutant

OTHER_LAW_MUTANTS = [
    Mutant(
        "copies that give others are passed over",
        _gives_others,
        "_share(feature, here, there) >= _MOST_ALIKE",
        "False",
        "test_other_law.py::test_what_was_seen_is_said",
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
        "test_other_law.py::test_noise_that_is_kept_is_no_evidence",
        {"make": cached, "seed": 0},
    ),
    Mutant(
        "copies are not asked about bounds",
        _may_hold_more,
        "session.held != held_by(box)",
        "False",
        "test_other_law.py::test_nor_for_a_bound_where_nothing_is_refuted",
        {"seed": 0},
    ),
]
