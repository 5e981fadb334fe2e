"""The gambler: draws pairs by a schedule, and bets portfolios on them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from audit.betting.confirmation.leading import leading_bets
from audit.betting.drawing import Drawing
from audit.betting.hopeless_pairs import give_up
from audit.case import Until
from audit.errors import BlackBoxError
from audit.outcomes.blas_threads import in_one_thread
from audit.progress import Looked, Subscriber, nobody
from audit.sampling.pair_draws import PairDraws, Unreadable
from audit.sampling.repetition import certain
from audit.sampling.trace import Misaligned
from audit.sampling.workers.allocator import keep_freed_memory

_SLOW = 1 << 12
"""Pairs from which on looking and learning take longer than drawing ahead delays them."""


@dataclass(slots=True)
class Gambler(Drawing):
    """Bets on pairs of datasets until the claim is refuted or the budget is spent.

    Attributes:
        on_event: hears of every look.
        optional: pairs that nobody asked for; one of them does not end the game where it
            cannot be drawn or read.
        chosen: the pairs that the youngest epoch bets on.
        waiting: pairs that do not play for the time being.
        shown: the pair whose bets people are shown; None for the one that earns most.
        left_out: those that could not be drawn or read, and why.
        notes: what a reader must know.
        aside: pairs that were played on alone, and do not play any more.
        at_once: outputs of the largest call when the claim was refuted; 0 before.
    """

    on_event: Subscriber = nobody
    optional: Collection[int] = frozenset()
    chosen: frozenset[int] = frozenset()
    waiting: Sequence[PairDraws] = ()
    shown: int | None = None
    left_out: dict[int, BlackBoxError] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    aside: list[PairDraws] = field(default_factory=list)
    at_once: int = 0

    @in_one_thread
    def play(self, samples: int, last: int = 0) -> None:
        """Bet until refuted or until the sampler has made this many runs.

        Args:
            samples: runs of this game and of those before it.
            last: of the last game that shares their budget, where there is a later one.
        """
        keep_freed_memory()
        self.schedule.begin(self.sampler.samples, samples, last)
        claim = self.portfolios.claim
        while not self._done():
            try:
                self._epoch()
                if claim.refuted and self.schedule.until is Until.BOUND and len(self.pairs) > 1:
                    # The claim is refuted: the rest is spent on how badly.
                    self.restrict(leading_bets(claim, claim.claim.level)[0].pair)
            except Misaligned as failure:
                self._restart(failure)
            except Unreadable as lost:
                self._leave_out(lost)
        self.portfolios.look_aside()

    def restrict(self, index: int) -> None:
        """Play on one pair alone for the time being."""
        self.waiting = [draws for draws in self.pairs if draws.index != index]
        self.pairs = [draws for draws in self.pairs if draws.index == index]

    def widen(self) -> None:
        """Let the pairs that waited join; they catch up first."""
        if self.waiting:
            self.pairs = sorted([*self.pairs, *self.waiting], key=lambda draws: draws.index)
            self.waiting = ()
            self._start_again()

    def turn_to(self, index: int) -> None:
        """Play on another pair alone, which starts afresh; people are shown the one before."""
        self.shown = self.pairs[0].index
        everybody = [*self.pairs, *self.waiting]
        self.pairs = [draws for draws in everybody if draws.index == index]
        self.waiting = [draws for draws in everybody if draws.index != index]
        self._start_again()

    def play_aside(self, draws: PairDraws, samples: int) -> None:
        """Play on one more pair alone, with the same capital and as long as `play` would.

        Nobody asked for it. The others start again where they are played on later.
        """
        others = self.pairs, self.waiting
        self.pairs, self.waiting = [draws], ()
        self.optional = {*self.optional, draws.index}
        self._start_again()
        self.play(samples)
        self.aside.append(draws)
        self.pairs, self.waiting = others
        self._start_again()

    def _start_again(self) -> None:
        if self.odds is not None:
            self.odds.stop()
        self.schedule.restart()
        self.chosen = frozenset()

    def _done(self) -> bool:
        return (
            self._over()
            or self.pairs[0].index in self.left_out
            or self.schedule.spent(self.sampler.samples, len(self.pairs), self.to_confirm)
        )

    def _restart(self, failure: Misaligned) -> None:
        """Write off what was bet the old way; the sampler has already changed its ways."""
        lost = "; the bets made before were written off" if self.portfolios.claim.epochs else ""
        self.notes.append(f"{failure.reason}, so drawing became more careful{lost}")
        self.portfolios.forfeit()
        self._start_again()
        for draws in self.pairs:
            here = (draws.stage, draws.index) == (failure.address.stage, failure.address.pair)
            draws.forget(failure.address.batch if here else None)
        if self.odds is not None:
            self.odds.restart(failure.address)

    def _leave_out(self, lost: Unreadable) -> None:
        """Go on without a pair; where it is the only one, the game is over.

        What was won on it is written off where the game goes on: that its next batch
        could not be read may be the reason why it is still there.

        Raises:
            BlackBoxError: somebody asked for this pair, or nothing could be drawn on any.
        """
        if lost.pair not in self.optional:
            raise lost.error
        self.left_out[lost.pair] = lost.error
        others = [draws for draws in self.pairs if draws.index != lost.pair]
        if not others and not self.waiting:
            if not self.pairs[0].drawn:
                raise lost.error
            return
        if not others:
            self.widen()
            others = [draws for draws in self.pairs if draws.index != lost.pair]
        self.pairs = others
        self.portfolios.leave(lost.pair)
        self._start_again()

    def _epoch(self) -> None:
        """Learn, and bet until the next epoch is due."""
        drawn = min((d.drawn for d in self.pairs if d.index in self.chosen), default=0)
        if self.chosen and self._bets(self.schedule.unfinished(drawn)):
            return
        start, before = self.schedule.opening, self.schedule.before
        for draws in self.pairs:
            # Pairs that looked poor stay one epoch behind.
            behind = bool(self.chosen) and draws.index not in self.chosen
            if not self.draw(draws, before if behind else start, sure=1):
                return
        self._tell()
        # Scores of several parts silence warnings, which no thread can do for itself alone.
        alone = start < _SLOW or any(draws.parts > 1 for draws in self.pairs)
        self.chosen = self._open() if alone else self.meanwhile(self._open, 1)
        if self.odds is not None:
            self.odds.reconsider([draws for draws in self.pairs if draws.index in self.chosen])
        self._bets(self.schedule.opened())

    def _bets(self, targets: Sequence[int]) -> bool:
        """Draw up to each of these numbers of pairs, and look; whether the game is over."""
        for target in targets:
            betting = [draws for draws in self.pairs if draws.index in self.chosen]
            for stop in self._stops(betting, target):
                for draws in betting:
                    if not self.draw(draws, stop, sure=0):
                        break
                if self.schedule.epoch <= 1:
                    give_up(self.sampler, [*self.pairs, *self.waiting])
                self._tell()
                over = self._look() if stop < _SLOW else self.meanwhile(self._look, 0)
                if self.portfolios.claim.refuted and self.held_noise is None:
                    self.held_noise = self.holds_noise()
                if over or self._done():
                    return True
                if self.odds is not None:
                    self.odds.renew(betting)
        return False

    def _stops(self, betting: Sequence[PairDraws], target: int) -> Iterator[int]:
        """A number of draws of each of these pairs, and before it those at which to look, too."""
        for stop in (target,) if self.last is None else self.last.through(betting, target):
            yield from (stop,) if self.odds is None else self.odds.through(betting, stop)

    def _tell(self) -> None:
        """How far the bets are."""
        claim = self.portfolios.claim
        self.on_event(Looked("bets", self.sampler.samples, claim.best, claim.refuted))

    def _open(self) -> frozenset[int]:
        """Open the next positions; the pairs they are on."""
        epoch = self.schedule.epoch
        claim = self.portfolios.claim
        claim.sparing = self.last is not None and self.last.likely(self.pairs)
        claim.odds_ahead = self.odds is not None and self.odds.likely
        if self.portfolios.proven(epoch, len(self.pairs)):
            return self.portfolios.renew()
        pasts = {draws.index: draws.past() for draws in self.pairs if draws.kept}
        if not self.sampler.box.many:
            # One pair with two answers shows all there is; on the others every run takes a call.
            answered = (index for index, past in pasts.items() if certain(past))
            pasts = {index: pasts[index] for index in islice(answered, 1)} or pasts
        if self.portfolios.proven(epoch, 1):
            return self.portfolios.learn_again(pasts)
        return self.portfolios.open(pasts, epoch, self.schedule.life)

    def _look(self) -> bool:
        """Look at the capital; True when there is nothing left to play for."""
        if self.sampler.lasting:
            planned = sum(draws.planned for draws in self.pairs)
            self.schedule.keep(self.sampler.samples + 2 * planned)
        if self.last is not None:
            self.last.check()
        if self.portfolios.claim.look():
            beside = 0 if self.odds is None else self.odds.drawn
            self.schedule.refuted(sum(draws.drawn for draws in self.pairs) + beside)
            if self.odds is not None:
                self.odds.stop()
            self.at_once = self.at_once or max(draws.largest for draws in self.pairs)
        return self._over()

    def _over(self) -> bool:
        """Whether what is known is enough."""
        return self.schedule.over(self.portfolios.claim, self.pairs, self.sampler.box)
