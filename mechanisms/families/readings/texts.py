"""Texts that tell the true count, and twins that tell the noisy one alone."""

from __future__ import annotations

from audit.declaration import Entry
from mechanisms.families.readings.twins import twins
from mechanisms.parts.rendering.texts import TEXTS

ENTRIES: tuple[Entry, ...] = twins("Readings: texts", TEXTS)
