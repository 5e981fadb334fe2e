"""Flags of a result: name, format, files and exit code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from cyclopts import Group, Parameter

from audit.errors import InputError
from audit.report.document import Detail

OUTPUT = Group("Output", sort_key=4)


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class NameFlag:
    """The name of the mechanism in results and reports.

    Attributes:
        name: instead of its own name or address; None for those.
    """

    name: Annotated[
        str | None,
        Parameter(
            group=OUTPUT,
            help="name in results and reports; by default its own name or address",
        ),
    ] = None

    def given(self) -> dict[str, Any]:
        """The name as an argument of `audit.run`, if there is one.

        Raises:
            InputError: it is blank.
        """
        if self.name is not None and not self.name.strip():
            raise InputError(f"--name {self.name!r} names nothing; leave it out, or give a name")
        return {} if self.name is None else {"name": self.name}


@Parameter(name="*")
@dataclass(frozen=True, slots=True, kw_only=True)
class OutputFlags:
    """Format and files of the result, progress, and the exit code.

    Attributes:
        format: of the result.
        output: a file for the result instead of standard output.
        report: a folder for the report and its figures.
        verbose: whether text has the whole report.
        quiet: whether text is one line.
        fail_on: findings with exit code 1.
        progress: on standard error; auto shows it on a terminal.
    """

    format: Annotated[
        Literal["text", "json", "markdown", "html", "sarif"],
        Parameter(group=OUTPUT, help="format of the result"),
    ] = "text"
    output: Annotated[
        str | None, Parameter(group=OUTPUT, help="file for the result instead of standard output")
    ] = None
    report: Annotated[
        str | None,
        Parameter(group=OUTPUT, help="folder for the report: page, Markdown, JSON and figures"),
    ] = None
    verbose: Annotated[
        bool,
        Parameter(
            group=OUTPUT,
            alias="-v",
            negative="",
            help="the whole report as text: evidence, events, tables, levels",
        ),
    ] = False
    quiet: Annotated[
        bool,
        Parameter(group=OUTPUT, alias="-q", negative="", help="verdict and numbers in one line"),
    ] = False
    fail_on: Annotated[
        Literal["violation", "leak", "never"],
        Parameter(group=OUTPUT, help="finding with exit code 1"),
    ] = "violation"
    progress: Annotated[
        Literal["auto", "on", "off"], Parameter(group=OUTPUT, help="progress on standard error")
    ] = "auto"

    @property
    def detail(self) -> Detail:
        """Level of detail of the result text.

        Raises:
            InputError: --verbose and --quiet are both given.
        """
        if self.verbose and self.quiet:
            raise InputError("--verbose and --quiet exclude each other; give one of them")
        if self.quiet:
            return "quiet"
        return "verbose" if self.verbose else "normal"
