"""What speaks against recorded outputs being independent draws of one law."""

from __future__ import annotations

from collections.abc import Sequence

from audit.betting.capital import Capital
from audit.verdict.recorded.bets import RecordedBets
from audit.verdict.recorded.recording import Recording
from audit.verdict.recorded.repeats import Repeat, repeating
from audit.verdict.self_check import ALIKE


def doubted_as(recordings: Sequence[Recording], alpha: float) -> str:
    """What to say where outputs are no independent draws; empty where they may be.

    Args:
        recordings: all that the verdict rests on.
        alpha: chance of each of two doubts where all are independent draws.
    """
    if repeats := repeating(recordings, alpha):
        return _repeated(repeats)
    if changed := changing(recordings, alpha):
        return _changed(changed)
    return ""


def _repeated(repeats: Sequence[Repeat]) -> str:
    told = ", ".join(f"of {r.recording.source} repeat after {r.lines:,} lines" for r in repeats)
    return (
        f"outputs {told}: those of one run again and again, as where every run had the same seed, "
        "are no independent draws, and no evidence; record each run with a seed of its own"
    )


def _changed(changed: Sequence[Recording]) -> str:
    sources = ", ".join(recording.source for recording in changed)
    return (
        f"the second half of {sources} does not look like the first: sorted outputs, a mechanism "
        "that changed while it was recorded, or draws that depend on each other are no evidence; "
        "record independent draws and keep their order"
    )


def changing(recordings: Sequence[Recording], alpha: float) -> list[Recording]:
    """Recordings whose second half is told apart from the first.

    Independent draws of one dataset are alike, so that the smallest of claims is
    bet against. Sorted outputs, a mechanism that changed while it was recorded,
    and values that repeat in a row win these bets, as they may win others without
    breaking any claim.

    Args:
        recordings: all that the verdict rests on.
        alpha: chance that any recording of independent draws is among them.
    """
    return [r for r in recordings if _told_apart(*r.halves(), alpha / len(recordings))]


def _told_apart(first: Recording, second: Recording, alpha: float) -> bool:
    capital = Capital(ALIKE, alpha)
    RecordedBets(first, [second], [capital]).play()
    return capital.refuted
