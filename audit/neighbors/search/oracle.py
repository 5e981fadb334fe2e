"""What a search for worse neighbors asks, and of whom: it draws nothing itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from audit.errors import BlackBoxError
from audit.neighbors import Pair


class Unreadable(Exception):
    """Outputs on a dataset that cannot be bet on, or a black box that could not be run on it.

    Attributes:
        error: why.
        late: whether all that is wrong is that no run ended in time.
    """

    def __init__(self, error: BlackBoxError, late: bool = False) -> None:
        super().__init__(str(error))
        self.error = error
        self.late = late


@dataclass(frozen=True, slots=True)
class Scale:
    """What the scores of an oracle mean.

    Attributes:
        goal: the score that refutes.
        certain: the score for each pair of runs of an event that is certain on one
            side and impossible on the other.
        fastest: pairs of runs that the fastest refutation takes.
    """

    goal: float
    certain: float
    fastest: int


@dataclass(frozen=True, slots=True)
class Failed:
    """What runs ended in that gave no output.

    Attributes:
        kind: the type of the exception, or how a program ended.
        message: what it said; may be empty.
    """

    kind: str
    message: str


class Oracle(Protocol):
    """Knows how promising pairs of datasets are, within a budget of runs."""

    @property
    def scale(self) -> Scale:
        """What its scores mean."""

    def allow(self, runs: int) -> None:
        """Let so many more runs be made from now on; none are before."""

    def score(self, pair: Pair, runs: int) -> float | None:
        """How much a bet on this pair would have earned, chosen with hindsight.

        Args:
            pair: two neighboring datasets; to be asked about one again, give the same object.
            runs: on both together, those of earlier looks included.

        Returns:
            At least 0; None where the budget does not allow so many runs.

        Raises:
            Unreadable: its outputs cannot be bet on.
        """

    def refutes(self, pair: Pair, runs: int) -> int | None:
        """Bet on this pair alone, with draws of their own.

        Args:
            pair: two neighboring datasets.
            runs: to spend at most, on both together.

        Returns:
            How many runs it took to refute the claim, None when it did not.

        Raises:
            Unreadable: its outputs cannot be bet on.
        """

    def kinds(self, data: Any) -> frozenset[str]:
        """Kinds of a few outputs on one dataset, none when the budget is spent.

        Raises:
            Unreadable: the outputs cannot be bet on.
        """

    def failure(self, data: Any) -> Failed | None:
        """How all of a few runs on one dataset failed.

        Returns:
            None where one of them gave an output, or the budget is spent.

        Raises:
            Unreadable: the outputs cannot be bet on.
        """
