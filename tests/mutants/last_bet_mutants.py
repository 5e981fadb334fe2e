"""Mutants of the last bet: of its tests' level, of its money, and of the draws that count."""

from __future__ import annotations

from audit.betting.capital import Capital
from audit.betting.exact.apart_test import OneEventTest, TwoEventTest, _log_tail
from audit.betting.exact.last_bet import LastBet
from audit.betting.exact.last_runs import LastRuns

from .mutation import Mutant

_ONE = "test_apart_test.py::test_one_event_that_keeps_its_line_is_refuted_with_at_most_the_level"
_TWO = "test_apart_test.py::test_two_events_that_keep_their_line_are_refuted_with_at_most_the_level"
_TAIL = "test_apart_test.py::test_the_tail_is_that_of_fishers_law"
_GOAL = "test_last_bet.py::test_what_is_won_reaches_the_goal_and_no_level_beyond_the_claim"
_LOST = "test_last_bet.py::test_a_bet_on_draws_that_cannot_be_trusted_is_lost"
_OPEN = "test_last_bet.py::test_it_is_open_until_all_of_its_draws_are_there_and_lost_with_one_more"
_GONE = "test_last_bet.py::test_what_is_lost_is_gone_and_no_more_is_ever_bet_than_there_is"
_NONE = "test_last_bet.py::test_there_is_none_where_draws_may_hang_together"
_LINE = {"line": (2.718281828459045, 0.0), "level": 0.03}
_DELTA = {"line": (1.2, 0.3)}
_PURE = {"line": (2.718281828459045, 0.0)}

LAST_BET_MUTANTS = [
    Mutant(
        "half of the chance",
        OneEventTest._chance,
        "float(chances @",
        "float(0.5 * chances @",
        _ONE,
        _LINE,
    ),
    Mutant(
        "slope forgotten where p is largest",
        OneEventTest._largest,
        "self.slope * q",
        "q",
        _ONE,
        _LINE,
    ),
    Mutant(
        "odds ratio of one event",
        TwoEventTest.refutes,
        "self.slope * self.slope",
        "self.slope",
        _TWO,
        _PURE,
    ),
    Mutant(
        "delta forgotten",
        TwoEventTest.refutes,
        "if self.offset > 0.0",
        "if self.offset > 1.0",
        _TWO,
        _DELTA,
    ),
    Mutant("the tail begins one later", _log_tail, "held >= first", "held > first", _TAIL),
    Mutant(
        "draws count that chose the event",
        LastBet.of,
        "np.zeros_like(event.joint)",
        "event.joint",
        _OPEN,
    ),
    Mutant(
        "won before all draws are there",
        LastBet._won,
        "self.drawn != self.pairs",
        "self.drawn > self.pairs",
        _OPEN,
    ),
    Mutant("level without the stake", LastBet.of, "alpha * stake * (1.0 - 1e-9)", "alpha", _GOAL),
    Mutant("worth something beyond the claim", LastBet.log_wealth, "level > claimed or", "", _GOAL),
    Mutant("stake not taken from the cash", Capital.bet_last, "self.cash -= stake", "pass", _GOAL),
    Mutant(
        "later epochs get more than there is",
        Capital._share,
        "(share, self.cash / 2)",
        "(share, 1.0)",
        _GONE,
    ),
    Mutant(
        "not forfeited", Capital.forfeit, "stake.lost = True", "pass", _LOST, {"how": "forfeit"}
    ),
    Mutant(
        "not left",
        Capital.leave,
        "stake.lost |= stake.pair == pair",
        "pass",
        _LOST,
        {"how": "leave"},
    ),
    Mutant(
        "calls for many outputs",
        LastRuns._closing,
        "and not any(self.sampler.many_on(draws.index) for draws in pairs)",
        "",
        _NONE,
    ),
    Mutant(
        "shared randomness", LastRuns.likely, " and not self.sampler.shares_randomness", "", _NONE
    ),
]
