"""The tree that the tuples of an index span, level by level."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from mechanisms.parts.noise import Integers

if TYPE_CHECKING:
    import pandas as pd

Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Siblings:
    """All nodes of a level whose parents have equally many children.

    Attributes:
        parents: nodes of the level above, shape (parents,).
        children: their children, shape (parents, children).
    """

    parents: Integers
    children: Integers


@dataclass(frozen=True, slots=True)
class Level:
    """One level: the nodes that share their first so many keys.

    Attributes:
        node: node of each tuple, shape (tuples,); nodes are numbered as they occur.
        nodes: how many there are.
        siblings: every node once, as the child of its parent.
    """

    node: Integers
    nodes: int
    siblings: tuple[Siblings, ...]

    def sums(self, counts: Integers) -> Integers:
        """Counts of the nodes from those of the tuples, shape (nodes,)."""
        totals = np.zeros(self.nodes, dtype=np.int64)
        np.add.at(totals, self.node, counts)
        return totals

    @property
    def sizes(self) -> Integers:
        """Number of tuples below each node, shape (nodes,)."""
        return np.bincount(self.node, minlength=self.nodes)


def hierarchy(keys: Sequence[Key]) -> tuple[Level, ...]:
    """Levels below the root, the last of which has the tuples themselves in their order."""
    above = np.zeros(len(keys), dtype=np.int64)
    levels = []
    for depth in range(1, len(keys[0]) + 1):
        numbers: dict[Key, int] = {}
        node = np.array([numbers.setdefault(key[:depth], len(numbers)) for key in keys])
        levels.append(Level(node, len(numbers), _siblings(above, node)))
        above = node
    return tuple(levels)


def _siblings(above: Integers, node: Integers) -> tuple[Siblings, ...]:
    """Group the nodes of a level by how many of them share a parent."""
    families: dict[int, list[int]] = {}
    for parent, child in dict.fromkeys(zip(above.tolist(), node.tolist(), strict=True)):
        families.setdefault(parent, []).append(child)
    sizes = sorted({len(children) for children in families.values()})
    return tuple(
        Siblings(
            np.array([parent for parent, found in families.items() if len(found) == size]),
            np.array([found for found in families.values() if len(found) == size]),
        )
        for size in sizes
    )


def keyed_counts(data: pd.Series[Any] | pd.DataFrame) -> tuple[list[Key], Integers]:
    """The tuples and their counts.

    Args:
        data: counts as a series whose index holds the tuples, or a frame of key
            columns with the counts in the last one. Tuples that nobody has must be
            there with count 0: which tuples there are is taken for public.

    Raises:
        ValueError: no tuples, one of them twice, or counts that are none.
    """
    import pandas as pd

    if isinstance(data, pd.DataFrame):
        data = data.set_index(list(data.columns[:-1]))[data.columns[-1]]
    keys = [key if isinstance(key, tuple) else (key,) for key in data.index.tolist()]
    counts = data.to_numpy(dtype=np.float64)
    if not keys or len(set(keys)) < len(keys):
        raise ValueError("every tuple of the index must occur once, and there must be one")
    if not np.all((counts >= 0) & np.isfinite(counts) & (counts == np.floor(counts))):
        raise ValueError("counts must be whole numbers from 0 on")
    return keys, counts.astype(np.int64)
