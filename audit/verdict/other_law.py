"""Noise that is kept beside noise drawn anew: have copies of the black box another law?

A report may hold noise that is drawn once for a dataset and kept, and noise of its own in every
run (a permanent and an instantaneous randomized response, as in RAPPOR, arXiv 1407.6981). Within
one process the kept part is a number like any other: what differs by it between two datasets wins
bets, however private it was when it was drawn. Copies that were never called draw it anew. So
before a violation is told some copies are asked what the bets were won with:

- where all random numbers are given, for the first runs that were bet on, with the same random
  numbers. A copy that gives others, and those again and again, keeps a part of its noise;
- elsewhere, for some more runs. How many of them fall into the event, here and there, is
  hypergeometric where all are draws of one law (Fisher's exact test).
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from audit.audit_session import AuditSession
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.record import BettingRecord
from audit.blackbox.carried import held_by
from audit.blackbox.python import PythonBlackBox
from audit.blackbox.served import ServedBlackBox
from audit.errors import BlackBoxError
from audit.outcomes.encoding import Outcomes
from audit.outcomes.features import Feature
from audit.sampling.batch import Sides
from audit.sampling.copies import Copies
from audit.sampling.stream import Address, Check, Stage
from audit.sampling.uneven import chance_of
from audit.sampling.workers.pickled import Parcel
from audit.sampling.workers.stem import Stem
from audit.sampling.workers.uncalled import Uncalled
from audit.verdict.fresh_draws import drawn_afresh
from audit.verdict.kept_noise import share_of_others

_COPIES = 4
"""What is kept may be the same by chance in one of them."""
_TIMES = 3
"""How often each draws the same, where it should give the same."""
_MOST_ALIKE = 0.1
"""Share of the first runs that must be others: few may be where a run has other noise as well."""
_CHANCE = 1e-3
"""Of a doubt where runs are draws of one law wherever they are made, all tests together."""
_SHARE = 2.0 / 3.0
_FEWEST, _MOST = 20, 2_000
"""Runs on a dataset that are compared where they cannot be the same."""
_OTHERS = (
    "copies of the black box that had not been called before gave other outputs for the same "
    "random numbers, and each of them the same again: the black box keeps a part of its noise (in "
    "a cache, or by a secret of its process), so that its runs are not draws of its law; let it "
    "draw all of its noise in every run"
)
_OFTENER = (
    "what tells the datasets apart happens more often or more rarely in copies of the black box "
    "that had not been called before: it keeps a part of its noise (in a cache, or by a secret of "
    "its process), so that its runs are not draws of its law; let it draw all of its noise in "
    "every run"
)


def other_law(session: AuditSession, record: BettingRecord) -> str:
    """What to say where copies of a function do not do what won the bets here."""
    best, fresh = _won(record), session.fresh
    keeping = isinstance(session.case.box, PythonBlackBox | ServedBlackBox)
    if best is None or fresh is None or not keeping:
        return ""
    with session.stage("check"):
        return session.sampler.found("copies", lambda: _found(session, fresh, record, best))


def _won(record: BettingRecord) -> LeadingBet | None:
    """The bet that refuted the claim, or else that won the bound most."""
    if record.claim.refuted:
        return record.claim.best
    leading = record.claim.leading or (record.pure.leading if record.pure else ())
    return leading[0] if leading else None


def other_law_kept(session: AuditSession, record: BettingRecord) -> str:
    """The same where nothing is refuted, of what may hold more than before its first call.

    Elsewhere bounds are not worth the process that copies are asked in.
    """
    return other_law(session, record) if _may_hold_more(session) else ""


def _may_hold_more(session: AuditSession) -> bool:
    """Whether it visibly does, or nobody can look into all of it."""
    box, unseen = session.case.box, isinstance(session.fresh, Stem)
    return unseen or isinstance(box, ServedBlackBox) or session.held != held_by(box)


def _found(session: AuditSession, fresh: Uncalled, record: BettingRecord, best: LeadingBet) -> str:
    begun = record.pairs[best.pair].begun
    if begun and session.sampler.box.seeded and session.sampler.runs.consumed:
        made = _drawn(session, fresh, best, _COPIES, begun.sides[0].size, begun.address)
        if not any(_vary(best.feature, sides) for sides in made):
            kept = any(_gives_others(best.feature, begun.sides, sides[0]) for sides in made)
            return _OTHERS if kept else ""
    made = _drawn(session, fresh, best, *_shared_out(session))
    return _OFTENER if made and _happens_oftener(session, best, [s[0] for s in made]) else ""


def _drawn(
    session: AuditSession,
    fresh: Uncalled,
    best: LeadingBet,
    number: int,
    size: int,
    address: Address | None = None,
) -> list[list[Sides]]:
    """What copies give, as many of them as there is time for; nothing where none can be tried."""
    copies = _copies(session, fresh, best, address, size)
    number = 0 if copies is None else min(number, _affordable(session) // copies.runs)
    if copies is None or number < 1:
        return []
    made = copies.drawn(number)
    session.sampler.samples += number * copies.runs
    return made or []


def _affordable(session: AuditSession) -> int:
    """Runs that may be made for this: most of what is left, and as there is time for."""
    left = session.left if session.sampler.lasting else session.beside
    return session.in_time("witness", int(_SHARE * left))


def _shared_out(session: AuditSession) -> tuple[int, int]:
    """How many copies make how many runs on a dataset, where as many are made here.

    Fewer copies where there are few runs; none where there are too few for one.
    """
    for number in range(_COPIES, 0, -1):
        size = min(_MOST, _affordable(session) // (2 * (number + 1)))
        if size >= _FEWEST:
            return number, size
    return 0, 0


def _copies(
    session: AuditSession, fresh: Uncalled, best: LeadingBet, address: Address | None, size: int
) -> Copies | None:
    pair, sampler = session.pairs[best.pair], session.sampler
    try:
        data = Parcel.of([pair.dataset, pair.neighbor])
    except BlackBoxError:
        return None
    return Copies(
        fresh,
        data,
        sampler.seed,
        sampler.coupled,
        sampler.box.many and not sampler.many_on(best.pair),
        None if session.trial is None else session.trial.place,
        address,
        size,
        1 if address is None else _TIMES,
    )


def _vary(feature: Feature, made: list[Sides]) -> bool:
    """Whether a copy gives something else when it draws again with the same random numbers."""
    first, *again = made
    return any(_share(feature, first, sides) for sides in again)


def _gives_others(feature: Feature, here: Sides, there: Sides) -> bool:
    """Whether a copy gives other outputs than were seen here."""
    return _share(feature, here, there) >= _MOST_ALIKE


def _share(feature: Feature, one: Sides, other: Sides) -> float:
    """Share of others among outputs, as read by the feature of a bet."""
    return share_of_others(one, other, lambda outcomes: feature.read(outcomes).side_by_side())


def _happens_oftener(session: AuditSession, best: LeadingBet, made: list[Sides]) -> bool:
    """Whether the event of the best bet does, or more rarely, in one of the copies."""
    size = made[0][0].size
    for side, source in enumerate(session.sides(session.pairs[best.pair])):
        address = Address(Stage.CHECK, Check.HERE, side)
        if not session.sampler.many_on(best.pair):
            session.sampler.singly.add((address.stage, address.pair))
        here = drawn_afresh(session.sampler, address, source, size, 0)
        event = best.shown[side if best.forward else 1 - side] > 0.5
        hits = [_hits(best, event, one) for one in (here, *(sides[side] for sides in made))]
        chances = [chance_of([size, size], [hits[0], there]) for there in hits[1:]]
        if min(chances) * 2 * len(made) < _CHANCE:
            return True
    return False


def _hits(best: LeadingBet, event: NDArray[Any], outcomes: Outcomes) -> int:
    return int(event[best.binning.code(best.feature.read(outcomes))].sum())
