"""Command lines that the parser refuses, in one line that says what to write instead."""

from __future__ import annotations

from cyclopts import CycloptsError, MissingArgumentError, RepeatArgumentError, UnusedCliTokensError

from audit.frontends.cli.app import COMMANDS

_PLACEHOLDER = "[FLAGS]"


def line_about(error: CycloptsError) -> str:
    """Line of the message about it."""
    if isinstance(error, UnusedCliTokensError):
        unused = " ".join(error.unused_tokens or ())
        return f"{unused!r} is one argument too many; --help shows what this command takes"
    if isinstance(error, MissingArgumentError):
        return _missing(error) or str(error).rstrip(".")
    if isinstance(error, RepeatArgumentError):
        return _repeated(error)
    return str(error).rstrip(".")


def _missing(error: MissingArgumentError) -> str:
    """Missing argument or value of a flag; empty if it is unknown."""
    name, argument = next(iter(error.command_chain or ()), ""), error.argument
    if argument is None:
        return ""
    flag = error.keyword or next((t.keyword for t in argument.tokens if t.keyword), None)
    if flag is not None:
        return f"{flag} has no value; write one behind it, or leave it out"
    if name not in COMMANDS:
        return ""
    known = COMMANDS[name]
    words = [word for word in known.usage.split() if word != _PLACEHOLDER]
    named = argument.name.startswith("--") or argument.index is None
    what = argument.name if named else words[argument.index or 0]
    return f"{what} is missing; write for example: {known.examples[0]}"


def _repeated(error: RepeatArgumentError) -> str:
    """Flags given twice, or together with their opposite."""
    flag = error.token.keyword or ""
    name = flag.removeprefix("--").removeprefix("no-")
    both = [f"--{name}", f"--no-{name}"]
    if set(both) <= set(error.root_input_tokens or ()):
        return f"{' and '.join(both)} say two things; give one of them"
    return f"{flag} is given more than once; give it once"
