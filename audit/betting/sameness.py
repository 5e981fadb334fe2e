"""Outputs that are all one and the same, on which no bet can be placed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from audit.outcomes.answers import Answer, only_answer
from audit.outcomes.outcomes import Outcomes

_HOPELESS = 20
"""Runs on every dataset that fail alike before an audit ends."""


@dataclass(slots=True)
class Sameness:
    """Outputs on both datasets of a pair, as far as they are one and the same.

    Attributes:
        varied: True if outputs vary.
        answers: outputs, at most one more than one, as long as they do not vary.
        kinds: kinds of outputs as a whole, as long as no value came out.
        valued: True if a value came out.
        sizes: outputs on D and on D′.
    """

    varied: bool = False
    answers: set[Answer] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    valued: bool = False
    sizes: tuple[int, int] = (0, 0)

    def add(self, sides: tuple[Outcomes, Outcomes]) -> None:
        """Count the outputs of units."""
        self.sizes = self.sizes[0] + sides[0].size, self.sizes[1] + sides[1].size
        if self.varied and self.valued:
            return
        for side in sides:
            if side.size:
                answer = only_answer(side)
                self.answers |= set() if answer is None else {answer}
                self.varied |= answer is None or len(self.answers) > 1
                self.kinds |= set(side.kinds)
                self.valued |= bool(side.parts)


def constant(pairs: Iterable[Sameness]) -> bool:
    """True if all outputs on all pairs are one and the same."""
    held = list(pairs)
    answers = {answer for same in held for answer in same.answers}
    return len(answers) == 1 and not any(same.varied for same in held)


def failing(pairs: Iterable[Sameness]) -> bool:
    """True if the first runs on every dataset have all failed in the same way."""
    held = list(pairs)
    kinds = {kind for same in held for kind in same.kinds}
    enough = all(min(same.sizes) >= _HOPELESS for same in held)
    return enough and len(kinds) == 1 and not any(same.valued for same in held)
