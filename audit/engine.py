"""One audit, from a claim and a black box to a verdict: the straight line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from audit.case import Case, Settings
from audit.claim import EPSILON_CLAIMS, Claim, PureDP
from audit.errors import Interrupted
from audit.evidence import ALIKE, independent, samples_left, witness_of
from audit.exhibits import tables_of
from audit.fund import Fund
from audit.gambler import Gambler
from audit.neighbors import Pair
from audit.probe import find_worst
from audit.reach import floor_pairs
from audit.result import AuditResult, Search
from audit.search import Found
from audit.store import Memory, memory_of
from audit.threads import in_one_thread
from audit.track import Track
from audit.verdict import broken_off, mistrusted, result_of

_SHARE_ALONE = 4


@in_one_thread
def audit_case(case: Case, settings: Settings) -> AuditResult:
    """Claim and black box to neighbors, samples, bets, evidence, verdict.

    Raises:
        AuditError: the black box cannot be run or returns what is no output, or
            the store cannot be used.
        Interrupted: Ctrl-C, with the evidence so far.
    """
    needed = 2 * floor_pairs(case.claim, settings.alpha)
    if needed > settings.max_samples:
        settings.warn(
            f"{settings.max_samples:,} runs cannot refute {case.claim}, whatever {case.name} does; "
            f"give at least --max-samples {needed}"
        )
    with memory_of(case, settings) as memory:
        # The first budget decides what is searched for; a larger one goes on from there.
        first = replace(settings, max_samples=memory.budgets[0])
        pairs, found = _pairs(case, memory, first)
        gambler = _gambler(case.claim, pairs, memory, settings)
        gambler.notes += () if found is None else found.notes
        spent = settings.max_samples
        try:
            pairs = _bet(gambler, pairs, len(case.pairs), found, memory.budgets)
        except KeyboardInterrupt as interrupt:
            spent = gambler.sampler.samples
            raise _interrupted(case, settings, gambler, pairs, found, spent) from interrupt
        try:
            return _judged(case, settings, gambler, pairs, found)
        except KeyboardInterrupt as interrupt:
            raise _interrupted(case, settings, gambler, pairs, found, spent) from interrupt


def _bet(
    gambler: Gambler,
    pairs: tuple[Pair, ...],
    first: int,
    found: Found | None,
    budgets: Sequence[int],
) -> tuple[Pair, ...]:
    """Bet until the claim is refuted or the last budget is spent; the pairs that matter."""
    sampler = gambler.sampler
    limits = [sampler.samples + samples_left(sampler, b, len(pairs)) for b in budgets]
    if found is not None and found.refuted:
        pairs = _play_alone(gambler, pairs, first, limits[0])
    for limit in limits:
        gambler.play(limit)
    return pairs


def _judged(
    case: Case,
    settings: Settings,
    gambler: Gambler,
    pairs: tuple[Pair, ...],
    found: Found | None,
) -> AuditResult:
    """The result, after the self-check that a violation has to pass."""
    sampler, fund, spent = gambler.sampler, gambler.fund, settings.max_samples
    result = result_of(case, settings, gambler, pairs, _effort(found), spent)
    if fund.refuted:
        settings.tell("checking", sampler.samples, fund.best)
        if settings.null or independent(gambler, pairs, spent):
            result = replace(result, witness=witness_of(gambler, pairs, settings))
        else:
            result = mistrusted(result)
    if settings.tables:
        settings.tell("tables", sampler.samples, fund.best)
        result = replace(result, pairs=tables_of(gambler, pairs, settings))
    return replace(result, samples=sampler.samples)


def _interrupted(
    case: Case,
    settings: Settings,
    gambler: Gambler,
    pairs: tuple[Pair, ...],
    found: Found | None,
    spent: int,
) -> Interrupted:
    """What ends an audit that somebody interrupted, with the evidence so far."""
    gambler.look_aside()
    result = result_of(case, settings, gambler, pairs, _effort(found), spent)
    return Interrupted(broken_off(result, settings.max_samples))


def _play_alone(
    gambler: Gambler, pairs: tuple[Pair, ...], first: int, limit: int
) -> tuple[Pair, ...]:
    """Bet on the smallest pair first, so that it is the witness if it can be.

    Only when it fails within its share of the budget do the others join; they
    catch up first. Wealth and level stay the same whoever plays.

    Returns:
        The pairs that matter: those behind the first are left out if it sufficed.
    """
    everybody = gambler.tracks
    gambler.tracks = [everybody[first]]
    before = gambler.sampler.samples
    gambler.play(before + (limit - before) // _SHARE_ALONE)
    if gambler.fund.refuted and gambler.stop:
        return pairs[: first + 1]
    if len(everybody) > 1:
        gambler.tracks, gambler.generation, gambler.chosen = everybody, 0, frozenset()
    return pairs


def _pairs(case: Case, memory: Memory, settings: Settings) -> tuple[tuple[Pair, ...], Found | None]:
    """The pairs to bet on: D against itself, those given, and what the search found."""
    if settings.null:
        first = case.pairs[0]
        same = replace(first, name="D0", neighbor=first.dataset, difference="the same dataset")
        return (same,), None
    if case.domain is None:
        return case.pairs, None
    found = find_worst(case.claim, case.domain, case.relation, memory, settings)
    if not (case.pairs or found.pairs):
        raise found.left_out[0].error
    return (*case.pairs, *found.pairs), found


def _effort(found: Found | None) -> Search | None:
    return None if found is None else found.effort


def _gambler(claim: Claim, pairs: Sequence[Pair], memory: Memory, settings: Settings) -> Gambler:
    def tell(samples: int, wealth: float) -> None:
        settings.tell("betting", samples, wealth)

    tracks = [Track(i, pair.dataset, pair.neighbor) for i, pair in enumerate(pairs)]
    alpha = settings.alpha
    # A dataset against itself shows no difference at all, whatever is claimed.
    against = ALIKE if settings.null else claim
    return Gambler(
        memory.sampler,
        Fund(against, alpha),
        tracks,
        pure=None if against.kind in EPSILON_CLAIMS else Fund(PureDP(1.0), alpha),
        # Low bits have to keep the same claim: what they show need not be the mechanism's fault,
        # but it must be more than the mechanism may show.
        leaks=Fund(claim, alpha),
        crew=memory.crew,
        tell=tell,
        stop=settings.stop,
    )
