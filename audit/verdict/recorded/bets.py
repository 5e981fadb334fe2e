"""Bets on recorded lines, from the front of the files to their ends (see `units`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from audit.betting.bet import Bet
from audit.betting.bettor import Bettor
from audit.betting.past import PairPast
from audit.betting.simplest import evidence_of, witnesses
from audit.betting.wealth import Wealth
from audit.case import Until
from audit.progress import Event, Looked
from audit.verdict.recorded.units import RecordedUnits

_ENDLESS = 1 << 62
"""Outputs that a bettor may draw: files end by themselves, and no bet may depend on where."""


@dataclass(frozen=True, slots=True)
class Refutation:
    """The state of the bets when the claim was refuted.

    Attributes:
        pair: index of the pair with the most evidence.
        line: lines of every file that were read until then.
        bets: events and functions that may be the witness, chosen by these lines, the easiest to
            read first.
    """

    pair: int
    line: int
    bets: tuple[Bet, ...]


@dataclass(slots=True)
class RecordedBets:
    """Bets of several wealths on the same lines.

    Attributes:
        units: the files.
        bettor: plays on them.
        refutation: of the claim; None before.
    """

    units: RecordedUnits
    bettor: Bettor = field(repr=False)
    refutation: Refutation | None = None

    @classmethod
    def of(
        cls, units: RecordedUnits, wealths: Mapping[str, Wealth], until: Until = Until.BUDGET
    ) -> RecordedBets:
        """Read the files once and bet.

        Args:
            units: the files.
            wealths: against the claim ("claim"), and others.
            until: when to stop before the end of the longest file.
        """
        pasts = [PairPast(pair) for pair in range(len(units.there))]
        recorded = dict(enumerate(units.lengths))
        found = cls(units, Bettor(units, dict(wealths), pasts, until, recorded=recorded))
        found.bettor.on_event = found._note
        found.bettor.play(_ENDLESS)
        return found

    def _note(self, event: Event) -> None:
        if isinstance(event, Looked) and event.refuted and self.refutation is None:
            self.refutation = self._refutation()

    def _refutation(self) -> Refutation:
        claim = self.bettor.claim.claim
        past = max(self.bettor.pasts, key=lambda past: evidence_of(past, claim))
        distinct: dict[object, Bet] = {}
        for bet in witnesses(past, claim, None):
            distinct.setdefault(bet.key, bet)
        line = max(past.units for past in self.bettor.pasts)
        return Refutation(past.pair, line, tuple(distinct.values()))
