"""Listed pairs that are bet on whatever looks at them showed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from audit.neighbors import Pair
from audit.neighbors.search.left_out import LeftOut, was_left_out
from audit.neighbors.within import numbers_in
from audit.relation import AnyRelation, Measure, Within


def bet_on_anyway(
    listed: Sequence[Pair], relation: AnyRelation, left_out: Sequence[LeftOut]
) -> list[Pair]:
    """The simplest pair; and where numbers may all move at once, the longest that do.

    Noise that suits one number often loses most where all of them move, and shows that only
    far out, where short looks do not reach: they take one move for as bad as the other.

    Args:
        listed: pairs, the smallest first.
        relation: what makes datasets neighbors.
        left_out: pairs that cannot be bet on.
    """
    usable = (pair for pair in listed if not was_left_out(pair, left_out))
    simplest = [*islice(usable, 1)]
    if not isinstance(relation, Within) or relation.measure not in (Measure.L2, Measure.LINF):
        return simplest
    together = [pair for pair in usable if _all_alike(pair)]
    longest = max(together, key=lambda pair: len(pair.dataset), default=None)
    return simplest if longest is None else [*simplest, longest]


def _all_alike(pair: Pair) -> bool:
    """True if all of several numbers move by the same step."""
    left, right = numbers_in(pair.dataset), numbers_in(pair.neighbor)
    if left is None or right is None or left.size < 2:
        return False
    steps = right - left
    return bool(steps[0] != 0.0 and (steps == steps[0]).all())
