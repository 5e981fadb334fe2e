"""What came of the bets, as data: all that a verdict is made from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from audit.betting.confirmation.leading import LeadingBet, leading_bets
from audit.betting.fund import Fund
from audit.betting.gambler import Gambler
from audit.betting.power import detectable_epsilon
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
    """

    claim: Claim
    alpha: float
    log_wealth: float
    refuted: bool
    level: float
    leading: tuple[LeadingBet, ...]
    best: LeadingBet | None

    @classmethod
    def of(cls, fund: Fund) -> FundRecord:
        """The record of a fund as it is now."""
        claim = fund.claim
        level = fund.lower_bound()
        against_claim = leading_bets(fund, claim.level)
        return cls(
            claim=claim,
            alpha=fund.alpha,
            log_wealth=fund.best,
            refuted=fund.refuted,
            level=level,
            leading=tuple(leading_bets(fund, level)) if level > 0.0 else (),
            best=against_claim[0].single(claim.lines(claim.level)) if against_claim else None,
        )


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
        most = max((track.drawn for track in gambler.tracks), default=0)
        if gambler.sampler.box.many:
            # What is won with all of them would have no runs left to be confirmed with.
            most = int(_CONFIRMABLE * most)
        return cls(
            claim=FundRecord.of(fund),
            pure=None if gambler.pure is None else FundRecord.of(gambler.pure),
            leaks=None if gambler.leaks is None else FundRecord.of(gambler.leaks),
            pairs={track.index: PairRecord.of(track) for track in gambler.tracks},
            refuted_at=gambler.refuted_at or 0,
            detectable=detectable_epsilon(fund, most),
            features=tuple(dict.fromkeys(table.feature.words for table in tables)),
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
