"""Mechanisms that keep their claim: positive controls, with the neighbors that attain it."""

from mechanisms.families.right import additive, composition, local, selection, sessions, training

ENTRIES = (
    *additive.ENTRIES,
    *composition.ENTRIES,
    *selection.ENTRIES,
    *local.ENTRIES,
    *training.ENTRIES,
    *sessions.ENTRIES,
)
