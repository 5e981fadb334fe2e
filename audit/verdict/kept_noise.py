"""Noise that is drawn once and kept: outputs that never vary here, and do elsewhere, or later."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import numpy as np

from audit.audit_session import AuditSession
from audit.betting.record import BettingRecord
from audit.outcomes.column import Floats
from audit.outcomes.encoding import Outcomes, joined
from audit.sampling.batch import BatchPlan, Sides
from audit.sampling.repetition import only_answer, same_elsewhere
from audit.sampling.sampler import Sampler
from audit.sampling.stream import Address, Check, Stage

_KEPT = (
    "every run on a dataset gave the same output, but another process gives another one: the black "
    "box keeps its noise, so that its runs are not draws of its law; let it draw noise in every run"
)
_STUCK = (
    "every run on a dataset gave the same output, and whether another process gives it too could "
    "not be tried, as the black box cannot be sent there; audit it by its address, with audit "
    "python FILE.py:FUNCTION, or as a program"
)
_CHANGED = (
    "runs on a dataset gave the same output again and again, and later another one: the black box "
    "keeps its noise for a while, so that its runs are not draws of its law; let it draw noise in "
    "every run"
)
_OTHERS = (
    "the first runs that were bet on, made once more with the same random numbers, gave other "
    "outputs, and made again at once the same: the black box keeps something for a while that no "
    "look at it shows, so that its runs are not draws of one law"
)
_MOST_OF_THEM = 0.5
"""Share of the first runs that must be others: few may be where a run has other noise as well."""
_LATER, _LATER_IF_SLOW, _SLOW = 4_096, 256, 0.001
"""Runs that are made later, and where one takes so many seconds."""
_LAST = 4
"""Runs behind those of the witness."""


def kept_noise(session: AuditSession, record: BettingRecord) -> str:
    """What to say where outputs never vary here, and do elsewhere."""
    best = record.claim.best
    pair = None if best is None else session.pairs[best.pair]
    if best is None or pair is None or getattr(session.case.box, "fresh", False):
        return ""
    sides = list(zip((pair.dataset, pair.neighbor), record.pairs[best.pair].answers, strict=True))
    if all(answer is None for _, answer in sides):
        return ""
    if session.fresh is None:
        return _STUCK
    size = 2 if session.sampler.many_on(best.pair) else 1
    # Twice, as the process may have been left in a bad way by an audit before this one.
    for _ in range(2):
        with session.stage("check"):
            found = same_elsewhere(session.fresh, size > 1, session.settings.seed, sides, size)
            session.sampler.samples += found.runs
        if found.same is not None:
            return "" if found.same else _KEPT
    return _STUCK


def changed_later(session: AuditSession, record: BettingRecord) -> str:
    """What to say where an output that never varied becomes another one, and stays that.

    What is drawn in a constructor, and again now and then, travels to another process with the
    black box. One that visibly changes with its calls, or does but for a generator that is set,
    gets many more of them, of what was left over. An output that was another one just in between
    is no noise that was kept.
    """
    left = session.left - session.allotted(session.settings.max_samples).shown
    if not _may_change(session) or left <= 0:
        return ""
    begun, some = perf_counter(), min(left, _LATER_IF_SLOW)
    changed = _changed(session, record, some, 0)
    seconds = perf_counter() - begun
    # Kept with the draws, which come at once where a store has them.
    slow = session.sampler.found("slow", lambda: "slow" if seconds / some > _SLOW else "")
    more = 0 if slow else min(left, _LATER) - some
    if more > 0:
        changed = _changed(session, record, more, 1)
    return _CHANGED if changed else ""


def changed_since(session: AuditSession, record: BettingRecord) -> str:
    """The same after the witness, where no look at the black box shows that calls change it."""
    left = min(_LAST, session.left)
    if _may_change(session) or left <= 0:
        return ""
    return _CHANGED if _changed(session, record, left, 2) else ""


def changed_from_first(session: AuditSession, record: BettingRecord) -> str:
    """What to say where the first runs that were bet on give something else by now.

    Of functions that are given a generator, and give one output a call. What takes a part of its
    noise from elsewhere gives something else each time, which says nothing.
    """
    best, sampler = record.claim.best, session.sampler
    begun = None if best is None else record.pairs[best.pair].begun
    if best is None or begun is None or not (sampler.runs.consumed and _is_given(session)):
        return ""
    size = begun.sides[0].size
    if sampler.lasting or sampler.many_on(best.pair) or session.left < 4 * size:
        return ""
    plan = BatchPlan(begun.address, *session.sides(session.pairs[best.pair]), size)

    def find() -> str:
        again = _made(sampler, plan)
        if again is None or share_of_others(begun.sides, again) < _MOST_OF_THEM:
            return ""
        at_once = _made(sampler, plan)
        return "" if at_once is None or share_of_others(again, at_once) else _OTHERS

    with session.stage("check"):
        return sampler.found("first runs again", find)


def _is_given(session: AuditSession) -> bool:
    return bool(getattr(session.case.box, "given", False))


def _made(sampler: Sampler, plan: BatchPlan) -> Sides | None:
    """What a batch gives now; None where it fails."""
    sides, trace = plan.drawn(sampler)
    sampler.samples += trace.samples
    return sides


def share_of_others(
    before: Sides, after: Sides, read: Callable[[Outcomes], Floats] = Outcomes.table
) -> float:
    """Share of the runs that gave something else, on the side where that is more.

    Args:
        before: some runs.
        after: the same again.
        read: what is compared of all of them, shape (runs, parts).
    """
    shares = []
    for one, other in zip(before, after, strict=True):
        first, second = np.split(read(joined([one, other])), 2)
        same = (first == second) | (np.isnan(first) & np.isnan(second))
        shares.append(float((~same.all(axis=1)).mean()))
    return max(shares)


def changed_unseen(session: AuditSession) -> str:
    """What to say where a generator is set, and calls no longer give what they gave at first."""
    if session.trial is None:
        return ""
    with session.stage("check"):
        return session.sampler.found("own generator later", session.trial.changed)


def _may_change(session: AuditSession) -> bool:
    """Whether calls change the black box, as far as it is known, or did before it was set."""
    return session.sampler.lasting or session.trial is not None


def _changed(session: AuditSession, record: BettingRecord, runs: int, batch: int) -> bool:
    """Whether the last of some more runs on D gives another output than all that were bet on."""
    best, sampler = record.claim.best, session.sampler
    if best is None or (answer := record.pairs[best.pair].answers[0]) is None:
        return False
    source = session.sides(session.pairs[best.pair])[0]
    sampler.singly.add((Stage.CHECK, Check.LATER))
    with session.stage("check"):
        later = sampler.side(Address(Stage.CHECK, Check.LATER, batch), source, runs, 0)
    return only_answer(later.take(slice(later.size - 1, None))) != answer
