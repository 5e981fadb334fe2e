"""Noise that is drawn once and kept: outputs that never vary here, and do elsewhere."""

from __future__ import annotations

from audit.audit_session import AuditSession
from audit.betting.record import BettingRecord
from audit.sampling.repetition import same_elsewhere

_KEPT = (
    "every run on a dataset gave the same output, but another process gives another one: the black "
    "box keeps its noise, so that its runs are not draws of its law; let it draw noise in every run"
)
_STUCK = (
    "every run on a dataset gave the same output, and whether another process gives it too could "
    "not be tried, as the black box cannot be sent there; audit it by its address, with audit "
    "python FILE.py:FUNCTION, or as a program"
)


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
