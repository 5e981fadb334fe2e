"""What the auditor asks of a black box, wherever it runs.

An exception is an output by its type, never by its message: messages often carry
numbers, which would make every one unique. Where the type says too little (an
exit code, a signal), the exception has an attribute `outcome_name`, a string
with the words for it.
"""

from __future__ import annotations

from typing import Any, Protocol

from numpy.random import Generator

from audit.errors import reason_of


class RunTimeout(Exception):
    """One run took longer than allowed; the auditor counts it as an output."""

    outcome_name = "timed out"


class Exited(Exception):
    """A run ended by an exception that is not an `Exception`, such as SystemExit."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(reason_of(cause))
        code = getattr(cause, "code", None)
        shown = f" {code}" if isinstance(code, int) else ""
        self.outcome_name = f"raised {type(cause).__name__}{shown}"


class BlackBox(Protocol):
    """Something that turns a dataset into random outputs.

    Attributes:
        name: how results and reports call it.
        seeded: whether it draws its randomness from the generator it is given,
            so that two datasets can share it.
        many: whether one call can return many independent outputs.

    One that is not seeded but should repeat with an equal seed all the same has a
    further attribute `takes_seed` that is true (see `repeatable`).
    """

    name: str
    seeded: bool
    many: bool

    @property
    def identity(self) -> tuple[Any, ...]:
        """What its outputs depend on besides data and randomness: plain values, code, files.

        A stored audit goes on only where this is still the same.
        """

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
