"""The public way to audit canaries from Python: scores, guesses, the answer."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any, Never

import numpy as np

from audit import __version__ as VERSION
from audit.canary.bench import CanaryTests, Direction
from audit.canary.design import Assignment, Design, Scores, screen
from audit.canary.guesses import Guesses, Prefix
from audit.canary.result import REVERSED, CanaryResult, GaussianReading
from audit.canary.scores import COLUMNS, read_table, scores_in, table_of
from audit.case import assumptions_named
from audit.claims import (
    EPSILON_BOUND,
    LARGEST_EPSILON,
    ApproxDP,
    Claim,
    GaussianDP,
    PureDP,
    claim_from,
)
from audit.errors import ClaimError, InputError, shown
from audit.lazy_modules import loaded_pandas as pd
from audit.relation import Relation, relation_named
from audit.report.formatting import count, number
from audit.validation import check_amounts, refuse_unknown
from audit.verdict.renderers import timed
from audit.verdict.result import Verdict

INDEPENDENT = "independent-canaries"
_SEED_BITS = 48
"""Bits of a fresh seed: as many as every reader of JSON keeps."""


def canaries(
    scores: Any,
    members: Any = None,
    *,
    claim: Claim | float | None = None,
    epsilon: float | None = None,
    delta: float | None = None,
    relation: str = "add-remove",
    assignment: str | None = None,
    probability: float = 0.5,
    runs: Any = None,
    pairs: Any = None,
    guesses: Any = None,
    columns: Mapping[str, str] | None = None,
    lower_is_member: bool = False,
    assume: Sequence[str] = (),
    alpha: float = 0.001,
    seed: int | None = None,
    name: str | None = None,
    command: str = "",
    warn: Callable[[str], None] | None = None,
    **unknown: Never,
) -> CanaryResult:
    """Audit what was trained once, by canaries that coins put into the training data.

    Args:
        scores: one score for each canary, where more speaks for "in" and NaN
            says nothing, shape (canaries,); or a table or a file of them, with
            columns member, score or guess, and run, pair, canary where needed;
            None where there are `guesses` instead.
        members: whether each canary was put in, shape (canaries,); in a table,
            its column says so.
        claim: an epsilon, or a claim of any kind.
        epsilon: claimed epsilon, in place of `claim`; with `delta` for approximate DP.
        delta: claimed delta.
        relation: of the claim: "add-remove", "substitute", "user" or "declared".
        assignment: "coin", "pairs" or "halves"; coins where nobody says.
        probability: of a coin.
        runs: of training, one for each canary, where there were several with
            fresh coins and fresh noise.
        pairs: which two canaries belong together, for `assignment="pairs"`.
        guesses: 1 for "in", -1 for "out", 0 for none, instead of scores.
        columns: names of a table's columns that have unusual ones, such as
            {"score": "loss"}.
        lower_is_member: whether lower scores speak for "in"; the other direction is tested
            as well, with a fifth of alpha.
        assume: ("independent-canaries",) if the scores of members are independent draws from
            one law, and those of the others from another one; exact two-sample tests are then
            used as well. The result names the assumption.
        alpha: probability of flagging a training that satisfies its claim.
        seed: of the permutation that breaks ties and of the matching of canaries; the
            training must not know it. By default it is fresh where canaries are matched (in
            halves, and for two-sample tests), and the result names it.
        name: how the result calls what was trained.
        command: what repeats this audit, for the report.
        warn: told what may be wrong, before the answer.
        unknown: nothing; the error names the closest argument.

    Returns:
        The result; `verdict` and `epsilon_lower` are what most want.

    Raises:
        TypeError: there is no such argument.
        ClaimError: no claim is stated, or its numbers make no sense.
        InputError: another argument makes no sense, or the canaries cannot be
            audited as declared.
    """
    refuse_unknown(canaries, unknown)
    started, warnings = perf_counter(), list[str]()

    def tell(sentence: str) -> None:
        warnings.append(sentence)
        if warn is not None:
            warn(sentence)

    stated = claim_from(claim, epsilon=epsilon, delta=delta)
    if stated is None:
        raise ClaimError("canaries state no claim; give `epsilon`, or another claim")
    check_amounts(alpha=alpha, probability=probability)
    assumed = assumptions_named(assume)
    if set(assumed) - {INDEPENDENT}:
        raise InputError(
            f"assume {assumed[0]!r} says nothing of canaries; give {INDEPENDENT}", assume
        )
    given = {"member": members, "run": runs, "pair": pairs, "guess": guesses}
    table, where = _table(scores, given)
    found = scores_in(table, _checked(columns), where, lower_is_member=lower_is_member, warn=tell)
    design = Design(
        assignment=_assignment(assignment, probability),
        probability=float(probability),
        relation=_relation(relation),
    )
    matched = design.assignment is Assignment.HALVES or bool(assumed)
    chosen, command = _seed(seed, matched, command)
    screen(found, design, declared=assignment is not None, warn=tell)
    result = audit_scores(
        found, design, stated, alpha=alpha, seed=chosen, assumed=assumed, lower=lower_is_member
    )
    notes = (*result.notes, *warnings)
    mechanism = name or result.mechanism
    return timed(replace(result, mechanism=mechanism, command=command, notes=notes), started)


def _seed(given: int | None, matched: bool, command: str) -> tuple[int, str]:
    """The seed, fresh if canaries are matched and none is given, and a command that names it."""
    if given is not None:
        check_amounts(seed=given)
        return int(given), command
    if not matched:
        return 0, command
    fresh = secrets.randbits(_SEED_BITS)
    return fresh, command and f"{command} --seed {fresh}"


def _table(scores: Any, given: Mapping[str, Any]) -> tuple[pd.DataFrame, str]:
    """The table, and what it is called in messages."""
    if scores is not None and given["guess"] is not None:
        raise InputError("guesses are given next to scores; give one of the two", given["guess"])
    if not isinstance(scores, (str, Path, pd.DataFrame)):
        return table_of({"score": scores, **given}, "the arguments"), "the arguments"
    also = [name for name, column in given.items() if column is not None]
    if also:
        raise InputError(
            f"{also[0]} is given beside a table of scores; a table holds it in a column", also
        )
    if isinstance(scores, pd.DataFrame):
        return scores, "the table"
    return read_table(Path(scores)), f"file {str(scores)!r}"


def _checked(columns: Mapping[str, str] | None) -> dict[str, str]:
    """The columns that have a name of their own, all of them known."""
    columns = {} if columns is None else columns
    if not isinstance(columns, Mapping) or not {*columns} <= {*COLUMNS}:
        known = ", ".join(COLUMNS)
        raise InputError(f"columns {shown(columns)} name others than {known}", columns)
    return {usual: name for usual, name in columns.items() if name is not None}


def _relation(name: str) -> Relation:
    found = relation_named(name)
    if isinstance(found, Relation):
        return found
    raise InputError(
        f"relation {name} says nothing about records that are put in or left out; use one of "
        f"{', '.join(Relation)}",
        name,
    )


def _assignment(name: str | None, probability: float) -> Assignment:
    try:
        found = Assignment(name or Assignment.COIN)
    except ValueError:
        raise InputError(
            f"assignment {shown(name)} is not known; use one of {', '.join(Assignment)}", name
        ) from None
    if found is not Assignment.COIN and probability != 0.5:
        raise InputError(
            f"probability {probability:g} has no place with `assignment='{found}'`: which of "
            "two canaries is put in is a fair coin",
            probability,
        )
    return found


_POINTS = 150
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
    lower: bool,
) -> CanaryResult:
    """Audit scores, checked against their design, of which lower ones may speak for "in"."""
    independent = INDEPENDENT in assumed
    tests = CanaryTests.of(scores, design, alpha=alpha, seed=seed, independent=independent)
    stated = tests.directions[0]
    ceiling = tests.ceiling(claim)
    bound, best = tests.of_guesses(claim)
    compared = tests.two_sample(claim)
    rows = best.rows(claim, bound)
    telling = max(rows, key=lambda row: (row.bound, row.guesses), default=None)
    largest = max(bound, 0.0 if compared is None else compared.bound)
    # The bound on epsilon at delta 0, for claims of other kinds.
    other = claim.bound != EPSILON_BOUND
    pure = {EPSILON_BOUND: tests.bound(PureDP(_ANY_LEVEL))} if other else {}
    return CanaryResult(
        mechanism="trained model",
        claim=claim,
        design=design,
        verdict=_verdict(claim, largest, ceiling),
        levels={claim.bound: claim.stated(largest) + 0.0} | pure,
        alpha=alpha,
        p_value=tests.p_value(claim, compared),
        log_evalue=tests.log_e_value(claim),
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
            *_hint(best, bound, stated, lower),
            *_notes(scores, design, claim, best.guesses, stated, alpha),
        ),
        seed=seed,
        version=VERSION,
        assumptions=assumed,
        two_sample=compared and replace(compared, bound=claim.stated(compared.bound)),
    )


def _verdict(claim: Claim, bound: float, ceiling: float) -> Verdict:
    if bound >= claim.level:
        return Verdict.VIOLATION
    return Verdict.NOT_REFUTED if ceiling >= claim.level else Verdict.INCONCLUSIVE


def _gaussian(tests: CanaryTests, claim: Claim) -> GaussianReading | None:
    """Reading of the scores under the assumption of a Gaussian mechanism."""
    if isinstance(claim, GaussianDP):
        return None
    mu = tests.bound(GaussianDP(_ANY_LEVEL))
    epsilon = epsilon_of(mu, claim.delta_claimed) if isinstance(claim, ApproxDP) else None
    return GaussianReading(mu, epsilon)


_MOST_WRONG = 4.0
"""Standard deviations below half the guesses that no order of chance reaches."""


def _hint(best: Direction, bound: float, stated: Direction, lower: bool) -> Iterator[str]:
    """That scores separate the wrong way round: the other direction gave the bound, or would."""
    guesses = stated.guesses
    right, all_of = guesses.right(Prefix(len(guesses.ins), len(guesses.outs))), len(guesses)
    wrong = right < all_of / 2.0 - _MOST_WRONG * math.sqrt(all_of) / 2.0
    if not wrong and (not best.reverse or bound == 0.0):
        return
    if best.given:
        yield f"guesses are right {REVERSED}: 1 means in, and -1 out"
        return
    what, flag = ("higher", "leave out") if lower else ("lower", "give")
    yield (
        f"members have {what} scores, {REVERSED}; {flag} --lower-is-member, which tests it with "
        "most of α"
    )


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
) -> Iterator[str]:
    """Notes on these canaries."""
    canaries = stated.canaries
    missing = canaries - len(guesses)
    failures = canaries * claim.delta_claimed if isinstance(claim, ApproxDP) else 0.0
    if failures > alpha:
        yield (
            f"δ times the number of {design.coins} is {number(failures)} and exceeds "
            f"α = {alpha:g}, which lowers the bound; a larger α may show more"
        )
    if missing:
        yield f"{count(missing)} of {count(canaries)} coins were not guessed, for want of a score"
    if scores.guessed:
        yield "the guesses were made elsewhere; that nobody saw the members is on trust"
    if design.assignment is Assignment.HALVES and 2 * canaries != len(scores):
        yield (
            f"{count(len(scores) - 2 * canaries)} canaries found nobody on the other side to be "
            "compared with"
        )
