"""Mutants of canaries: of who is guessed, what delta costs, and how prefixes share alpha."""

from __future__ import annotations

from audit.canary.bench import CanaryTests, coins_of
from audit.canary.design import Design
from audit.canary.epsilon_test import EpsilonTest, crossing_probability, gain
from audit.canary.guesses import _compared, _given, _ranked, guesses_from, strategies_for
from audit.canary.profile_test import ProfileTest, refuted, region_offsets
from audit.canary.two_sample import BinomialTest

from .mutation import Mutant

_TIES = "test_guesses.py::test_rows_sorted_by_member_with_equal_scores_are_right_as_often_as_chance"
_MATCHED = "test_guesses.py::test_halves_are_matched_blind_to_scores"
_ABSTAIN = "test_guesses.py::test_missing_scores_abstain"
_GIVEN = "test_guesses.py::test_guesses_of_others_are_taken_as_they_are"
_IN_PAIRS = "test_guesses.py::test_guesses_of_others_about_pairs_count_once_a_pair"
_IN_HALVES = "test_guesses.py::test_guesses_of_others_about_halves_are_compared"
_LEVEL = "test_epsilon_test.py::test_the_chance_is_a_p_value"
_SHARED = "test_recursion.py::test_prefixes_share_alpha"
_UNGUESSED = "test_epsilon_test.py::test_canaries_nobody_guessed_cost_delta_too"
_REGION = "test_renyi_region.py::test_it_is_the_region_of_two_outcomes"

_SHARES = "test_directions.py::test_all_tests_of_a_claim_share_one_level"

CANARY_MUTANTS = [
    Mutant(
        "either direction has all of alpha",
        CanaryTests.of,
        "(alpha - to_compare) * share",
        "(alpha - to_compare)",
        _SHARES,
        {"independent": False},
    ),
    Mutant(
        "two-sample tests cost no part of alpha",
        CanaryTests.of,
        "(alpha - to_compare)",
        "alpha",
        _SHARES,
        {"independent": True},
    ),
    Mutant(
        "p-values of directions not divided by their shares",
        CanaryTests.p_value,
        "p / share for",
        "0.2 * p for",
        "test_directions.py::test_noise_is_refuted_as_seldom_as_the_level_says",
    ),
    Mutant(
        "two-sample tests at twice the level",
        BinomialTest.refutes,
        "if any(self._chance(largest(q), q) > _ROOM * level for q in marks):",
        "level *= 2.0\n    if any(self._chance(largest(q), q) > _ROOM * level for q in marks):",
        "test_two_sample.py::test_a_line_that_holds_is_refuted_as_seldom_as_the_level_says",
        {"slope": 2.7, "offset": 0.0, "level": 0.2},
    ),
    Mutant(
        "ties broken by the coins",
        _ranked,
        "(ties[rows], scores.values[rows])",
        "(scores.members[rows], scores.values[rows])",
        _TIES,
    ),
    Mutant(
        "ties of couples broken by the coins",
        _compared,
        "ties[members] < ties[others]",
        "ties[members] >= 0",
        _TIES,
    ),
    Mutant(
        "halves guessed as if they were coins",
        guesses_from,
        "is not Assignment.COIN",
        "is Assignment.PAIRS",
        _MATCHED,
    ),
    Mutant(
        "halves counted as if they were coins",
        coins_of,
        "is Assignment.COIN",
        "is not Assignment.PAIRS",
        "test_audit.py::test_bets_on_halves_as_if_they_were_coins_would_be_wrong",
    ),
    Mutant(
        "a pair's coin counted twice",
        guesses_from,
        "design.assignment is not Assignment.COIN",
        "not scores.guessed and design.assignment is not Assignment.COIN",
        _IN_PAIRS,
    ),
    Mutant(
        "two equal guesses choose one of two",
        _compared,
        "(lead == 0.0) & scores.guessed",
        "lead != lead",
        _IN_HALVES,
    ),
    Mutant(
        "delta of those guessed only",
        EpsilonTest._mass,
        "self.canaries",
        "len(self.guesses)",
        _UNGUESSED,
    ),
    Mutant(
        "curve of those guessed only",
        ProfileTest.prefix_refutes,
        "canaries=self.canaries",
        "canaries=prefix.size",
        "test_recursion.py::test_canaries_nobody_guessed_count",
    ),
    Mutant(
        "delta of a group that of one",
        Design.delta,
        "(1.0 + math.exp(epsilon)) * delta",
        "delta",
        "test_epsilon_test.py::test_two_steps_cost_the_delta_of_a_group",
    ),
    Mutant(
        "delta costs too little",
        gain,
        "1.0 / (growing + falling)",
        "0.5 / (growing + falling)",
        "test_excess.py::test_it_is_what_the_theorem_defines",
    ),
    Mutant(
        "prefixes do not share the boundary",
        EpsilonTest._crossed,
        "min(crossing_probability(blocks, _laws(many, easy), critical), together)",
        "level",
        _LEVEL,
        {"epsilon": 0.3},
    ),
    Mutant(
        "the last prefix alone is a crossing",
        crossing_probability,
        "critical[place] - 1",
        "(critical[place] - 1 if place + 1 == len(blocks) else 10**9)",
        _LEVEL,
        {"epsilon": 0.3},
    ),
    Mutant(
        "prefixes of the recursion do not share alpha",
        ProfileTest.prefix_refutes,
        "self.alpha / len(self.prefixes())",
        "self.alpha",
        _SHARED,
    ),
    Mutant(
        "a missing score is a guess",
        _ranked,
        "~np.isnan(scores.values[ranked])",
        "np.ones(len(ranked), dtype=bool)",
        _ABSTAIN,
    ),
    Mutant(
        "an abstention of others is a guess",
        _given,
        "made = values != 0",
        "made = values == values",
        _GIVEN,
    ),
    Mutant(
        "an abstention of others is right",
        _given,
        "made = values != 0",
        "made = values == values; members = np.where(values == 0, False, members)",
        _GIVEN,
    ),
    Mutant(
        "two steps are one",
        Design.rates,
        "self.steps * epsilon",
        "epsilon",
        "test_epsilon_test.py::test_two_steps_are_twice_the_epsilon",
    ),
    Mutant(
        "coins are taken to be fair",
        Design.rates,
        "loss + odds), _logistic(loss - odds)",
        "loss), _logistic(loss)",
        "test_epsilon_test.py::test_unfair_coins",
    ),
    Mutant(
        "both strategies have all of alpha",
        strategies_for,
        "share=_BOTH_SHARE",
        "share=1.5",
        _LEVEL,
        {"epsilon": 0.3},
    ),
    Mutant(
        "masses of the recursion too small",
        refuted,
        "missing / (guesses - count)",
        "missing / (guesses - count + 1)",
        "test_recursion.py::test_the_bound_is_the_optimum",
        {"guesses": 6, "canaries": 6, "delta": 0.02},
    ),
    Mutant(
        "a region too small",
        region_offsets,
        "found + _ROUNDING",
        "0.98 * found",
        _REGION,
        {"order": 4.0, "most": 2.0},
    ),
]
