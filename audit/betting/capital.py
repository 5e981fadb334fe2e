"""The gambler's capital: epochs of bets, and what they are worth together.

The capital starts with wealth 1 in cash. An epoch gets part of the cash for
portfolios fixed at that moment; only draws made later count. Each is a nonnegative
supermartingale under the claim, hence so is their sum with the cash, whatever
decided when to open one and what to draw next: it reaches 1/alpha with
probability at most alpha (Ville's inequality, arXiv 2210.01948).

Epochs that bet no more hand half of what they have become to the next one. What they are
worth at a level does not change after that, so it is as good as cash there: a product of
two supermartingales of which one stands still before the other begins is one as well.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from audit.betting.confirmation.event_bet import EventBet
from audit.betting.e_process import log_sum
from audit.betting.exact.closing_tests import ClosingTests
from audit.betting.exact.last_bet import LastBet
from audit.betting.functions import fastest_growth
from audit.betting.inequalities import Inequalities
from audit.betting.level_root import SMALLEST_LEVEL, Excess, raised, root_between
from audit.betting.odds import OddsPosition
from audit.betting.portfolio import Portfolio
from audit.betting.position import Epoch, Position
from audit.claim import Claim
from audit.claim_kind import LARGEST_EPSILON

SHARES = (0.35, 0.25, 0.12, 0.08, 0.06, 0.04)
"""Money of the first epochs; each later one gets half of what is left."""
_SPARING = (0.16, 0.12, 0.12, 0.12, 0.16, 0.16)
"""The same where the most is to be left for a last bet."""
_BEFORE_ODDS = (0.06,) * 6
"""The same where it is to be left for bets at odds."""

_LAST, _DOUBTFUL, _CLOSING = 0.75, 0.4, 0.8
"""Of the cash, what a last bet is made of, what one is that is likelier to be lost, and what
closing tests are; with the rest a game goes on."""
_LIKELY = 0.3
"""How likely a last bet has to be won for the larger stake."""
_IDLE = 0.004
"""Money of an epoch that cannot refute, however well it bets: others are learned from it."""
_SETTLED = 6
"""From this epoch on, learned from as many pairs as are kept, only the youngest bets."""
_ROLLED = math.log(0.5)
"""Log of the part that it gets then of what the earlier ones have become."""


@dataclass(slots=True)
class Capital:
    """The wealth of all bets against one claim at one level.

    Attributes:
        claim: what is bet against.
        alpha: the level; wealth 1/alpha refutes.
        epochs: all so far, also those written off.
        cash: money in no epoch and in no last bet.
        last: the last bets, one for each budget that there was one in.
        closing: the closing tests, likewise.
        odds: the bets at odds.
        sparing: whether a last bet is likely to come, for which cash is kept.
        odds_ahead: whether bets at odds are.
        able: epochs so far that could have refuted by themselves.
        best: largest log-wealth at any look.
        level: largest lower bound so far.
    """

    claim: Claim
    alpha: float
    epochs: list[Epoch] = field(default_factory=list)
    cash: float = 1.0
    last: list[LastBet] = field(default_factory=list)
    closing: list[ClosingTests] = field(default_factory=list)
    odds: list[OddsPosition] = field(default_factory=list)
    sparing: bool = False
    odds_ahead: bool = False
    able: int = 0
    best: float = 0.0
    level: float = 0.0

    @property
    def goal(self) -> float:
        """Log-wealth that refutes."""
        return -math.log(self.alpha)

    @property
    def refuted(self) -> bool:
        """Whether the claim was refuted at any look."""
        return self.best >= self.goal

    def invest(
        self, portfolios: dict[int, Portfolio], weights: dict[int, float], life: float = math.inf
    ) -> None:
        """Open an epoch with one position for each portfolio, sharing its money by weight.

        Args:
            portfolios: by the index of the pair.
            weights: likewise.
            life: pairs that it is going to count at most.
        """
        share = self._share(life)
        self.cash -= share
        whole = sum(weights.values())
        positions = [
            Position.of(pair, weights[pair] / whole, portfolio)
            for pair, portfolio in portfolios.items()
        ]
        if len(self.epochs) >= _SETTLED:
            for epoch in self.epochs:
                epoch.close()
        self.epochs.append(Epoch(share, positions))

    def _share(self, life: float) -> float:
        """Money of the next epoch; hardly any where even the fastest bet earns too little."""
        shares = _SPARING if self.sparing else SHARES
        if self.odds_ahead:
            shares = _BEFORE_ODDS
        share = shares[self.able] if self.able < len(shares) else 1.0
        if life * self.fastest < self.goal - math.log(share):
            return min(_IDLE, self.cash / 2)
        self.able += 1
        return min(share, self.cash / 2)

    @property
    def fastest(self) -> float:
        """Log-wealth that a pair can earn at most."""
        slope, offset = self.claim.lines(self.claim.level).T
        events = np.log1p((1.0 - offset) / (slope + offset)).max(initial=0.0)
        return max(float(events), fastest_growth(self.claim.divergences(self.claim.level)))

    def bet_at_odds(self, position: OddsPosition) -> None:
        """Open bets at odds."""
        self.odds.append(position)
        self.cash -= position.money

    @property
    def last_stake(self) -> float:
        """Money that a last bet would be made of now."""
        return _LAST * self.cash

    def bet_last(self, event: EventBet, pairs: int, power: float = 1.0) -> None:
        """Stake cash on a test of this event on the next so many pairs of runs on its pair.

        Args:
            event: chosen on earlier draws.
            pairs: of runs.
            power: how likely it seems to be won.
        """
        stake = self.last_stake if power >= _LIKELY else _DOUBTFUL * self.cash
        lines = self.claim.lines(self.claim.level)
        self.last.append(LastBet.of(event, pairs, lines, stake, self.alpha))
        self.cash -= stake

    @property
    def closing_stake(self) -> float:
        """Money that closing tests would be made of now."""
        return _CLOSING * self.cash

    def close(self, tests: Sequence[ClosingTests]) -> None:
        """Stake cash on closing tests."""
        self.closing += tests
        self.cash -= sum(part.stake for part in tests)

    @property
    def won_at_last(self) -> tuple[EventBet, int] | None:
        """Where a test of the last runs refutes the claim, its event, and of how many pairs."""
        last = ((bet.event, bet.pairs) for bet in self.last if bet.won)
        closing = ((won, part.pairs) for part in self.closing if (won := part.winner) is not None)
        return next(chain(last, closing), None)

    @property
    def _stakes(self) -> list[LastBet | ClosingTests | OddsPosition]:
        """What money was staked on outside of epochs."""
        return [*self.last, *self.closing, *self.odds]

    def betting_on(self, pair: int) -> list[Position]:
        """The positions that the next draws of a pair count for: those of the youngest epochs.

        The others keep what they have.
        """
        youngest = 2 if len(self.epochs) <= _SETTLED else 1
        betting = [g for g in self.epochs[-youngest:] if not g.lost]
        return [a for g in betting for a in g.positions if a.pair == pair]

    def forfeit(self) -> None:
        """Write off everything that was bet, and what was won with it.

        The cash was never bet, so that wealth goes on from there: whatever it wins from
        now on, it reaches 1/alpha with probability at most alpha.
        """
        for epoch in self.epochs:
            epoch.lost = True
        for stake in self._stakes:
            stake.lost = True
        self.best, self.level = 0.0, 0.0

    def leave(self, pair: int) -> None:
        """Write off what was bet on one pair; what was reached by then still counts."""
        for epoch in self.epochs:
            epoch.positions = [a for a in epoch.positions if a.pair != pair]
        for stake in self._stakes:
            stake.lost |= stake.pair == pair

    def log_wealth(self, level: float) -> float:
        """Log-wealth of the whole capital against the claim at a level."""
        promised = Inequalities.at(self.claim, level)
        parts = [math.log(self.cash)]
        parts += [worth for *_, worth in self.funded(promised)][-1:]
        parts += [bet.log_wealth(level, self.claim.level) for bet in self.last]
        parts += [tests.log_wealth(level) for tests in self.closing]
        parts += [position.log_wealth(promised.lines) for position in self.odds]
        return log_sum(np.array(parts))

    def funded(self, promised: Inequalities) -> Iterator[tuple[Epoch, float, float]]:
        """Epochs, each with the log of its money and of what all up to it are worth together.

        Args:
            promised: what the claim promises at the level that is bet against.
        """
        worth = -math.inf
        for place, epoch in enumerate(self.epochs):
            rolled = worth + _ROLLED if place >= _SETTLED else -math.inf
            money = float(np.logaddexp(math.log(epoch.share), rolled))
            kept = rolled if place >= _SETTLED else worth
            worth = float(np.logaddexp(kept, money + epoch.log_growth(promised)))
            yield epoch, money, worth

    def log_worth(self, position: Position) -> float:
        """Log of what one unit in this position became against the claim."""
        return position.log_wealth(Inequalities.at(self.claim, self.claim.level))

    def look(self) -> bool:
        """Compare the wealth with the goal; the largest ever seen counts."""
        self.best = max(self.best, self.log_wealth(self.claim.level))
        if self.refuted:
            # A claim refuted once stays so, and all stronger ones with it.
            self.level = max(self.level, self.claim.level)
        return self.refuted

    def lower_bound(self) -> float:
        """Largest level so that it and all smaller ones are refuted, now or when last asked.

        Every expert's wealth falls as the level grows, so the capital's does, and
        the levels refuted now are exactly those below a root.
        """
        self.level = max(self.level, self._refuted_now())
        return self.level

    def _refuted_now(self) -> float:
        """Largest level that the capital refutes as it is, 0 when there is none."""
        # The square root of log-wealth falls almost in a straight line, which roots are found on.
        floor = math.log(self.cash)
        wanted = math.sqrt(self.goal - floor)

        def excess(level: float) -> float:
            return math.sqrt(self.log_wealth(level) - floor) - wanted

        low, high = self._around(excess) if self.epochs or self.closing else (0.0, 0.0)
        if low == 0.0 or high > LARGEST_EPSILON:
            return low
        return root_between(low, high, excess)

    def _around(self, excess: Excess) -> tuple[float, float]:
        """Levels on both sides of the root; below is 0 where there is none, above may be too far.

        Most bounds lie close below the claim.
        """
        low, high = raised(0.0, self.claim.level, excess)
        for part in (0.95, 0.8, 0.4, 0.1, SMALLEST_LEVEL / self.claim.level):
            if low > 0.0:
                break
            level = part * self.claim.level
            low, high = (level, high) if excess(level) >= 0 else (low, level)
        return low, high
