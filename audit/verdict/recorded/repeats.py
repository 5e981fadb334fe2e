"""Recorded outputs that are those of one run again and again, as where all runs had one seed.

Each line of such a file is that which came so many lines before, and one run is taken for many.
Three quarters of a file choose the distance at which its lines seem to repeat. Then the others are
looked at two by two, beside the two that lie so far before them: do they match straight, or
crossed? Where lines are exchangeable, as independent draws of one law are, either order of the two
is as likely, whatever stands before them. So where the matches differ in number, that more of them
are straight is a fair coin, given all that was before, and who stakes half of a wealth on that has
as much as before in expectation. By Ville's inequality such a wealth is 1/alpha times its
beginning with probability at most alpha, whatever the law is.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from audit.outcomes.column import Integers
from audit.sampling.heads import log_wealth_on_heads
from audit.sampling.in_turn import codes_of
from audit.verdict.recorded.recording import Recording

_CHOOSING = 0.75
"""Part of a file that chooses the distance: a run that is there twice repeats after a half."""
_FEWEST = 8
"""Lines from which anything can be chosen."""


@dataclass(frozen=True, slots=True)
class Repeat:
    """A recording whose lines repeat.

    Attributes:
        recording: it.
        lines: after how many.
    """

    recording: Recording
    lines: int


def repeating(recordings: Sequence[Recording], alpha: float) -> list[Repeat]:
    """Recordings whose lines repeat after a fixed number of them.

    Args:
        recordings: all that the verdict rests on.
        alpha: chance that any recording of independent draws is among them.
    """
    found = ((r, repeats_after(_codes(r), alpha / len(recordings))) for r in recordings)
    return [Repeat(recording, lines) for recording, lines in found if lines]


def _codes(recording: Recording) -> Integers:
    return codes_of(recording.part(0, len(recording)).table())


def repeats_after(codes: Integers, alpha: float) -> int:
    """After how many lines they repeat; 0 where they do not, or too few are left to see it.

    Args:
        codes: of the lines, the same for those that are alike.
        alpha: chance of anything but 0 where lines are exchangeable.
    """
    first = int(_CHOOSING * len(codes))
    if first < _FEWEST:
        return 0
    distance = _likeliest(codes[:first])
    straight, crossed = _matches(codes, first, distance)
    won, lost = int((straight > crossed).sum()), int((straight < crossed).sum())
    return distance if log_wealth_on_heads(won, lost) >= -math.log(alpha) else 0


def _likeliest(codes: Integers) -> int:
    """The distance of two lines or more, less than all, at which most are alike beyond chance."""
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
    """Of lines two by two from the first on: those like the lines so far before, and crossed."""
    one = np.arange(first, len(codes) - 1, 2)
    here, next_to_it = codes[one], codes[one + 1]
    before, next_to_that = codes[one - distance], codes[one + 1 - distance]
    straight = (here == before).astype(np.int64) + (next_to_it == next_to_that)
    crossed = (here == next_to_that).astype(np.int64) + (next_to_it == before)
    return straight, crossed
