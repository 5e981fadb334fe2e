"""Mutants of bets on functions: of what makes them fair, and of how they are confirmed."""

from __future__ import annotations

from audit.betting.confirmation.call_wealth import CallWealth
from audit.betting.confirmation.function_bet import FunctionBet
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.position import Position

from audit.betting.function_candidates import _function
from audit.betting.functions import Functions
from audit.claim import RenyiDP, ZeroConcentratedDP
from audit.verdict.bounded_means import mean_of

from .mutation import Mutant

_EXACT = "test_functions.py::test_the_best_function_is_exactly_fair_and_gains_against_less"
_RUIN = "test_functions.py::test_no_pair_of_bins_ruins_whoever_bets_the_largest_stake"
_FALLS = "test_functions.py::test_wealth_falls_as_the_level_grows"
_CAPPED = "test_functions.py::test_functions_are_capped_where_the_sides_have_nothing_in_common"
_HALVES = "test_functions.py::test_functions_are_bet_on_where_a_claim_bounds_divergences"
_CALL = (
    "test_function_bet.py::test_a_call_that_repeats_one_output_is_fair_at_the_claim_and_gains_below"
)
_MEAN = "test_function_bet.py::test_a_call_pays_the_mean_of_what_its_pairs_pay"
_SHOWN = (
    "test_function_bet.py::test_people_are_shown_means_that_reach_the_line_exactly_at_the_claim"
)
_SECOND = {"order": 2.0, "forward": True}
_FIRST = {"order": 1.0, "forward": True}
_RENYI = {"claim": RenyiDP(2.0, 0.5), "place": 0, "forward": True}
_ZCDP = {"claim": ZeroConcentratedDP(0.3), "place": 0, "forward": True}

FUNCTION_MUTANTS = [
    Mutant(
        "Young's exponent",
        Functions.of,
        "** dual / dual",
        "** (0.8 * dual) / dual",
        _EXACT,
        _SECOND,
    ),
    Mutant(
        "Young's factor", Functions.of, "** dual / dual", "** dual / (dual + 0.2)", _EXACT, _SECOND
    ),
    Mutant(
        "K too large", Functions.terms, "np.exp(-(order", "np.exp(-0.9 * (order", _EXACT, _SECOND
    ),
    Mutant("offset of order 1", Functions.terms, "bound - 1.0 -", "bound - 1.01 -", _EXACT, _FIRST),
    Mutant("shift of order 1 forgotten", Functions.terms, " - self.shift", "", _EXACT, _FIRST),
    Mutant("gains rounded up", Functions.of, "np.floor", "np.ceil", _EXACT, _SECOND),
    Mutant(
        "stakes beyond the cost",
        Functions.largest_stakes,
        " / UNIT + offset",
        " / (2 * UNIT) + offset",
        _RUIN,
    ),
    Mutant("stakes beyond the offset", Functions.largest_stakes, " + offset", "", _RUIN),
    Mutant("ruin ignored", Functions.experts, "stakes >= self", "stakes >= 1e9 * self", _RUIN),
    Mutant("level ignored", Functions.terms, "bound / order)", "1.0 / order)", _EXACT, _SECOND),
    Mutant(
        "wealth rises with the level", Functions.terms, "np.exp(-(order", "np.exp((order", _FALLS
    ),
    Mutant(
        "cost of the wrong direction",
        Functions.payoffs,
        "self.cost[:, left])",
        "self.cost[:, right])",
        _EXACT,
        {"order": 2.0, "forward": False},
    ),
    Mutant(
        "gain of the wrong direction",
        Functions.payoffs,
        "self.gain[:, right])",
        "self.gain[:, left])",
        _EXACT,
        {"order": 2.0, "forward": False},
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
        {"claim": ZeroConcentratedDP(0.5)},
    ),
    Mutant(
        "functions beside the whole money",
        Position.log_wealth,
        " - math.log(2.0)",
        "",
        _HALVES,
        {"claim": RenyiDP(2.0, 1.0), "there": True},
    ),
    Mutant(
        "the best output of a call for all",
        FunctionBet.sums,
        "gain[0, here].reshape(-1, size).sum(axis=1)",
        "gain[0, here].reshape(-1, size).max(axis=1) * size",
        _MEAN,
        _RENYI,
    ),
    Mutant(
        "a call bet on draw by draw",
        CallWealth._earned,
        "np.log1p(np.maximum(change, -1.0))",
        "self.size * np.log1p(np.maximum(change, -1.0))",
        _CALL,
        _RENYI,
    ),
    Mutant(
        "cost of a call too small",
        FunctionBet.coefficients,
        "-1.0, 0.0",
        "-0.9, 0.0",
        _CALL,
        _RENYI,
    ),
    Mutant(
        "offset of a call forgotten",
        FunctionBet.coefficients,
        "float(offset[0])",
        "0.0",
        _CALL,
        _ZCDP,
    ),
    Mutant(
        "sides of a call exchanged",
        LeadingBet.codes,
        "if self.forward",
        "if not self.forward",
        _MEAN,
        _RENYI,
    ),
    Mutant(
        "outputs of a call counted as calls",
        CallWealth._earned,
        "sums / self.size * each",
        "sums / self.size * each * 2.0",
        _CALL,
        _RENYI,
    ),
    Mutant(
        "means shown against another line",
        FunctionBet.line,
        "float(offset[0]) / most",
        "0.9 * float(offset[0]) / most",
        _SHOWN,
        _RENYI,
    ),
    Mutant(
        "intervals of means at the wrong level",
        mean_of,
        "math.log(4.0 / alpha)",
        "0.1",
        "test_bounded_means.py::test_they_miss_the_mean_with_at_most_alpha",
        {"draws": 10_000},
    ),
]
