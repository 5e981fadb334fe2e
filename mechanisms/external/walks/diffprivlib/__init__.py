"""diffprivlib walked: mechanisms, tools and models.

Mechanisms are walked over epsilon, delta, sensitivity and bounds; tools over bounds, the types
of records and of results, and axes; models over what their documentation lists under
Attributes. A combination that the library refuses is no call. Its documentation names no
relation between datasets: each call has the one under which its noise was meant.
"""

from __future__ import annotations

from audit.declaration import Entry
from mechanisms.external.diffprivlib import opened
from mechanisms.external.walks.diffprivlib import mechanisms, models, tools


def entries() -> tuple[Entry, ...]:
    """Enumerated calls of diffprivlib; raises as `opened` does."""
    shelf = opened()
    return (*models.entries(shelf), *tools.entries(shelf), *mechanisms.entries(shelf))
