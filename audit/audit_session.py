"""One audit under way: what it is about, where it draws from, and what it has to say so far."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from time import perf_counter
from typing import Any

from audit.blackbox.carried import held_by
from audit.case import Case, Settings
from audit.neighbors import Pair
from audit.progress import StageStarted
from audit.sampling.allotment import Allotment
from audit.sampling.deadline import Deadline
from audit.sampling.effort import no_effort
from audit.sampling.held_noise import may_hold_noise
from audit.sampling.sampler import Sampler
from audit.sampling.set_anew import own_generator_set
from audit.sampling.source import Source, Sources
from audit.sampling.store import Memory
from audit.sampling.trial_calls import Trial
from audit.sampling.workers.interface import WorkerPool
from audit.sampling.workers.uncalled import Uncalled, uncalled

_DONE_AT = {
    "search": 0.2,
    "bets": 0.5,
    "confirmation": 0.75,
    "check": 0.9,
    "witness": 0.97,
    "tables": 1.0,
}
"""Part of the time after which each part of an audit is to be done: without a confirmation and a
self-check nothing of what the bets won may be said."""


@dataclass(slots=True)
class AuditSession:
    """One audit under way.

    Attributes:
        case: what is audited.
        settings: how.
        memory: where draws come from.
        pairs: the datasets that are bet on.
        fresh: the black box as it was before its first call, None where it cannot travel.
        held: checksum of what it held then beside generators, None where that cannot be told.
        effort: runs by stage so far.
        notes: what a reader must know, beside what the bets have to say.
        places: numbers for the addresses of confirming calls.
        started: the moment at which it began.
        deadlines: of its parts, as far as somebody asked.
        singly: of the pairs, those on which outputs are asked for one by one beside others.
        trial: of the generator that the black box keeps, where one is set; None elsewhere.
        tried: runs that were made to find that out.
        confirming: those that were to win again what the bets won.
    """

    case: Case
    settings: Settings
    memory: Memory
    pairs: tuple[Pair, ...] = ()
    fresh: Uncalled | None = None
    held: bytes | None = None
    effort: dict[str, int] = field(default_factory=no_effort)
    notes: list[str] = field(default_factory=list)
    places: Iterator[int] = field(default_factory=count)
    started: float = 0.0
    deadlines: dict[str, Deadline] = field(default_factory=dict)
    singly: tuple[Pair, ...] = ()
    trial: Trial | None = None
    tried: int = 0
    confirming: int = 0
    _sources: dict[int, Source] = field(default_factory=dict)
    _noisy: bool = False

    @classmethod
    def of(cls, case: Case, settings: Settings, memory: Memory) -> AuditSession:
        """A session that has not drawn anything yet."""
        fresh, held = uncalled(case.box), held_by(case.box)
        return cls(case, settings, memory, case.pairs, fresh, held, started=perf_counter())

    @property
    def sampler(self) -> Sampler:
        """Draws single batches."""
        return self.memory.sampler

    @property
    def pool(self) -> WorkerPool:
        """Draws and counts many."""
        return self.memory.pool

    @contextmanager
    def own_generator_set(self) -> Iterator[None]:
        """A generator that the black box keeps is set anew for every call made here, if it can be.

        Before anything else is drawn.
        """
        sampler, budget = self.sampler, self.memory.budgets[0]
        coupled = not self.settings.null
        datasets, seconds = self.case.some_datasets, self.settings.max_seconds
        with own_generator_set(sampler, datasets, budget, coupled, seconds) as trial:
            self.trial, self.tried = trial, sampler.samples
            self.effort["check"] = self.tried
            self.note((trial.note,) if trial else ())
            yield

    def bet_on(self, pairs: tuple[Pair, ...]) -> None:
        """Bet on these pairs, and on no other."""
        self.pairs = pairs

    def note(self, sentences: Iterable[str]) -> None:
        """Tell the reader something."""
        self.notes += sentences

    @property
    def left(self) -> int:
        """Runs that may still be made, but for those that are kept for the end."""
        return max(0, self.settings.max_samples - self.sampler.samples - self._kept)

    @property
    def _kept(self) -> int:
        """Runs that try at the end what was tried at the beginning."""
        return 0 if self.trial is None else self.trial.kept

    @property
    def may_hold_noise(self) -> bool:
        """Whether the black box may hold noise since its first call (see `held_noise`).

        What it once was found to hold it may hold from then on.
        """
        if not self._noisy and self.pairs:
            self._noisy = bool(self.sampler.found("holds noise", self._holds_noise))
        return self._noisy

    def _holds_noise(self) -> str:
        pair, seed = self.pairs[0], self.settings.seed
        asked = self.case.box, self.fresh, self.held, seed, (pair.dataset, pair.neighbor)
        noisy, runs = may_hold_noise(*asked, self.left)
        self.sampler.samples += runs
        return "yes" if noisy else ""

    def source(self, data: Any) -> Source:
        """The black box on a dataset of this audit: one and the same for all of its stages."""
        # It holds the dataset, so that its identity stays its own.
        return self._sources.setdefault(id(data), Source(self.case.box, data))

    def sides(self, pair: Pair) -> Sources:
        """The black box on both datasets of a pair."""
        return self.source(pair.dataset), self.source(pair.neighbor)

    def asks_singly(self, pair: Pair) -> bool:
        """Whether bets on this pair are on what calls for one output give."""
        return any(pair is held for held in self.singly)

    def bet_singly_on(self, pair: Pair) -> None:
        """Bet on what calls for one output give on this pair, too."""
        self.pairs, self.singly = (*self.pairs, pair), (*self.singly, pair)

    @property
    def beside(self) -> int:
        """Runs that checks, the witness and tables may still make.

        Where every run takes a call they may make no more together than the bets did, apart
        from what wins again what those won.
        """
        if self.sampler.box.many:
            return self.left
        others = self.tried + self.confirming + self.effort["search"] + self.effort["bets"]
        spent = self.sampler.samples - others
        return max(0, min(self.left, self.effort["bets"] - spent))

    def deadline(self, part: str) -> Deadline:
        """When a part of the audit has to be done: one and the same object for each."""
        seconds = self.settings.max_seconds
        if part not in self.deadlines:
            left = math.inf if seconds is None else _DONE_AT[part] * seconds
            self.deadlines[part] = Deadline(self.started + left, perf_counter)
        return self.deadlines[part]

    def in_time(self, part: str, runs: int) -> int:
        """As many of these runs as there is time for in a part, at the pace of all so far."""
        return int(self.deadline(part).limited(runs, self.sampler.samples, self.started))

    def allotted(self, budget: int) -> Allotment:
        """The runs of each stage behind the search, out of a budget for everything."""
        runs = budget - self.effort["search"] - self.tried - self._kept
        return Allotment.of(runs, len(self.pairs), self.sampler.box.many)

    @contextmanager
    def confirmation(self) -> Iterator[None]:
        """Everything drawn in this context is to win again what the bets won."""
        before = self.sampler.samples
        try:
            with self.stage("check"):
                yield
        finally:
            self.confirming += self.sampler.samples - before

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Everything drawn in this context is drawn for that stage."""
        before = self.sampler.samples
        self.settings.on_event(StageStarted(name, before))
        try:
            yield
        finally:
            made = self.sampler.samples - before
            self.effort[name] = self.effort.get(name, 0) + made
