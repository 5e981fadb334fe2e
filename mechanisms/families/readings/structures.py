"""Outputs whose structure tells the true count, and twins that tell the noisy one alone."""

from __future__ import annotations

from audit.declaration import Entry
from mechanisms.families.readings.twins import twins
from mechanisms.parts.rendering.structures import STRUCTURES

ENTRIES: tuple[Entry, ...] = twins("Readings: structure", STRUCTURES)
