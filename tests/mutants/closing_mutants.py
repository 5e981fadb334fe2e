"""Mutants of closing tests: of what makes them fair, and of when there are any."""

from __future__ import annotations

from audit.betting.capital import Capital
from audit.betting.exact.closing_tests import ClosingTests
from audit.betting.exact.last_runs import LastRuns
from audit.betting.power import shown_by
from audit.claim import PureDP

from .mutation import Mutant

_BEFORE = (
    "test_closing_tests.py::test_nothing_is_won_before_the_last_of_the_runs_nor_with_one_too_many"
)
_FALLS = (
    "test_closing_tests.py::test_what_is_won_falls_with_the_level_to_the_largest_that_is_refuted"
)
_STAKES = "test_closing_tests.py::test_stakes_are_taken_from_the_cash_and_forfeited_with_it"
_STRICTER = "test_closing_tests.py::test_a_test_with_less_money_is_stricter"
_WHERE = "test_closing_tests.py::test_they_are_where_all_runs_are_apart_and_bets_are_no_better"
_SEEN = "test_closing_tests.py::test_what_tests_would_have_seen_they_mostly_see"
_LASTING = {"claim": PureDP(1.0), "runs": 2_000, "changed": {"lasting": True}, "expected": False}
_LARGE = {
    "claim": PureDP(4.0),
    "runs": 200_000,
    "changed": {"shares_randomness": False},
    "expected": False,
}

CLOSING_MUTANTS = [
    Mutant("power of one half is called 0.9", shown_by, "_POWER / math.sqrt(2.0)", "-0.5", _SEEN),
    Mutant(
        "won before all runs are there",
        ClosingTests.levels,
        "self.drawn != self.pairs",
        "self.drawn > self.pairs",
        _BEFORE,
    ),
    Mutant(
        "one run too many",
        ClosingTests.levels,
        "self.drawn != self.pairs",
        "self.drawn < self.pairs",
        _BEFORE,
    ),
    Mutant("worth the same at every level", ClosingTests.log_wealth, ">= level", ">= 0.0", _FALLS),
    Mutant("all of alpha for each", ClosingTests.tests, "most * stake", "most", _STRICTER),
    Mutant(
        "won against any claim", ClosingTests.winner, "level >= self", "level >= 0 * self", _FALLS
    ),
    Mutant(
        "stakes not taken",
        Capital.close,
        "self.cash -= sum(part.stake for part in tests)",
        "pass",
        _STAKES,
    ),
    Mutant("tests not forfeited", Capital.forfeit, "stake.lost = True", "pass", _STAKES),
    Mutant("tests not left", Capital.leave, "stake.lost |= stake.pair == pair", "pass", _STAKES),
    Mutant(
        "calls that hang together",
        LastRuns._ends_alike,
        " and not self.sampler.lasting",
        "",
        _WHERE,
        _LASTING,
    ),
    Mutant(
        "beside bets at odds",
        LastRuns._closing,
        " and not steep(claim.lines(claim.level))",
        "",
        _WHERE,
        _LARGE,
    ),
]
