"""Help pages: the flags that most people need, or with --help-all every flag."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cyclopts.help import HelpEntry, HelpPanel
    from rich.console import Console, ConsoleOptions

HELP_ALL = "--help-all"
_CLAIM = {"--epsilon", "--delta", "--rho", "--relation"}
_DATA = {"--data", "--neighbor", "--domain"}
_BUDGET = {"--max-samples", "--max-seconds", "--alpha", "--seed"}
_OUTPUT = {"--format", "--report", "--verbose"}
_AUDIT = _CLAIM | _DATA | _BUDGET | _OUTPUT
_OF_CANARIES = {"--assignment", "--score", "--member", "--lower-is-member", "--run"}
SHORT = {
    "MECHANISM": {"--epsilon", "--delta", "--data", "--domain", "--max-samples", "--seed"}
    | {"--report", "--verbose"},
    "python": _AUDIT,
    "command": _AUDIT | {"--serve"},
    "http": _AUDIT | {"--url-template", "--bearer-env"},
    "sql": _AUDIT | {"--database"},
    "samples": _CLAIM | _OUTPUT | {"--alpha", "--column"},
    "canaries": _CLAIM | _OUTPUT | _OF_CANARIES | {"--alpha", "--seed"},
    "all": _BUDGET | _OUTPUT | {"--group", "--config", "--workers"},
    "benchmark": {"--epsilon", "--sweep", "--max-samples", "--seed", "--workers"} | _OUTPUT,
}
"""Flags on the short page of each audit; other commands show all of theirs."""
MECHANISM = "Mechanism"
"""The panel of a mechanism's own parameters, which are always shown."""
_MORE = f"{HELP_ALL} shows every flag."
Formatter = Callable[["Console", "ConsoleOptions", "HelpPanel"], None]


def as_help(tokens: Sequence[str]) -> tuple[bool, list[str]]:
    """Presence of --help-all on a command line, and the line with --help in its place."""
    end = tokens.index("--") if "--" in tokens else len(tokens)
    own = ["--help" if token == HELP_ALL else token for token in tokens[:end]]
    return HELP_ALL in tokens[:end], [*own, *tokens[end:]]


def page(command: str, end: str, every_flag: bool) -> dict[str, Any]:
    """Arguments of `App` for the help page of a command.

    Args:
        command: its name, MECHANISM for one of the catalogue.
        end: the text after the flags.
        every_flag: the page of --help-all.
    """
    if every_flag or command not in SHORT:
        return {"help_epilogue": end}
    return {"help_epilogue": f"{end}\n\n{_MORE}", "help_formatter": _short(SHORT[command])}


def _short(flags: Collection[str]) -> Formatter:
    """The formatter of a page with these flags and the arguments without dashes."""

    def shown(entry: HelpEntry) -> bool:
        names = entry.positive_names
        return not names or any(name in flags for name in names)

    def formatted(console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        from cyclopts.help.formatters import DefaultFormatter

        if panel.format == "parameter" and panel.title != MECHANISM:
            panel.entries = list(filter(shown, panel.entries))
        DefaultFormatter()(console, options, panel)

    return formatted
