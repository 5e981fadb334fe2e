"""Flags for datasets, and for where to look for more."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from cyclopts import Group, Parameter

DATASETS = Group("Datasets", sort_key=2)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class DataFlags:
    """Datasets, and where to look for more.

    Attributes:
        data: the dataset D, JSON or a file; further ones after it.
        column: the one column of a table to take.
        records: how the mechanism wants its records, None for as they are.
        neighbor: D1, D2, ..., each JSON or a file.
        domain: what one record may be.
        special: whether NaN and the infinities are records of bounded floats.
        search: whether to look beyond the pairs given; None where nobody says.
    """

    data: Annotated[
        tuple[str, ...],
        Parameter(
            group=DATASETS,
            negative="",
            show_default=False,
            help="the dataset D: a JSON list, or a file (CSV, Parquet, ...); may be repeated: "
            "neighbors are built from each, in one audit",
        ),
    ] = ()
    column: Annotated[
        str | None, Parameter(group=DATASETS, help="the one column of a table to take")
    ] = None
    records: Annotated[
        Literal["dict", "json"] | None,
        Parameter(
            group=DATASETS,
            help="how records arrive: dict gives a function a list of dicts instead of a "
            "DataFrame, json gives a program one JSON value a line",
        ),
    ] = None
    neighbor: Annotated[
        tuple[str, ...],
        Parameter(
            group=DATASETS,
            negative="",
            show_default=False,
            help="a neighbor D1, D2, ... of D; may be repeated; built from D when not given",
        ),
    ] = ()
    domain: Annotated[
        str | None,
        Parameter(
            group=DATASETS,
            help="what one record may be: int:0:100, float:-1:1, choice:a,b,c, bool, columns as "
            "age=int:0:120,sex=choice:f,m, or FILE.py:STRATEGY; [37] or [2..40] behind it says "
            "how many records there are; lets the audit search for the worst neighbors",
        ),
    ] = None
    special: Annotated[
        bool,
        Parameter(
            group=DATASETS,
            negative="",
            help="let the search try NaN, the infinities and −0.0 inside a bounded float domain",
        ),
    ] = False
    search: Annotated[
        bool | None,
        Parameter(
            group=DATASETS,
            help="whether to look for worse neighbors, of the domain or, where no neighbor is "
            "given, else of D; by default where no neighbor is given",
        ),
    ] = None
