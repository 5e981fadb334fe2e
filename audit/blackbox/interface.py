"""Interface of a black box, wherever it runs.

An exception is an output by its type, never by its message: messages often carry
numbers, which would make every one unique. Where the type says too little (an
exit code, a signal), the exception has an attribute `outcome_name`, a string
with the words for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from numpy.random import Generator

from audit.errors import clipped_message


class RunTimeout(Exception):
    """One run took longer than allowed; the auditor counts it as an output."""

    outcome_name = "timed out"


class Exited(Exception):
    """A run ended by an exception that is not an `Exception`, such as SystemExit."""

    def __init__(self, cause: BaseException) -> None:
        known = getattr(cause, "outcome_name", None)
        code = getattr(cause, "code", None)
        shown = f" {code}" if isinstance(code, int) else ""
        super().__init__("" if shown and not known else clipped_message(cause))
        self.outcome_name = known or f"raised {type(cause).__name__}{shown}"


class BoundBox(Protocol):
    """A black box that has been given its dataset."""

    def draw(self, rng: Generator, size: int, /) -> Any:
        """Run once on the dataset as it was bound, whatever earlier runs did to theirs.

        Args:
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


@dataclass(frozen=True, slots=True, weakref_slot=True)
class Bound:
    """A dataset bound to a black box: what can be done with both (see `BlackBox`)."""

    draw: Callable[[Generator, int], Any]
    later: Callable[[Generator], Callable[[], Any]] | None = None
    ready: Callable[[], Callable[[Generator, int], Any]] | None = None


class BlackBox(Protocol):
    """Something that turns a dataset into random outputs, in two steps: `bind`, then `draw`.

    Attributes:
        name: how results and reports call it.
        seeded: whether it draws its randomness from the generator it is given,
            so that two datasets can share it.
        many: whether one call can return many independent outputs.

    That is all an audit needs. Where there are further attributes, they are asked for:
        takes_seed: true for one that is not seeded but should repeat with an equal seed
            all the same.
        identity: what its outputs depend on besides data and randomness, as a tuple of
            plain values, code and files; a stored audit goes on only where this is still
            the same. By default that is all its attributes.
        starts: true where every draw starts something up or waits for somebody else, which
            takes longer than many outputs do: fewer draws are made then, of more outputs
            each.
        records: how it wants records with named columns.
        at_once: whether runs may be made by now while others go on, in other threads. What
            `bind` returns has then a function `later` of a generator, which takes from it
            what one run needs and returns what is left of `draw`.
        elsewhere: whether calls may be made by now in other processes while others go on; each
            gives what it would give here.
        ready: of what `bind` returns: a function without arguments that prepares one run
            and returns what is left of `draw`, so that its time can be taken alone.
        abroad: true for what no process of the audit starts or ends, such as a service.
        restart: a function without arguments; ends what stays, for the next run to begin anew.
    """

    name: str
    seeded: bool
    many: bool

    def bind(self, data: Any) -> BoundBox:
        """Give it a dataset, once for many runs: what can be prepared is prepared here.

        Args:
            data: the dataset, which stays as it is; what runs may modify is a copy.

        Returns:
            What runs on this dataset are drawn from.

        Raises:
            BlackBoxError: it cannot be given this dataset.
        """
