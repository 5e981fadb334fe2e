"""From scores to the answer: guesses, the test of the claim, its bound, its ceiling."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from audit import __version__ as VERSION
from audit.canary.bench import (
    Direction,
    directions_of,
    largest_bound,
    mixed_log_e_value,
    smallest_p_value,
)
from audit.canary.guesses import Assignment, Design, Guesses, Prefix
from audit.canary.guessing import couples_of, stream
from audit.canary.result import REVERSED, CanaryResult, GaussianReading, TwoSample
from audit.canary.scores import Scores
from audit.canary.two_sample import two_sample_bound
from audit.claims import EPSILON_BOUND, LARGEST_EPSILON, ApproxDP, Claim, GaussianDP, PureDP
from audit.report.formatting import count, number
from audit.verdict.result import Verdict

_POINTS = 150
INDEPENDENT = "independent-canaries"
_ANY_LEVEL = 1.0
"""Claims whose level is searched for need one to begin with."""


def audit_scores(
    scores: Scores,
    design: Design,
    claim: Claim,
    *,
    alpha: float,
    seed: int,
    assumed: tuple[str, ...],
    lower_is_member: bool,
) -> CanaryResult:
    """Audit scores, checked against their design (`screen`), against a claim.

    The seed is that of the permutation that breaks ties and of the matching; `lower_is_member`
    whether the caller says that lower scores speak for "in".
    """
    independent = INDEPENDENT in assumed
    tests = CanaryTests.of(scores, design, alpha=alpha, seed=seed, independent=independent)
    stated = tests.directions[0]
    ceiling = tests.ceiling(claim)
    bound, best = largest_bound(tests.directions, claim)
    compared = tests.two_sample(claim)
    rows = best.rows(claim, bound)
    telling = max(rows, key=lambda row: (row.bound, row.guesses), default=None)
    largest = max(bound, 0.0 if compared is None else compared.bound)
    # The bound on epsilon at delta 0, for claims of other kinds.
    epsilon = claim.bound == EPSILON_BOUND
    pure = {} if epsilon else {EPSILON_BOUND: tests.bound(PureDP(_ANY_LEVEL))}
    return CanaryResult(
        mechanism="trained model",
        claim=claim,
        design=design,
        verdict=_verdict(claim, largest, ceiling),
        levels={claim.bound: claim.stated(largest) + 0.0} | pure,
        alpha=alpha,
        p_value=tests.p_value(claim, compared),
        log_evalue=mixed_log_e_value(tests.directions, claim),
        canaries=stated.canaries,
        guesses=telling.guesses if telling else 0,
        correct=telling.correct if telling else 0,
        ceiling=claim.stated(ceiling) + 0.0,
        needed=stated.needed(claim),
        runs=len(scores.run_names),
        prefixes=tuple(replace(row, bound=claim.stated(row.bound)) for row in rows),
        opened=_opened(best.guesses),
        gaussian=_gaussian(tests, claim),
        notes=(
            *_hint(best, bound, stated, lower_is_member),
            *_notes(scores, design, claim, best.guesses, stated, alpha),
        ),
        seed=seed,
        version=VERSION,
        assumptions=assumed,
        two_sample=compared and replace(compared, bound=claim.stated(compared.bound)),
    )


def coins_of(scores: Scores, design: Design) -> int:
    """Number of coins thrown: one a canary, or one a pair that is compared."""
    if design.assignment is Assignment.COIN:
        return len(scores)
    members = [int(scores.members[rows].sum()) for rows in scores.rows_by_run()]
    sizes = [len(rows) for rows in scores.rows_by_run()]
    return sum(min(ins, size - ins) for ins, size in zip(members, sizes, strict=True))


def _verdict(claim: Claim, bound: float, ceiling: float) -> Verdict:
    if bound >= claim.level:
        return Verdict.VIOLATION
    return Verdict.NOT_REFUTED if ceiling >= claim.level else Verdict.INCONCLUSIVE


def _gaussian(tests: CanaryTests, claim: Claim) -> GaussianReading | None:
    """Reading of the scores under the assumption of a Gaussian mechanism."""
    if isinstance(claim, GaussianDP):
        return None
    mu = tests.bound(GaussianDP(_ANY_LEVEL))
    if not isinstance(claim, ApproxDP):
        return GaussianReading(mu, None)
    return GaussianReading(mu, epsilon_of(mu, claim.delta_claimed))


_MOST_WRONG = 4.0
"""Standard deviations below half the guesses that no order of chance reaches."""


def _hint(best: Direction, bound: float, stated: Direction, lower: bool) -> tuple[str, ...]:
    """That scores separate the wrong way round: the other direction gave the bound, or would."""
    guesses = stated.guesses
    right, all_of = guesses.right(Prefix(len(guesses.ins), len(guesses.outs))), len(guesses)
    wrong = right < all_of / 2.0 - _MOST_WRONG * math.sqrt(all_of) / 2.0
    if not wrong and (not best.reverse or bound == 0.0):
        return ()
    if best.given:
        return (f"guesses are right {REVERSED}: 1 means in, and -1 out",)
    what, flag = ("higher", "leave out") if lower else ("lower", "give")
    hint = (
        f"members have {what} scores, {REVERSED}; {flag} --lower-is-member, which tests it with "
        "most of α"
    )
    return (hint,)


def epsilon_of(mu: float, delta: float) -> float:
    """The smallest epsilon of mu-Gaussian DP at delta; 0 for mu = 0."""
    low, high = 0.0, LARGEST_EPSILON
    while mu > 0.0 and high - low > 1e-6:
        middle = (low + high) / 2.0
        low, high = (middle, high) if GaussianDP(mu).delta(middle) > delta else (low, middle)
    return low


def _opened(guesses: Guesses) -> tuple[tuple[int, int], ...]:
    """Right guesses after so many opened ones, of both sides in turn."""
    if not len(guesses):
        return ()
    shares = np.unique(np.geomspace(1.0 / len(guesses), 1.0, _POINTS))
    ins, outs = len(guesses.ins), len(guesses.outs)
    prefixes = [Prefix(math.ceil(ins * s), math.ceil(outs * s)) for s in shares]
    return tuple((p.size, guesses.right(p)) for p in dict.fromkeys(prefixes))


def _notes(
    scores: Scores, design: Design, claim: Claim, guesses: Guesses, stated: Direction, alpha: float
) -> tuple[str, ...]:
    """Notes on these canaries."""
    notes, canaries = [], stated.canaries
    missing = canaries - len(guesses)
    failures = canaries * claim.delta_claimed if isinstance(claim, ApproxDP) else 0.0
    if failures > alpha:
        notes.append(
            f"δ times the number of {design.coins} is {number(failures)} and exceeds "
            f"α = {alpha:g}, which lowers the bound; a larger α may show more"
        )
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


_TO_COMPARE = 0.5
"""Part of alpha for two-sample tests, if canaries are assumed to be independent."""
_MATCHING, _CHOICE = 3, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class CanaryTests:
    """Tests of guesses in both directions, and two-sample tests if the caller assumes enough.

    The direction that the caller states is the first. Alpha is that of the two-sample tests; it is
    0 if there are none.
    """

    scores: Scores
    directions: tuple[Direction, Direction]
    assignment: Assignment
    alpha: float
    seed: int

    @classmethod
    def of(
        cls, scores: Scores, design: Design, *, alpha: float, seed: int, independent: bool
    ) -> CanaryTests:
        """The tests of scores checked against their design; alpha is that of all together."""
        to_compare = _TO_COMPARE * alpha if independent else 0.0
        canaries = coins_of(scores, design)
        return cls(
            scores=scores,
            directions=directions_of(scores, design, canaries, alpha - to_compare, seed),
            assignment=design.assignment,
            alpha=to_compare,
            seed=seed,
        )

    def bound(self, claim: Claim) -> float:
        """The largest level of the claim's kind that a test refutes, with all below it."""
        compared = self.two_sample(claim)
        found, _ = largest_bound(self.directions, claim)
        return found if compared is None else max(found, compared.bound)

    def ceiling(self, claim: Claim) -> float:
        """The bound if all guesses were right, and all scores apart."""
        stated = self.directions[0]
        guessed = replace(stated, guesses=stated.guesses.perfect()).bound(claim)
        apart = replace(self.scores, values=self.scores.members.astype(np.float64))
        compared = replace(self, scores=apart).two_sample(claim)
        return guessed if compared is None else max(guessed, compared.bound)

    def p_value(self, claim: Claim, compared: TwoSample | None) -> float | None:
        """The smaller p-value of guesses and scores, each divided by its part of alpha."""
        guesses = smallest_p_value(self.directions, claim)
        if guesses is None or self.alpha == 0.0:
            return guesses
        other = 1.0 if compared is None else compared.p_value
        return min(1.0, guesses / (1.0 - _TO_COMPARE), other / _TO_COMPARE)

    def two_sample(self, claim: Claim) -> TwoSample | None:
        """The two-sample test of a claim; None without the assumption, or with too few scores."""
        if self.alpha == 0.0:
            return None
        couples = couples_of(self.scores, self.assignment, self.seed, stage=_MATCHING)
        rng = stream(self.seed, _CHOICE)
        return two_sample_bound(self.scores, couples, claim, self.alpha, rng)
