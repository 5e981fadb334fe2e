"""What the auditor asks of a black box, wherever it runs."""

from __future__ import annotations

from typing import Any, Protocol

from numpy.random import Generator


class RunTimeout(Exception):
    """One run took longer than allowed; the auditor counts it as an output."""

    outcome_name = "time-out"


class Exited(Exception):
    """A run ended by an exception that is not an `Exception`, such as SystemExit."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(f"{type(cause).__name__}: {cause}")
        code = getattr(cause, "code", None)
        self.outcome_name = type(cause).__name__ + (f" {code}" if isinstance(code, int) else "")


def outcome_name(error: BaseException) -> str:
    """How a raised exception is called as an output.

    It is the exception's own attribute `outcome_name` where that is a string
    (an exit code, a signal, a time-out), else the name of its type. Messages
    are left out: they often carry numbers, which would make every one unique.
    """
    own = getattr(error, "outcome_name", None)
    return own if isinstance(own, str) else type(error).__name__


class BlackBox(Protocol):
    """Something that turns a dataset into random outputs.

    Attributes:
        name: how results and reports call it.
        seeded: whether it draws its randomness from the generator it is given,
            so that two datasets can share it.
        many: whether one call can return many independent outputs.
    """

    name: str
    seeded: bool
    many: bool

    def call(self, data: Any, rng: Generator, size: int) -> Any:
        """Run once.

        Args:
            data: the dataset, a private copy that may be modified.
            rng: source of all randomness; not seeded black boxes ignore it.
            size: outputs wanted; 1 unless `many`.

        Returns:
            One output, or with `many` an array or sequence of `size` outputs.

        Raises:
            RunTimeout: the run took too long.
            Exception: whatever the mechanism raises, an output by its type.
            BlackBoxError: the black box cannot be run at all; this is not an
                output and ends the audit.
        """
