"""Portfolios on all pairs at once: opened, renewed, and what they promise.

One set of draws is bet on by several e-processes, each with capital of its own: that
against the claim, which decides; that for a lower bound on epsilon where the claim is
of another kind; and that on low bits of floats.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum

from audit.betting.candidate_table import Sketch
from audit.betting.capital import Capital
from audit.betting.exact.closing_tests import ClosingTests
from audit.betting.exact.event_choice import Candidates
from audit.betting.exact.event_scores import Ahead
from audit.betting.exact.likeliest import likeliest
from audit.betting.feature_study import leak_portfolio, portfolio_of, renewed, studied
from audit.betting.portfolio import Portfolio
from audit.betting.position import Position
from audit.betting.promise import Outlook, leading, promising
from audit.outcomes.paired import PairedOutcomes
from audit.sampling.pair_draws import Counter

_LEAK_EPOCHS = 4
_RENEWED = 5
"""From this epoch on more kept draws would teach little; the counts teach more."""


class Role(StrEnum):
    """What capital is bet for."""

    CLAIM = "claim"
    EPSILON = "epsilon"
    LEAKS = "leaks"


@dataclass(frozen=True, slots=True)
class Portfolios:
    """All that is bet on one game's draws.

    Attributes:
        capitals: by role; that against the claim is always there, and decides.
    """

    capitals: Mapping[Role, Capital]

    @property
    def claim(self) -> Capital:
        """The capital that is bet against the claim."""
        return self.capitals[Role.CLAIM]

    def of(self, *roles: Role) -> list[Capital]:
        """The capital of these roles, where there is any."""
        return [self.capitals[role] for role in roles if role in self.capitals]

    def look_aside(self) -> None:
        """Look at the capital that decides nothing, which can wait."""
        for capital in self.of(Role.LEAKS, Role.EPSILON):
            capital.look()

    def forfeit(self) -> None:
        """Write off everything that was bet, and what was won with it."""
        for capital in self.capitals.values():
            capital.forfeit()

    def leave(self, pair: int) -> None:
        """Write off what was bet on one pair."""
        for capital in self.capitals.values():
            capital.leave(pair)

    def betting_on(self, pair: int, epoch: int) -> list[Counter]:
        """Every position and last bet that the next draws of a pair count for.

        Args:
            pair: its index.
            epoch: how many have been opened since the last restart.
        """
        capitals = self.of(Role.CLAIM, Role.EPSILON)
        if epoch <= _LEAK_EPOCHS:
            capitals += self._open_leaks()
        last: list[Counter] = [bet for bet in self.claim.last if bet.open and bet.pair == pair]
        last += [tests for tests in self.claim.closing if tests.open and tests.pair == pair]
        at_odds = [held.own for held in self.claim.odds if held.pair == pair and held.open]
        return [*(a for capital in capitals for a in capital.betting_on(pair)), *last, *at_odds]

    def open(self, pasts: Mapping[int, PairedOutcomes], epoch: int, life: float) -> frozenset[int]:
        """Open positions on the pairs that get money; indices of those to be drawn on.

        Args:
            pasts: past draws of each pair that has any.
            epoch: how many have been opened since the last restart.
            life: pairs that the positions are going to count at most.
        """
        self.look_aside()
        sketches = {pair: studied(past) for pair, past in pasts.items()}
        portfolios = {
            pair: portfolio_of(sketches[pair], past, self.claim) for pair, past in pasts.items()
        }
        found = self._outlook(portfolios, pasts)
        weights = found.weights
        self.claim.invest({pair: portfolios[pair] for pair in weights}, weights, life)
        for capital in self.of(Role.EPSILON):
            own = {pair: portfolio_of(sketches[pair], pasts[pair], capital) for pair in weights}
            capital.invest(own, weights, life)
        if 0 < epoch < _LEAK_EPOCHS:
            self._open_on_leaks({pair: pasts[pair] for pair in weights})
        return found.chosen

    def bet_last(self, pairs: Collection[int], runs: int) -> None:
        """Bet cash on a test of the next runs on one of these pairs, if any event looks worth it.

        Args:
            pairs: by index.
            runs: on either dataset.
        """
        capital = self.claim
        held = [a for g in capital.epochs if not g.lost for a in g.positions if a.pair in pairs]
        lines = capital.claim.lines(capital.claim.level)
        power, event = likeliest(held, lines, runs, capital.alpha * capital.last_stake)
        if event is not None:
            capital.bet_last(event, runs, power)

    def close(self, pasts: Mapping[int, PairedOutcomes], runs: int) -> None:
        """Stake cash on closing tests of events on these pairs.

        Args:
            pasts: past draws of each pair, by index.
            runs: on either dataset, that are kept for each pair.
        """
        capital = self.claim
        claim, alpha, stake = capital.claim, capital.alpha, capital.closing_stake
        ahead = Ahead(claim.lines(claim.level), alpha * stake)
        held = [(pair, past, runs) for pair, past in pasts.items()]
        shared = Candidates.of(held, ahead).shared()
        capital.close(ClosingTests.of(runs, shared, claim, alpha, stake))

    def proven(self, epoch: int, pairs: int) -> bool:
        """Whether what was counted teaches more than outputs that were kept.

        Args:
            epoch: how many have been opened since the last restart.
            pairs: how many are played on; where there are several, what is read of outputs is
                learned once more when one of them leads.
        """
        return epoch >= (_RENEWED if pairs == 1 else _RENEWED + 1) and bool(self.claim.epochs)

    def learn_again(self, pasts: Mapping[int, PairedOutcomes]) -> frozenset[int]:
        """Open positions on all pairs, with tables learned afresh for those that lead.

        Args:
            pasts: past draws of each pair that has any.

        Returns:
            Indices of the pairs to be drawn on.
        """
        return self._go_on(pasts)

    def renew(self) -> frozenset[int]:
        """Open positions with the best tables so far, their prior learned from all they counted.

        Returns:
            Indices of the pairs to be drawn on.
        """
        return self._go_on({})

    def _go_on(self, pasts: Mapping[int, PairedOutcomes]) -> frozenset[int]:
        self.look_aside()
        chosen: frozenset[int] = frozenset()
        sketches: dict[int, list[Sketch]] = {}
        for capital in self.of(Role.CLAIM, Role.EPSILON):
            held = {position.pair: position for position in capital.epochs[-1].positions}
            found = leading(held, capital.claim)
            chosen = chosen or found.chosen
            sketches = sketches or {i: studied(pasts[i]) for i in chosen if i in pasts}
            bets = {
                i: portfolio_of(sketches[i], pasts[i], capital)
                if i in sketches
                else renewed(held[i], capital)
                for i in found.weights
            }
            capital.invest(bets, found.weights)
        return chosen

    def _open_leaks(self) -> list[Capital]:
        """The capital on low bits, until they have been shown to leak."""
        return [capital for capital in self.of(Role.LEAKS) if not capital.refuted]

    def _open_on_leaks(self, pasts: Mapping[int, PairedOutcomes]) -> None:
        """Open positions on the low bits of these pairs."""
        for capital in self._open_leaks():
            portfolios = {pair: leak_portfolio(past, capital) for pair, past in pasts.items()}
            found = {pair: held for pair, held in portfolios.items() if held is not None}
            if found:
                capital.invest(found, dict.fromkeys(found, 1.0))

    def _outlook(
        self, portfolios: Mapping[int, Portfolio], pasts: Mapping[int, PairedOutcomes]
    ) -> Outlook:
        """The pairs worth going on with, by what these bets would have earned in the past."""
        held = {pair: Position.of(pair, 1.0, bets) for pair, bets in portfolios.items()}
        if len(held) > 1:
            for pair, position in held.items():
                past = pasts[pair]
                position.add(position.portfolio.count(past.left, past.right))
        return promising(held, self.claim.claim)
