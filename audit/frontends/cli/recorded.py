"""`audit samples` and `audit canaries`: outputs, and scores of canaries, recorded elsewhere."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from audit.canary.result import CanaryResult
from audit.errors import InputError
from audit.frontends import github
from audit.frontends.cli.carrying_out import check_budget
from audit.frontends.cli.flags import (
    BUDGET,
    DATA,
    AuditFlags,
    BudgetFlags,
    ClaimFlags,
    DataFlags,
    NameFlag,
    OutputFlags,
    flags,
    helped,
    whole_number,
)
from audit.frontends.cli.folding import say, whole
from audit.frontends.cli.invocation import Call, as_flags
from audit.frontends.cli.output import check_shows, check_writable, deliver
from audit.relation import Relation
from audit.validation import as_flag, check_amounts
from audit.verdict.recorded.run import samples

_ABOUT_DRAWING = (
    *("assume", "max_samples", "max_seconds", "until", "seed", "workers"),
    *("timeout", "cluster", "store", "ledger", "timing"),
)


@helped
def outputs(
    *files: Annotated[str, Parameter(name="FILE", negative="")],
    shuffle: Annotated[int | None, Parameter(negative="")] = None,
    flags: AuditFlags = AuditFlags(),
    invocation: Call,
) -> int:
    """Audit recorded outputs, deliver the result.

    Args:
        files: outputs on D, then those on D1, D2, ...; one per line.
        shuffle: seed of a random order of the lines; for independent draws that were sorted or
            grouped afterwards.
    """
    claim, data, budget = flags.claim, flags.data, flags.budget
    check_writable(flags.output)
    check_budget(budget)
    _check(data, budget)
    result = samples(
        files,
        claim.claim,
        relation=claim.relation or Relation.ADD_REMOVE,
        bins=budget.bins,
        alpha=budget.alpha,
        column=data.column,
        null=budget.null,
        shuffle=shuffle,
        command=invocation.reproducing,
        **flags.named.given(),
    )
    return deliver(result, flags.output)


def _check(data: DataFlags, budget: BudgetFlags) -> None:
    """Refuse flags that contradict the files; tell which others say nothing about them."""
    given = [f.name for f in fields(data) if getattr(data, f.name) not in (None, (), False)]
    refused = [f"--{name}" for name in given if name != "column"]
    if refused:
        raise InputError(
            f"{refused[0]} has no place here: the recorded files are all there is; leave it out",
            refused,
        )
    for name in _ABOUT_DRAWING:
        if getattr(budget, name) != getattr(BudgetFlags(), name):
            say(f"--{name.replace('_', '-')} changes nothing: recorded outputs are not drawn")


@flags(DATA)
@dataclass(frozen=True, slots=True, kw_only=True)
class DesignFlags:
    """Flags that declare how members were chosen.

    Attributes:
        assignment: who was trained on: each canary by a coin of its own (the default), one of each
            pair by a fair coin, or a fixed number of them drawn at random.
        probability: of a coin, to be trained on.
        lower_is_member: lower scores indicate members, as losses do.
    """

    assignment: Literal["coin", "pairs", "halves"] | None = None
    probability: float = 0.5
    lower_is_member: bool = False


@flags(DATA)
@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFlags:
    """Columns that have other names than usual.

    Attributes:
        score: column of scores; by default score.
        guess: column of guesses instead: 1 trained on, -1 not, 0 no guess.
        member: column of 1 (trained on) and 0; by default member.
        run: column of runs of training, with fresh coins and noise each.
        pair: column that tells which two form a pair.
        canary: column that tells canaries apart.
    """

    score: str | None = None
    guess: str | None = None
    member: str | None = None
    run: str | None = None
    pair: str | None = None
    canary: str | None = None

    def given(self) -> dict[str, str]:
        """The columns that were named, by what they hold."""
        return {what: name for what, name in asdict(self).items() if name is not None}


@helped
def canaries(
    scores: Annotated[Path, Parameter(show=True)],
    /,
    *,
    claim: ClaimFlags = ClaimFlags(),
    design: DesignFlags = DesignFlags(),
    columns: ColumnFlags = ColumnFlags(),
    alpha: Annotated[float, Parameter(group=BUDGET)] = 0.001,
    seed: Annotated[int | None, Parameter(group=BUDGET, converter=whole_number)] = None,
    assume: Annotated[
        tuple[Literal["independent-canaries"], ...], Parameter(group=BUDGET, negative="")
    ] = (),
    named: NameFlag = NameFlag(),
    output: OutputFlags = OutputFlags(),
    invocation: Call,
) -> int:
    """Guess the members, compare with what the claim allows, deliver the result.

    Args:
        scores: one row a canary with columns member and score (or guess): CSV, Parquet, JSON lines,
            npz.
        claim: of the training.
        design: how members were chosen.
        columns: their names.
        alpha: probability of flagging a training within its claim.
        seed: of the permutation that breaks ties and of the matching of canaries, unknown to the
            training; fresh by default where canaries are matched.
        assume: an assumption that is not tested; two-sample tests are then used as well, and the
            result names it.
        named: the training.
        output: of the result.
        invocation: the command line.
    """
    # Tests of canaries load scipy, which those of outputs need not wait for.
    from audit.canary import audit

    check_writable(output)
    check_shows(CanaryResult.family, output.format)
    check_amounts(as_flag, alpha=alpha, seed=seed or 0, probability=design.probability)
    result = audit.canaries(
        scores,
        claim=claim.claim,
        relation=claim.relation or "add-remove",
        assignment=design.assignment,
        probability=design.probability,
        lower_is_member=design.lower_is_member,
        columns=columns.given(),
        assume=assume,
        alpha=alpha,
        seed=seed,
        name=named.given().get("name", scores.name),
        command=invocation.reproducing,
        warn=lambda sentence: say(as_flags(sentence)),
    )
    github.show([result], whole)
    return deliver(result, output)
