"""OpenDP walked: noise, choices, chains of transformations, and queries of data frames.

Constructors are walked over the types of their input, scales, distances, options, and places
of the input: in the middle, and at the ends of its type. A combination that the library
refuses to build is no call. Its randomness cannot be seeded.
"""

from __future__ import annotations

import importlib

from audit.declaration import Entry
from mechanisms.external.call import imported
from mechanisms.external.opendp import REQUIREMENT
from mechanisms.external.shelf import Shelf
from mechanisms.external.walks.opendp import chains, choices, frames, noise
from mechanisms.external.walks.opendp.measured import Measured


def entries() -> tuple[Entry, ...]:
    """Enumerated calls of OpenDP.

    Raises:
        InputError: it is not installed.
    """
    _, version = imported("opendp", "opendp", REQUIREMENT)
    library = importlib.import_module("opendp.prelude")
    library.enable_features("contrib", "honest-but-curious")
    refused = importlib.import_module("opendp.mod").OpenDPException
    measured = Measured(Shelf("opendp", version, "docs.opendp.org"), library, refused)
    return (
        *frames.entries(measured),
        *chains.entries(measured),
        *choices.entries(measured),
        *noise.entries(measured),
    )
