"""What came of the bets, as data: all that a verdict is made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from audit.betting.confirmation.leading import LeadingBet, leading_bets
from audit.betting.event_words import reading
from audit.betting.fund import Fund
from audit.betting.gambler import Gambler
from audit.betting.power import detectable_epsilon
from audit.betting.simplest import simplest_bet
from audit.claim import Claim
from audit.errors import BlackBoxError
from audit.outcomes.encoding import joined
from audit.sampling.pair_draws import Track
from audit.sampling.repetition import Answer, commonest, only_answer

_CONFIRMABLE = 0.5
"""Of the pairs there are to bet with, those after which a refutation can be confirmed."""


@dataclass(frozen=True, slots=True)
class FundRecord:
    """What one e-process came to.

    Attributes:
        claim: what was bet against.
        alpha: the level.
        log_wealth: the largest at any look.
        refuted: whether it reached 1/alpha.
        level: lower bound on the claim's parameter, as the bets have it.
        leading: the bets that earned most against that level, the best first.
        best: the event that earned most against the claim; None where nothing was bet.
        shown: the one that is easiest to read among those that earned nearly as much,
            where the claim was refuted; else the best one.
    """

    claim: Claim
    alpha: float
    log_wealth: float
    refuted: bool
    level: float
    leading: tuple[LeadingBet, ...]
    best: LeadingBet | None
    shown: LeadingBet | None

    @classmethod
    def of(cls, fund: Fund, larger: Mapping[int, bool] | None = None) -> FundRecord:
        """The record of a fund as it is now.

        Args:
            fund: has been bet with.
            larger: by the numbers of pairs, whether D is the larger dataset; no entry
                for pairs of equal size.
        """
        claim = fund.claim
        level = fund.lower_bound()
        against_claim = leading_bets(fund, claim.level)
        best = against_claim[0].single(claim.lines(claim.level)) if against_claim else None
        return cls(
            claim=claim,
            alpha=fund.alpha,
            log_wealth=fund.best,
            refuted=fund.refuted,
            level=level,
            leading=tuple(leading_bets(fund, level)) if level > 0.0 else (),
            best=best,
            shown=_shown(fund, best, larger or {}),
        )


def _shown(
    fund: Fund, best: LeadingBet | None, larger: Mapping[int, bool]
) -> LeadingBet | None:
    if best is None or not fund.refuted:
        return best
    return simplest_bet(fund, best, larger.get(best.pair))


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
    """

    drawn: int
    largest: int
    usable: bool
    answers: tuple[Answer | None, Answer | None]
    commonest: tuple[float, float]

    @classmethod
    def of(cls, track: Track) -> PairRecord:
        """The record of a pair as it is now."""
        sides = [joined([kept[side] for kept in track.kept]) for side in (0, 1) if track.kept]
        if not sides:
            return cls(track.drawn, track.largest, track.usable, (None, None), (1.0, 1.0))
        left, right = map(only_answer, sides)
        shares = (commonest(sides[0]), commonest(sides[1]))
        return cls(track.drawn, track.largest, track.usable, (left, right), shares)


def _larger(track: Track) -> bool | None:
    """Whether D has more records than its neighbor; None where it has as many."""
    left, right = _size(track.left), _size(track.right)
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
        detectable: smallest excess on the events bet on that would have been seen.
        features: what was read off outputs, in words.
        events: how many were bet on, in both directions.
        notes: what a reader must know.
        left_out: pairs that could not be drawn or read to the end, by number, and why.
    """

    claim: FundRecord
    pure: FundRecord | None
    leaks: FundRecord | None
    pairs: Mapping[int, PairRecord]
    refuted_at: int
    detectable: float | None
    features: tuple[str, ...]
    events: int
    notes: tuple[str, ...]
    left_out: Mapping[int, BlackBoxError]

    @classmethod
    def of(cls, gambler: Gambler) -> BettingRecord:
        """The record of a gambler who has played."""
        fund = gambler.fund
        tables = [
            table
            for generation in fund.generations
            for account in generation.accounts
            for table in account.book.tables
        ]
        larger = {t.index: size for t in gambler.tracks if (size := _larger(t)) is not None}
        most = max((track.drawn for track in gambler.tracks), default=0)
        if gambler.sampler.box.many:
            # What is won with all of them would have no runs left to be confirmed with.
            most = int(_CONFIRMABLE * most)
        return cls(
            claim=FundRecord.of(fund, larger),
            pure=None if gambler.pure is None else FundRecord.of(gambler.pure, larger),
            leaks=None if gambler.leaks is None else FundRecord.of(gambler.leaks, larger),
            pairs={track.index: PairRecord.of(track) for track in gambler.tracks},
            refuted_at=gambler.refuted_at or 0,
            detectable=detectable_epsilon(fund, most),
            features=tuple(dict.fromkeys(reading(table.feature) for table in tables)),
            events=sum(table.bets.size for table in tables),
            notes=tuple(gambler.notes),
            left_out=dict(gambler.left_out),
        )

    @property
    def drawn(self) -> int:
        """Pairs of runs in all."""
        return sum(pair.drawn for pair in self.pairs.values())

    @property
    def most(self) -> int:
        """Pairs of runs on the pair that was drawn most."""
        return max((pair.drawn for pair in self.pairs.values()), default=0)
