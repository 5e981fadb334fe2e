"""Enumerated calls of a library in a table that stays light: a row for each constructor."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from mechanisms.external.cells import cell, table
from mechanisms.external.walks.steps import PREFIX, family

_NAMES = ("constructor", "calls", "held", "refuted", "no answer", "ε ≥", "would have shown", "runs")


def is_enumerated(result: Mapping[str, Any]) -> bool:
    """True for a result of an enumerated call."""
    return f"-{PREFIX}" in result["mechanism"]


def families(results: Iterable[Mapping[str, Any]]) -> str:
    """A table of enumerated calls, their bounds and power from the least to the most.

    Args:
        results: of one library: lines of those that held, and whole results of the refuted.
    """
    ordered = sorted(results, key=_family)
    return table(_NAMES, [_row(name, list(group)) for name, group in groupby(ordered, _family)])


def _family(result: Mapping[str, Any]) -> str:
    return family(result["parameters"]["call"] if "parameters" in result else result["call"])


def _row(name: str, group: Sequence[Mapping[str, Any]]) -> list[str]:
    held = [one for one in group if one["verdict"] == "not-refuted"]
    refuted = sum(one["verdict"] == "violation" for one in group)
    unanswered = len(group) - len(held) - refuted
    return [
        cell(name),
        *map(str, (len(group), len(held), refuted, unanswered)),
        _span(one["epsilon_lower"] for one in held),
        _span(one["detectable_epsilon"] for one in held),
        _span(one["samples"] for one in held),
    ]


def _span(values: Iterable[Any]) -> str:
    """The least and the most of some numbers, infinite where one is not known."""
    known = [float("inf") if value is None else float(value) for value in values]
    if not known:
        return ""
    least, most = min(known), max(known)
    return f"{least:.4g}" if least == most else f"{least:.4g} to {most:.4g}"
