"""Scores or guesses of canaries beside what the coins said, one row a canary and run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.canary.guesses import Flags

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """Scores of canaries, with their members.

    Attributes:
        members: whether the canary was put in, shape (rows,).
        values: scores, where more speaks for "in" and NaN says nothing; or
            guesses 1 for "in", -1 for "out", 0 for none; shape (rows,).
        guessed: whether the values are guesses.
        runs: number of the run of training from 0, shape (rows,).
        run_names: how the runs are called.
        pairs: number of the pair from 0, of one run or of all; None where there are none.
        canaries: number of the canary from 0; None where nobody says.
    """

    members: Flags
    values: Floats
    guessed: bool
    runs: Codes
    run_names: tuple[str, ...]
    pairs: Codes | None = None
    canaries: Codes | None = None

    def __len__(self) -> int:
        return len(self.members)

    def rows_by_run(self) -> list[Codes]:
        """Places of the rows of each run."""
        order = np.argsort(self.runs, kind="stable")
        ends = np.cumsum(np.bincount(self.runs, minlength=len(self.run_names)))
        return np.split(order, ends[:-1])
