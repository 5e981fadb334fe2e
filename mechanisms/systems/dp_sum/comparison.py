"""The three places to add noise, compared: how accurate each is, and what an audit sees of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from audit.declaration import Compared, Entry, Truth
from audit.relation import Relation
from mechanisms.systems.dp_sum.accuracy import Accuracy, fairness, sweep
from mechanisms.systems.dp_sum.benchmark import Benchmark
from mechanisms.systems.dp_sum.daily_sums import APPROACHES, Approach

_ERRORS = tuple(field.name for field in fields(Accuracy))


class Comparison(Benchmark):
    """Daily totals with noise on every record, on every client's day, or on the total."""

    __slots__ = ()

    def over(self, low: float, high: float, step: float) -> Self:
        """The same comparison for epsilon from low to high in equal steps."""
        return replace(self, epsilon_min=low, epsilon_max=high, epsilon_step=step)

    def compared(self) -> Sequence[Compared]:
        """Errors of every approach, averaged over the seeds, with the mechanism itself."""
        means = sweep(self).groupby(["epsilon", "approach"])[["scale", *_ERRORS]].mean()
        return [
            Compared(
                approach=approach,
                epsilon=epsilon,
                figures=means.loc[(epsilon, approach)].to_dict() | self._fairness(epsilon),
                entry=self._entry(approach, epsilon),
            )
            for epsilon in self.epsilons
            for approach in APPROACHES
        ]

    def _fairness(self, epsilon: float) -> dict[str, float]:
        return fairness(self, epsilon) if self.fairness else {}

    def _entry(self, approach: Approach, epsilon: float) -> Entry:
        """The approach where one record changes its steps from none to the most."""
        mechanism = self.placed(approach, epsilon)
        return Entry(
            name=f"dp-sum-{approach}",
            group="DP sum",
            summary=f"daily totals, {approach} noise",
            mechanism=mechanism,
            independent_calls=True,
            relation=Relation.SUBSTITUTE,
            data=self._first_changed(0.0),
            neighbors=(self._first_changed(self.max_steps),),
            truth=Truth(
                keeps=True,
                epsilon=mechanism.release_epsilon if self.mechanism == "laplace" else None,
                source="calculation: one release moves by at most max_steps",
            ),
        )

    def _first_changed(self, steps: float) -> NDArray[np.float64]:
        """One record of half the most steps per client and day, of which the first has others."""
        return np.array([steps, *[self.max_steps / 2] * (self.num_clients * self.num_days - 1)])


COMPARISON = Comparison()
"""What `audit benchmark dp-sum` loads: an entry point of `pyproject.toml` names it."""
