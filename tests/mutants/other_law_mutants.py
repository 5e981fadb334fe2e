"""Mutants of what copies of a black box are asked before a violation or a bound is told."""

from __future__ import annotations

from audit.blackbox.own_generator import begin_elsewhere
from audit.sampling.held_noise import may_hold_noise
from audit.verdict.checks import _confirmed
from audit.verdict.other_law import _gives_others, _happens_oftener, _vary
from audit.verdict.won_by_copies import ByCopies
from tests.audit.sampling.test_held_noise import KeepsOne
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
        "what is kept for a dataset is taken for no noise",
        may_hold_noise,
        "len(set(found)) > 1",
        "False",
        "test_held_noise.py::test_all_else_may_be_noise",
        {"make": KeepsOne},
    ),
    Mutant(
        "copies that show no other law are enough",
        _confirmed,
        "and session.may_hold_noise",
        "and False",
        "test_by_copies.py::test_a_kept_bit_that_copies_mostly_agree_on_is_no_evidence",
        {"behind": "nothing", "epsilon": 3.0},
    ),
    Mutant(
        "what copies do not win is said all the same",
        ByCopies.won,
        "return Won(doubt=self._lost(made >= longest))",
        "return Won(self.capital.claim.level)",
        "test_by_copies.py::test_a_kept_bit_that_copies_mostly_agree_on_is_no_evidence",
        {"behind": "nothing", "epsilon": 3.0},
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
        ByCopies._begin_alike,
        "len(firsts) < 3",
        "False",
        "test_by_copies.py::test_copies_that_begin_alike_are_no_evidence",
        {"before": True},
    ),
]
