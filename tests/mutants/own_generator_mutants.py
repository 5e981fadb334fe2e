"""Mutants of a generator that a function keeps: of when it is set, and to what."""

from __future__ import annotations

from audit.blackbox.own_generator import _set
from audit.sampling.trial_calls import Trial
from audit.verdict.kept_noise import changed_from_first
from tests.audit.sampling.test_trial_calls import Ahead, BesideALock, Counting, FromACopy

from .mutation import Mutant

_LEFT = "test_trial_calls.py::test_others_are_left_alone"

OWN_GENERATOR_MUTANTS = [
    Mutant(
        "a generator that nothing moves is set",
        Trial._moved,
        "before[i] != after[i]",
        "True",
        _LEFT,
        {"make": FromACopy},
    ),
    Mutant(
        "what else changes is not asked",
        Trial._moved,
        "self._rest() != rest",
        "False",
        _LEFT,
        {"make": Counting},
    ),
    Mutant(
        "what cannot be looked at is passed over",
        Trial._rest,
        "same and contents.whole",
        "same",
        _LEFT,
        {"make": BesideALock},
    ),
    Mutant(
        "nothing is called again from the same places",
        Trial._following,
        "answered and digest_of(again) == outputs",
        "True",
        _LEFT,
        {"make": lambda: Ahead(hidden=True)},
    ),
    Mutant(
        "nothing is called again at the end",
        Trial.changed,
        "if same else _CHANGED",
        "",
        "test_trial_calls.py::test_what_gives_something_else_at_the_end_is_told",
    ),
    Mutant(
        "first runs are not compared",
        changed_from_first,
        "share_of_others(begun.sides, again) < _MOST_OF_THEM",
        "True",
        "test_independence.py::test_noise_that_is_kept_where_nobody_looks_is_no_answer",
        {"calls": 256, "seed": 9},
    ),
    Mutant(
        "first runs are made again once",
        changed_from_first,
        "at_once is None or share_of_others(again, at_once)",
        "at_once is None",
        "test_independence.py::test_noise_that_nobody_can_repeat_hides_no_violation",
        {"part": 0.5},
    ),
    Mutant(
        "always set to the same place",
        _set,
        "rng.bit_generator.random_raw(_WORDS)",
        "np.arange(_WORDS, dtype=np.uint64)",
        "test_trial_calls.py::test_legacy_noise_follows_from_the_generator_of_a_call",
    ),
    Mutant(
        "noise comes twice",
        Trial.end,
        "put_back(self.box.own.held, self.left)",
        "pass",
        "test_trial_calls.py::test_behind_an_audit_noise_goes_on_where_it_was",
    ),
]
