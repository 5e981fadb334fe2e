"""`audit render`: a report from a stored result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from audit.frontends.cli.delivery import check_writable, deliver
from audit.frontends.cli.flags import NameFlag, OutputFlags
from audit.frontends.cli.invocation import Invocation
from audit.report.restore import read_result


def command(
    result: Annotated[Path, Parameter(help="a result as --format json writes it", show=True)],
    /,
    *,
    named: NameFlag = NameFlag(),
    output: OutputFlags = OutputFlags(),
    invocation: Annotated[Invocation, Parameter(parse=False)],
) -> int:
    """Show a stored result again, with the exit code it had."""
    check_writable(output)
    found = read_result(result)
    return deliver(replace(found, mechanism=named.given().get("name", found.mechanism)), output)
