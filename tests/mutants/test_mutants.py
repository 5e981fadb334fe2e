"""Every mutant of what the level rests on is caught: the named test fails on it."""

from __future__ import annotations

import pytest

from audit.betting.bet import Bet, EventBet
from audit.betting.functions import Functions
from audit.betting.portfolio import Tally, _Packed
from audit.betting.wealth import Interval, Wealth
from audit.claims import PureDP
from audit.errors import AuditError
from audit.sampling.running_wealth import running_wealth
from audit.sampling.units import UnitPlan
from audit.verdict.intervals import Comparison, compare
from tests.audit.betting.test_bet import DOUBLE, SINGLE

from .betting_mutants import BETTING_MUTANTS
from .canary_mutants import CANARY_MUTANTS
from .curve_mutants import CURVE_MUTANTS
from .mutation import Mutant, mutated, run_test
from .recorded_mutants import RECORDED_MUTANTS
from .sampling_mutants import SAMPLING_MUTANTS
from .verdict_mutants import VERDICT_MUTANTS

FAIR = "test_bet.py::test_a_pair_is_fair_at_the_claim"
COINS = "test_bet.py::test_coins_are_fair_at_the_claim"
DELTA = "test_bet.py::test_delta_is_paid_once_for_each_event"
RUIN = "test_bet.py::test_no_unit_makes_the_wealth_negative"
FUNCTION = "test_bet.py::test_a_function_is_fair_at_the_claim_and_gains_beyond"
GOAL = "test_wealth.py::test_the_goal_is_minus_the_log_of_the_level"
GROWTH = "test_wealth.py::test_the_growth_of_a_portfolio_is_cash_and_products_of_factors"
NEXT = "test_wealth.py::test_what_a_portfolio_became_goes_into_the_next"
BELOW = "test_wealth.py::test_a_bound_needs_all_levels_below_it"
CUT = "test_wealth.py::test_cutting_leaves_both_parts_their_past"
RARE = "test_intervals.py::test_many_rare_bins_share_alpha_with_each_other_and_with_other_tables"
PERMANENT = {"draws": 1}
UNEVEN = {"draws": 1, "share": 0.2}
SECOND = {"order": 2.0, "draws": 1}
FIRST = {"order": 1.0, "draws": 1}

MUTANTS = [
    Mutant("level ignored", Wealth.goal, "-math.log(self.alpha)", "-math.log(0.5)", GOAL),
    Mutant("twice the level", Wealth.goal, "self.alpha", "2.0 * self.alpha", GOAL),
    Mutant(
        "slope forgotten", EventBet.terms, "float(slope)", "1.0", FAIR, {"bet": SINGLE, **PERMANENT}
    ),
    Mutant(
        "offset counted once",
        EventBet.terms,
        "self.events * float(offset)",
        "float(offset)",
        DELTA,
        {"bet": DOUBLE},
    ),
    Mutant(
        "cost on the wrong dataset",
        EventBet.of,
        "np.stack([behind | (absent & behind.any()), ahead | (absent & ahead.any())])",
        "np.stack([ahead, behind])",
        "test_bet.py::test_an_absent_number_is_no_evidence_of_low_order_bits",
    ),
    Mutant(
        "outputs not divided by their coin's probability",
        Bet.sums,
        "Design(batch.n, batch.share).weights(forward=True)",
        "(1.0, 1.0)",
        COINS,
        UNEVEN,
    ),
    Mutant(
        "coins taken for fair ones",
        Bet.sums,
        "Design(batch.n, batch.share).weights(forward=True)",
        "(2.0, 2.0)",
        COINS,
        UNEVEN,
    ),
    Mutant(
        "stakes of coins as of pairs",
        Bet.largest_cost,
        "np.array([share, 1.0 - share])",
        "1.0",
        RUIN,
        {"bet": SINGLE, "share": 0.2},
    ),
    Mutant(
        "Young's exponent",
        Functions.of,
        "** dual / dual",
        "** (0.8 * dual) / dual",
        FUNCTION,
        SECOND,
    ),
    Mutant(
        "divergence level ignored",
        Functions.terms,
        "bound / order)",
        "1.0 / order)",
        FUNCTION,
        SECOND,
    ),
    Mutant("offset of order 1", Functions.terms, "bound - 1.0 -", "bound - 1.1 -", FUNCTION, FIRST),
    Mutant(
        "equal units counted once",
        Tally.add,
        "np.ones(len(gain))",
        "np.ones(len(gain)) * 0.5",
        "test_wealth.py::test_a_tally_counts_equal_units_together",
    ),
    Mutant("cash on top", _Packed.of, "1.0 - math.fsum", "2.0 - math.fsum", GROWTH),
    Mutant("handed on and kept", Interval.log_wealth, "math.log1p(-portfolio.feed)", "0.0", NEXT),
    Mutant(
        "the best portfolio instead of the sum",
        Interval.log_wealth,
        "act = float(np.logaddexp(act, ",
        "act = float(max(act, ",
        NEXT,
    ),
    Mutant("levels jumped over", Wealth.look, "break", "pass", BELOW),
    Mutant(
        "cut levels count as refuted", Interval.cut, "max(self.reached, level)", "self.high", CUT
    ),
    Mutant(
        "level of all versions",
        running_wealth,
        "-math.log(level)",
        "-math.log(4.0 * level)",
        "test_running_wealth.py::test_right_versions_are_accused_with_probability_at_most_the_level",
        {"law": ((0.0, 0.75), (4.0, 0.25))},
    ),
    Mutant(
        "entropy of the first unit for all",
        UnitPlan.entropy,
        "_DRAWS, number",
        "_DRAWS, 0",
        "test_units.py::test_no_two_units_have_the_same_entropy",
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
]
ALL_MUTANTS = [
    *MUTANTS,
    *BETTING_MUTANTS,
    *SAMPLING_MUTANTS,
    *VERDICT_MUTANTS,
    *CANARY_MUTANTS,
    *CURVE_MUTANTS,
    *RECORDED_MUTANTS,
]
FAILURES = (AssertionError, ExceptionGroup, RuntimeWarning, pytest.fail.Exception, AuditError)

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("mutant", ALL_MUTANTS, ids=lambda mutant: mutant.error)
def test_mutants_are_caught(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    with mutated(mutant), pytest.raises(FAILURES):
        run_test(mutant, monkeypatch)


def test_nothing_is_left_of_a_mutant() -> None:
    wealth = Wealth(PureDP(1.0), 0.05)
    before = wealth.goal
    with mutated(MUTANTS[0]):
        assert wealth.goal != before
    assert wealth.goal == before
