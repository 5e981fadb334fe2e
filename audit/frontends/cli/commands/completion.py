"""`audit completion`: what makes a shell complete commands and flags."""

from __future__ import annotations

from typing import Annotated, Literal

from cyclopts import Parameter

from audit.frontends.cli.app import build
from audit.frontends.cli.delivery import write
from audit.frontends.cli.invocation import Invocation


def command(
    shell: Annotated[Literal["bash", "zsh", "fish"], Parameter(help="whose script it is")],
    /,
    *,
    output: Annotated[
        str | None, Parameter(help="file for the script; standard output if none")
    ] = None,
    invocation: Annotated[Invocation, Parameter(parse=False)],
) -> int:
    """Show the script."""
    write(build().generate_completion(shell=shell).rstrip("\n") + "\n", output)
    return 0
