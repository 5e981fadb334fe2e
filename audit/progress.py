"""Progress of an audit: events for its subscribers.

`audit.run(..., on_event=...)` calls its subscriber with one event after the other, in the
process and thread that the audit was started in. Events say how far an audit is; nothing
that is found depends on them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


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
    """

    stage: str
    samples: int
    log_wealth: float
    refuted: bool = False


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
