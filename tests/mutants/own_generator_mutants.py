"""Mutants of generators that a function keeps: of when they are set, and to what."""

from __future__ import annotations

from audit.blackbox.own_generators import _set
from audit.sampling.trial_calls import _moved, _Trial, own_generators_set
from tests.audit.sampling.test_trial_calls import Ahead, Counting, FromACopy

from .mutation import Mutant

_LEFT = "test_trial_calls.py::test_others_are_left_alone"

OWN_GENERATOR_MUTANTS = [
    Mutant(
        "generators that nothing moves are set",
        _Trial.moved,
        "before[i] != after[i]",
        "True",
        _LEFT,
        {"make": FromACopy},
    ),
    Mutant(
        "what else changes is not asked",
        _Trial.moved,
        "self._rest != rest",
        "False",
        _LEFT,
        {"make": Counting},
    ),
    Mutant(
        "nothing is called again at the same place",
        _moved,
        "seen and trial.follows(Source(box, data), places)",
        "seen",
        _LEFT,
        {"make": lambda: Ahead(hidden=True)},
    ),
    Mutant(
        "all generators are set alike",
        _set,
        "rng.bit_generator.random_raw(_WORDS)",
        "np.arange(_WORDS, dtype=np.uint64)",
        "test_trial_calls.py::test_two_generators_are_set_apart",
    ),
    Mutant(
        "nothing is put back",
        own_generators_set,
        "put_back(generator, place)",
        "pass",
        "test_trial_calls.py::test_generators_are_where_they_were_once_the_audit_is_over",
    ),
]
