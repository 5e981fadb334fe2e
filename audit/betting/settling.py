"""When a lower bound has said how large a loss is.

A refutation answers whether; people ask how much. Any rule of stopping is valid, as
the bound is that of the same wealth and holds at all times at once.
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.betting.capital import Capital
from audit.betting.confirmation.leading import leading_bets, limit_of
from audit.sampling.pair_draws import PairDraws
from audit.sampling.repetition import only_answer

SETTLED = 0.95
"""Of the level that the frequencies of the leading event would show without end."""
_LONGER = 4
"""How many times the pairs of the refutation are spent where every run takes a call."""


def enough(capital: Capital, pairs: Sequence[PairDraws], refuted_at: int, many: bool) -> bool:
    """Whether more bets would hardly raise the lower bound, or cost too much.

    Args:
        capital: its claim is refuted.
        pairs: the pairs that are bet on.
        refuted_at: pairs of runs there were when it was.
        many: whether one call gives many outputs. Where it does not, runs are dear:
            answers that never vary show all there is to be shown, and four times
            the runs that the refutation took are the most.
    """
    if not many:
        drawn = sum(draws.drawn for draws in pairs)
        if drawn >= _LONGER * refuted_at or all(map(_never_varies, pairs)):
            return True
    level = capital.lower_bound()
    # Where one pair is left, what others have shown says nothing of what it still may.
    leading = leading_bets(capital, level, pairs[0].index if len(pairs) == 1 else None)
    stated = capital.claim.stated
    return bool(leading) and stated(level) >= SETTLED * stated(limit_of(leading[0], capital.claim))


def _never_varies(draws: PairDraws) -> bool:
    """Whether there was only one output on each of the datasets."""
    if not draws.kept:
        return False
    past = draws.past()
    return only_answer(past.left) is not None and only_answer(past.right) is not None
