"""Units of simulated instances, for tests of bets."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from audit.betting.bettor import Bettor
from audit.betting.past import PairPast
from audit.betting.wealth import Wealth
from audit.case import Until
from audit.claims import Claim
from audit.outcomes.encoding import Outcomes, encode
from audit.sampling.source import Sources
from audit.sampling.units import UnitBatch, UnitKind, UnitPlan

Sides = NDArray[np.bool_]
Law = Callable[[Generator, Sides], NDArray[np.float64]]
"""Answers of one fresh instance, each on D (False) or on D′ (True)."""


def response(epsilon: float, *, permanent: bool = False) -> Law:
    """Randomized response: a bit that is true with the larger probability on D."""
    p = 1.0 / (1.0 + math.exp(-epsilon))

    def answers(rng: Generator, sides: Sides) -> NDArray[np.float64]:
        drawn = rng.random(2)[sides.astype(int)] if permanent else rng.random(len(sides))
        return np.asarray(drawn < np.where(sides, 1.0 - p, p), float)

    return answers


@dataclass(slots=True)
class Simulated:
    """A source of units that follow from their numbers.

    Attributes:
        laws: of each pair.
        kind: of the units.
        coins: True if units of coins can be drawn.
        pairs: True if pairs with n > 1 can be drawn.
        seed: of all units.
        cost: seconds of a unit and of one more output.
        plans: all plans, in the order in which they were drawn.
        watch: called before each plan is drawn.
    """

    laws: Sequence[Law]
    kind: UnitKind = UnitKind.CALL
    coins: bool = False
    pairs: bool = True
    seed: int = 0
    cost: tuple[float, float] = (2.0**-14, 2.0**-20)
    plans: list[UnitPlan] = field(default_factory=list)
    watch: Callable[[UnitPlan], None] = lambda plan: None
    coupled: bool = False

    def costs(self) -> tuple[float, float]:
        """See `UnitSource.costs`."""
        return self.cost

    def add_pair(self, index: int, sources: Sources) -> None:
        """See `UnitSource.add_pair`."""

    def doubt(self, *, waits: bool = True) -> str:
        """See `UnitSource.doubt`."""
        return ""

    def drawn(self, plan: UnitPlan) -> UnitBatch:
        """See `UnitSource.drawn`."""
        self.watch(plan)
        self.plans.append(plan)
        law, n = self.laws[plan.pair], plan.n
        numbers = range(plan.first, plan.first + plan.count)
        generators = [np.random.default_rng(plan.entropy(self.seed, k)) for k in numbers]
        if plan.share is None:
            sides = [
                np.concatenate([law(rng, np.full(n, side)) for rng in generators])
                for side in (False, True)
            ]
            return UnitBatch.of_pairs(read(sides[0]), read(sides[1]), n)
        tossed = plan.sides(self.seed)
        answers = [law(rng, own) for rng, own in zip(generators, tossed, strict=True)]
        values, behind = np.concatenate(answers), tossed.ravel()
        units = np.repeat(np.arange(plan.count), n)
        return UnitBatch(
            (read(values[~behind]), read(values[behind])),
            (units[~behind], units[behind]),
            plan.count,
            n,
            plan.share,
        )


def read(values: NDArray[np.float64]) -> Outcomes:
    """Numbers as outputs."""
    return encode(np.append(values, 0.0), len(values) + 1).take(slice(0, len(values)))


def bettor_on(
    source: Simulated,
    claim: Claim,
    *,
    alpha: float = 0.05,
    until: Until = Until.VIOLATION,
    bound: bool | None = None,
    optional: Sequence[int] = (),
) -> Bettor:
    """A bettor on all pairs of a source."""
    bound = until is not Until.VIOLATION if bound is None else bound
    wealths = {"claim": Wealth.against(claim, alpha, bound=bound)}
    pasts = [PairPast(index) for index in range(len(source.laws))]
    return Bettor(source, wealths, pasts, until, optional=optional)
