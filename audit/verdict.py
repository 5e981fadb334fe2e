"""From a finished game to a result: verdict, bounds, what was tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from audit.case import Case, Settings
from audit.claim import EPSILON_CLAIMS, Claim
from audit.evidence import leaks_of
from audit.gambler import Gambler
from audit.neighbors import Pair
from audit.reach import detectable_epsilon, floor_pairs
from audit.result import AuditResult, Search, Verdict
from audit.version import VERSION


def result_of(
    case: Case,
    settings: Settings,
    gambler: Gambler,
    pairs: Sequence[Pair],
    search: Search | None,
    budget: int,
) -> AuditResult:
    """What a game came to, without the witness and the tables, which take draws of their own.

    Args:
        case: what was audited.
        settings: how.
        gambler: has played.
        pairs: those that matter, by the numbers that the gambler's tracks have.
        search: what the search took, None where there was none.
        budget: runs that there were.
    """
    sampler, fund = gambler.sampler, gambler.fund
    floor = floor_pairs(case.claim, settings.alpha)
    verdict, reason = _verdict(gambler, floor, budget)
    notes = list(gambler.notes)
    if settings.null and verdict is Verdict.VIOLATION:
        notes.append(
            "D against itself was refuted: the draws of this black box are not independent of "
            "each other (state kept between calls, or noise shared within one call), or the "
            "auditor has a bug; verdicts on other pairs mean nothing until this is mended"
        )
    return AuditResult(
        mechanism=case.name,
        parameters=case.parameters,
        claim=case.claim,
        relation=case.relation,
        verdict=verdict,
        reason=reason,
        levels=_levels(gambler, case.claim),
        alpha=settings.alpha,
        log_evalue=fund.best,
        samples=sampler.samples,
        detectable_epsilon=detectable_epsilon(fund, budget // (2 * max(1, len(pairs)))),
        coupled=sampler.shares_randomness,
        witness=None,
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


def mistrusted(result: AuditResult) -> AuditResult:
    """The same where the self-check failed."""
    reason = (
        "the bets won, but so did the same bets on a dataset against itself: the draws of this "
        "black box are not independent of each other (state kept between calls, or noise shared "
        "within one call), so this is no evidence against the claim; --null shows it"
    )
    return replace(result, verdict=Verdict.INCONCLUSIVE, witness=None, reason=reason)


def broken_off(result: AuditResult, max_samples: int) -> AuditResult:
    """The same where somebody interrupted the audit."""
    note = f"interrupted after {result.samples:,} of at most {max_samples:,} runs"
    stopped = replace(result, notes=(*result.notes, note))
    if result.verdict is not Verdict.VIOLATION:
        return stopped
    reason = (
        "the bets won, but the audit was interrupted before it could check that runs are "
        "independent of each other, without which this is no evidence"
    )
    return replace(stopped, verdict=Verdict.INCONCLUSIVE, witness=None, reason=reason)


def _verdict(gambler: Gambler, floor: int, budget: int) -> tuple[Verdict, str]:
    """The verdict, and why it is none where the budget is not to blame."""
    if gambler.fund.refuted:
        return Verdict.VIOLATION, ""
    drawn = any(track.drawn for track in gambler.tracks)
    if drawn and not any(track.usable for track in gambler.tracks):
        return Verdict.INCONCLUSIVE, "every run on every dataset failed in the same way"
    if 2 * floor > budget or not drawn:
        return Verdict.INCONCLUSIVE, ""
    return Verdict.NOT_REFUTED, ""


def _levels(gambler: Gambler, claim: Claim) -> dict[str, float]:
    """Lower bounds: of the claim's own level, and of epsilon where that is another one."""
    own = gambler.fund.lower_bound()
    if claim.kind in EPSILON_CLAIMS:
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
