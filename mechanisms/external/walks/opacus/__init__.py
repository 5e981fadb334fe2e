"""Opacus walked: one step with all records, or some on batches that are drawn.

Each step is held to the Gaussian mechanism of its noise multiplier, or to the curve of an
accountant. Neighbors are a record more or less: the one of a few that moves the clipped sum
most. What the library refuses is no call.
"""

from __future__ import annotations

from audit.declaration import Entry
from mechanisms.external.opacus.calls import shelf
from mechanisms.external.walks.opacus import layers, loops


def entries() -> tuple[Entry, ...]:
    """Enumerated calls of Opacus.

    Raises:
        InputError: it is not installed.
    """
    found = shelf()
    whole = (*layers.asked(), *loops.asked())
    return (*(asked.entry(found) for asked in whole), *loops.drawn(found))
