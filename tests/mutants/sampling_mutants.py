"""Mutants of draws: coins, addresses, missing outcomes, generators that begin anew."""

from __future__ import annotations

import tempfile
from pathlib import Path

from audit.sampling.grouped_calls import together
from audit.sampling.independence.instances import Instances
from audit.sampling.independence.missing_outcome import answered, missing
from audit.sampling.independence.reachable import begin_anew
from audit.sampling.runs import Runs
from audit.sampling.sampler import Sampler
from audit.sampling.separate_calls import SeparateCalls, _generators
from audit.sampling.source import Address, separate_generators
from audit.sampling.stored_draws import _lost, kept_units, recalled
from audit.sampling.units import UnitPlan
from tests.audit.sampling.store.test_stored import PLANS
from tests.audit.sampling.test_call_units import singly
from tests.audit.sampling.test_quick_calls import failing, spoiling

from .mutation import Mutant

_LOST = "test_stored.py::test_units_that_were_begun_and_have_no_result_are_missing_outcomes"
_ANEW = "test_begin_anew.py::test_a_life_draws_from_its_own_words_alone"
_SAME = "test_begin_anew.py::test_generators_in_equal_states_stay_equal_and_others_do_not"
_MISSING = "test_missing_outcome.py::test_questions_without_an_answer_are_missing_outcomes"


def _folder() -> Path:
    return Path(tempfile.mkdtemp())


SAMPLING_MUTANTS = [
    Mutant(
        "coins the other way",
        UnitPlan.sides,
        ">= self.share",
        "< self.share",
        "test_units.py::test_coins_choose_d_with_its_probability",
        {"share": 0.2},
    ),
    Mutant(
        "coins by the place in a batch",
        UnitPlan._tosses,
        "range(self.first, self.first + self.count)",
        "range(self.count)",
        "test_units.py::test_coins_do_not_depend_on_how_units_are_grouped",
    ),
    Mutant(
        "answers by coins share their noise",
        Sampler.units,
        "apart=True",
        "apart=False",
        "test_call_units.py::test_no_two_answers_by_coins_share_random_numbers",
    ),
    Mutant(
        "all instances have the clock of the machine",
        Instances.answered,
        "clock=clock",
        "clock=0.0",
        "test_instances.py::test_each_life_has_a_clock_of_its_own",
        {"workers": 1},
    ),
    Mutant(
        "both instances of a pair have clocks of their own",
        Instances.answered,
        "lives[::of_a_unit], of_a_unit",
        "lives, 1",
        "test_conditions.py::test_both_instances_of_a_pair_have_one_clock",
    ),
    Mutant(
        "D is always asked first",
        UnitPlan.order,
        ">= 0.5",
        ">= 1.0",
        "test_life_units.py::test_coins_toss_which_dataset_of_a_pair_is_asked_first",
    ),
    Mutant(
        "the clock of an audit that goes on begins anew",
        Instances.__init__,
        "earlier, time.time()",
        "0, time.time() - 24.0",
        "test_instances.py::test_each_life_has_a_clock_of_its_own",
        {"workers": 1},
    ),
    Mutant(
        "the same seed in every batch",
        _generators,
        "or not isinstance(source.box, PythonBlackBox)",
        "",
        "test_call_units.py::test_no_two_calls_of_a_program_are_told_the_same_seed",
        {"many": True},
    ),
    Mutant(
        "every draw starts at the same place",
        separate_generators,
        "(0, place, 0, 0)",
        "(0, 0, 0, 0)",
        "test_sampling.py::test_draw_by_draw_the_stream_does_not_depend_on_what_was_consumed_before",
    ),
    Mutant(
        "half a word is left for the next draw",
        separate_generators,
        'state["buffer_pos"], state["has_uint32"] = 4, 0',
        'state["buffer_pos"], state["has_uint32"] = 4, cipher.state["has_uint32"]',
        "test_sampling.py::test_small_draws_leave_nothing_behind_for_the_next",
    ),
    Mutant(
        "both sides of an address are one",
        Address.stream,
        "side, self.batch",
        "0, self.batch",
        "test_sampling.py::test_addresses_never_share_randomness",
    ),
    Mutant(
        "units by their place in a batch",
        SeparateCalls._places,
        "range(self.first, self.first + self.turns.count(right))",
        "range(self.turns.count(right))",
        "test_call_units.py::test_units_do_not_depend_on_how_they_are_grouped",
        {"function": singly, "n": 1, "share": None},
    ),
    Mutant(
        "units that were begun are drawn again",
        kept_units,
        "if store.recalled(address, begun) is not None",
        "if False",
        _LOST,
        {"tmp_path": _folder(), "plan": PLANS["pairs"]},
    ),
    Mutant(
        "missing outcomes on the wrong dataset",
        _lost,
        "_missing(int((~behind).sum())), _missing(int(behind.sum()))",
        "_missing(int(behind.sum())), _missing(int((~behind).sum()))",
        _LOST,
        {"tmp_path": _folder(), "plan": PLANS["coins"]},
    ),
    Mutant(
        "unreadable outputs are drawn again",
        recalled,
        "raise OutcomeError(record.error)",
        "pass",
        "test_stored.py::test_outputs_that_cannot_be_read_are_the_same_error_again",
        {"tmp_path": _folder()},
    ),
    Mutant(
        "changed data go unseen",
        together,
        "return all(",
        "return True or all(",
        "test_quick_calls.py::test_a_function_that_changes_its_data_is_called_with_a_copy_each",
        {"function": spoiling},
    ),
    Mutant(
        "failed calls are dropped",
        SeparateCalls.made_quickly,
        "self.failed(error, right, number, made)",
        "pass",
        "test_quick_calls.py::test_calls_together_give_what_they_give_one_by_one",
        {"function": failing, "part": False},
    ),
    Mutant(
        "failed calls for many are dropped",
        Runs.together,
        "[failure_of(error)] * size",
        "[0.0] * size",
        "test_sampling.py::test_a_failing_call_for_many_is_a_failure_of_all_its_outputs",
    ),
    Mutant(
        "questions without an answer are dropped",
        answered,
        "outputs += missing(left, reason)",
        "pass",
        _MISSING,
        {"reason": "crash", "given": 1},
    ),
    Mutant(
        "one missing outcome for a call for many",
        missing,
        "[outcome] * size for",
        "[outcome] for",
        "test_missing_outcome.py::test_too_few_outputs_of_a_call_for_many_are_completed",
    ),
    Mutant(
        "own generators are left as they are",
        begin_anew,
        "_set(generator, SeedSequence",
        "id(SeedSequence",
        _ANEW,
        {"kind": "an attribute"},
    ),
    Mutant(
        "global generators are left as they are",
        begin_anew,
        "seed_with(anew.shared)",
        "pass",
        _ANEW,
        {"kind": "the global generators"},
    ),
    Mutant(
        "all generators get one state",
        begin_anew,
        "[*anew.own, *np.frombuffer(state, np.uint32).tolist()]",
        "[*anew.own]",
        _SAME,
    ),
]
