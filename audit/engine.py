"""One audit, from a claim and a black box to a verdict: the straight line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from audit.case import Case, Settings
from audit.claim import Claim, PureDP
from audit.crew import crew_of
from audit.evidence import ALIKE, independent, leaks_of, samples_left, witness_of
from audit.exhibits import tables_of
from audit.fund import Fund
from audit.gambler import Gambler
from audit.neighbors import Pair
from audit.reach import detectable_epsilon, floor_pairs
from audit.result import AuditResult, Search, Verdict
from audit.sampling import Sampler
from audit.search import Found, find_worst
from audit.threads import in_one_thread
from audit.track import Track
from audit.version import VERSION

_EPSILON_CLAIMS = ("pure", "approximate")
_SHARE_ALONE = 4


@in_one_thread
def audit_case(case: Case, settings: Settings) -> AuditResult:
    """Claim and black box to neighbors, samples, bets, evidence, verdict.

    Raises:
        AuditError: the black box cannot be run or returns what is no output.
    """
    needed = 2 * floor_pairs(case.claim, settings.alpha)
    if needed > settings.max_samples:
        settings.warn(
            f"{settings.max_samples:,} runs cannot refute {case.claim}, whatever {case.name} does; "
            f"give at least --max-samples {needed}"
        )
    sampler = Sampler.of(case.box, settings.seed, coupled=not settings.null)
    pairs, found = _pairs(case, sampler, settings)
    gambler = _gambler(case.claim, pairs, sampler, settings)
    limit = sampler.samples + samples_left(sampler, settings.max_samples, len(pairs))
    if found is not None and found.refuted:
        pairs = _play_alone(gambler, pairs, len(case.pairs), limit)
    gambler.play(limit)
    result = _result(case, settings, gambler, pairs, found.effort if found is not None else None)
    if (
        gambler.fund.refuted
        and not settings.null
        and not independent(gambler, pairs, settings.max_samples)
    ):
        result = _mistrusted(result)
    if settings.tables:
        settings.tell("tables", sampler.samples, gambler.fund.best)
        result = replace(result, pairs=tables_of(gambler, pairs, settings))
    return replace(result, samples=sampler.samples)


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
    gambler.tracks, gambler.generation, gambler.chosen = everybody, 0, frozenset()
    return pairs


def _pairs(
    case: Case, sampler: Sampler, settings: Settings
) -> tuple[tuple[Pair, ...], Found | None]:
    """The pairs to bet on: D against itself, those given, and what the search found."""
    if settings.null:
        first = case.pairs[0]
        same = replace(first, name="D0", neighbor=first.dataset, difference="the same dataset")
        return (same,), None
    if case.domain is None:
        return case.pairs, None
    found = find_worst(case.claim, case.domain, case.relation, sampler, settings)
    return (*case.pairs, *found.pairs), found


def _gambler(claim: Claim, pairs: Sequence[Pair], sampler: Sampler, settings: Settings) -> Gambler:
    def tell(samples: int, wealth: float) -> None:
        settings.tell("betting", samples, wealth)

    tracks = [Track(i, pair.dataset, pair.neighbor) for i, pair in enumerate(pairs)]
    alpha = settings.alpha
    # A dataset against itself shows no difference at all, whatever is claimed.
    against = ALIKE if settings.null else claim
    return Gambler(
        sampler,
        Fund(against, alpha),
        tracks,
        pure=None if against.kind in _EPSILON_CLAIMS else Fund(PureDP(1.0), alpha),
        # Low bits have to keep the same claim: what they show need not be the mechanism's fault,
        # but it must be more than the mechanism may show.
        leaks=Fund(claim, alpha),
        crew=crew_of(settings.workers, settings.executor),
        tell=tell,
        stop=settings.stop,
    )


def _result(
    case: Case, settings: Settings, gambler: Gambler, pairs: Sequence[Pair], search: Search | None
) -> AuditResult:
    sampler, fund = gambler.sampler, gambler.fund
    floor = floor_pairs(case.claim, settings.alpha)
    verdict, reason = _verdict(gambler, floor, settings.max_samples)
    levels = _levels(gambler, case.claim)
    notes = list(gambler.notes)
    if settings.null and verdict is Verdict.VIOLATION:
        notes.append(
            "D against itself was refuted: the draws of this black box are not independent of "
            "each other (state kept between calls, or noise shared within one call), or the "
            "auditor has a bug; verdicts on other pairs mean nothing until this is mended"
        )
    share = settings.max_samples // (2 * max(1, len(pairs)))
    detectable = detectable_epsilon(fund, share)
    return AuditResult(
        mechanism=case.name,
        parameters=case.parameters,
        claim=case.claim,
        relation=case.relation,
        verdict=verdict,
        reason=reason,
        levels=levels,
        alpha=settings.alpha,
        log_evalue=fund.best,
        samples=sampler.samples,
        detectable_epsilon=detectable,
        coupled=sampler.shares_randomness,
        witness=witness_of(gambler, pairs, settings) if fund.refuted else None,
        pairs=(),
        search=search,
        leaks=leaks_of(gambler, pairs),
        seed=settings.seed,
        version=VERSION,
        command=case.command,
        null=settings.null,
        tried=_tried(gambler, pairs),
        notes=tuple(notes),
        claimed_reach=floor,
        summary=case.summary,
    )


def _verdict(gambler: Gambler, floor: int, max_samples: int) -> tuple[Verdict, str]:
    """The verdict, and why it is none where the budget is not to blame."""
    if gambler.fund.refuted:
        return Verdict.VIOLATION, ""
    if not any(track.usable for track in gambler.tracks):
        return Verdict.INCONCLUSIVE, "every run on every dataset failed in the same way"
    if 2 * floor > max_samples:
        return Verdict.INCONCLUSIVE, ""
    return Verdict.NOT_REFUTED, ""


def _levels(gambler: Gambler, claim: Claim) -> dict[str, float]:
    """Lower bounds: of the claim's own level, and of epsilon where that is another one."""
    own = gambler.fund.lower_bound()
    if claim.kind in _EPSILON_CLAIMS:
        return {"epsilon_lower": own}
    name = {"zcdp": "rho_lower", "gaussian": "mu_lower", "renyi": "renyi_lower"}[claim.kind]
    if gambler.pure is None:
        return {"epsilon_lower": own, name: 0.0}
    return {"epsilon_lower": gambler.pure.lower_bound(), name: own}


def _tried(gambler: Gambler, pairs: Sequence[Pair]) -> tuple[str, ...]:
    """What was looked at, in words."""
    features = dict.fromkeys(
        table.feature.words
        for generation in gambler.fund.generations
        for account in generation.accounts
        for table in account.book.tables
    )
    events = sum(
        table.bets.size
        for generation in gambler.fund.generations
        for account in generation.accounts
        for table in account.book.tables
    )
    names = [pairs[track.index].name for track in gambler.tracks if track.drawn]
    drawn = sum(track.drawn for track in gambler.tracks)
    return (
        f"{len(names)} pair{'s' * (len(names) != 1)} of datasets: {', '.join(names)}",
        f"{drawn:,} pairs of runs to bet with",
        f"{events:,} events in both directions, read from: {'; '.join(features)}",
    )


def _mistrusted(result: AuditResult) -> AuditResult:
    reason = (
        "the bets won, but so did the same bets on a dataset against itself: the draws of this "
        "black box are not independent of each other (state kept between calls, or noise shared "
        "within one call), so this is no evidence against the claim; --null shows it"
    )
    return replace(result, verdict=Verdict.INCONCLUSIVE, witness=None, reason=reason)
