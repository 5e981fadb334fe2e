"""Mutants of bettors and of the bets that they choose: stakes, weights, divisors, smoothing."""

from __future__ import annotations

from typing import Any

from audit.betting.bet import Bet, Design, EventBet, kelly
from audit.betting.bettor import Bettor
from audit.betting.epoch import Choices
from audit.betting.event_families import Reading
from audit.betting.functions import Functions, _function
from audit.betting.past import PairPast
from audit.betting.portfolio import Tally, _Packed
from audit.betting.screening import Screen, Table
from audit.betting.wealth import Interval, Wealth
from audit.claims import ZCDP, ApproxDP, GaussianDP, PureDP, RenyiDP
from audit.sampling.units import UnitKind
from tests.audit.betting.test_bet import DOUBLE

from .mutation import Mutant

_PRODUCT = "test_wealth.py::test_the_growth_is_the_product_of_the_factors_of_all_units"
_ROOT = "test_wealth.py::test_what_is_refuted_in_an_interval_are_the_levels_below_a_root"
_VALID = "test_bettor.py::test_stakes_are_valid_at_the_upper_end_of_every_interval"
_SCREEN = "betting/test_screening.py::"
_OFFERS = f"{_SCREEN}test_offers_are_sorted_and_their_stakes_are_valid_in_the_whole_interval"
_NEVER = f"{_SCREEN}test_an_event_that_was_never_seen_on_the_other_side_is_not_impossible_there"
_ALIKE = "test_past.py::test_outputs_of_one_unit_are_correlated_as_often_as_both_are_what_it_keeps"
_MEAN = "test_bettor.py::test_a_unit_is_the_mean_over_its_outputs"
_CAPPED = "test_functions.py::test_functions_are_capped_if_the_datasets_have_nothing_in_common"
_LIFE: dict[str, Any] = {"kind": UnitKind.LIFE, "cost": (2.0**-9, 2.0**-20)}
_CALLS: dict[str, Any] = {"source": {}, "claim": PureDP(2.0)}

BETTING_MUTANTS = [
    Mutant(
        "two events at the stake of one",
        Bet.largest_cost,
        "self.cost.max(axis=1).sum()",
        "self.cost.max()",
        "test_bet.py::test_no_unit_makes_the_wealth_negative",
        {"bet": DOUBLE, "share": None},
    ),
    Mutant(
        "absent numbers cost nothing",
        EventBet.of,
        "isinstance(feature, LowBits)",
        "False",
        "test_bet.py::test_an_absent_number_is_no_evidence_of_low_order_bits",
    ),
    Mutant(
        "units of a kind counted once",
        Tally.add,
        "place.ravel(), weights, len(held)",
        "np.arange(len(held)), None, len(held)",
        "test_wealth.py::test_a_tally_counts_equal_units_together",
    ),
    Mutant(
        "offset of a unit forgotten",
        _Packed.log_growths,
        "offset * self.stakes",
        "0.0 * self.stakes",
        _PRODUCT,
        {"claim": ApproxDP(1.0, 0.05), "share": None},
    ),
    Mutant(
        "cost at another level",
        _Packed.log_growths,
        "np.repeat(cost, self.sizes)",
        "np.repeat(0.9 * cost, self.sizes)",
        _PRODUCT,
        {"claim": PureDP(1.0), "share": 0.2},
    ),
    Mutant(
        "all of the reserve fed",
        Interval.log_wealth,
        "math.log(portfolio.feed) + reserve",
        "reserve",
        "test_wealth.py::test_what_is_not_fed_is_never_lost",
    ),
    Mutant(
        "a larger level at a root", Interval.look, "middle) >= goal", "middle) >= 0.8 * goal", _ROOT
    ),
    Mutant(
        "a larger level for whole intervals",
        Interval.look,
        "claim, high) >= goal",
        "claim, high) >= 0.3 * goal",
        _ROOT,
    ),
    Mutant(
        "a claim is refuted below its level",
        Wealth.refuted,
        "self.claim.level",
        "0.9 * self.claim.level",
        "test_wealth.py::test_the_claim_is_refuted_at_its_own_level",
        {"bound": 0.95, "refuted": False},
    ),
    Mutant(
        "stakes of the lower levels of an interval",
        Screen._events,
        "claim.lines(high)",
        "claim.lines(level)",
        _VALID,
        _CALLS,
    ),
    Mutant(
        "stakes of functions of the lower levels",
        Screen._functions,
        "functions.terms(bounds[1])",
        "functions.terms(bounds[0])",
        _OFFERS,
        {"claim": ZCDP(0.1), "design": Design()},
    ),
    Mutant(
        "no largest stake",
        kelly,
        "0.0, top)",
        "0.0, np.inf)",
        f"{_SCREEN}test_the_stake_is_between_nothing_and_the_largest",
        {"mean": 2.0, "stake": 0.2},
    ),
    Mutant(
        "a loss for as large as a gain",
        kelly,
        "np.maximum(mean, 0.0) * lean",
        "0.0 * lean",
        f"{_SCREEN}test_the_stake_on_an_event_is_the_one_of_the_largest_log_growth",
        {"own": 0.0024, "other": 0.00036, "slope": 3.67},
    ),
    Mutant("no smoothing", Table.of, "other += 0.5", "other += 0.0", _NEVER),
    Mutant(
        "sums of gains in place of means",
        Bettor._bet,
        "gain / design.n",
        "gain",
        _MEAN,
        {"source": _LIFE},
    ),
    Mutant(
        "sums of costs in place of means",
        Bettor._bet,
        "cost / design.n",
        "cost",
        _MEAN,
        {"source": _LIFE},
    ),
    Mutant(
        "weights and cash above one",
        Choices.experts,
        "(1.0 - CASH) / weights",
        "1.0 / weights",
        _VALID,
        _CALLS,
    ),
    Mutant(
        "stakes above the largest one",
        Choices.experts,
        "_STAKE * offer",
        "3.0 * offer",
        _VALID,
        _CALLS,
    ),
    Mutant(
        "outputs, not units, choose or judge",
        PairPast._numbers,
        "b.units[side] + k",
        "np.arange(b.sides[side].size) + k",
        "test_past.py::test_units_that_judge_a_fitted_feature_did_not_choose_it",
    ),
    Mutant(
        "a unit that chose a feature says how alike its outputs are",
        PairPast._parts,
        " if several and half else None",
        " if several else None",
        _ALIKE,
    ),
    Mutant(
        "outputs in one bin by chance are alike",
        Reading._correlation,
        "self.within * chance",
        "0.0 * chance",
        _ALIKE,
    ),
    Mutant(
        "units that cannot be read are dropped",
        Bettor._bet,
        "if past.pair in self.left_out",
        "if False",
        "test_bettor.py::test_units_that_cannot_be_read_count_as_the_worst_there_are",
    ),
    Mutant(
        "stakes of events beyond the offset",
        Screen._events,
        "(slope * cost + offset)",
        "(slope * cost)",
        _OFFERS,
        {"claim": GaussianDP(1.0), "design": Design()},
    ),
    Mutant(
        "stakes of functions beyond the cost",
        Screen._functions,
        "1.0 / (largest",
        "1.0 / (0.5 * largest",
        _OFFERS,
        {"claim": ZCDP(0.1), "design": Design()},
    ),
    Mutant(
        "stakes of functions beyond the offset",
        Screen._functions,
        "cost_weight + top_offset",
        "cost_weight",
        _OFFERS,
        {"claim": ZCDP(0.1), "design": Design()},
    ),
    Mutant(
        "gains rounded up",
        Functions.of,
        "np.floor",
        "np.ceil",
        "test_functions.py::test_the_best_function_is_exactly_fair_and_gains_against_less",
        {"order": 2.0, "forward": True},
    ),
    Mutant(
        "no cap",
        _function,
        "ratio - norm, np.log(cap)",
        "ratio - norm, 700.0",
        _CAPPED,
        {"claim": RenyiDP(2.0, 0.5)},
    ),
    Mutant(
        "no cap of order 1",
        _function,
        "-np.log(cap), np.log(cap)",
        "-700.0, 700.0",
        _CAPPED,
        {"claim": ZCDP(0.5)},
    ),
]
