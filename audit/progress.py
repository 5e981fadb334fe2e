"""Progress of an audit: events for its subscribers, runs by stage, and the deadline of stages.

`audit.run(..., on_event=...)` calls its subscriber with one event after the other, in the
process and thread that the audit was started in; without one, warnings are logged. Events say
how far an audit is; nothing that is found depends on them.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter


@dataclass(frozen=True, slots=True)
class StageStarted:
    """A stage of the audit begins; one stage may begin several times.

    Attributes:
        stage: `search`, `bets`, `check`, `witness` or `tables`.
        samples: runs of the mechanism so far, all stages together.
    """

    stage: str
    samples: int


@dataclass(frozen=True, slots=True)
class Looked:
    """The bets were looked at.

    Attributes:
        stage: the stage in which.
        samples: runs of the mechanism so far, all stages together.
        log_wealth: natural log of the wealth that counts there: of the bets against the
            claim the largest so far; in a search that of the pair which was tried.
        refuted: whether bets have refuted the claim; units may still turn out to be dependent.
        left: seconds that the rest of the budget takes at most; None if nobody can say yet, or
            after a refutation.
    """

    stage: str
    samples: int
    log_wealth: float
    refuted: bool = False
    left: float | None = None


@dataclass(frozen=True, slots=True)
class Warned:
    """Something that the caller had better know before the audit is over.

    Attributes:
        sentence: what, in words.
    """

    sentence: str


@dataclass(frozen=True, slots=True)
class Finished:
    """The audit has a result, also where it was interrupted; an error ends it without.

    Attributes:
        verdict: of the result.
        samples: runs of the mechanism, all stages together.
        log_wealth: natural log of the largest wealth that the bets reached.
    """

    verdict: str
    samples: int
    log_wealth: float


Event = StageStarted | Looked | Warned | Finished
Subscriber = Callable[[Event], None]


def nobody(_event: Event) -> None:
    """The subscriber that does not listen."""


def logged(event: Event) -> None:
    """The subscriber that logs warnings; without a handler, they go to standard error."""
    if isinstance(event, Warned):
        logging.getLogger("audit").warning(event.sentence)


STAGES = ("search", "bets", "check", "witness", "tables")
"""What runs are made for, in their order."""


def no_effort() -> dict[str, int]:
    """Runs by stage, before the first."""
    return dict.fromkeys(STAGES, 0)


@dataclass(slots=True)
class Deadline:
    """A moment, and whether anything was left out for its sake.

    What can be done until then is foreseen from the past: stopping for the time is as valid as
    any other rule of stopping (see `Wealth`). But it does not follow from the seed.

    Attributes:
        ends: the moment, in seconds of the clock; infinite where nobody set a time.
        now: the clock.
        met: whether something was left out because of it.
    """

    ends: float = math.inf
    now: Callable[[], float] = perf_counter
    met: bool = False

    @property
    def never(self) -> bool:
        """Whether there is all the time in the world."""
        return math.isinf(self.ends)

    def affordable(self, made: float, began: float) -> float:
        """How many more can be done in time, where so many took from `began` until now.

        Infinitely many where there is no end, or time and nothing to judge by.
        """
        if self.never:
            return math.inf
        now = self.now()
        if now >= self.ends:
            return 0.0
        return (self.ends - now) * made / (now - began) if made > 0 and now > began else math.inf

    def limited(self, more: float, made: float, began: float) -> float:
        """So many more, or as many as can be done in time; where those are fewer, it is noted."""
        affordable = self.affordable(made, began)
        self.met |= affordable < more
        return min(more, affordable)

    def affords(self, more: float, made: float, began: float) -> bool:
        """Whether so many more can be done in time; where they cannot, that is noted."""
        return self.limited(more, made, began) >= more
