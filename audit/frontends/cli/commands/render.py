"""`audit render`: a report from a stored result."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, TypeVar

from cyclopts import Parameter

from audit.canary.restore import read_result
from audit.canary.result import CanaryResult
from audit.frontends.cli.commands.canaries import deliver_canaries
from audit.frontends.cli.delivery import check_writable, deliver
from audit.frontends.cli.invocation import Invocation
from audit.frontends.cli.output_flags import NameFlag, OutputFlags
from audit.verdict.result import AuditResult

Found = TypeVar("Found", AuditResult, CanaryResult)


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
    if isinstance(found, CanaryResult):
        return deliver_canaries(_called(found, named), output)
    return deliver(_called(found, named), output)


def _called(found: Found, named: NameFlag) -> Found:
    return replace(found, mechanism=named.given().get("name", found.mechanism))
