"""Neighboring datasets: what they are, which are worth trying, how to show them."""

from __future__ import annotations

from audit.neighbors.data_neighbors import classic_pairs
from audit.neighbors.difference import beyond_shown, shown
from audit.neighbors.pair import Pair, check_pair, neighboring
from audit.neighbors.worst import first_pair, worst_pairs

__all__ = [
    "Pair",
    "beyond_shown",
    "check_pair",
    "classic_pairs",
    "first_pair",
    "neighboring",
    "shown",
    "worst_pairs",
]
