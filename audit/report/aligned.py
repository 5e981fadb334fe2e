"""Rows of cells as lines with aligned columns, for a terminal."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """One line for each row, its cells two blanks apart and as wide as their column.

    Args:
        rows: equally many cells each.

    Returns:
        Lines without blanks at their end.

    Raises:
        ValueError: a row has more or fewer cells than another.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
