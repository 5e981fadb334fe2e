"""A black box on one dataset: where draws come from."""

from __future__ import annotations

from typing import Any

from audit.blackbox.interface import BlackBox, BoundBox
from audit.neighbors import Pair


class Source:
    """A black box on one dataset, bound when it is first drawn from.

    It travels as black box and dataset, and is bound anew where it arrives.

    Attributes:
        box: the black box.
        data: the dataset.
    """

    __slots__ = ("_bound", "box", "data")

    def __init__(self, box: BlackBox, data: Any) -> None:
        self.box, self.data = box, data
        self._bound: BoundBox | None = None

    @property
    def bound(self) -> BoundBox:
        """The black box with this dataset.

        Raises:
            BlackBoxError: it cannot be given this dataset.
        """
        if self._bound is None:
            self._bound = self.box.bind(self.data)
        return self._bound

    def __reduce__(self) -> tuple[type[Source], tuple[Any, ...]]:
        return Source, (self.box, self.data)


Sources = tuple[Source, Source]
"""A black box on the two datasets of a pair."""


def sources_of(box: BlackBox, pair: Pair) -> Sources:
    """A black box on both datasets of a pair."""
    return Source(box, pair.dataset), Source(box, pair.neighbor)
