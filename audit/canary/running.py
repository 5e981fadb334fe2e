"""The public way to audit canaries from Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from time import perf_counter
from typing import Any

from audit.amounts import check_amounts
from audit.canary.audit import Settings, audit_scores
from audit.canary.design import Assignment, Design
from audit.canary.result import CanaryResult
from audit.canary.score_columns import scores_in
from audit.canary.score_file import ColumnNames, read_table, table_of
from audit.claim import claim_from
from audit.errors import ClaimError, InputError, shown
from audit.frames import loaded_pandas as pd
from audit.relation import Relation, relation_named


def canaries(
    scores: Any,
    members: Any = None,
    *,
    epsilon: float | None = None,
    delta: float | None = None,
    rho: float | None = None,
    mu: float | None = None,
    renyi: tuple[float, float] | None = None,
    relation: str = "add-remove",
    assignment: str | None = None,
    probability: float = 0.5,
    runs: Any = None,
    pairs: Any = None,
    guesses: Any = None,
    columns: Mapping[str, str] | None = None,
    lower_is_member: bool = False,
    alpha: float = 0.001,
    seed: int = 0,
    name: str | None = None,
    command: str = "",
    warn: Callable[[str], None] | None = None,
) -> CanaryResult:
    """Audit what was trained once, by canaries that coins put into the training data.

    Args:
        scores: one score for each canary, where more speaks for "in" and NaN
            says nothing, shape (canaries,); or a table or a file of them, with
            columns member, score or guess, and run, pair, canary where needed;
            None where there are `guesses` instead.
        members: whether each canary was put in, shape (canaries,); in a table,
            its column says so.
        epsilon: claimed epsilon; with `delta` for approximate DP.
        delta: claimed delta.
        rho: claimed zCDP parameter.
        mu: claimed Gaussian DP parameter.
        renyi: claimed Rényi order and epsilon.
        relation: of the claim: "add-remove", "substitute", "user" or "declared".
        assignment: "coin", "pairs" or "halves"; coins where nobody says.
        probability: of a coin.
        runs: of training, one for each canary, where there were several with
            fresh coins and fresh noise.
        pairs: which two canaries belong together, for `assignment="pairs"`.
        guesses: 1 for "in", -1 for "out", 0 for none, instead of scores.
        columns: names of a table's columns that have unusual ones, such as
            {"score": "loss"}.
        lower_is_member: whether lower scores speak for "in".
        alpha: chance of flagging training that keeps its claim.
        seed: of the permutation that breaks ties.
        name: how the result calls what was trained.
        command: what repeats this audit, for the report.
        warn: told the ceiling, and what may be wrong, before the answer.

    Returns:
        The result; `verdict` and `epsilon_lower` are what most want.

    Raises:
        ClaimError: no claim is stated, or its numbers make no sense.
        InputError: another argument makes no sense, or the canaries cannot be
            audited as declared.
    """
    started, tell = perf_counter(), warn or (lambda sentence: None)
    claim = claim_from(epsilon=epsilon, delta=delta, rho=rho, mu=mu, renyi=renyi)
    if claim is None:
        raise ClaimError("canaries state no claim; give epsilon, rho, mu or renyi")
    check_amounts(alpha=alpha, seed=seed, probability=probability)
    given = {"member": members, "run": runs, "pair": pairs, "guess": guesses}
    table, where = _table(scores, given)
    found = scores_in(table, _names(columns), where, lower_is_member=lower_is_member, warn=tell)
    design = Design(
        assignment=_assignment(assignment, probability),
        probability=float(probability),
        relation=_relation(relation),
    )
    settings = Settings(
        alpha=alpha,
        seed=seed,
        name=name or "trained model",
        command=command,
        declared=assignment is not None,
        warn=tell,
    )
    result = audit_scores(found, design, claim, settings)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return replace(result, seconds=round(perf_counter() - started, 3), finished=now)


def _table(scores: Any, given: Mapping[str, Any]) -> tuple[pd.DataFrame, str]:
    """The table, and what it is called in messages."""
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


def _names(columns: Mapping[str, str] | None) -> ColumnNames:
    try:
        return ColumnNames(**(columns or {}))
    except TypeError:
        known = ", ".join(ColumnNames.__dataclass_fields__)
        raise InputError(f"columns {shown(columns)} name others than {known}", columns) from None


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
            f"probability {probability:g} has no place with --assignment {found}: which of two "
            "canaries is put in is a fair coin",
            probability,
        )
    return found
