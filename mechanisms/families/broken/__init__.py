"""Mechanisms that break their claim: negative controls, each with its worst neighbors."""

from mechanisms.families.broken import (
    composition,
    failures,
    floating_point,
    keys,
    local,
    noise,
    out_of_reach,
    selection,
    sensitivity,
    sessions,
    synthetic,
    teachers,
    training,
    wishart,
)

ENTRIES = (
    *noise.ENTRIES,
    *wishart.ENTRIES,
    *floating_point.ENTRIES,
    *sensitivity.ENTRIES,
    *composition.ENTRIES,
    *teachers.ENTRIES,
    *training.ENTRIES,
    *selection.ENTRIES,
    *keys.ENTRIES,
    *failures.ENTRIES,
    *synthetic.ENTRIES,
    *local.ENTRIES,
    *sessions.ENTRIES,
)
OUT_OF_REACH = out_of_reach.ENTRIES
