"""Cells stand below each other."""

from __future__ import annotations

import pytest

from audit.report.aligned import aligned


def test_cells_stand_below_each_other() -> None:
    rows = [("name", "runs"), ("a", "1,000"), ("long name", "")]
    assert aligned(rows) == ["name       runs", "a          1,000", "long name"]


def test_an_empty_first_column_indents() -> None:
    assert aligned([("", "a"), ("", "b")]) == ["  a", "  b"]


def test_no_rows_are_no_lines() -> None:
    assert aligned([]) == []


def test_rows_of_unequal_length_are_an_error() -> None:
    with pytest.raises(ValueError, match="shorter"):
        aligned([("a", "b"), ("c",)])
