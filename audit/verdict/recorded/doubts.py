"""Evidence against recorded outputs being independent draws of one law.

Two doubts: lines repeat after a fixed number of them (`repeats`), and the second half of a file
differs from the first. If all lines are independent draws, any doubt arises with probability at
most `LEVEL`. That is in addition to alpha and takes nothing from it: a doubt only withdraws
statements. A level of its own keeps correct files from being doubted at the rate of alpha.
"""

from __future__ import annotations

from collections.abc import Sequence

from audit.betting.wealth import Wealth
from audit.case import Until
from audit.claim import ALIKE
from audit.verdict.recorded.bets import RecordedBets
from audit.verdict.recorded.recording import Recording
from audit.verdict.recorded.repeats import Repeat, repeating
from audit.verdict.recorded.units import RecordedUnits

LEVEL = 1e-4
"""Chance of any doubt if all lines are independent draws; each of the two has half."""


def doubt_about(recordings: Sequence[Recording]) -> str:
    """The reason why outputs may not be independent draws; empty if there is none.

    Args:
        recordings: all that the verdict rests on.
    """
    if repeats := repeating(recordings, LEVEL / 2):
        return _repeated(repeats)
    if changed := changing(recordings, LEVEL / 2):
        return _changed(changed)
    return ""


def _repeated(repeats: Sequence[Repeat]) -> str:
    places = ", ".join(f"of {r.recording.source} repeat after {r.lines:,} lines" for r in repeats)
    return (
        f"outputs {places}: the same run was recorded several times, as with one seed for all "
        "runs, and copies are no evidence; record each run with a seed of its own"
    )


def _changed(changed: Sequence[Recording]) -> str:
    sources = ", ".join(recording.source for recording in changed)
    return (
        f"the second half of {sources} does not look like the first: outputs were sorted, the "
        "mechanism changed, or draws depend on each other; record independent draws in their "
        "order. If they were independent and only their order was lost, shuffle them with "
        "--shuffle SEED (in Python shuffle=SEED)"
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
