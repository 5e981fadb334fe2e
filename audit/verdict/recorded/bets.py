"""Bets on recorded outputs: learned from what stands first in the files, placed on the rest.

Draw i of D stands beside draw i of every neighbor. At draws 6, 24, 192, ... the
capitals open an epoch: features, bins, events and stakes are chosen by what
stands before, and only what stands behind counts. So bins and symbols are never
read from the counts they test.

Why the level holds: let F_i be all that the first i draws of all files say. Each
pair's bets are fixed by F_i when draw i + 1 is looked at, and the draws of one
dataset are independent of each other; so given F_i, the expectation of
1 + stake (x - a y - b) is at most 1 under the claim, for each pair, however the
files depend on each other within one draw: it speaks of the marginals alone. A
file that has ended is not bet on. The whole capital, a sum of such products and of
cash, is a nonnegative supermartingale with respect to (F_i), also where the same
draw of D is compared with several neighbors, and Ville's inequality holds at any
number of looks (arXiv 2210.01948). The places of epochs and looks are fixed
numbers, so the level also holds where somebody recorded until something was seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count, takewhile

import numpy as np

from audit.betting.capital import Capital
from audit.betting.confirmation.leading import leading_bets
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.feature_study import portfolio_of, renewed, studied
from audit.betting.inequalities import Inequalities
from audit.betting.portfolio import Portfolio
from audit.betting.position import Position
from audit.betting.schedule import FIRST, opens
from audit.outcomes.blas_threads import in_one_thread
from audit.outcomes.counting import Counts, Reader, joint_of
from audit.outcomes.encoding import Outcomes, joined
from audit.outcomes.paired import PairedOutcomes
from audit.verdict.recorded.recording import Recording

_LOOK_GROWTH = 1.3
_MOST_PAIRS = 1 << 15
_MOST_NUMBERS = 1 << 21
_BLOCK_NUMBERS = 1 << 19
"""Numbers of one file that are sorted into columns at once."""
_RENEWED = 5
"""From this epoch on more outputs would teach little; the counts teach more."""
_SPREAD = 0.1
"""Share of an epoch's money that all pairs have alike, whatever they promise."""


@dataclass(frozen=True, slots=True)
class WonBet:
    """The event that had earned most when a claim was refuted.

    Attributes:
        bet: the event, and what it had been counted until then.
        place: outputs of each file that had been looked at.
    """

    bet: LeadingBet
    place: int


@dataclass(slots=True)
class RecordedBets:
    """Bets of several capitals on recorded outputs.

    Attributes:
        here: the outputs on D.
        there: those on each neighbor.
        capitals: who bets; all of them see the same draws.
        won: of the first capital, once it has refuted its claim.
        kept: for each neighbor, pairs of outputs to learn from.
        epoch: how many have been opened.
        width: numbers and symbols in one output, the most seen so far.
    """

    here: Recording
    there: Sequence[Recording]
    capitals: Sequence[Capital]
    won: WonBet | None = None
    kept: dict[int, list[tuple[Outcomes, Outcomes]]] = field(default_factory=dict)
    epoch: int = 0
    width: int = 1

    @property
    def lengths(self) -> list[int]:
        """Pairs of draws of each neighbor."""
        return [min(len(self.here), len(other)) for other in self.there]

    @in_one_thread
    def play(self) -> None:
        """Go through the files once, from front to back."""
        longest, start = max(self.lengths), 0
        for stop in _stops(longest):
            self._count(start, stop)
            for capital in self.capitals:
                capital.look()
                capital.lower_bound()
            if self.won is None:
                self.won = self._won(stop)
            if stop == opens(FIRST, self.epoch) and stop < longest:
                self._open(stop)
                self.epoch += 1
            start = stop

    def _won(self, place: int) -> WonBet | None:
        capital = self.capitals[0]
        if not capital.refuted:
            return None
        claim = capital.claim
        bet = leading_bets(capital, claim.level)[0].single(Inequalities.at(claim, claim.level))
        # What is counted later goes into the same tables.
        return WonBet(replace(bet, joint=bet.joint.copy()), place)

    def blocks(self, start: int, stop: int) -> Iterator[tuple[int, int]]:
        """Places from one to another, so close that the outputs between fit in memory."""
        while start < stop:
            end = min(stop, start + max(1, _BLOCK_NUMBERS // self.width))
            yield start, end
            start = end

    def _count(self, start: int, stop: int) -> None:
        """Count the draws from one place to another for every position that bets on them."""
        for first, last in self.blocks(start, stop):
            here = self.here.part(first, last)
            for pair, length in enumerate(self.lengths):
                if first < length:
                    there = self.there[pair].part(first, min(last, length))
                    self._bet(pair, here.take(slice(0, there.size)), there)

    def _bet(self, pair: int, here: Outcomes, there: Outcomes) -> None:
        held: dict[tuple[int, int], Counts] = {}
        for position in (a for capital in self.capitals for a in capital.betting_on(pair)):
            position.add([_counted(held, reader, here, there) for reader in position.readers])
        self.width = max(self.width, here.width, there.width)
        kept = self.kept.setdefault(pair, [])
        if sum(left.size for left, _ in kept) < min(_MOST_PAIRS, _MOST_NUMBERS // self.width):
            kept.append((here, there))

    def _open(self, drawn: int) -> None:
        """Open an epoch on every pair that has draws left."""
        pairs = [pair for pair, length in enumerate(self.lengths) if length > drawn]
        if self.epoch >= _RENEWED:
            for capital in self.capitals:
                self._renew(capital, pairs)
            return
        pasts = {pair: self._past(pair) for pair in pairs}
        sketches = {pair: studied(past) for pair, past in pasts.items()}
        for capital in self.capitals:
            portfolios = {
                pair: portfolio_of(sketches[pair], past, capital) for pair, past in pasts.items()
            }
            promise = {
                pair: _promise(held, pasts[pair], capital) for pair, held in portfolios.items()
            }
            capital.invest(portfolios, _weights(promise))

    def _renew(self, capital: Capital, pairs: Sequence[int]) -> None:
        """Go on with the best tables so far, their prior learned from all they counted."""
        held = {a.pair: a for a in capital.epochs[-1].positions if a.pair in pairs}
        promise = {pair: max(0.0, capital.log_worth(position)) for pair, position in held.items()}
        portfolios = {pair: renewed(position, capital) for pair, position in held.items()}
        capital.invest(portfolios, _weights(promise))

    def _past(self, pair: int) -> PairedOutcomes:
        left, right = (joined(side) for side in zip(*self.kept[pair], strict=True))
        self.kept[pair] = [(left, right)]
        return PairedOutcomes(left, right)


def _counted(
    held: dict[tuple[int, int], Counts], reader: Reader, here: Outcomes, there: Outcomes
) -> Counts:
    """Joint counts, made once for each reader: portfolios often read the same as others."""
    feature, binning = reader
    place = id(feature), id(binning)
    if place not in held:
        held[place] = joint_of(reader, here, there)
    return held[place]


def _promise(portfolio: Portfolio, past: PairedOutcomes, capital: Capital) -> float:
    """Log-wealth that this portfolio would have made on what it was learned from."""
    position = Position.of(0, 1.0, portfolio)
    position.add(portfolio.count(past.left, past.right))
    return max(0.0, capital.log_worth(position))


def _weights(promise: dict[int, float]) -> dict[int, float]:
    """Shares of the pairs: most of the money by the square root of what each promises."""
    best = max(promise.values())
    likely = {pair: math.exp(0.5 * (log - best)) for pair, log in promise.items()}
    whole = sum(likely.values())
    return {
        pair: _SPREAD / len(promise) + (1.0 - _SPREAD) * part / whole
        for pair, part in likely.items()
    }


def _stops(longest: int) -> list[int]:
    """Where to look and where epochs may open: fixed numbers of draws, and the end."""
    steps = math.ceil(math.log(max(longest, FIRST) / FIRST) / math.log(_LOOK_GROWTH))
    looks = np.round(FIRST * _LOOK_GROWTH ** np.arange(steps + 1)).astype(int)
    openings = list(takewhile(lambda size: size < longest, (opens(FIRST, k) for k in count())))
    stops = np.unique([*looks, *openings])
    return [*(int(stop) for stop in stops if stop < longest), longest]
