"""Noisy counts at the price of shares of a budget, until it is spent."""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from typing import Literal

from numpy.random import Generator

from audit.claims import Claim, PureDP
from mechanisms.parts.parameters import require_positive

REFUSED = "refused"


class BudgetExceeded(Exception):
    """A question costs more than is left."""


@dataclass(frozen=True, slots=True)
class BudgetedCounts:
    """Sessions with a budget; each question names the share of it that the answer may cost.

    Attributes:
        epsilon: the budget, which is what is claimed.
        checked: whether an answer is given when its price is left, or, one too many, as
            long as not more than the budget was spent before.
        refusal: what a question ends in that cannot be afforded.
        afterwards: whether such a question leaves the budget as it was, or makes a new one.
    """

    epsilon: float = 1.0
    checked: Literal["price", "spent"] = "price"
    refusal: Literal["answer", "exception"] = "answer"
    afterwards: Literal["same", "new"] = "same"

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)

    @property
    def claim(self) -> Claim:
        return PureDP(self.epsilon)

    def release(self, data: Sized, rng: Generator) -> BudgetedCount:
        """A new session, whose `ask(share)` counts the records."""
        return BudgetedCount(self, len(data), rng)


class BudgetedCount:
    """One session.

    Attributes:
        spent: what answers have cost, in shares of the budget.
    """

    def __init__(self, terms: BudgetedCounts, count: int, rng: Generator) -> None:
        self._terms, self._count, self._rng = terms, count, rng
        self.spent = 0.0

    def ask(self, share: float) -> float | str:
        """The count with Laplace noise, at this share of the budget.

        Raises:
            BudgetExceeded: it cannot be afforded, and refusals are exceptions.
        """
        price = share if self._terms.checked == "price" else 0.0
        if self.spent + price > 1.0:
            return self._refused()
        self.spent += share
        return float(self._count + self._rng.laplace(0.0, 1.0 / (share * self._terms.epsilon)))

    def _refused(self) -> str:
        if self._terms.afterwards == "new":
            self.spent = 0.0
        if self._terms.refusal == "exception":
            raise BudgetExceeded
        return REFUSED
