"""When a lower bound has said how large a loss is.

A refutation answers whether; people ask how much. Any rule of stopping is valid, as
the bound is that of the same wealth and holds at all times at once.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from audit.betting.capital import Capital
from audit.betting.confirmation.leading import leading_bets, limit_of
from audit.blackbox.interface import BlackBox, dear
from audit.sampling.pair_draws import PairDraws
from audit.sampling.repetition import only_answer

SETTLED = 0.95
"""Of the level that the frequencies of the leading event would show without end."""
_LONGER = 4
"""How many times the pairs of the refutation are spent where runs are dear, at most, and where
no finite level is in sight, at least."""
_LARGE = 6.0
"""Shown of a loss that has no end in sight: odds of 400 to 1. Each nat more costs e times as many
runs, and says no more."""


def enough(capital: Capital, pairs: Sequence[PairDraws], refuted_at: int, box: BlackBox) -> bool:
    """Whether more bets would hardly raise the lower bound, or cost too much.

    What decides is what draws showed, and not how long they took. Where every run takes a
    call of its own:

    - answers that never vary show all there is to be shown;
    - where calls are dear, four times the runs that the refutation took are the most;
    - while the leading event never happens on the other side the loss may be infinite, and a
      bound grows with the logarithm of the runs: one that is large says so;
    - where it does happen there the loss is finite, and bets go on until the bound settles, as
      where one call gives many outputs.

    Args:
        capital: its claim is refuted.
        pairs: the pairs that are bet on.
        refuted_at: pairs of runs there were when it was.
        box: what is drawn from.
    """
    longer = sum(draws.drawn for draws in pairs) >= _LONGER * refuted_at
    if not box.many and (all(map(_never_varies, pairs)) or (longer and dear(box))):
        return True
    level, stated = capital.lower_bound(), capital.claim.stated
    # Where one pair is left, what others have shown says nothing of what it still may.
    leading = leading_bets(capital, level, pairs[0].index if len(pairs) == 1 else None)
    if not leading:
        return False
    limit = limit_of(leading[0], capital.claim)
    if math.isinf(limit):
        return not box.many and longer and stated(level) >= _LARGE
    return stated(level) >= SETTLED * stated(limit)


def _never_varies(draws: PairDraws) -> bool:
    """Whether there was only one output on each of the datasets."""
    if not draws.kept:
        return False
    past = draws.past()
    return only_answer(past.left) is not None and only_answer(past.right) is not None
