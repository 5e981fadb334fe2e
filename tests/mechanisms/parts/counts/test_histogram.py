"""Counts of dyadic intervals."""

from __future__ import annotations

from mechanisms.parts.counts.histogram import counts_of, tree_of


def test_tree_holds_the_counts_of_all_dyadic_intervals() -> None:
    counts = counts_of([0, 0, 3, 99, -5], 4)
    assert counts.tolist() == [3, 0, 0, 2]
    assert tree_of(counts).tolist() == [5, 3, 2, 3, 0, 0, 2]
