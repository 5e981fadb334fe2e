"""What is only seen where many outputs are asked for at once, in calls of one size."""

from __future__ import annotations

from audit.audit_session import AuditSession
from audit.betting.record import BettingRecord
from audit.sampling.repetition import only_answer, same_elsewhere
from audit.sampling.stream import Address, Stage

_CROWDED = (
    "what this black box gives depends on how many outputs are asked for at once: the violation "
    "was won on calls for {outputs:,} outputs each, and not on smaller ones"
)
_ALONE = 1 << 20
"""In place of a batch: calls whose outputs are compared with those of another process."""


def notes_on(outputs: int) -> tuple[str, ...]:
    """What to say where a violation was won on calls for so many outputs; nothing for none."""
    return (_CROWDED.format(outputs=outputs),) if outputs else ()


def largest_calls(session: AuditSession, record: BettingRecord) -> tuple[int, int]:
    """Outputs of the largest call that refuted the claim, and the runs at which such calls end."""
    allotted = session.allotted(session.settings.max_samples)
    return record.at_once, session.settings.max_samples - allotted.check - allotted.shown


def answers_alone(session: AuditSession, record: BettingRecord, size: int) -> bool:
    """Whether calls of this size give one answer each, and another process gives the same."""
    best = record.claim.best
    if not size or best is None or session.fresh is None:
        return False
    sampler, pair = session.sampler, session.pairs[best.pair]
    address = Address(Stage.CHECK, best.pair, _ALONE)
    answers = [
        (data, only_answer(sampler.side(address, session.source(data), size, side)))
        for side, data in enumerate((pair.dataset, pair.neighbor))
    ]
    if all(answer is None for _, answer in answers):
        return False
    found = same_elsewhere(session.fresh, True, session.settings.seed, answers, size)
    sampler.samples += found.runs
    return bool(found.same)
