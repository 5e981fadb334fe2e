"""Calls for one output each, beside the calls for many that bets are mostly made on.

A black box that gives many outputs at once can keep its claim there and break it where it
is asked for one: a batch that hides what a single answer shows. A pair whose draws are calls
for one output each is a pair like any other, so that what is bet on it comes out of the same
capital, and its draws are independent however the outputs of one call hang together.

A first look costs a few calls and is no evidence: it only says whether such a pair is worth
a game. That game draws afresh.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from audit.betting.gambler import Gambler
from audit.betting.growth_score import best_possible, glance
from audit.blackbox.interface import starts
from audit.sampling.pair_draws import PairDraws, Unreadable
from audit.sampling.sampler import Sampler
from audit.sampling.source import Sources
from audit.sampling.stream import Stage

WON_SINGLY = (
    "asked for many outputs at once, the black box kept its claim as far as bets could tell; the "
    "violation was won on {name}, where every run on either dataset was a call for one output"
)
_MOST_LOOKED_AT = 4
"""Pairs that are looked at; the first that were given or found."""
_LOOKS = ((64, 2.5), (256, 5.0))
"""Pairs of runs in the first look and the second, and the score above which there is more."""
_STRIKING = 0.6
"""Of what a certain event shows, the part that is always worth more."""
_PLACES = 1 << 20
"""Numbers of looks, apart from those of a search."""
_PLAYED = (Stage.BET, Stage.CHECK, Stage.WITNESS)


def worth_single_calls(gambler: Gambler, sides: Sequence[Sources], runs: int) -> int | None:
    """Which of these pairs looks worst where it is asked for outputs one by one.

    Args:
        gambler: who has played on them with calls for many outputs.
        sides: the black box on both datasets of each, the first few of which are looked at.
        runs: that there are for looks and a game.

    Returns:
        Its place; None where none looks worth a game, or one call gives one output anyway.
    """
    sampler = gambler.sampler
    pairs, _ = _LOOKS[-1]
    sides = sides[:_MOST_LOOKED_AT]
    if not sampler.box.many or starts(sampler.box) or runs < 4 * pairs * len(sides):
        return None
    scores = {place: _score(gambler, place, side) for place, side in enumerate(sides)}
    best = max(scores, key=lambda place: scores[place], default=0)
    return best if scores.get(best, 0.0) > 0.0 else None


def one_by_one(sampler: Sampler, index: int, sides: Sources) -> PairDraws:
    """The draws of a pair whose outputs are asked for one by one, in every stage."""
    sampler.singly |= {(stage, index) for stage in _PLAYED}
    return PairDraws(index, *sides)


def _score(gambler: Gambler, place: int, sides: Sources) -> float:
    """What the longest look shows; 0 where one of them is not worth more."""
    sampler, claim = gambler.sampler, gambler.portfolios.claim.claim
    if not sampler.many_on(place):
        return 0.0
    draws = PairDraws(_PLACES + place, *sides, Stage.SEARCH)
    sampler.singly.add((Stage.SEARCH, draws.index))
    score = 0.0
    with suppress(Unreadable):
        for pairs, wanted in _LOOKS:
            draws.plan(pairs - draws.drawn, vectorized=True)
            draws.draw(sampler, gambler.pool, pairs, ())
            score = glance(draws.past(), claim)
            if score < min(wanted, _STRIKING * best_possible(pairs, claim)):
                return 0.0
    return score
