"""Memory that one batch gives back is kept for the next one.

A batch allocates some megabytes and frees them. By default the C library returns
them to the system at once, and the system clears every page when it hands it out
again, which takes longer than counting what was on it.
"""

from __future__ import annotations

from functools import cache

import numpy as np

_BYTES = 31 << 20
"""Just below the largest block from which the GNU C library learns."""


@cache
def keep_freed_memory() -> None:
    """Make the allocator of this process keep up to 62 MiB that were freed.

    The GNU C library takes the size of a large block that is freed for the size of
    blocks that will be wanted again (mallopt(3), M_MMAP_THRESHOLD and
    M_TRIM_THRESHOLD). The block is never written to, so it costs no memory.
    Elsewhere this does nothing.
    """
    np.empty(_BYTES, np.uint8)
