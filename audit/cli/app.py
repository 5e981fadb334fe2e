"""The commands and their help."""

from __future__ import annotations

from cyclopts import App

from audit.cli.invocation import PROGRAM
from audit.version import VERSION

_HELP = """Audit a differential privacy claim by running the mechanism.

The answer is a violation, shown as two neighboring datasets and an event whose odds break \
the claim, or "not refuted" with what would have been seen. It is never "private".

MECHANISM is one of the catalogue; its parameters are flags of its own (audit MECHANISM --help).
"""

_EPILOGUE = """Examples:
  audit list
  audit noisy-average
  audit python release.py:noisy_sum --epsilon 1 --domain float:0:1
  audit command --epsilon 0.5 --data ages.csv -- ./program {data}
  audit samples D.txt D1.txt --epsilon 0.5 --bins 5

--debug, with any command, shows the traceback of an error.
Exit codes: 0 not refuted, 1 violation, 2 bad input or usage, 3 inconclusive, 130 interrupted."""

COMMANDS: dict[str, tuple[str, str]] = {
    "list": (
        "Mechanisms in the catalogue: claim, relation, truth where known.",
        "audit list\naudit list --format json",
    ),
}
"""Help and examples of each command, known here so that --help loads none of them."""


def build() -> App:
    """The program with all its commands but the mechanisms of the catalogue."""
    app = App(
        name=PROGRAM,
        help=_HELP,
        help_epilogue=_EPILOGUE,
        help_format="plaintext",
        usage="Usage: audit COMMAND|MECHANISM [FLAGS]",
        version=f"dp-audit {VERSION}",
    )
    for name, (text, lines) in COMMANDS.items():
        app.command(
            f"audit.cli.commands.{name.replace('list', 'listing')}:command",
            name=name,
            help=text,
            help_epilogue=examples(lines),
        )
    return app


def examples(lines: str) -> str:
    """Command lines as the end of a help page."""
    return "\n".join(["Examples:", *(f"  {line}" for line in lines.splitlines())])
