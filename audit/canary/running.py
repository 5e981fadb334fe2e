"""The public way to audit canaries from Python."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import Any, Never

from audit.canary.audit import INDEPENDENT, audit_scores
from audit.canary.guesses import Assignment, Design
from audit.canary.result import CanaryResult
from audit.canary.scores import COLUMNS, read_table, scores_in, table_of
from audit.canary.screening import screen
from audit.case import assumptions_named
from audit.claims import Claim, claim_from
from audit.errors import ClaimError, InputError, shown
from audit.lazy_modules import loaded_pandas as pd
from audit.relation import Relation, relation_named
from audit.validation import check_amounts, refuse_unknown
from audit.verdict.renderers import timed

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
        found,
        design,
        stated,
        alpha=alpha,
        seed=chosen,
        assumed=assumed,
        lower_is_member=lower_is_member,
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
