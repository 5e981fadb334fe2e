"""Flags of datasets, domain and search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Group, Parameter

DATA = Group("Data", sort_key=2)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class DataFlags:
    """Datasets, the domain of a record, and the search for neighbors.

    Attributes:
        data: the dataset D, JSON or a file; further ones after it.
        column: the only column of a table to use.
        records: format of the records, None for the default.
        neighbor: D1, D2, ..., each JSON or a file.
        domain: domain of one record.
        special: NaN and the infinities belong to bounded float domains.
        search: search for worse neighbors; None for the default.
    """

    data: Annotated[
        tuple[str, ...],
        Parameter(
            group=DATA,
            negative="",
            show_default=False,
            help="the dataset D: a JSON list, or a file (CSV, Parquet, ...); may be repeated, one "
            "audit then builds neighbors from each",
        ),
    ] = ()
    column: Annotated[
        str | None, Parameter(group=DATA, help="the only column of a table to use")
    ] = None
    records: Annotated[
        Literal["dict", "json"] | None,
        Parameter(
            group=DATA,
            help="format of records: dict passes a list of dicts to a function instead of a "
            "DataFrame, json passes one JSON value a line to a program",
        ),
    ] = None
    neighbor: Annotated[
        tuple[str, ...],
        Parameter(
            group=DATA,
            negative="",
            show_default=False,
            help="a neighbor D1, D2, ... of D; may be repeated; built from D if none is given",
        ),
    ] = ()
    domain: Annotated[
        str | None,
        Parameter(
            group=DATA,
            help="domain of one record: int:0:100, float:-1:1, choice:a,b,c, bool, columns as "
            "age=int:0:120,sex=choice:f,m, or FILE.py:STRATEGY; a suffix [37] or [2..40] fixes "
            "the number of records; turns on the search for the worst neighbors",
        ),
    ] = None
    special: Annotated[
        bool,
        Parameter(
            group=DATA,
            negative="",
            help="let the search use NaN, ±inf and −0.0 inside a bounded float domain",
        ),
    ] = False
    search: Annotated[
        bool | None,
        Parameter(
            group=DATA,
            help="search for worse neighbors, in the domain or near D; by default if no neighbor "
            "is given",
        ),
    ] = None
