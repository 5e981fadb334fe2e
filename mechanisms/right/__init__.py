"""Mechanisms that keep their claim: positive controls, and traps that only look wrong."""

from mechanisms.right import additive, composition, local, selection, traps

ENTRIES = (*additive.ENTRIES, *composition.ENTRIES, *selection.ENTRIES, *local.ENTRIES)
TRAPS = traps.ENTRIES
