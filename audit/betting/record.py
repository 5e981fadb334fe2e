"""What came of the bets, as data: all that a verdict is made from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from audit.betting.capital import Capital
from audit.betting.confirmation.event_bet import EventBet
from audit.betting.confirmation.leading import leading_bets
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.event_words import reading
from audit.betting.gambler import Gambler
from audit.betting.inequalities import Inequalities
from audit.betting.portfolios import Role
from audit.betting.power import detectable_epsilon
from audit.betting.simplest import simplest_bet
from audit.claim import Claim
from audit.errors import BlackBoxError
from audit.outcomes.encoding import Outcomes, joined
from audit.outcomes.seen_values import plain
from audit.sampling.in_a_row import any_more_alike
from audit.sampling.in_turn import any_in_turn
from audit.sampling.pair_draws import Begun, PairDraws
from audit.sampling.repetition import (
    Answer,
    commonest,
    in_stretches,
    only_answer,
    only_unique_texts,
)

_READABLE = 0.5
"""Of the log-wealth that the best bet earned, what an event has to earn to be shown for it."""
_CONFIRMABLE = 0.5
"""Of the pairs there are to bet with, those after which a refutation can be confirmed."""

_BY_LAST_BET = (
    "the claim was refuted by the last bet: money that no other bet had was staked on exact "
    "tests of the last {pairs:,} pairs of runs, and what they test was chosen on those before"
)


@dataclass(frozen=True, slots=True)
class CapitalRecord:
    """What one e-process came to.

    Attributes:
        claim: what was bet against.
        alpha: the level.
        log_wealth: the largest at any look.
        refuted: whether it reached 1/alpha.
        level: lower bound on the claim's parameter, as the bets have it.
        leading: the bets that earned most against that level, the best first.
        against: those that earned most against the claim itself.
        best: the bet that earned most against the claim; None where nothing was bet.
        shown: the one that is easiest to read among those that earned nearly as much,
            where the claim was refuted; else the best one.
    """

    claim: Claim
    alpha: float
    log_wealth: float
    refuted: bool
    level: float
    leading: tuple[LeadingBet, ...]
    against: tuple[LeadingBet, ...]
    best: LeadingBet | None
    shown: LeadingBet | None

    @classmethod
    def of(
        cls,
        capital: Capital,
        larger: Mapping[int, bool] | None = None,
        pair: int | None = None,
    ) -> CapitalRecord:
        """The record of a capital process as it is now.

        Args:
            capital: has been bet with.
            larger: by the numbers of pairs, whether D is the larger dataset; no entry
                for pairs of equal size.
            pair: the one whose bets people are shown; None for the one that earned most.
        """
        claim = capital.claim
        level = capital.lower_bound()
        against_claim = leading_bets(capital, claim.level, pair)
        promised = Inequalities.at(claim, claim.level)
        best = against_claim[0].single(promised) if against_claim else None
        shown = _shown(capital, against_claim, larger or {})
        if capital.won_at_last is not None:
            best = shown = capital.won_at_last[0].single(promised)
        return cls(
            claim=claim,
            alpha=capital.alpha,
            log_wealth=capital.best,
            refuted=capital.refuted,
            level=level,
            leading=tuple(leading_bets(capital, level)) if level > 0.0 else (),
            against=tuple(against_claim),
            best=best,
            shown=shown,
        )

    @property
    def told(self) -> Iterator[int]:
        """Indices of the pairs whose bets are told, or are looked at again before that."""
        bets = (self.best, self.shown, *self.leading[:1])
        return (bet.pair for bet in bets if bet is not None)


def _shown(
    capital: Capital, leading: Sequence[LeadingBet], larger: Mapping[int, bool]
) -> LeadingBet | None:
    """The bet that is easiest to read: an event rather than a function, a simple one."""
    if not leading:
        return None
    promised = Inequalities.at(capital.claim, capital.claim.level)
    best = leading[0].single(promised)
    if not isinstance(best, EventBet):
        events = (bet.single(promised) for bet in leading if isinstance(bet, EventBet))
        event = next(events, None)
        if event is None or _worth(event, promised) < _READABLE * _worth(best, promised):
            return best
        best = event
    return simplest_bet(capital, best, larger.get(best.pair)) if capital.refuted else best


def _last(capital: Capital) -> tuple[str, ...]:
    """What to say of a last bet that was won."""
    won = capital.won_at_last
    return () if won is None else (_BY_LAST_BET.format(pairs=won[1]),)


def _worth(bet: LeadingBet, promised: Inequalities) -> float:
    """About the log-wealth that a bet has earned."""
    return bet.growth(promised) * int(bet.joint.sum())


def _of(capitals: Sequence[Capital], larger: Mapping[int, bool]) -> CapitalRecord | None:
    return next((CapitalRecord.of(capital, larger) for capital in capitals), None)


@dataclass(frozen=True, slots=True)
class PairRecord:
    """What was drawn of one pair.

    Attributes:
        drawn: pairs of runs.
        largest: pairs in the largest batch.
        usable: whether anything but one and the same failure came out.
        answers: the one output that there ever was on D, and on its neighbor; None
            where outputs vary.
        commonest: share of the output that came most often, on either side.
        stretches: the outputs on D, and on its neighbor, where each came for a while and never
            again; nothing elsewhere.
        unread: whether all outputs are texts of which none came twice, on either side.
        begun: the first batch; None where nothing was kept.
    """

    drawn: int
    largest: int
    usable: bool
    answers: tuple[Answer | None, Answer | None]
    commonest: tuple[float, float]
    stretches: tuple[frozenset[Answer], frozenset[Answer]] = (frozenset(), frozenset())
    unread: bool = False
    begun: Begun | None = None

    @classmethod
    def of(cls, draws: PairDraws) -> PairRecord:
        """The record of a pair as it is now."""
        sides = _kept(draws)
        if not sides:
            return cls(draws.drawn, draws.largest, draws.usable, (None, None), (1.0, 1.0))
        left, right = map(only_answer, sides)
        shares = (commonest(sides[0]), commonest(sides[1]))
        stretches = (in_stretches(sides[0]), in_stretches(sides[1]))
        unread = all(map(only_unique_texts, sides))
        known = draws.drawn, draws.largest, draws.usable
        return cls(*known, (left, right), shares, stretches, unread, draws.begun)


def _kept(draws: PairDraws) -> list[Outcomes]:
    """The outputs that were kept of a pair, on either side; nothing where none were."""
    return [joined([kept[side] for kept in draws.kept]) for side in (0, 1) if draws.kept]


def _of_single_runs(gambler: Gambler, best: LeadingBet | None) -> list[Outcomes]:
    """The outputs that were kept of the best bet's pair, where each took a call of its own."""
    if best is None or gambler.sampler.many_on(best.pair):
        return []
    played = (*gambler.pairs, *gambler.waiting, *gambler.aside)
    return _kept(next(draws for draws in played if draws.index == best.pair))


def _in_turn(best: LeadingBet | None, sides: Sequence[Outcomes]) -> bool:
    """Whether what the best bet reads comes in an order that comes again."""
    if best is None:
        return False
    feature = plain(best.feature)
    return any_in_turn([feature.read(side).side_by_side() for side in sides])


def _larger(draws: PairDraws) -> bool | None:
    """Whether D has more records than its neighbor; None where it has as many."""
    left, right = _size(draws.left.data), _size(draws.right.data)
    return None if left == right else left > right


def _size(data: Any) -> int:
    try:
        return len(data)
    except TypeError:  # a single number, an array without axes
        return 0


@dataclass(frozen=True, slots=True)
class BettingRecord:
    """What came of all bets.

    Attributes:
        claim: of the bets against the claim.
        pure: of those against pure DP, where the claim is of another kind.
        leaks: of those on low bits; None where there were none.
        pairs: of each pair, by its number.
        refuted_at: pairs of runs there were when the claim was refuted; 0 where it was not.
        at_once: outputs of the largest call at that time.
        detectable: smallest excess on the events bet on that would have been seen.
        features: what was read off outputs, in words.
        events: how many were bet on, in both directions.
        functions: how many were bet on, each in one direction.
        notes: what a reader must know.
        left_out: pairs that could not be drawn or read to the end, by number, and why.
        in_a_row: whether runs by themselves on the pair that won most are more alike when they
            are made one after the other.
        in_turn: whether they come in an order that comes again.
        beside: runs that were made beside pairs to bet at odds, two and two.
    """

    claim: CapitalRecord
    pure: CapitalRecord | None
    leaks: CapitalRecord | None
    pairs: Mapping[int, PairRecord]
    refuted_at: int
    at_once: int
    detectable: float | None
    features: tuple[str, ...]
    events: int
    functions: int
    notes: tuple[str, ...]
    left_out: Mapping[int, BlackBoxError]
    in_a_row: bool = False
    in_turn: bool = False
    beside: int = 0

    @classmethod
    def of(cls, gambler: Gambler) -> BettingRecord:
        """The record of a gambler who has played."""
        portfolios = gambler.portfolios
        capital = portfolios.claim
        held = [position.portfolio for epoch in capital.epochs for position in epoch.positions]
        tables = [table for portfolio in held for table in portfolio.tables]
        functions = [table for portfolio in held for table in portfolio.functions]
        everybody = [*gambler.pairs, *gambler.waiting, *gambler.aside]
        larger = {t.index: size for t in everybody if (size := _larger(t)) is not None}
        beside = 0 if gambler.odds is None else gambler.odds.drawn
        # What a run earns at odds is not less than in pairs.
        most = max((draws.drawn for draws in gambler.pairs), default=0) + beside
        if gambler.sampler.box.many:
            # What is won with all of them would have no runs left to be confirmed with.
            most = int(_CONFIRMABLE * most)
        claim = CapitalRecord.of(capital, larger, gambler.shown)
        pure, leaks = (_of(portfolios.of(role), larger) for role in (Role.EPSILON, Role.LEAKS))
        told = {gambler.shown, *claim.told, *(pure.told if pure else ())}
        told |= set(leaks.told) if leaks else set()
        # Pairs that wait for the others' end count where something is told of them.
        waited = [draws for draws in gambler.waiting if draws.index in told]
        played = [*gambler.pairs, *waited, *gambler.aside]
        singly = _of_single_runs(gambler, claim.best)
        return cls(
            claim=claim,
            pure=pure,
            leaks=leaks,
            pairs={draws.index: PairRecord.of(draws) for draws in played},
            refuted_at=gambler.schedule.refuted_at or 0,
            at_once=gambler.at_once,
            detectable=detectable_epsilon(capital, most),
            features=tuple(dict.fromkeys(reading(table.feature) for table in tables)),
            events=sum(table.bets.size for table in tables),
            functions=sum(len(table.functions.places) for table in functions),
            notes=(*gambler.notes, *_last(capital)),
            left_out=dict(gambler.left_out),
            in_a_row=any_more_alike([side.table() for side in singly]),
            in_turn=_in_turn(claim.best, singly),
            beside=beside,
        )

    @property
    def drawn(self) -> int:
        """Pairs of runs in all, and those beside them two and two."""
        return sum(pair.drawn for pair in self.pairs.values()) + self.beside

    @property
    def most(self) -> int:
        """The same on the pair that was drawn most."""
        return max((pair.drawn for pair in self.pairs.values()), default=0) + self.beside
