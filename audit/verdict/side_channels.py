"""Side channels: leaks by the times of runs, and the size of a floating-point leak.

A claim broken by the times of runs is a leak, never a violation. The bets on timed runs, and the
bound on the size by first outputs of fresh units, are those of docs/explanation/side-channels.md.
Events, lines and stakes are fixed before the runs that they bet on.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

import numpy as np

from audit.betting.bet import STAKES, EventBet
from audit.betting.events import Event
from audit.betting.functions import log_sum
from audit.betting.screening import Offer
from audit.claims import ApproxDP, Claim, Lines
from audit.neighbors import Pair
from audit.outcomes.column import Floats, Masks
from audit.outcomes.encoding import joined
from audit.sampling.draws import Draws
from audit.sampling.source import Stage
from audit.sampling.timed_runs import Stopwatch, TimedRuns, TimeReading
from audit.verdict.findings import Leak, Times
from audit.verdict.fresh_units import FEWEST, Allowance, FreshTally, fresh_units
from audit.verdict.intervals import proportion
from audit.verdict.result import AuditResult

_PILOT, _PACE = 64, 4
"""Timed runs that are first learned from, and how many times as many the next are."""
_PLAIN = 0.5
"""A plain time is named in place of a learned set that earned twice as much or less."""
_SHOWN = (0.1, 0.5, 0.9)
_WARMTH = 0.5
"""Prior log-weights are this share of the log-wealth that a bet would have made so far."""


@dataclass(slots=True)
class _TimedEpoch:
    """Bets that were fixed together, and what came since.

    Attributes:
        reading: from a run to its bin.
        events: shape (events, bins), which bins each event holds.
        stakes: shape (lines, stakes).
        log_prior: shape (directions, events, lines, stakes), log-weights, which add up to
            the epoch's share of the capital.
        counts: shape (2, bins), runs on D and on D′ since it began.
    """

    reading: TimeReading
    events: Masks
    stakes: Floats
    log_prior: Floats
    counts: Floats

    def log_wealth(self, lines: Lines) -> Floats:
        """Of every expert, with its log-weight, in the shape of the prior."""
        return self.log_prior + log_wealth_of(self.counts, self.events, lines, self.stakes)


def log_wealth_of(counts: Floats, events: Masks, lines: Lines, stakes: Floats) -> Floats:
    """Log-wealth of all experts after so many runs.

    Args:
        counts: shape (2, bins), on D and on D′.
        events: shape (events, bins).
        lines: shape (lines, 2).
        stakes: shape (lines, stakes).

    Returns:
        Shape (directions, events, lines, stakes), D over D′ first.
    """
    inside = counts @ events.T.astype(float)
    outside = counts.sum() - inside.sum(axis=0)
    slope, offset = lines[:, :1], lines[:, 1:]
    gain = np.log1p(stakes * (2.0 - offset))
    loss = np.log1p(-stakes * (2.0 * slope + offset))
    rest = np.log1p(-stakes * offset)
    won = np.stack([inside, inside[::-1]])[..., None, None]
    return np.asarray(won[:, 0] * gain + won[:, 1] * loss + outside[:, None, None] * rest)


@dataclass(slots=True)
class TimedBets:
    """Bets on the times of runs of one pair, with a level of their own.

    Attributes:
        claim: what is bet against.
        alpha: chance that a mechanism which keeps it is said to leak.
        pair: number of the pair that is bet on.
        made: runs of the black box on all pairs, those before the timed ones among them.
        past: timed runs of the pair, batch by batch.
        epochs: bets so far.
        log_wealth: log of the largest wealth so far.
        free: share of the capital that was never bet.
    """

    claim: Claim
    alpha: float
    pair: int
    made: int
    past: list[TimedRuns]
    epochs: list[_TimedEpoch] = field(default_factory=list)
    log_wealth: float = 0.0
    free: float = 1.0

    @property
    def runs(self) -> int:
        """Timed runs of the pair."""
        return sum(len(part.seconds) for part in self.past)

    @property
    def leaking(self) -> bool:
        """True if times refute the claim."""
        return self.log_wealth >= math.log(1.0 / self.alpha)

    @property
    def _lines(self) -> Lines:
        return self.claim.lines(self.claim.level)

    @property
    def event(self) -> str:
        """In words, what earned most."""
        epoch, event = self.strongest()
        return epoch.reading.words(epoch.events[event])

    @property
    def seconds(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """The tenth, the middle and the ninetieth percentile of the seconds on D, and on D′."""
        past = _joined(self.past)
        sides = (past.seconds[past.right == side] for side in (False, True))
        left, right = (tuple(np.quantile(side, _SHOWN).tolist()) for side in sides)
        return left, right

    def open(self) -> None:
        """Fix bets by all runs so far, with half of what was never bet."""
        past = _joined(self.past)
        reading = TimeReading.of(past)
        counts = reading.counts(past)
        events = reading.events(counts)
        stakes = STAKES / (2.0 * self._lines[:, :1] + self._lines[:, 1:])
        earned = _WARMTH * log_wealth_of(counts, events, self._lines, stakes)
        self.free /= 2.0
        log_prior = earned - log_sum(earned.ravel()) + math.log(self.free)
        self.epochs.append(_TimedEpoch(reading, events, stakes, log_prior, np.zeros_like(counts)))

    def add(self, runs: TimedRuns) -> None:
        """Settle what was bet on these runs, and look."""
        self.past.append(runs)
        self.made += 2 * len(runs.seconds)
        for epoch in self.epochs:
            epoch.counts += epoch.reading.counts(runs)
        logs = [epoch.log_wealth(self._lines).ravel() for epoch in self.epochs]
        wealth = log_sum(np.concatenate([*logs, [math.log(self.free)]]))
        self.log_wealth = max(self.log_wealth, wealth)

    def strongest(self) -> tuple[_TimedEpoch, int]:
        """The epoch and the event that earned most; a plain time where that says it too."""
        earned = [epoch.log_wealth(self._lines).max(axis=(0, 2, 3)) for epoch in self.epochs]
        place = max(range(len(earned)), key=lambda k: float(earned[k].max()))
        epoch, won = self.epochs[place], earned[place]
        plain = won[: 2 * len(epoch.reading.times)]
        if len(plain) and plain.max() >= _PLAIN * won.max() > 0.0:
            return epoch, int(plain.argmax())
        return epoch, int(won.argmax())


def bet_on_times(
    claim: Claim, alpha: float, stopwatches: Sequence[Stopwatch], runs: int
) -> TimedBets | None:
    """Time runs on every pair, and bet on the one that looks worst until it leaks or runs end.

    Args:
        claim: to bet against.
        alpha: the level.
        stopwatches: one for each pair.
        runs: of the black box at most, half of which are not timed.

    Returns:
        None where there are too few runs to learn anything.
    """
    timed = runs // 2
    if timed < len(stopwatches) * _PILOT + _PILOT:
        return None
    pilots = [watch.draw(0, _PILOT) for watch in stopwatches]
    best = max(range(len(pilots)), key=lambda k: _promise(claim, pilots[k]))
    left = timed - len(stopwatches) * _PILOT
    made = 2 * _PILOT * len(stopwatches)
    bets = TimedBets(claim, alpha, stopwatches[best].pair, made, [pilots[best]])
    bets.open()
    due = _PILOT * _PACE
    for batch in count(1):
        size = min(left, max(_PILOT // 2, bets.runs // 4))
        if size == 0 or bets.leaking:
            break
        bets.add(stopwatches[best].draw(batch, size))
        left -= size
        if bets.runs >= due and left:
            due *= _PACE
            bets.open()
    return bets


def _promise(claim: Claim, pilot: TimedRuns) -> float:
    """Log-growth of the best bet on the runs that it is chosen by."""
    trial = TimedBets(claim, 0.5, 0, 0, [pilot])
    trial.open()
    trial.add(pilot)
    return trial.log_wealth


def _joined(parts: Sequence[TimedRuns]) -> TimedRuns:
    return TimedRuns(
        np.concatenate([part.right for part in parts]),
        np.concatenate([part.seconds for part in parts]),
        joined([part.outcomes for part in parts]),
    )


SHARE = 4
"""One part in so many of the budget is for timed runs."""
_MOST_PAIRS = 8
"""Pairs whose runs are timed to find the one to bet on; the first that were given or found."""

_SEEN, _LARGEST = 20.0, 20.0
"""Units are so many times e^ε, so that a loss above ε can show; a larger ε counts as this one."""


def with_times(draws: Draws, pairs: Sequence[Pair], result: AuditResult, runs: int) -> AuditResult:
    """The result with what timed runs showed; calls are assumed to be independent of each other."""
    chosen = pairs[:_MOST_PAIRS]
    watches = [Stopwatch(draws.sides(pair), k, result.seed) for k, pair in enumerate(chosen)]
    found = bet_on_times(result.claim, result.alpha, watches, runs)
    if found is None:
        note = f"{runs:,} runs are too few to look at the time they take"
        return replace(result, notes=(*result.notes, note))
    draws.sampler.samples += found.made
    pair = chosen[found.pair]
    times = Times(pair=pair.name, runs=found.runs, left=found.seconds[0], right=found.seconds[1])
    if not found.leaking:
        return replace(result, times=times)
    words = f"{found.event} (on {pair.name})"
    event = Event(words, {"feature": "running time", "pair": pair.name})
    leak = Leak(kind="timing", event=event, log_evalue=found.log_wealth)
    return replace(result, times=times, leaks=(*result.leaks, leak))


def of_their_own(result: AuditResult) -> Iterator[Leak]:
    """Leaks that lose more than is shown without them; all of them if the claim stands.

    The lowest set bit of a decimal number follows its size; so it breaks a claim that the size
    breaks, and says nothing else.
    """
    for leak in result.leaks:
        size = leak.epsilon_lower
        if result.verdict != "violation" or (size is not None and size > result.epsilon_lower):
            yield leak


def leak_size(
    draws: Draws, offer: Offer, claim: Claim, alpha: float, bet: int, allowance: Allowance
) -> float | None:
    """A lower bound on epsilon at level alpha; None if too few runs are left, or none was shown.

    Args:
        draws: of the audit.
        offer: the leading event on low-order bits.
        claim: of the audit.
        alpha: chance that the bound is too large.
        bet: units that were bet on.
        allowance: outputs and time left.

    Raises:
        BlackBoxError: the black box cannot be run at all.
    """
    # A size beyond the claim is enough; all that may be drawn would take a quarter of the audit.
    enough = _SEEN * math.exp(min(claim.level, _LARGEST))
    few = max(4 * fresh_units(draws, bet, tables=True), math.ceil(enough))
    units = allowance.units(min(few, 2 * fresh_units(draws, bet)))
    if units < FEWEST or not isinstance(offer.bet, EventBet):
        return None
    tally = FreshTally(draws, [offer.bet], Stage.LEAK)
    tally.draw_up_to(units)
    own, other = (0, 1) if offer.bet.forward else (1, 0)
    counts, gain = tally.counts[0], offer.bet.gain[own]
    p = proportion(int(counts[own][gain > 0].sum()), units, alpha)
    cost = np.asarray(offer.bet.cost[other] > 0)
    q = proportion(int(counts[other][cost].sum()), units, alpha)
    delta = claim.delta_claimed if isinstance(claim, ApproxDP) else 0.0
    if p.low <= delta:
        return None
    lower = math.log((p.low - delta) / q.high)
    return lower if lower > 0.0 else None
