"""Bets as sets of bins, to be compared with the spans that the program counts."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from audit.betting.event_families import Bets

Masks = NDArray[np.bool_]


def single(bets: Bets) -> Masks:
    """Shape (events, bins), one single event a row."""
    return _masks(bets, bets.spans)


def plus(bets: Bets) -> Masks:
    """Shape (doubles, bins), the events bet D over D'."""
    return _masks(bets, bets.joined[:, :3])


def minus(bets: Bets) -> Masks:
    """Shape (doubles, bins), disjoint ones bet D' over D."""
    return _masks(bets, bets.joined[:, [0, 3, 4]])


def _masks(bets: Bets, spans: NDArray[np.intp]) -> Masks:
    rows = [bets.mask(*span) for span in spans.tolist()]
    return np.array(rows, dtype=bool).reshape(len(spans), bets.orders.shape[1])
