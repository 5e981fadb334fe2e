"""Several numbers that tell the true count, and twins that tell the noisy one alone."""

from __future__ import annotations

from audit.declaration import Entry
from mechanisms.families.readings.twins import twins
from mechanisms.parts.rendering.vectors import VECTORS

ENTRIES: tuple[Entry, ...] = twins("Readings: several numbers", VECTORS)
