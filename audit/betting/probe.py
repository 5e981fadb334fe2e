"""The search for worse pairs by small looks: how fast would bets on them grow?

All draws have addresses of their own in the stage of the search, so nothing
that is found here changes what is drawn later; and nothing here is evidence.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from audit.betting.bettor import Bettor
from audit.betting.growth_score import (
    COMMON,
    PairLook,
    best_possible,
    extent,
    glance,
    law_of,
    one_sided,
    widest,
)
from audit.betting.past import PairPast
from audit.betting.power import floor_units
from audit.betting.sameness import Sameness, alike_so_far
from audit.betting.wealth import Wealth
from audit.blackbox.interface import RunTimeout
from audit.blackbox.python import constants_in
from audit.case import Case, Settings, Until
from audit.claims import Claim
from audit.errors import BlackBoxError, OutcomeError, reason_of
from audit.neighbors import Pair
from audit.neighbors.search.oracle import Failed, Law, Scale, Unreadable
from audit.neighbors.search.search_result import Appetite, Found, name_of
from audit.outcomes.encoding import Outcomes, joined
from audit.outcomes.failed_run import FailedRun, hopeless
from audit.outcomes.outcomes import PairedOutcomes
from audit.progress import Deadline, Looked, Subscriber, Warned, nobody
from audit.sampling.draws import Draws
from audit.sampling.sampler import Sampler
from audit.sampling.source import Address, Source, Stage, sources_of
from audit.sampling.unit_sources import CallUnits
from audit.sampling.units import UnitBatch, UnitKind

_FEW, _HOPELESS, _LAST = 4, 60, 20
"""Runs of a short look, those that fail alike before nothing else is hoped for, and last ones."""


@dataclass(slots=True)
class Probe:
    """The oracle that draws and bets: scores are log-wealth.

    Attributes:
        claim: what is bet against.
        alpha: the level of the audit.
        sampler: where draws come from.
        limit: count of the sampler's runs beyond which nothing more is drawn.
        deadline: when it has to be done.
        on_event: hears of every look.
        places: numbers for the addresses of pairs, each used once.
        looks: what was seen of pairs that somebody still holds.
        scale: what scores mean.
        same: outputs so far, as far as they are one and the same.
        warned: whether that was said.
        learned: outputs of those that may be worth bets, by the names of their datasets.
        known: see `Oracle`.
        asked: advice on the input, for the message of that error.
        begun: runs there were, and the moment, when it was made.
    """

    claim: Claim
    alpha: float
    sampler: Sampler
    limit: int
    deadline: Deadline = field(default_factory=Deadline)
    on_event: Subscriber = nobody
    places: Iterator[int] = field(default_factory=lambda: itertools.count(COMMON + 1))
    looks: WeakKeyDictionary[Pair, PairLook] = field(default_factory=WeakKeyDictionary)
    learned: dict[Hashable, list[UnitBatch]] = field(default_factory=dict)
    scale: Scale = field(init=False)
    same: Sameness = field(default_factory=Sameness)
    warned: bool = False
    known: list[Pair] = field(default_factory=list)
    asked: str = "if the records are wrong, check `domain`,"
    begun: tuple[int, float] = field(init=False)

    def __post_init__(self) -> None:
        self.begun = self.sampler.samples, self.deadline.now()
        fastest = floor_units(self.claim, self.alpha)
        certain, whole = best_possible(1, self.claim), widest(self.claim)
        self.scale = Scale(-math.log(self.alpha), certain, fastest, whole)

    @property
    def left(self) -> int:
        """Runs that may still be made."""
        return self.limit - self.sampler.samples

    def _in_time(self, runs: int) -> int:
        """As many of these runs as may still be made, and as there is time for."""
        before, moment = self.begun
        wanted = max(0, min(runs, self.left))
        return int(self.deadline.limited(wanted, self.sampler.samples - before, moment))

    def allow(self, runs: int) -> None:
        """See `Oracle.allow`."""
        self.limit = self.sampler.samples + runs

    def score(self, pair: Pair, runs: int) -> float | None:
        """See `Oracle.score`; where the budget does not allow so many runs, none is made."""
        look = self.looks.get(pair)
        if look is None:
            look = PairLook(next(self.places), sources_of(self.sampler.box, pair))
            self.looks[pair] = look
        missing = runs // 2 - look.drawn
        self._first_run(pair.dataset)
        if 2 * missing > self._in_time(2 * missing):
            return None
        if missing > 0:
            with self._reading(2 * missing):
                past = look.past
                drawn = PairedOutcomes(*self.sampler.pairs(look.turn(), *look.sources, missing))
                _check_in_time(self.sampler, drawn.left, drawn.right)
                look.past = drawn if past is None else _together(past, drawn)
                look.score = glance(look.past, self.claim)
            self._compare(pair.dataset, drawn.left, drawn.right)
            self.on_event(Looked("search", self.sampler.samples, look.score))
        return look.score

    def _first_run(self, dataset: Any) -> None:
        """The first run by itself if time is limited, which a look of runs that hang outlasts."""
        if not self.deadline.never and self.sampler.samples == self.begun[0] and self.left:
            with self._reading(1):
                first = self._side(Address(Stage.SEARCH, COMMON, 0, twin=COMMON), dataset, 1)
            _check_in_time(self.sampler, first)
            self.begun = self.sampler.samples, self.deadline.now()

    def _compare(self, dataset: Any, *sides: Outcomes) -> None:
        """Warn if nothing but one output came out for long, and end if it is a failure.

        All pairs have the same random numbers, so runs with others must have failed as well.
        """
        self.same.add((sides[0], sides[1]))
        while self._failing and self.known:
            self.score(self.known.pop(), 2 * _FEW)
        if self._failing:
            last = self._side(Address(Stage.SEARCH, next(self.places), 0), dataset, _LAST)
            self.same.add((last, last))
        if self._failing:
            raise hopeless(self.sampler.box.name, self.sampler.first, self.asked)
        seconds = self.deadline.now() - self.begun[1]
        if not self.warned and (warning := alike_so_far([self.same], seconds)):
            self.warned = True
            self.on_event(Warned(warning))

    @property
    def _failing(self) -> bool:
        """True if nothing but one and the same failure came out, often enough."""
        alone = not self.same.valued and len(self.same.kinds) < 2
        return alone and sum(self.same.sizes) >= _HOPELESS

    def refutes(self, pair: Pair, runs: int) -> int | None:
        """See `Oracle.refutes`; a bettor with a wealth of its own plays, on calls of one instance.

        Where every run takes a call, answers that differ and never vary are bet on without
        such a game before: it would cost as many runs as the bets themselves.
        """
        look = self.looks.get(pair)
        if not self.sampler.box.many and look is not None and look.answered:
            return 2 * look.drawn
        before, most = self.sampler.samples, self._in_time(runs)
        if most < 2 * self.scale.fastest:
            return None
        place, sources = next(self.places), sources_of(self.sampler.box, pair)
        units = CallUnits(self.sampler, UnitKind.CALL, {place: sources})
        wealths = {"claim": Wealth.against(self.claim, self.alpha, bound=False)}
        bettor = Bettor(
            units, wealths, [PairPast(place)], Until.VIOLATION, self.deadline, Stage.SEARCH
        )
        with self._reading():
            bettor.play(most)
        self.learned[name_of(pair)] = bettor.pasts[0].held
        return self.sampler.samples - before if bettor.claim.refuted else None

    def one_sided(self, pair: Pair, runs: int) -> int:
        """See `Oracle.one_sided`."""
        if self._in_time(runs) < runs:
            return 0
        look = PairLook(next(self.places), sources_of(self.sampler.box, pair))
        with self._reading(runs):
            sides = self.sampler.pairs(look.turn(), *look.sources, runs // 2)
        self.learned[name_of(pair)] = [UnitBatch.of_pairs(*sides, 1)]
        return one_sided(PairedOutcomes(*sides))

    def extent(self, pair: Pair) -> float:
        """See `Oracle.extent`."""
        look = self.looks.get(pair)
        if look is None or look.past is None:
            return 0.0
        return extent(look.past, self.claim)

    def law(self, data: Any) -> Law:
        """See `Oracle.law`; twice as many runs where they are cheap."""
        runs = 2 * _FEW if self.sampler.box.many else _FEW
        if self._in_time(runs) < runs:
            return Law()
        return law_of(self._outputs(data, runs))

    def failure(self, data: Any) -> Failed | None:
        """See `Oracle.failure`; what was drawn of a pair in a look is not drawn again."""
        seen = self._seen(data)
        if seen is None:
            if self._in_time(_FEW + 1) <= _FEW:
                return None
            seen = self._outputs(data, _FEW)
        if seen.parts:  # failures have none, and everything else has some
            return None
        return self._failed(data, seen.kinds[0].removeprefix("raised "))

    def _seen(self, data: Any) -> Outcomes | None:
        """Pilot outputs on one dataset of a pair."""
        for pair, look in self.looks.items():
            if look.past is not None and (pair.dataset is data or pair.neighbor is data):
                return look.past.left if pair.dataset is data else look.past.right
        return None

    def _failed(self, data: Any, kind: str) -> Failed:
        """Failure of one more run; the kind of the first failure if that run succeeds."""
        self.sampler.samples += 1
        try:
            self.sampler.box.bind(data).draw(np.random.default_rng(self.sampler.seed), 1)
        except BlackBoxError:
            raise
        except Exception as error:
            failed = FailedRun.of(error, data, self.sampler.samples)
            return Failed(failed.kind, failed.message)
        return Failed(kind, "")

    def _outputs(self, data: Any, runs: int) -> Outcomes:
        """Outputs on one dataset, under the randomness that all pairs have in common."""
        address = Address(Stage.SEARCH, next(self.places), 0, twin=COMMON)
        with self._reading(runs):
            outcomes = self._side(address, data, runs)
        _check_in_time(self.sampler, outcomes)
        return outcomes

    def _side(self, address: Address, data: Any, runs: int) -> Outcomes:
        return self.sampler.side(address, Source(self.sampler.box, data), runs, 0)

    @contextmanager
    def _reading(self, runs: int | None = None) -> Iterator[None]:
        """Draw and read outputs; a batch of so many runs costs the same where that fails."""
        before = self.sampler.samples
        try:
            yield
        except (BlackBoxError, MemoryError) as error:
            if runs is not None:
                self.sampler.samples = before + runs
            raise Unreadable(_refusal(error)) from error


def _check_in_time(sampler: Sampler, *sides: Outcomes) -> None:
    """Raises Unreadable where no run ended in time: the limit is the auditor's own."""
    late, first = RunTimeout.outcome_name, sampler.first
    if {kind for side in sides for kind in side.kinds} != {late}:
        return
    limit = f" ({first.message})" if first is not None and first.kind == late else ""
    told = f"no run of {sampler.box.name} on it ended in time{limit}; --timeout allows more"
    raise Unreadable(BlackBoxError(told), True)


def _refusal(error: BlackBoxError | MemoryError) -> BlackBoxError:
    if isinstance(error, BlackBoxError):
        return error
    return OutcomeError(
        f"there is not enough memory to keep a few outputs ({reason_of(error)}); return a part of "
        "them, or a summary"
    )


def _together(first: PairedOutcomes, second: PairedOutcomes) -> PairedOutcomes:
    return PairedOutcomes(joined([first.left, second.left]), joined([first.right, second.right]))


def find_pairs(
    case: Case, draws: Draws, settings: Settings, deadline: Deadline
) -> tuple[Found, list[Sequence[UnitBatch]]]:
    """Find the pairs to bet on: of questions, of neighbors in the domain, or of the data.

    Args:
        case: what is audited.
        draws: of the audit; calls made here have addresses of their own.
        settings: budget, level and seed of the audit.
        deadline: when it has to be done.

    Returns:
        The pairs, and outputs on each of them to learn from; none if they do not tell how units
        behave, as calls of one instance do not tell of fresh instances.

    Raises:
        InputError: the domain and the relation allow no pair.
    """
    sampler, claim = draws.sampler, case.claim
    probe = Probe(claim, settings.alpha, sampler, sampler.samples, deadline, settings.on_event)
    found = _found(case, probe, settings)
    if draws.units.kind is UnitKind.LIFE:
        return found, [() for _ in found.pairs]
    return found, [probe.learned.get(name_of(pair), ()) for pair in found.pairs]


def _found(case: Case, probe: Probe, settings: Settings) -> Found:
    from audit.neighbors.search import find, sessions  # both load Hypothesis

    sampler, domain, seed = probe.sampler, case.domain, settings.seed
    if case.questions is not None:
        few, constants = Appetite.of_sessions(settings.max_samples), constants_in(sampler.box)
        return sessions.search_sessions(
            probe, case.questions, domain, case.relation, case.known, few, seed, constants
        )
    cheap = sampler.box.many and not getattr(sampler.box, "starts", False)
    appetite = Appetite.of(settings.max_samples, cheap)
    if domain is None or case.built:
        probe.known, probe.asked = list(case.pairs), "if the dataset is wrong, check `data`,"
    if domain is None:
        return find.search_neighbors(probe, case.pairs, appetite)
    constants = constants_in(sampler.box)
    if case.built:
        return find.search_derived(probe, case.pairs, domain, appetite, seed, constants)
    return find.search_pairs(probe, domain, case.relation, appetite, seed, constants)
