"""A function whose means break a claim on a divergence, as people are shown it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from audit.betting.confirmation.event_bet import EventBet
from audit.betting.confirmation.function_bet import FunctionBet
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.event import Event
from audit.betting.events import describe
from audit.betting.inequalities import Inequalities
from audit.claim import Claim
from audit.errors import AuditError
from audit.jsonable import finite
from audit.verdict.estimate import Estimate

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
    def of(cls, bet: LeadingBet, claim: Claim, mean: Estimate) -> FunctionShown | None:
        """What is shown of a bet.

        Args:
            bet: on a function or an event.
            claim: what is bet against.
            mean: of the function on the side that it is not bet on.

        Returns:
            None where it is one on an event.
        """
        if not isinstance(bet, FunctionBet):
            return None
        order = bet.order(Inequalities.at(claim, claim.level))
        own, _ = bet.shown
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


def _dual(bet: FunctionBet, order: float) -> str:
    if order == 1.0:
        return f"exp({bet.range:.4g} (h - 1))"
    return f"h^{order / (order - 1.0):.4g}"


def event_of(bet: LeadingBet, claim: Claim, neighbor: str) -> Event:
    """What is bet on in words: an event, or a function with the intervals on which it is high.

    Args:
        bet: on either.
        claim: what is bet against.
        neighbor: what D's neighbor is called.
    """
    if isinstance(bet, EventBet):
        return describe(bet.feature, bet.binning, bet.plus, neighbor)
    if not isinstance(bet, FunctionBet):
        raise AuditError(f"{type(bet).__name__} is no bet that can be shown", bet)
    own, _ = bet.shown
    seen = bet.joint.sum(axis=0) + bet.joint.sum(axis=1) > 0
    high = describe(bet.feature, bet.binning, (own >= _HIGH) & seen, neighbor)
    words = (
        f"a function of the output from {own.min():.3g} to 1 that is {_HIGH:g} or more where "
        f"{high.description}"
    )
    order = bet.order(Inequalities.at(claim, claim.level))
    return Event(words, {**high.parameters, "order": order})
