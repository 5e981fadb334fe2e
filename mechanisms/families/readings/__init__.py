"""Noisy counts that give the true count away by how they are shown, each with a right twin."""

from mechanisms.families.readings import figures, structures, texts, vectors

ENTRIES = (*texts.ENTRIES, *structures.ENTRIES, *figures.ENTRIES, *vectors.ENTRIES)
