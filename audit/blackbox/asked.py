"""Questions in JSON, one for each output, for served programs and services."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from numpy.random import Generator

from audit.blackbox.json_exchange import data_text


class AskedBlackBox(ABC):
    """A black box that gets its dataset with every question, and shows nothing of itself.

    Attributes:
        many: false, as each question asks for one output.
        starts: every question waits for an answer from elsewhere.
        at_once: several questions may wait for their answers at the same time.
    """

    many = False
    starts = True
    at_once = True

    def bind(self, data: Any) -> BoundQuestion:
        """See `BlackBox.bind`; the dataset becomes JSON."""
        return BoundQuestion(self, data_text(data))

    @abstractmethod
    def asked(self, data: bytes, rng: Generator) -> Callable[[], Any]:
        """One question about a dataset in JSON; what is returned asks it (see `BoundBox.draw`)."""

    def output(self, data: bytes, rng: Generator) -> Any:
        """Output of one question (see `BoundBox.draw`).

        Args:
            data: the dataset as JSON.
            rng: source of the seed.

        Returns:
            One output.

        Raises:
            Exception: whatever is an output by its type.
            BlackBoxError: nothing can be asked.
        """
        return self.asked(data, rng)()

    def prepare(self) -> None:  # noqa: B027  only few have to
        """Do what comes before a question and is no part of its answer."""


class BoundQuestion:
    """Black box bound to one dataset, which every question carries.

    Attributes:
        box: asks.
        data: the dataset as JSON.
    """

    __slots__ = ("box", "data")

    def __init__(self, box: AskedBlackBox, data: bytes) -> None:
        self.box, self.data = box, data

    def draw(self, rng: Generator, size: int) -> Any:
        """See `BoundBox.draw`."""
        return self.box.output(self.data, rng)

    def later(self, rng: Generator) -> Callable[[], Any]:
        """Take from a generator what a run needs; what is left may be done in any thread."""
        return self.box.asked(self.data, rng)

    def ready(self) -> Callable[[Generator, int], Any]:
        """Rest of `draw` after all work that is not to be timed."""
        self.box.prepare()
        return self.draw
