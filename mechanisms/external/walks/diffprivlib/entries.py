"""diffprivlib walked: mechanisms, tools and models.

Mechanisms are walked over epsilon, delta, sensitivity and bounds; tools over bounds, the types
of records and of results, and axes; models over what their documentation lists under
Attributes. A combination that the library refuses is no call. Its documentation names no
relation between datasets: each call has the one under which its noise was meant.
"""

from __future__ import annotations

import warnings

from audit.declaration import Entry
from mechanisms.external.call import imported
from mechanisms.external.diffprivlib.entries import REQUIREMENT
from mechanisms.external.shelf import Shelf
from mechanisms.external.walks.diffprivlib import mechanisms, models, tools


def entries() -> tuple[Entry, ...]:
    """Enumerated calls of diffprivlib.

    Raises:
        InputError: it is not installed.
    """
    _, version = imported("diffprivlib", "diffprivlib", REQUIREMENT)
    warnings.filterwarnings("ignore", module="diffprivlib")
    shelf = Shelf("diffprivlib", version, "diffprivlib.readthedocs.io")
    return (*models.entries(shelf), *tools.entries(shelf), *mechanisms.entries(shelf))
