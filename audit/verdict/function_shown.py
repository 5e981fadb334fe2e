"""Evidence in a witness: a function whose means break a divergence, and the strongest event."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.betting.bet import Bet, EventBet, FunctionBet
from audit.betting.events import Event, describe
from audit.betting.functions import UNIT
from audit.claims import Claim
from audit.errors import AuditError
from audit.jsonable import finite
from audit.verdict.intervals import Estimate

_HIGH = 0.5
"""Values of at least this are called high."""


@dataclass(frozen=True, slots=True)
class FunctionShown:
    """A function h of the output, from 0 to 1.

    Attributes:
        order: of the divergence that its means break.
        dual: what is averaged on the neighbor, in terms of h.
        mean: of h itself on the neighbor.
        steps: lower end, upper end and value of h, interval by interval; none where
            what it reads is no number.
    """

    order: float
    dual: str
    mean: Estimate
    steps: tuple[tuple[float, float, float], ...] = ()

    @classmethod
    def of(cls, bet: FunctionBet, claim: Claim, mean: Estimate) -> FunctionShown:
        """The function of a bet, as people are shown it.

        Args:
            bet: on a function.
            claim: what is bet against.
            mean: of the function on the side that it is not bet on.

        Returns:
            The function as a person reads it.
        """
        order, own = bet.order(claim), _scaled(bet)
        ends = [-float("inf"), *map(float, bet.binning.edges), float("inf")]
        steps = zip(ends[:-1], ends[1:], own[: bet.binning.numeric].tolist(), strict=True)
        held = tuple(steps) if bet.binning.numeric > 1 else ()
        return cls(order, _dual(bet, order), mean, held)

    def as_json(self) -> dict[str, Any]:
        """As it stands in the result.

        Returns:
            What JSON can hold.
        """
        return {
            "order": self.order,
            "dual": self.dual,
            "mean": self.mean.as_json(),
            "steps": [[finite(low), finite(high), value] for low, high, value in self.steps],
        }


def _scaled(bet: FunctionBet) -> NDArray[np.float64]:
    """The function over its largest value, shape (bins,)."""
    gain = bet.gain.sum(axis=0)
    scaled: NDArray[np.float64] = gain / max(1, int(gain.max()))
    return scaled


def _dual(bet: FunctionBet, order: float) -> str:
    if order == 1.0:
        return f"exp({bet.gain.max() / UNIT:.4g} (h - 1))"
    return f"h^{order / (order - 1.0):.4g}"


def event_of(bet: Bet, claim: Claim, neighbor: str) -> Event:
    """A bet in words: an event, or a function with the intervals on which it is high.

    Args:
        bet: on either.
        claim: what is bet against.
        neighbor: name of D's neighbor.
    """
    if isinstance(bet, EventBet):
        return describe(bet.feature, bet.binning, bet.plus, neighbor)
    if not isinstance(bet, FunctionBet):
        raise AuditError(f"{type(bet).__name__} is no bet that can be shown", bet)
    own = _scaled(bet)
    high = describe(bet.feature, bet.binning, own >= _HIGH, neighbor)
    words = (
        f"a function of the output from {own.min():.3g} to 1 that is {_HIGH:g} or more if "
        f"{high.description}"
    )
    return Event(words, {**high.parameters, "order": bet.order(claim)})


@dataclass(frozen=True, slots=True)
class StrongestEvent:
    """The event that earned most, where one that is easier to read is the witness.

    Attributes:
        event: the event.
        direction: on which side it is the likelier one, as of a witness.
        counts: times it happened there, times on the other side, and pairs of runs bet on.
    """

    event: Event
    direction: str
    counts: tuple[int, int, int]

    def as_json(self) -> dict[str, Any]:
        """As it stands in the result.

        Returns:
            What JSON can hold.
        """
        return {
            "event": self.event.as_json(),
            "direction": self.direction,
            "counts": named(self.counts),
        }


def named(counts: tuple[int, int, int]) -> dict[str, int]:
    """Counts of an event, as in the result."""
    return dict(zip(("left", "right", "pairs"), counts, strict=True))
