"""Every entry of the primer releases on its own data and neighbors, on one stream of randomness."""

from __future__ import annotations

import pytest
from numpy.random import default_rng

from audit.declaration import Entry
from mechanisms.systems.primer.entries import ENTRIES


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_entries_share_randomness_between_neighbors(entry: Entry) -> None:
    states = []
    for data in (entry.data, *entry.neighbors):
        rng = default_rng(0)
        assert len(entry.mechanism.release(data, rng, 7)) == 7
        states.append(rng.bit_generator.state)
    assert states[0] == states[1]
    assert entry.truth.source
