"""From scores to the answer: guesses, the test of the claim, its bound, its ceiling."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from audit import __version__ as VERSION
from audit.canary.bench import Bench
from audit.canary.design import Assignment, Design
from audit.canary.e_value import log_e_value
from audit.canary.guesses import Guesses
from audit.canary.guessing import guesses_from
from audit.canary.prefixes import Prefix, prefixes_of
from audit.canary.report.sentences import shortage
from audit.canary.result import CanaryResult, GaussianReading
from audit.canary.scores import Scores
from audit.canary.screening import screen
from audit.claim import EPSILON_BOUND, ApproxDP, Claim, GaussianDP, PureDP
from audit.claim_kind import LARGEST_EPSILON
from audit.report.numerals import at_most, count
from audit.verdict.result import Verdict

_POINTS = 150
_ANY_LEVEL = 1.0
"""Claims whose level is searched for need one to begin with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything about an audit of canaries but scores, design and claim.

    Attributes:
        alpha: chance of flagging training that keeps its claim.
        seed: of the permutation that breaks ties.
        name: of what was trained.
        command: what repeats the audit.
        declared: whether somebody stated the design.
        warn: told the ceiling, and what may be wrong.
    """

    alpha: float = 0.001
    seed: int = 0
    name: str = "trained model"
    command: str = ""
    declared: bool = True
    warn: Callable[[str], None] = lambda sentence: None


def audit_scores(scores: Scores, design: Design, claim: Claim, settings: Settings) -> CanaryResult:
    """Audit scores against a claim.

    Raises:
        InputError: they were not made as the design says.
    """
    screen(scores, design, declared=settings.declared, warn=settings.warn)
    guesses = guesses_from(scores, design, settings.seed)
    bench = Bench(
        design=design,
        canaries=coins_of(scores, design),
        alpha=settings.alpha,
        given=scores.guessed,
    )
    ceiling = bench.bound(claim, guesses.perfect())
    needed = bench.needed(claim, sided=guesses.sided)
    settings.warn(_told_before(claim, guesses, ceiling, needed, settings.alpha))
    bound = bench.bound(claim, guesses)
    rows = bench.rows(claim, guesses, bound)
    telling = max(rows, key=lambda row: (row.bound, row.guesses), default=None)
    return CanaryResult(
        mechanism=settings.name,
        claim=claim,
        design=design,
        verdict=_verdict(claim, bound, ceiling),
        levels={claim.bound: bound} | _pure(bench, claim, guesses),
        alpha=settings.alpha,
        p_value=bench.p_value(claim, guesses),
        log_evalue=_log_e_value(claim, guesses, bench),
        canaries=bench.canaries,
        guesses=telling.guesses if telling else 0,
        correct=telling.correct if telling else 0,
        ceiling=ceiling,
        needed=needed,
        runs=len(scores.run_names),
        prefixes=rows,
        opened=_opened(guesses),
        gaussian=_gaussian(bench, claim, guesses),
        notes=_notes(scores, design, guesses, bench.canaries),
        seed=settings.seed,
        version=VERSION,
        command=settings.command,
    )


def coins_of(scores: Scores, design: Design) -> int:
    """How many coins were thrown: one a canary, or one for each two that are compared."""
    if design.assignment is Assignment.COIN:
        return len(scores)
    members = [int(scores.members[rows].sum()) for rows in scores.rows_by_run()]
    sizes = [len(rows) for rows in scores.rows_by_run()]
    return sum(min(ins, size - ins) for ins, size in zip(members, sizes, strict=True))


def _told_before(
    claim: Claim, guesses: Guesses, ceiling: float, needed: int | None, alpha: float
) -> str:
    told = (
        f"{count(len(guesses))} guesses can show at most {claim.symbol} ≥ {at_most(ceiling)} "
        f"at α = {alpha:g}, when all are right"
    )
    if ceiling >= claim.level:
        return told
    return f"{told}, too little to refute {claim}; {shortage(needed)}"


def _verdict(claim: Claim, bound: float, ceiling: float) -> Verdict:
    if bound >= claim.level:
        return Verdict.VIOLATION
    return Verdict.NOT_REFUTED if ceiling >= claim.level else Verdict.INCONCLUSIVE


def _pure(bench: Bench, claim: Claim, guesses: Guesses) -> dict[str, float]:
    """The bound on epsilon at delta 0, for claims of other kinds."""
    if claim.bound == EPSILON_BOUND:
        return {}
    return {EPSILON_BOUND: bench.bound(PureDP(_ANY_LEVEL), guesses)}


def _gaussian(bench: Bench, claim: Claim, guesses: Guesses) -> GaussianReading | None:
    """What the guesses say if the mechanism is Gaussian."""
    if isinstance(claim, GaussianDP):
        return None
    mu = bench.bound(GaussianDP(_ANY_LEVEL), guesses)
    if not isinstance(claim, ApproxDP):
        return GaussianReading(mu, None)
    return GaussianReading(mu, epsilon_of(mu, claim.delta_claimed))


def epsilon_of(mu: float, delta: float) -> float:
    """The smallest epsilon of mu-Gaussian DP at delta; 0 for mu = 0."""
    low, high = 0.0, LARGEST_EPSILON
    while mu > 0.0 and high - low > 1e-6:
        middle = (low + high) / 2.0
        low, high = (middle, high) if GaussianDP(mu).delta(middle) > delta else (low, middle)
    return low


def _log_e_value(claim: Claim, guesses: Guesses, bench: Bench) -> float:
    if not len(guesses):
        return 0.0
    ins, outs = len(guesses.ins), len(guesses.outs)
    whole = (Prefix(ins, outs),)
    prefixes = whole if bench.given else prefixes_of(ins, outs)
    return log_e_value(claim, guesses, bench.design, bench.canaries, prefixes, bench.alpha)


def _opened(guesses: Guesses) -> tuple[tuple[int, int], ...]:
    """Right guesses after so many opened ones, of both sides in turn."""
    if not len(guesses):
        return ()
    shares = np.unique(np.geomspace(1.0 / len(guesses), 1.0, _POINTS))
    ins, outs = len(guesses.ins), len(guesses.outs)
    prefixes = [Prefix(math.ceil(ins * s), math.ceil(outs * s)) for s in shares]
    return tuple((p.size, guesses.right(p)) for p in dict.fromkeys(prefixes))


def _notes(scores: Scores, design: Design, guesses: Guesses, canaries: int) -> tuple[str, ...]:
    """What a reader must know about these canaries."""
    notes = []
    missing = canaries - len(guesses)
    if missing:
        notes.append(
            f"{count(missing)} of {count(canaries)} coins were not guessed, for want of a score"
        )
    if scores.guessed:
        notes.append("the guesses were made elsewhere; that nobody saw the members is on trust")
    if design.assignment is Assignment.HALVES and 2 * canaries != len(scores):
        notes.append(
            f"{count(len(scores) - 2 * canaries)} canaries found nobody on the other side to be "
            "compared with"
        )
    return tuple(notes)
