"""`audit canaries`: what was trained once, by the scores of its canaries."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from audit.canary.audit import canaries
from audit.canary.result import CanaryResult
from audit.frontends import github
from audit.frontends.cli.flags import (
    BUDGET,
    DATA,
    ClaimFlags,
    NameFlag,
    OutputFlags,
    flags,
    helped,
    whole_number,
)
from audit.frontends.cli.folding import say, whole
from audit.frontends.cli.invocation import Call, as_flags
from audit.frontends.cli.output import check_shows, check_writable, deliver
from audit.validation import as_flag, check_amounts


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
def command(
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
    check_writable(output)
    check_shows(CanaryResult.family, output.format)
    check_amounts(as_flag, alpha=alpha, seed=seed or 0, probability=design.probability)
    result = canaries(
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
