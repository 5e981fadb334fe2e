"""The peers' mechanisms with all of the peers' input pairs, as cases.

Published: Ding et al., arXiv 1805.10277, Table 1 (StatDP); Bichsel et al., «DP-Sniper», S&P 2021.
The patterns are those of `mechanisms.peers.patterns`. Either order of a pair is the same pair
here, as every event is bet on in both directions.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from audit.case import Case, Options
from audit.declaration import Entry
from audit.engine.preparation import case_for
from audit.neighbors import neighboring
from mechanisms.peers.patterns import input_patterns

_ONE_MOVES = ("one above", "one below")
_HISTOGRAM = "histogram"


def on_all_pairs(entry: Entry, length: int | None = None) -> Case:
    """A peer's mechanism on all pairs that the peer tries.

    Args:
        entry: in the catalogue, with the pair on which its odds are worst.
        length: of the vectors; that of the entry's own where it is None.
    """
    case = case_for(entry, options=Options(search=False))
    data = np.asarray(entry.data)
    patterns = input_patterns(data.size if length is None else length)
    if _HISTOGRAM in entry.name:
        # One record changes one count.
        patterns = {name: patterns[name] for name in _ONE_MOVES}
    relation = case.pairs[0].relation
    pairs = (
        neighboring(f"D{i}", left.astype(data.dtype), right.astype(data.dtype), relation)
        for i, (left, right) in enumerate(patterns.values(), start=1)
    )
    return replace(case, pairs=tuple(pairs))
