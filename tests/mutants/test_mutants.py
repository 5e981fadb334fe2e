"""Every mutant of the wealth is caught: the named test fails on it, and passes without it."""

from __future__ import annotations

import numpy as np
import pytest
from audit.betting.capital import Capital
from audit.betting.e_process import (
    _both_ways,
    _log_factors,
    _payoffs,
    experts,
    payoffs,
    stakes_for,
    total,
)
from audit.betting.gambler import Gambler
from audit.betting.learning import _normal
from audit.betting.portfolios import Portfolios
from audit.betting.position import Position
from audit.verdict.self_check import self_check

from audit.betting.event_families import _matched
from audit.betting.events import Bets
from audit.claim import GaussianDP, PureDP
from audit.claim_kind import two_point_delta
from audit.divergence_claim import divergence_delta, renyi_delta
from audit.outcomes.binning import Cells
from audit.outcomes.counting import joint_of
from audit.outcomes.encoding import _encode_array, _encode_objects
from audit.sampling.sampler import Sampler
from audit.sampling.stream import Address, separate_generators
from audit.verdict.intervals import Comparison, compare

from .canary_mutants import CANARY_MUTANTS
from .closing_mutants import CLOSING_MUTANTS
from .curve_mutants import CURVE_MUTANTS
from .function_mutants import FUNCTION_MUTANTS
from .in_turn_mutants import IN_TURN_MUTANTS
from .last_bet_mutants import LAST_BET_MUTANTS
from .lasting_mutants import LASTING_MUTANTS
from .leak_mutants import LEAK_MUTANTS
from .mutation import Mutant, mutated, run_test
from .odds_mutants import ODDS_MUTANTS
from .other_law_mutants import OTHER_LAW_MUTANTS
from .own_generator_mutants import OWN_GENERATOR_MUTANTS
from .recorded_mutants import RECORDED_MUTANTS

FORMULA = "test_wealth.py::test_average_factor_follows_the_formula"
FAIR = "test_wealth.py::test_no_expert_gains_on_average_under_the_claim"
TIGHT = "test_wealth.py::test_the_worst_event_of_a_tight_mechanism_is_exactly_fair"
RUIN = "test_wealth.py::test_no_single_pair_of_draws_can_ruin_an_expert"
AVERAGE = "test_capital.py::test_fair_bets_keep_the_average_wealth_at_exactly_one"
MONEY = "test_capital.py::test_the_money_is_shared_out_once"
PILOT = "test_gambler.py::test_draws_made_before_the_bets_were_fixed_are_not_counted"
ALONE = "test_outcomes.py::test_what_is_read_off_an_output_does_not_depend_on_its_batch"
RARE = "test_intervals.py::test_many_rare_bins_share_alpha_with_each_other_and_with_other_tables"
LONE = "test_wealth.py::test_an_expert_that_could_be_ruined_is_worth_nothing"
ONE = {"coupled": True, "epochs": 1}
FOUR = {"coupled": True, "epochs": 4}
APART = {"coupled": False, "epochs": 1}

LINES = np.array([[2.0, 0.25]])
FAILURES = (AssertionError, ExceptionGroup, RuntimeWarning, pytest.fail.Exception)

MUTANTS = [
    Mutant("offset of doubles counted once", _payoffs, "- 2 * offset", "- offset", FORMULA),
    Mutant("offset forgotten", _payoffs, "1.0, 0.0]) - offset", "1.0, 0.0])", FAIR),
    Mutant(
        "second direction of doubles has the wrong sign",
        _payoffs,
        "right = np.concatenate([-slope,",
        "right = np.concatenate([slope,",
        TIGHT,
    ),
    Mutant("slope forgotten", _payoffs, "- slope * np.array", "- np.array", FAIR),
    Mutant("stakes to 1/a", stakes_for, "lines.sum(axis=1, keepdims=True)", "lines[:, :1]", RUIN),
    Mutant("doubles at the full stake", experts, "stakes / 2", "stakes", RUIN),
    Mutant("ruin ignored", _log_factors, "ravel() <= -1.0", "ravel() <= -1e9", LONE),
    Mutant("ends on D misread", _both_ways, "stack([forward", "stack([forward[::-1]", FORMULA),
    Mutant(
        "lower set of doubles misread",
        _both_ways,
        "np.kron(np.eye(spans), [-1.0, 1.0])",
        "np.tile([-1.0, 1.0], (spans, spans))",
        FORMULA,
    ),
    Mutant(
        "second direction counts the first",
        _both_ways,
        "forward.swapaxes(2, 3)",
        "forward",
        FORMULA,
    ),
    Mutant("sums along one side only", Bets.sums, ".cumsum(axis=1)", "", FORMULA),
    Mutant(
        "the best expert instead of the mixture",
        total,
        "log_sum(log_prior + log_wealth)",
        "float(log_wealth[log_prior > -np.inf].max(initial=-np.inf))",
        AVERAGE,
        ONE,
    ),
    Mutant("cash not given up", Capital.invest, "self.cash -= share", "pass", MONEY),
    Mutant(
        "shares above one",
        Capital.invest,
        "self.cash -= share",
        "self.cash -= share / 2",
        MONEY,
    ),
    Mutant("weights above one", Capital.invest, "weights[pair] / whole", "1.0", AVERAGE, ONE),
    Mutant("shares forgotten", Capital.funded, "math.log(epoch.share)", "0.0", AVERAGE, FOUR),
    Mutant("handed on and kept", Capital.funded, "rolled if", "worth if", MONEY),
    Mutant(
        "direction chosen after seeing the counts",
        Position.tallies,
        "tallies(c, t.bets)",
        "tallies(c if c.sum(1)[1] >= c.sum(0)[1] else c.T, t.bets)",
        AVERAGE,
        APART,
    ),
    Mutant(
        "event chosen after seeing the counts",
        Position.tallies,
        "tallies(c, t.bets)",
        "tallies(c if c[1, 0] >= c[0, 1] else c[[1, 0, 2]][:, [1, 0, 2]], t.bets)",
        AVERAGE,
        APART,
    ),
    Mutant(
        "written-off bets keep their worth",
        Capital.forfeit,
        "epoch.lost = True",
        "pass",
        "test_capital.py::test_forfeited_money_is_gone_and_the_cash_stays",
    ),
    Mutant(
        "no forfeiture after a failure",
        Portfolios.forfeit,
        "capital.forfeit()",
        "pass",
        "test_gambler.py::test_a_failed_batch_writes_off_all_bets_and_starts_again",
    ),
    Mutant(
        "the pilot is bet on",
        Portfolios.open,
        "self.claim.invest({pair: portfolios[pair] for pair in weights}, weights, life)",
        "self.claim.invest({pair: portfolios[pair] for pair in weights}, weights, life); [a.add("
        "a.portfolio.count(pasts[a.pair].left, pasts[a.pair].right)) "
        "for a in self.claim.epochs[-1].positions]",
        PILOT,
    ),
    Mutant(
        "a failed batch is drawn again",
        Gambler._restart,
        "failure.address.batch if here",
        "failure.address.batch - 1 if here",
        "test_gambler.py::test_no_address_is_asked_for_twice_not_even_after_a_failure",
    ),
    Mutant(
        "bins follow the draws that are bet on",
        joint_of,
        "binning.code(feature.read(left))",
        "np.sort(binning.code(feature.read(left)))",
        "test_learning.py::test_a_pair_counts_in_the_same_cell_whatever_batch_it_comes_in",
    ),
    Mutant(
        "prior weights do not sum to one",
        _normal,
        "part - whole",
        "part",
        "test_learning.py::test_portfolios_from_few_and_many_draws",
        {"claim": PureDP(0.1), "size": 300},
    ),
    Mutant(
        "joined events overlap",
        _matched,
        "np.minimum(fitting, np.arange(len(upper)))",
        "fitting",
        "test_choice.py::test_bets_are_well_formed",
    ),
    Mutant(
        "the coupling is not checked",
        Sampler._check_alignment,
        "left.misaligned(right)",
        '""',
        "test_sampling.py::test_unequal_consumption_of_a_batch_ends_the_coupling",
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
    Mutant("arrays have no length", _encode_array, "LENGTH + OUTPUT: length", "", ALONE),
    Mutant("arrays have no matrix", _encode_objects, "_matrix_of(outputs)", "None", ALONE),
    Mutant(
        "edges belong to the bin below",
        Cells.code,
        "values >= ",
        "values > ",
        "test_binning.py::test_codes_count_the_edges_at_or_below",
    ),
    Mutant(
        "conversion of Rényi divergence too good",
        renyi_delta,
        "(order - 1.0) * (divergence",
        "order * (divergence",
        "test_claim.py::test_renyi_lines_hold_for_every_event_of_pairs_that_keep_the_claim",
    ),
    Mutant(
        "total variation too small",
        divergence_delta,
        "divergence / 2.0",
        "divergence / 8.0",
        "test_claim.py::test_zcdp_lines_hold_for_every_event_of_pairs_that_keep_the_claim",
    ),
    Mutant(
        "profile of pure claims too small",
        two_point_delta,
        "(1.0 + math.exp(at))",
        "2.0 * math.exp(at)",
        "test_claim.py::test_profile_of_approximate_claims_is_that_of_their_worst_pair",
        {"epsilon": 1.0, "delta": 0.0},
    ),
    Mutant(
        "Gaussian profile of less than the distance",
        GaussianDP.delta,
        "self.mu / 2.0",
        "0.9 * self.mu / 2.0",
        "test_claim.py::test_gaussian_lines_hold_for_every_event_of_rounded_gaussians",
    ),
    Mutant("bins share no alpha", compare, "len(left) * ", "", RARE, {"families": 1, "factor": 8}),
    Mutant("tables share no alpha", compare, " * families", "", RARE, {"families": 8, "factor": 8}),
    Mutant(
        "intervals compared by their wrong ends",
        Comparison.breaks,
        "right.high",
        "right.low",
        "test_intervals.py::test_tight_mechanisms_are_flagged_with_at_most_alpha",
        {"claim": PureDP(0.6931471805599453), "p": (2 / 3, 1 / 3), "q": (1 / 3, 2 / 3)},
    ),
    Mutant(
        "no self-check",
        self_check,
        "not capital.refuted",
        "True",
        "test_self_check.py::test_a_check_that_has_failed_is_not_made_again_with_more_runs",
    ),
]


ALL_MUTANTS = [
    *MUTANTS,
    *FUNCTION_MUTANTS,
    *CANARY_MUTANTS,
    *CLOSING_MUTANTS,
    *CURVE_MUTANTS,
    *RECORDED_MUTANTS,
    *LAST_BET_MUTANTS,
    *LASTING_MUTANTS,
    *LEAK_MUTANTS,
    *ODDS_MUTANTS,
    *IN_TURN_MUTANTS,
    *OTHER_LAW_MUTANTS,
    *OWN_GENERATOR_MUTANTS,
]


pytestmark = pytest.mark.slow


@pytest.mark.parametrize("mutant", ALL_MUTANTS, ids=lambda mutant: mutant.error)
def test_mutants_are_caught(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    with mutated(mutant), pytest.raises(FAILURES):
        run_test(mutant, monkeypatch)


def test_nothing_is_left_of_a_mutant() -> None:
    before = payoffs(LINES)
    with mutated(MUTANTS[0]):
        assert payoffs(LINES)[1].tolist() != before[1].tolist()
    assert payoffs(LINES)[1].tolist() == before[1].tolist()
