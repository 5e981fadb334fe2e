"""PipelineDP walked by its LocalBackend.

Each call is held to the budget of its accountant. Neighbors are one privacy id with all of
its rows: as many as the caps allow, or more. A combination that the library refuses for both
datasets is no call; one that it refuses for one of them would be a leak.
"""

from __future__ import annotations

from audit.declaration import Entry
from mechanisms.external.pipeline_dp import shelf
from mechanisms.external.walks.pipeline_dp import metrics, options, partitions


def entries() -> tuple[Entry, ...]:
    """Enumerated calls of PipelineDP.

    Raises:
        InputError: it is not installed.
    """
    found = shelf()
    return (*metrics.entries(found), *options.entries(found), *partitions.entries(found))
