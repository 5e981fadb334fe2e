"""diffprivlib (IBM): its tools, models and mechanisms.

Its documentation names no relation between neighboring datasets. Each call is
audited under the relation that suits it best; where the other one fails, an
entry says so.
"""

from __future__ import annotations

import warnings

from audit.declaration import Entry
from mechanisms.external.call import imported
from mechanisms.external.diffprivlib import mechanisms, models, tools
from mechanisms.external.shelf import Shelf

REQUIREMENT = "diffprivlib==0.6.6' 'scikit-learn<1.6"


def opened() -> Shelf:
    """The library, which warns of much that its documentation says.

    Raises:
        InputError: it is not installed.
    """
    _, version = imported("diffprivlib", "diffprivlib", REQUIREMENT)
    warnings.filterwarnings("ignore", module="diffprivlib")
    return Shelf("diffprivlib", version, "diffprivlib.readthedocs.io")


def entries() -> tuple[Entry, ...]:
    """Calls of diffprivlib; raises as `opened` does."""
    shelf = opened()
    return (
        *tools.entries(shelf),
        *models.entries(shelf),
        *mechanisms.entries(shelf),
    )
