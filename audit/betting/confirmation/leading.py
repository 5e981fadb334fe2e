"""The bets that earned most."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from audit.betting.capital import Capital
from audit.betting.confirmation.event_bet import EventBet
from audit.betting.confirmation.function_bet import FunctionBet
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.e_process import experts
from audit.betting.inequalities import Inequalities
from audit.betting.position import Position
from audit.claim import Claim, Divergences, Lines
from audit.claim_kind import LARGEST_EPSILON

_FAR_BEHIND = 4.0
"""Log-wealth by which a bet must trail to be left out."""
_PRECISION = 1e-3
_SMALLEST_LEVEL = 1e-6
"""Where frequencies that have turned round show nothing; no claim has a level of 0."""
_Found = Iterator[tuple[float, LeadingBet]]


def leading_bets(capital: Capital, level: float, pair: int | None = None) -> list[LeadingBet]:
    """Of every table the best bets of each kind against this level, best first.

    Those are a single event, two events in opposite directions, and a function.

    Args:
        capital: has been bet with.
        level: of the claim's own parameter.
        pair: of which pair of datasets; None for all.
    """
    promised = Inequalities.at(capital.claim, level)
    found: list[tuple[float, LeadingBet]] = [
        (money + math.log(position.weight) + worth, bet)
        for epoch, money, _ in capital.funded(promised)
        if not epoch.lost
        for position in epoch.positions
        if pair in (None, position.pair)
        for worth, bet in _of_position(position, promised)
    ]
    for held in capital.odds:
        if pair in (None, held.pair):
            found += held.leading(promised.lines)
    found.sort(key=lambda item: -item[0])
    return [bet for worth, bet in found if worth > found[0][0] - _FAR_BEHIND]


def limit_of(bet: LeadingBet, claim: Claim) -> float:
    """The level that a bet on frequencies as seen would show in the end; may be infinite."""

    def breaks(level: float) -> bool:
        return float((bet.evidence * bet.payoffs(Inequalities.at(claim, level))).sum()) > 0.0

    if breaks(LARGEST_EPSILON):
        return math.inf
    low, high = 0.0, LARGEST_EPSILON
    while high - low > max(_PRECISION * high, _SMALLEST_LEVEL):
        middle = (low + high) / 2.0
        low, high = (middle, high) if breaks(middle) else (low, middle)
    return high


def _of_position(position: Position, promised: Inequalities) -> _Found:
    yield from _events(position, promised.lines)
    yield from _functions(position, promised.divergences)


def _events(position: Position, lines: Lines) -> _Found:
    stakes = position.portfolio.stakes
    for table, joint, tally in zip(
        position.portfolio.tables, position.event_counts, position.tallies(), strict=True
    ):
        worth = np.logaddexp.reduce(table.log_prior + experts(tally, lines, stakes), axis=-1)
        singles = len(table.bets.spans)
        for start, stop in ((0, singles), (singles, worth.shape[1])):
            part = worth[:, start:stop]
            if part.size and joint.any():
                cell = np.unravel_index(int(part.argmax()), part.shape)
                yield float(part.max()), EventBet.of(position.pair, table, joint, cell, start)


def _functions(position: Position, divergences: Divergences) -> _Found:
    held = zip(position.portfolio.functions, position.function_counts, strict=True)
    for table, joint in held:
        if joint.any():
            earned = table.functions.experts(joint, divergences, table.stakes)
            worth = np.logaddexp.reduce(table.log_prior + earned, axis=-1)
            best = int(worth.argmax())
            function = table.functions.take(np.array([best]))
            yield (
                float(worth[best]),
                FunctionBet(
                    position.pair,
                    table.feature,
                    table.binning,
                    bool(function.forward[0]),
                    joint,
                    function=function,
                ),
            )
