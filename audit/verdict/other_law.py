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

That no difference was seen proves nothing of what may hold noise: see `by_copies`.
"""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from audit.audit_session import AuditSession
from audit.betting.confirmation.leading_bet import LeadingBet
from audit.betting.record import BettingRecord
from audit.outcomes.encoding import Outcomes
from audit.outcomes.features import Feature
from audit.sampling.batch import Sides
from audit.sampling.stream import Address, Check, Stage
from audit.sampling.uneven import chance_of
from audit.verdict.asked_copies import COPIES, best_to_ask, copies_of, drawn_by
from audit.verdict.fresh_draws import drawn_afresh
from audit.verdict.kept_noise import share_of_others

_TIMES = 3
"""How often each draws the same, where it should give the same."""
_MOST_ALIKE = 0.1
"""Share of the first runs that must be others: few may be where a run has other noise as well."""
_CHANCE = 1e-3
"""Of a doubt where runs are draws of one law wherever they are made, all tests together."""
_SHARE, _SHARE_BESIDE = 2.0 / 3.0, 0.25
"""Of the runs that are left, and where copies win with the rest."""
_FEWEST, _MOST, _ENOUGH = 20, 2_000, 500
"""Runs on a dataset that are compared where they cannot be the same, and the most where copies
are asked for more than that."""
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
    """What to say where copies do not do what won most here; empty where nothing was seen."""
    best = best_to_ask(session, record)
    if best is None:
        return ""
    with session.stage("check"):
        what = f"copies {_affordable(session, 1.0)}"
        return session.sampler.found(what, lambda: _found(session, record, best))


def _found(session: AuditSession, record: BettingRecord, best: LeadingBet) -> str:
    begun = record.pairs[best.pair].begun
    if begun and session.sampler.box.seeded and session.sampler.runs.consumed:
        copies = copies_of(session, best, begun.sides[0].size, begun.address, _TIMES)
        runs = _affordable(session, _SHARE)
        number = 0 if copies is None else min(COPIES, runs // copies.runs)
        made = drawn_by(session, copies, number) or []
        if not any(_vary(best.feature, sides) for sides in made):
            kept = any(_gives_others(best.feature, begun.sides, sides[0]) for sides in made)
            return _OTHERS if kept else ""
    if session.may_hold_noise and session.sampler.many_on(best.pair):
        # Runs of one call may have noise in common, which tells nothing of copies.
        return ""
    share, most = (_SHARE_BESIDE, _ENOUGH) if session.may_hold_noise else (_SHARE, _MOST)
    number, size = _shared_out(_affordable(session, share), most)
    made = (drawn_by(session, copies_of(session, best, size), number) or []) if number else []
    unlike = made and _happens_oftener(session, best, [sides[0] for sides in made])
    return _OFTENER if unlike else ""


def _affordable(session: AuditSession, share: float) -> int:
    """Runs that may be made for this: so much of what is left, as there is time for."""
    left = session.left if session.sampler.lasting else session.beside
    return session.in_time("witness", int(share * left))


def _shared_out(runs: int, most: int) -> tuple[int, int]:
    """How many copies make how many runs on a dataset, where as many are made here.

    Fewer copies where there are few runs; none where there are too few for one.
    """
    for number in range(COPIES, 0, -1):
        size = min(most, runs // (2 * (number + 1)))
        if size >= _FEWEST:
            return number, size
    return 0, 0


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
