"""dwork: sums, lengths, and arithmetic of pandas columns, drawn from the system's entropy."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pandas as pd

from audit.declaration import Entry
from audit.relation import Relation
from mechanisms.external.call import imported
from mechanisms.external.shelf import ADD_REMOVE, SUBSTITUTE, Finding, Shelf

REQUIREMENT = "dwork==0.0.13"
_README = "README: calculates the sensitivity and the noise needed to achieve 0.5-DP"
_GROUPS = "GroupedPandasDataset, docstring: a threshold, against a noisy count of each group"
_LATTICE = (
    "whole numbers of noise are multiplied by the sensitivity: a sum modulo it is in the clear"
)
_LARGER = "a sum of two expressions takes the larger of their sensitivities, not the sum of both"
_LOCAL = "a quotient's noise is for how far these records could move it, not any records"
_FREE = "threshold and epsilon are not used: every group there is, is listed"
_RANGE = "a record that is added moves the sum by up to U, the noise is for U - L"
_WARNED = "no relation is named; a length, which has noise, is for add-remove"
_EARLY = "README: still an early version just for testing"


def entries() -> tuple[Entry, ...]:
    """Calls of dwork.

    Raises:
        InputError: it is not installed.
    """
    _, version = imported("dwork", "dwork", REQUIREMENT)
    shelf = Shelf("dwork", version, "github.com/kiprotect/dwork")
    return (*_sums(shelf, _opened()), *_arithmetic(shelf, _opened()), *_groups(shelf, _opened()))


def _opened() -> Callable[[Any], Any]:
    """Rows (x, y) as the library's dataset: x in [0, 1], y in [0, 1], w and h integers."""
    kinds = importlib.import_module("dwork.language.types")
    schema = importlib.import_module("dwork.dataschema").DataSchema
    dataset = importlib.import_module("dwork.dataset.pandas").PandasDataset
    columns = {
        "x": kinds.Float(min=0, max=1),
        "y": kinds.Float(min=0, max=1),
        "far": kinds.Float(min=90, max=100),
        "bit": kinds.Integer(min=0, max=1),
        "weight": kinds.Integer(min=0, max=200),
    }
    made = type("Schema", (schema,), columns)
    return lambda rows: dataset(made, pd.DataFrame(list(rows), columns=rows[0].keys()))


def _rows(**columns: Any) -> list[dict[str, Any]]:
    names = list(columns)
    return [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _asking(shelf: Shelf, opened: Callable[[Any], Any]) -> Callable[..., Entry]:
    """Maker of entries from expressions of a dataset at epsilon 1."""

    def one(
        name: str,
        call: str,
        expression: Callable[[Any], Any],
        pair: tuple[Any, Any],
        relation: Relation = SUBSTITUTE,
        why: Finding | None = None,
    ) -> Entry:
        return shelf.entry(
            name,
            f"{call}.dp(1)",
            lambda rows: expression(opened(rows)).dp(1.0),
            *pair,
            relation=relation,
            documented=_README,
            warned=_EARLY,
            broken=why,
        )

    return one


def _sums(shelf: Shelf, opened: Callable[[Any], Any]) -> tuple[Entry, ...]:
    one = _asking(shelf, opened)
    two = (_rows(x=[0.0, 0.5]), _rows(x=[1.0, 0.5]))
    bits = (_rows(bit=[0, 1]), _rows(bit=[1, 1]))
    grown = (_rows(far=[95.0]), _rows(far=[95.0, 100.0]))
    heavy = (_rows(weight=[70, 80]), _rows(weight=[71, 80]))
    over = (_rows(x=[0.2, 0.8, 0.9]), _rows(x=[0.7, 0.8, 0.9]))
    return (
        one("length", "ds.len()", lambda ds: ds.len(), grown, ADD_REMOVE),
        one("sum-float", "ds['x'].sum()", lambda ds: ds["x"].sum(), two),
        one("sum-bits", "ds['bit'].sum()", lambda ds: ds["bit"].sum(), bits),
        one("filtered-length", "ds[ds['x'] > 0.5].len()", lambda d: d[d["x"] > 0.5].len(), over),
        one(
            "sum-integer",
            "ds['weight'].sum(), weight: Integer(min=0, max=200)",
            lambda ds: ds["weight"].sum(),
            heavy,
            why=Finding(_LATTICE),
        ),
        one(
            "sum-float-add",
            "ds['far'].sum(), far: Float(min=90, max=100), a record added",
            lambda ds: ds["far"].sum(),
            grown,
            ADD_REMOVE,
            Finding(_RANGE, 10.0, warned=_WARNED),
        ),
    )


def _arithmetic(shelf: Shelf, opened: Callable[[Any], Any]) -> tuple[Entry, ...]:
    one = _asking(shelf, opened)
    both = (_rows(x=[0.0, 0.5], y=[0.0, 0.5]), _rows(x=[1.0, 0.5], y=[1.0, 0.5]))
    apart = (_rows(x=[0.0, 0.5], y=[1.0, 0.5]), _rows(x=[1.0, 0.5], y=[0.0, 0.5]))
    mean = (_rows(x=[0.0] * 3), _rows(x=[0.0] * 2))
    return (
        one(
            "plus",
            "(ds['x'].sum() + ds['y'].sum())",
            lambda ds: ds["x"].sum() + ds["y"].sum(),
            both,
            why=Finding(_LARGER, 2.0),
        ),
        one(
            "minus",
            "(ds['x'].sum() - ds['y'].sum())",
            lambda ds: ds["x"].sum() - ds["y"].sum(),
            apart,
            why=Finding(_LARGER, 2.0),
        ),
        one(
            "mean",
            "(ds['x'].sum() / ds.len())",
            lambda ds: ds["x"].sum() / ds.len(),
            mean,
            ADD_REMOVE,
            Finding(_LOCAL),
        ),
    )


def _groups(shelf: Shelf, opened: Callable[[Any], Any]) -> tuple[Entry, ...]:
    def groups(rows: Any) -> Any:
        return [
            str(key) for key in opened(rows).group_by(by="bit", treshold=10, epsilon=1.0).groups
        ]

    return (
        shelf.entry(
            "groups",
            "ds.group_by(by='bit', treshold=10, epsilon=1).groups",
            groups,
            _rows(bit=[0] * 20),
            _rows(bit=[0] * 20 + [1]),
            relation=ADD_REMOVE,
            documented=_GROUPS,
            warned=_EARLY,
            broken=Finding(_FREE),
        ),
    )
