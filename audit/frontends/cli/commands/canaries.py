"""`audit canaries`: what was trained once, by the scores of its canaries."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from audit.canary.result import CanaryResult
from audit.canary.running import canaries
from audit.errors import InputError
from audit.frontends import github
from audit.frontends.cli.flags import BUDGET, DATA, ClaimFlags, whole_number
from audit.frontends.cli.folding import say, whole
from audit.frontends.cli.invocation import Invocation, as_flags
from audit.frontends.cli.output import (
    NameFlag,
    OutputFlags,
    check_writable,
    rendered,
    verdict_code,
    write,
)
from audit.validation import as_flag, check_amounts
from audit.verdict import renderers


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class DesignFlags:
    """Flags that declare how members were chosen.

    Attributes:
        assignment: by coins, in pairs, or in halves; None where nobody says.
        probability: of a coin.
        lower_is_member: true if lower scores indicate members.
    """

    assignment: Annotated[
        Literal["coin", "pairs", "halves"] | None,
        Parameter(
            group=DATA,
            help="who was trained on: each canary by a coin of its own (the default), one of each "
            "pair by a fair coin, or a fixed number of them drawn at random",
        ),
    ] = None
    probability: Annotated[float, Parameter(group=DATA, help="of a coin, to be trained on")] = 0.5
    lower_is_member: Annotated[
        bool,
        Parameter(group=DATA, negative="", help="lower scores indicate members, as losses do"),
    ] = False


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnFlags:
    """Columns that have other names than usual.

    Attributes:
        score: more of it speaks for a member.
        guess: instead of a score.
        member: whether it was trained on.
        run: of training.
        pair: of canaries.
        canary: which one it is.
    """

    score: Annotated[
        str | None, Parameter(group=DATA, help="column of scores; by default score")
    ] = None
    guess: Annotated[
        str | None,
        Parameter(group=DATA, help="column of guesses instead: 1 trained on, -1 not, 0 no guess"),
    ] = None
    member: Annotated[
        str | None,
        Parameter(group=DATA, help="column of 1 (trained on) and 0; by default member"),
    ] = None
    run: Annotated[
        str | None,
        Parameter(group=DATA, help="column of runs of training, with fresh coins and noise each"),
    ] = None
    pair: Annotated[
        str | None, Parameter(group=DATA, help="column that tells which two form a pair")
    ] = None
    canary: Annotated[
        str | None, Parameter(group=DATA, help="column that tells canaries apart")
    ] = None

    def given(self) -> dict[str, str]:
        """The columns that were named, by what they hold."""
        named = {field.name: getattr(self, field.name) for field in fields(self)}
        return {what: name for what, name in named.items() if name is not None}


def command(
    scores: Annotated[
        Path,
        Parameter(
            help="one row a canary with columns member and score (or guess): CSV, Parquet, JSON "
            "lines, npz",
            show=True,
        ),
    ],
    /,
    *,
    claim: ClaimFlags = ClaimFlags(),
    design: DesignFlags = DesignFlags(),
    columns: ColumnFlags = ColumnFlags(),
    alpha: Annotated[
        float, Parameter(group=BUDGET, help="probability of flagging a training within its claim")
    ] = 0.001,
    seed: Annotated[
        int | None,
        Parameter(
            group=BUDGET,
            converter=whole_number,
            help="of the permutation that breaks ties and of the matching of canaries, unknown to "
            "the training; fresh by default where canaries are matched",
        ),
    ] = None,
    assume: Annotated[
        tuple[Literal["independent-canaries"], ...],
        Parameter(
            group=BUDGET,
            negative="",
            help="an assumption that is not tested; two-sample tests are then used as well, and "
            "the result names it",
        ),
    ] = (),
    named: NameFlag = NameFlag(),
    output: OutputFlags = OutputFlags(),
    invocation: Annotated[Invocation, Parameter(parse=False)],
) -> int:
    """Guess the members, compare with what the claim allows, deliver the result."""
    check_writable(output)
    _check_format(output)
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
    return deliver_canaries(result, output)


def deliver_canaries(result: CanaryResult, flags: OutputFlags) -> int:
    """Write the result where it is wanted.

    Returns:
        The exit code.

    Raises:
        InputError: a file cannot be written.
    """
    _check_format(flags)
    write(rendered(result, flags), flags.output, colors=flags.format == "text")
    if flags.report is not None:
        from audit.canary.report import write_report

        say(f"report in {write_report(result, flags.report)[0]}")
    return verdict_code(result.verdict, flags.fail_on)


def _check_format(flags: OutputFlags) -> None:
    """Refuse a format that shows audits of black boxes alone."""
    if f"{CanaryResult.family} {flags.format}" not in renderers.FORMATS:
        raise InputError(
            f"--format {flags.format} shows nothing of canaries; give text, json, markdown or html",
            flags.format,
        )
