"""What copies of a black box that were never called give on the pair of a bet."""

from __future__ import annotations

from audit.audit_session import AuditSession
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.record import BettingRecord, CapitalRecord
from audit.blackbox.python import PythonBlackBox
from audit.blackbox.served import ServedBlackBox
from audit.errors import BlackBoxError
from audit.sampling.batch import Sides
from audit.sampling.copies import Copies
from audit.sampling.stream import Address
from audit.sampling.workers.pickled import Parcel

COPIES = 4
"""Those that are asked whether they have another law; the numbers of others follow theirs."""


def best_to_ask(session: AuditSession, record: BettingRecord) -> LeadingBet | None:
    """The bet that refuted the claim, or else that won the bound most.

    None where there is none, or the black box makes no copies that could tell anything.
    """
    keeping = isinstance(session.case.box, PythonBlackBox | ServedBlackBox)
    if session.fresh is None or not keeping:
        return None
    return best_of(record.claim) or (best_of(record.pure) if record.pure else None)


def best_of(capital: CapitalRecord) -> LeadingBet | None:
    """The bet that refuted a claim, or else that won the bound most; None where there is none."""
    return capital.best if capital.refuted else next(iter(capital.leading), None)


def copies_of(
    session: AuditSession,
    best: LeadingBet,
    size: int,
    address: Address | None = None,
    times: int = 1,
) -> Copies | None:
    """Copies that draw so many runs on either side; None where the datasets cannot travel.

    Args:
        session: what is audited.
        best: tells the pair.
        size: runs on either side.
        address: of the batch; None for one of each copy's own.
        times: how often each copy draws it.
    """
    pair, sampler = session.pairs[best.pair], session.sampler
    if session.fresh is None:
        return None
    try:
        data = Parcel.of([pair.dataset, pair.neighbor])
    except BlackBoxError:
        return None
    return Copies(
        session.fresh,
        data,
        sampler.seed,
        sampler.coupled and (address is not None or not sampler.many_on(best.pair)),
        sampler.box.many and not sampler.many_on(best.pair),
        None if session.trial is None else session.trial.place,
        address,
        size,
        times,
    )


def drawn_by(
    session: AuditSession, copies: Copies | None, number: int, first: int = 0
) -> list[list[Sides]] | None:
    """What so many of them give, which counts as runs; None where they cannot be tried."""
    if copies is None:
        return None
    session.sampler.samples += number * copies.runs
    return copies.drawn(number, first)
