"""From what the bets came to, and what of it may be said, to a result."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

from audit import __version__ as VERSION
from audit.audit_session import AuditSession
from audit.betting.event import Event
from audit.betting.power import floor_pairs
from audit.betting.record import BettingRecord
from audit.blackbox.place import place_of
from audit.claim import EPSILON_BOUND, Claim
from audit.neighbors import Pair
from audit.neighbors.search.effort import Search
from audit.neighbors.search.left_out import in_json
from audit.verdict.checks import Checked
from audit.verdict.function_shown import event_of
from audit.verdict.leak import Leak
from audit.verdict.result import AuditResult, Verdict

_NULL_FAILED = (
    "D against itself was refuted: the draws of this black box are not independent of each other "
    "(state kept between calls, or noise shared within one call), or the auditor has a bug; "
    "verdicts on other pairs mean nothing until this is mended"
)
_BLIND = (
    "every output was a text that never came twice, and nothing that was read off these texts "
    "told the two sides apart: the audit was blind to whatever they hold; return what the text is "
    "made of instead, or a part of it that can be read"
)
_INTERRUPTED = (
    "the bets won, but the audit was interrupted before it could check that runs are independent "
    "of each other, without which this is no evidence"
)


def result_of(
    session: AuditSession, record: BettingRecord, found: Checked, search: Search | None
) -> AuditResult:
    """What an audit came to, without the witness and the tables, which take draws of their own.

    Args:
        session: what was audited, and what it took so far.
        record: of the bets.
        found: what of them may be said.
        search: what the search took, None where there was none.
    """
    case, settings, sampler = session.case, session.settings, session.sampler
    floor = floor_pairs(case.claim, settings.alpha)
    verdict, reason, wanted = _verdict(session, record, found, floor)
    notes = [*session.notes, *record.notes, *_left_out(session, record)]
    blind = _blind(record, found)
    notes += [_BLIND] if blind else []
    notes += _won_elsewhere(session, record) if found.refuted else []
    if settings.null and verdict is Verdict.VIOLATION:
        notes.append(_NULL_FAILED)
    return AuditResult(
        mechanism=case.name,
        parameters=case.parameters,
        claim=case.claim,
        relation=case.relation,
        verdict=verdict,
        reason=reason,
        levels=_levels(case.claim, found),
        alpha=settings.alpha,
        log_evalue=record.claim.log_wealth,
        samples=sampler.samples,
        effort=dict(session.effort),
        failure=sampler.first,
        detectable_epsilon=math.inf if blind else record.detectable,
        coupled=sampler.shares_randomness,
        witness=None,
        pairs=(),
        search=search,
        leaks=_leaks(record, session.pairs) if found.leaking else (),
        seed=settings.seed,
        version=VERSION,
        command=case.command,
        null=settings.null,
        tried=_tried(record, session.pairs),
        notes=tuple(notes),
        claimed_reach=floor,
        wanted=wanted,
        summary=case.summary,
        place=place_of(case.box),
    )


def _won_elsewhere(session: AuditSession, record: BettingRecord) -> list[str]:
    """Where the lower bound is that of another pair than the one that people are shown."""
    shown, leading = record.claim.shown, record.claim.leading
    if shown is None or not leading or leading[0].pair == shown.pair:
        return []
    pair = session.pairs[leading[0].pair]
    note = (
        f"the lower bound was won on {pair.name}, where more is lost than on the smaller pair "
        f"above: {pair.difference}, where D is {in_json(pair.dataset)}"
    )
    return [note]


def _blind(record: BettingRecord, found: Checked) -> bool:
    """Whether outputs could not be compared, so that nothing was seen and nothing would be."""
    drawn = [pair for pair in record.pairs.values() if pair.drawn]
    quiet = not (found.refuted or found.doubt or found.level or found.epsilon)
    return quiet and bool(drawn) and all(pair.unread for pair in drawn)


def _left_out(session: AuditSession, record: BettingRecord) -> Iterator[str]:
    """Pairs that could not be bet on to the end."""
    for index, error in record.left_out.items():
        name = session.pairs[index].name
        yield f"bets on {name}, which the search made up, ended early: {error}"


def doubted(result: AuditResult, reason: str) -> AuditResult:
    """The same where nothing that was found may be said."""
    return replace(
        result,
        verdict=Verdict.INCONCLUSIVE,
        witness=None,
        reason=reason,
        levels=_no_levels(result),
        leaks=(),
    )


def _no_levels(result: AuditResult) -> dict[str, float]:
    return dict.fromkeys(result.levels, 0.0) | {result.claim.bound: result.claim.stated(0.0)}


def broken_off(session: AuditSession, record: BettingRecord, search: Search | None) -> AuditResult:
    """The result where somebody interrupted the audit: no bound was checked, so none is said."""
    result = result_of(session, record, Checked(), search)
    note = (
        f"interrupted after {result.samples:,} of at most {session.settings.max_samples:,} runs, "
        "before any lower bound could be checked"
    )
    stopped = replace(result, notes=(*result.notes, note))
    return doubted(stopped, _INTERRUPTED) if record.claim.refuted else stopped


def _verdict(
    session: AuditSession, record: BettingRecord, found: Checked, floor: int
) -> tuple[Verdict, str, int]:
    """The verdict, why it is none, and the budget that an answer takes where that is why."""
    if found.doubt:
        return Verdict.INCONCLUSIVE, found.doubt, 0
    if found.refuted:
        return Verdict.VIOLATION, "", 0
    if record.drawn and not any(pair.usable for pair in record.pairs.values()):
        return Verdict.INCONCLUSIVE, _always_failed(session), 0
    if record.most < floor or record.detectable is None or math.isinf(record.detectable):
        if session.deadline("bets").met:
            return Verdict.INCONCLUSIVE, _too_late(session, record), 0
        return Verdict.INCONCLUSIVE, "", _wanted(session, floor)
    return Verdict.NOT_REFUTED, "", 0


def _too_late(session: AuditSession, record: BettingRecord) -> str:
    return (
        f"the time ended the bets after {record.drawn:,} pairs of runs, with which nothing could "
        f"have refuted the claim reliably; give more than --max-seconds "
        f"{session.settings.max_seconds:g}"
    )


def _always_failed(session: AuditSession) -> str:
    first = session.sampler.first
    told = "" if first is None else f" ({first.kind}{first.message and ': '}{first.message})"
    return f"every run on every dataset failed in the same way{told}"


def _wanted(session: AuditSession, floor: int) -> int:
    """Runs with which every pair could be bet on beyond the floor of the claim.

    Where there were as many already, twice as many.
    """
    allotted = session.allotted(session.settings.max_samples)
    part = max(0.1, allotted.bets / max(1, session.settings.max_samples))
    needed = 12 * floor * max(1, len(session.pairs)) / part
    return max(2 * floor, math.ceil(needed / 100) * 100, 2 * session.settings.max_samples)


def _levels(claim: Claim, found: Checked) -> dict[str, float]:
    """Lower bounds: of the claim's own level, and of epsilon where that is another one."""
    # Where the level is epsilon itself, the second is in the place of the first.
    return {EPSILON_BOUND: found.epsilon, claim.bound: claim.stated(found.level)}


def _leaks(record: BettingRecord, pairs: Sequence[Pair]) -> tuple[Leak, ...]:
    """What the low bits of the outputs gave away."""
    capital = record.leaks
    if capital is None or capital.best is None:
        return ()
    bet = capital.shown or capital.best
    pair = pairs[bet.pair]
    event = event_of(bet, capital.claim, pair.name)
    where = f"{event.description} (on {pair.name}: {pair.difference})"
    named = Event(where, {**event.parameters, "pair": pair.name})
    return (Leak(kind="floating-point", event=named, log_evalue=capital.log_wealth),)


def _tried(record: BettingRecord, pairs: Sequence[Pair]) -> tuple[str, ...]:
    """What was looked at, in words."""
    names = [pairs[index].name for index, pair in record.pairs.items() if pair.drawn]
    if not names:
        return ()
    return (
        f"{len(names)} pair{'s' * (len(names) != 1)} of datasets: {', '.join(names)}",
        f"{record.drawn:,} pairs of runs to bet with",
        f"{_bets(record)}, read from: {'; '.join(record.features)}",
    )


def _bets(record: BettingRecord) -> str:
    functions = f" and {record.functions:,} functions" if record.functions else ""
    return f"{record.events:,} events in both directions{functions}"
