"""Numbers that tell the true count, and twins that tell the noisy one alone."""

from __future__ import annotations

import math

from audit.declaration import Entry
from mechanisms.families.readings.twins import twins
from mechanisms.parts.rendering.figures import FIGURES

ENTRIES: tuple[Entry, ...] = twins(
    "Readings: numbers", FIGURES, {"scattered-values": math.log(6.0)}
)
