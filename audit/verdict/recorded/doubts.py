"""Evidence against recorded outputs being independent draws of one law.

Two doubts: lines repeat after a fixed number of them, and the second half of a file differs from
the first. If all lines are independent draws, any doubt arises with probability at most `LEVEL`,
which is in addition to alpha: a doubt only withdraws statements. The tests are those of
docs/explanation/recorded-outputs.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from audit.betting.wealth import Wealth
from audit.case import Until
from audit.claims import ALIKE
from audit.outcomes.column import Floats, Integers
from audit.verdict.recorded.evidence import RecordedBets
from audit.verdict.recorded.recording import RecordedUnits, Recording

LEVEL = 1e-4
"""Chance of any doubt if all lines are independent draws; each of the two has half."""


def doubt_about(recordings: Sequence[Recording]) -> str:
    """The reason why outputs may not be independent draws; empty if there is none."""
    if repeats := repeating(recordings, LEVEL / 2):
        places = ", ".join(f"of {r.source} repeat after {lines:,} lines" for r, lines in repeats)
        return (
            f"outputs {places}: the same run was recorded several times, as with one seed for all "
            "runs, and copies are no evidence; record each run with a seed of its own"
        )
    if changed := changing(recordings, LEVEL / 2):
        sources = ", ".join(recording.source for recording in changed)
        return (
            f"the second half of {sources} does not look like the first: {_counter(changed[0])}"
            "outputs were sorted, the mechanism changed, or draws depend on each other; record "
            "independent draws in their order. If they were independent and only their order was "
            "lost, shuffle them with --shuffle SEED (in Python shuffle=SEED)"
        )
    return ""


def _counter(recording: Recording) -> str:
    """Advice on fields that differ, such as the number of the run; empty if all or none do."""
    fields = recording.fields()
    differing = [name for name, held in fields.items() if _differ(*held.halves(), LEVEL / 2)]
    others = [name for name in fields if name not in differing]
    if not differing or not others:
        return ""
    return (
        f"the difference is in {', '.join(differing)}. If that counts or dates the runs, read "
        f"another field, for example with --column {others[0]} (in Python "
        f"column={others[0]!r}). Else "
    )


def changing(recordings: Sequence[Recording], level: float) -> list[Recording]:
    """Recordings whose second half differs from the first.

    Independent draws of one dataset are alike, so that the smallest of claims is
    bet against. Sorted outputs, a mechanism that changed while it was recorded,
    and values that repeat in a row refute it, as they may refute others without
    breaking any claim.

    Args:
        recordings: all that the verdict rests on.
        level: chance that any recording of independent draws is among them.
    """
    return [r for r in recordings if _differ(*r.halves(), level / len(recordings))]


def _differ(first: Recording, second: Recording, level: float) -> bool:
    wealth = Wealth.against(ALIKE, level, bound=False)
    RecordedBets.of(RecordedUnits(first, (second,)), {"claim": wealth}, Until.VIOLATION)
    return wealth.refuted


_CHOOSING = 0.75
"""Part of a file that chooses the distance: a run that was recorded twice repeats after a half."""
_GAIN, _LOSS = math.log(1.5), math.log(0.5)
"""Log factors of a wealth of which half is staked on a fair coin."""
_FEWEST = 8
"""Lines from which anything can be chosen."""


def repeating(recordings: Sequence[Recording], alpha: float) -> list[tuple[Recording, int]]:
    """Recordings whose lines repeat after a fixed number of them, and that number.

    Args:
        recordings: all that the verdict rests on.
        alpha: chance that any recording of independent draws is among them.
    """
    codes = ((r, codes_of(r.part(0, len(r)).table())) for r in recordings)
    found = ((r, repeats_after(held, alpha / len(recordings))) for r, held in codes)
    return [(recording, lines) for recording, lines in found if lines]


def codes_of(table: Floats) -> Integers:
    """A number for each row, equal for rows that are equal bit by bit; shape (rows,)."""
    numbers: dict[bytes, int] = {}
    found = (numbers.setdefault(row.tobytes(), len(numbers)) for row in table)
    return np.fromiter(found, np.int64, len(table))


def repeats_after(codes: Integers, alpha: float) -> int:
    """Distance at which lines repeat; 0 if they do not, or if too few are left to see it.

    Args:
        codes: of the lines, equal for equal ones.
        alpha: chance of anything but 0 if lines are exchangeable.
    """
    first = int(_CHOOSING * len(codes))
    if first < _FEWEST:
        return 0
    distance = _likeliest(codes[:first])
    straight, crossed = _matches(codes, first, distance)
    wealth = _GAIN * (straight > crossed).sum() + _LOSS * (straight < crossed).sum()
    return distance if wealth >= -math.log(alpha) else 0


def _likeliest(codes: Integers) -> int:
    """The distance of two lines or more at which most lines are equal, compared with chance."""
    # Random numbers for different lines: products of equal ones alone have a mean above 0.
    numbers = np.random.default_rng(0).random(int(codes.max()) + 1)[codes]
    numbers -= numbers.mean()
    size = 2 * len(numbers)
    sums = np.fft.irfft(np.abs(np.fft.rfft(numbers, size)) ** 2, size)[2 : len(numbers)]
    pairs = np.arange(len(numbers) - 2, 0, -1)
    return 2 + int(np.argmax(sums / np.sqrt(pairs)))


def _matches(
    codes: Integers, first: int, distance: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Matches of two lines with the two at that distance before: straight, and crossed."""
    one = np.arange(first, len(codes) - 1, 2)
    here, next_to_it = codes[one], codes[one + 1]
    before, next_to_that = codes[one - distance], codes[one + 1 - distance]
    straight = (here == before).astype(np.int64) + (next_to_it == next_to_that)
    crossed = (here == next_to_that).astype(np.int64) + (next_to_it == before)
    return straight, crossed
