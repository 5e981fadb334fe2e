"""What is asked in JSON, one question for each output: programs that stay, and services."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from numpy.random import Generator

from audit.blackbox.asked_again import AskedAgain
from audit.blackbox.json_exchange import data_text


class AskedBlackBox(ABC):
    """A black box that gets its dataset with every question, and shows nothing of itself.

    Attributes:
        many: false, as each question asks for one output.
        starts: every question waits for an answer from elsewhere.
    """

    many = False
    starts = True

    def __init__(self) -> None:
        """Keep the first questions, to be asked again."""
        self._again = AskedAgain()

    @property
    def ignores_seed(self) -> bool:
        """Whether the same data and seed were ever seen to give other outputs."""
        return self._again.differed

    def bind(self, data: Any) -> BoundQuestion:
        """See `BlackBox.bind`; the dataset becomes JSON."""
        return BoundQuestion(self, data_text(data))

    @abstractmethod
    def output(self, data: bytes, rng: Generator) -> Any:
        """What one question about a dataset in JSON gives (see `BoundBox.draw`)."""


class BoundQuestion:
    """Who is asked, and the dataset that every question brings.

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
