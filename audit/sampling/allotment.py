"""How the runs of an audit are shared out between its stages."""

from __future__ import annotations

from dataclasses import dataclass

_SHOWN = 2000
"""Runs on one dataset that tables and a witness are made of."""
_SHOWN_SHARE, _CHECK_SHARE, _CONFIRM_SHARE = 5, 10, 5
LASTING_SHARE = 0.5
"""Of the runs of bets, what is kept for calls that confirm a bound where the black box keeps
something from call to call: a block of calls then counts as one."""


@dataclass(frozen=True, slots=True)
class Allotment:
    """Runs for each stage; they add up to what was left when it was made.

    Attributes:
        bets: to bet with.
        confirmation: on calls that confirm a bound; 0 where a call gives one output: should the
            black box turn out to change with a call, bets leave as many over.
        check: on a dataset against itself.
        shown: for the witness and the tables.
    """

    bets: int
    confirmation: int
    check: int
    shown: int

    @classmethod
    def of(cls, runs: int, pairs: int, many: bool) -> Allotment:
        """Share out so many runs.

        Args:
            runs: what is left of the budget.
            pairs: of datasets.
            many: whether one call gives many outputs.
        """
        runs = max(0, runs)
        shown = min((pairs + 4) * _SHOWN, runs // _SHOWN_SHARE)
        confirmation = (runs - shown) // _CONFIRM_SHARE if many else 0
        check = (runs - shown) // _CHECK_SHARE
        return cls(runs - shown - confirmation - check, confirmation, check, shown)
