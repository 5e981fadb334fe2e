"""Mutants of bets at odds: of what makes them fair, and of how they are confirmed."""

from __future__ import annotations

from audit.betting.capital import Capital
from audit.betting.confirmation.odds_wealth import OddsWealth
from audit.betting.odds import OddsPosition, Tally
from audit.betting.odds_factors import log_factors, stakes_at
from audit.claim import ApproxDP, PureDP
from audit.sampling.batch import IndependentPlan

from .mutation import Mutant

_FAIR = "test_odds.py::test_a_claim_that_is_kept_makes_no_money"
_GAINS = "test_odds.py::test_a_claim_that_is_broken_does"
_COST = "test_odds.py::test_a_run_beside_costs_what_its_stake_says"
_EVERY = "test_odds.py::test_every_one_of_two_runs_counts"
_FALLS = "test_odds.py::test_wealth_falls_as_the_level_grows"
_WHOLE = "test_odds.py::test_nothing_is_said_of_blocks_that_are_not_whole"
_GONE = "test_odds.py::test_bets_at_odds_take_their_money_from_the_cash_and_are_forfeited_with_it"
_APART = "test_odds.py::test_runs_beside_share_no_randomness"
_PURE = {"claim": PureDP(4.0), "times": 6}
_OFTEN = {"claim": ApproxDP(0.7, 0.1), "times": 6}
_LEVEL = {"claim": PureDP(4.0)}

ODDS_MUTANTS = [
    Mutant("a run beside costs too little", log_factors, "/ times", "/ (times + 2)", _FAIR, _PURE),
    Mutant("gains rounded up", log_factors, "stakes * (1.0 - offset)", "1.1 * stakes", _COST),
    Mutant("offset costs nothing", log_factors, "stakes * offset", "0.0 * offset", _COST),
    Mutant(
        "ruin ignored", log_factors, "(lost >= 1.0) | (cost >= 1.0)", "lost < 0.0", _FALLS, _LEVEL
    ),
    Mutant("stakes for one run more", stakes_at, "times / slope", "(times + 1) / slope", _COST),
    Mutant(
        "blocks that are not whole",
        OddsPosition.whole,
        "2 * self.beside",
        "0 * self.own.pairs == 0 or 2 * self.beside",
        _WHOLE,
    ),
    Mutant("one run of two", Tally.happened, "2.0 * both", "both", _EVERY),
    Mutant(
        "the other side is read as the own one",
        OddsPosition._earned,
        "0 if self.forward else 1",
        "1 if self.forward else 0",
        _GAINS,
        _LEVEL,
    ),
    Mutant(
        "prior of more than the money",
        OddsPosition.log_wealth,
        "math.log(self.money)",
        "0.1",
        _FAIR,
        _PURE,
    ),
    Mutant(
        "confirmed by too few",
        OddsWealth._at_odds,
        "self.calls - here",
        "0.0 * here",
        _FAIR,
        _OFTEN,
    ),
    Mutant(
        "money not taken from the cash",
        Capital.bet_at_odds,
        "self.cash -= position.money",
        "pass",
        _GONE,
    ),
    Mutant("not forfeited", Capital.forfeit, "stake.lost = True", "pass", _GONE),
    Mutant("not left", Capital.leave, "stake.lost |= stake.pair == pair", "pass", _GONE),
    Mutant(
        "runs beside share their randomness",
        IndependentPlan.drawn,
        "alike.side(self.address, source, self.size, side)",
        "alike.side(self.address, source, self.size, 0)",
        _APART,
    ),
]
