"""Fresh units for people: a tenth of those that were bet on, within bounds."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from audit.betting.bet import EventBet
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.features import Part
from audit.sampling.units import UnitKind
from audit.verdict.fresh_units import fresh_units
from audit.verdict.witness import _units


def drawn(kind: UnitKind, seconds: float = 0.002, *, pairs: bool = True) -> Any:
    """An audit whose units are of this kind, and take so long."""
    return SimpleNamespace(
        units=SimpleNamespace(kind=kind, pairs=pairs, costs=lambda: (seconds, 0.0))
    )


@pytest.mark.parametrize(
    ("draws", "least"),
    [
        (drawn(UnitKind.LIFE), 100),
        (drawn(UnitKind.REQUEST), 100),
        (drawn(UnitKind.CALL), 800),
        (drawn(UnitKind.CALL, pairs=False), 100),
        (drawn(UnitKind.CALL, 0.125), 32),
        (drawn(UnitKind.LIFE, 0.125), 32),
    ],
)
def test_a_tenth_is_drawn_and_tables_get_the_least(draws: Any, least: int) -> None:
    assert fresh_units(draws, 50) == least
    assert fresh_units(draws, 90_000) == 9_000
    assert fresh_units(draws, 90_000, tables=True) == least


@pytest.mark.parametrize(
    ("kind", "seen", "expected"),
    [
        (UnitKind.CALL, 2_000, 400),
        (UnitKind.LIFE, 2_000, 100),
        (UnitKind.CALL, 20, 4_000),
        (UnitKind.LIFE, 20, 4_000),
    ],
)
def test_a_rare_event_gets_more_but_no_more_than_were_bet_on(
    kind: UnitKind, seen: int, expected: int
) -> None:
    """Seen so often in 4,000 pairs; fifty times are wanted, of 20 that would be 10,000 units."""
    binning = Binning.of([0.5])
    event = np.arange(binning.count) == 1
    masks = event, np.zeros_like(event)
    bet = EventBet.of(0, Part(OUTPUT), binning, masks, 0, counts=(seen, 0, 4_000))
    assert _units(drawn(kind, pairs=False), bet, 4_000) == expected
