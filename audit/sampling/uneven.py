"""How unlikely so uneven a share of something among parts of some runs is."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def chance_of(runs: Sequence[int], happened: Sequence[int]) -> float:
    """Smallest chance, over all places to cut, of so uneven a share between early and late runs.

    Given how often it happened, in which of the runs is a matter of chance where all have one
    law: the number before a cut is hypergeometric (Fisher's exact test), taken twice for both
    directions and once for every cut.

    Args:
        runs: how many, part by part.
        happened: in how many of them.
    """
    whole, times = sum(runs), sum(happened)
    if times in (0, whole):
        return 1.0
    # Loaded where it is needed: few audits ask for it, and it takes long.
    from scipy.stats import hypergeom

    before, early = np.cumsum(runs[:-1]), np.cumsum(happened[:-1])
    fewer = hypergeom.cdf(early, whole, times, before)
    more = hypergeom.sf(early - 1, whole, times, before)
    smallest = float(np.minimum(fewer, more).min(initial=1.0))
    return min(1.0, 2.0 * len(before) * smallest)
