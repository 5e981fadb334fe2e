"""The entry point: from the command line to an exit code."""

from __future__ import annotations

import difflib
import os
import re
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain

import cyclopts

from audit.errors import AuditError, InputError, reason_of
from audit.frontends.cli import invocation
from audit.frontends.cli.app import COMMANDS, as_help, build, examples, page, usage_of
from audit.frontends.cli.folding import abandon_stdout, say, speak_utf8
from audit.validation import closest

_COMMENT = re.compile(r"--[^=\s]*\s")
"""How a query begins that has a comment in front; flags hold no blank."""
_ERROR, _INTERRUPTED, _NO_READER = 2, 130, 141
_SLEEP_SOON = "OPENBLAS_THREAD_TIMEOUT", "4"
"""Threads of OpenBLAS wait busily for work after numpy and scipy have loaded, 0.1 s each; this is
the least, as the logarithm of processor cycles."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says, by default that of this process; return the exit code."""
    speak_utf8()
    os.environ.setdefault(*_SLEEP_SOON)
    debug, tokens = invocation.without_debug(sys.argv[1:] if arguments is None else arguments)
    try:
        with _terminable():
            return _obeyed(tokens)
    except KeyboardInterrupt as interrupt:
        say(" ".join(["interrupted", *getattr(interrupt, "__notes__", ())]))
        return _INTERRUPTED
    except BrokenPipeError:
        abandon_stdout()
        return _NO_READER
    except Exception as error:
        if debug:
            traceback.print_exc()
        line = line_about(error)
        if not isinstance(error, AuditError | cyclopts.CycloptsError):
            line += "; this is a bug of the tool, --debug shows where it is"
        say(f"{line}{invocation.origin_of(line, tokens)}")
        return _ERROR


@contextmanager
def _terminable() -> Iterator[None]:
    """SIGTERM as Ctrl-C: an audit that a job scheduler ends shows the evidence so far."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)


def _obeyed(tokens: Sequence[str]) -> int:
    if not tokens:
        raise InputError(
            "nothing to audit; name a mechanism or a command, as in: audit noisy-average "
            "(audit --help shows all)"
        )
    try:
        os.getcwd()
    except FileNotFoundError:
        raise InputError("the working directory is gone; cd to one that exists") from None
    return parsed(tokens)() or 0


def parsed(tokens: Sequence[str], *, settings: bool = True) -> Callable[[], int | None]:
    """Command of a command line, ready to be carried out; the project's settings may complete it.

    Raises:
        InputError: a command that does not exist.
        cyclopts.CycloptsError: flags or arguments that the command does not take.
    """
    every_flag, tokens = as_help(tokens)
    app = _app_for(tokens[0], every_flag)
    if tokens[0] == "benchmark":  # its commands are only known once benchmarks are loaded
        from audit.frontends.cli.mechanism import group

        known = COMMANDS["benchmark"]
        del app["benchmark"]
        shown = page("benchmark", examples(known.examples), every_flag)
        app.command(group(known.help, usage_of("benchmark"), shown))
    if tokens[0] == "sql":
        tokens = [f" {token}" if _COMMENT.match(token) else token for token in tokens]
    tokens = invocation.in_one_line(invocation.with_settings(app, tokens) if settings else tokens)
    command, bound, left = app.parse_args(
        tokens, exit_on_error=False, print_error=False, verbose=False
    )
    given = {name: invocation.Invocation(tuple(tokens)) for name in left}
    return partial(command, *bound.args, **bound.kwargs, **given)


def flags_of_command(name: str) -> dict[str, bool]:
    """The flags that a command takes, and whether each is one without a value.

    Raises:
        InputError: it does not exist.
    """
    return invocation.flags_of(_app_for(name), name)


def _app_for(name: str, every_flag: bool = True) -> cyclopts.App:
    app = build(every_flag=every_flag)
    if not name.startswith("-") and name not in COMMANDS:
        _add_mechanism(app, name, every_flag)
    return app


def _add_mechanism(app: cyclopts.App, name: str, every_flag: bool) -> None:
    """The command of one mechanism; the others of the catalogue need none in this call."""
    near = difflib.get_close_matches(name, COMMANDS, n=1, cutoff=0.75)
    # Loaded only here: the catalogue takes longer to load than all the rest.
    from audit.frontends.cli.listing import entry_named
    from audit.frontends.cli.mechanism import command_for
    from audit.frontends.cli.mechanism import examples as examples_of

    try:
        entry = entry_named(name)
    except InputError as error:
        if ":" in name or name.endswith(".py"):
            kind = "http" if "://" in name else "python"
            raise InputError(f"{name!r} is no command; write audit {kind} {name}", name) from error
        if not near:
            raise
        raise InputError(f"{name!r} is no command; did you mean {near[0]}?", name) from error
    shown = page("MECHANISM", examples(examples_of(entry)), every_flag)
    app.command(command_for(entry), name=name, **shown)


def line_about(error: Exception) -> str:
    """Line of the message about it."""
    if isinstance(error, AuditError):
        return invocation.as_flags(str(error))
    if not isinstance(error, cyclopts.CycloptsError):
        return f"internal error: {reason_of(error)}"
    if isinstance(error, cyclopts.UnusedCliTokensError):
        unused = " ".join(error.unused_tokens or ())
        return f"{unused!r} is one argument too many; --help shows what this command takes"
    if isinstance(error, cyclopts.UnknownOptionError):
        return _unknown(error) or str(error).rstrip(".")
    if isinstance(error, cyclopts.MissingArgumentError):
        return _missing(error) or str(error).rstrip(".")
    if isinstance(error, cyclopts.RepeatArgumentError):
        return _repeated(error)
    token = getattr(error, "token", None)
    if isinstance(error, cyclopts.CoercionError) and error.target_type is float and token:
        flag = token.keyword or "a number"
        return f'{flag} "{token.value}" is not a number; write for example {flag} 0.5'
    return str(error).rstrip(".")


def _unknown(error: cyclopts.UnknownOptionError) -> str:
    """An unknown flag with the closest one; empty if none is close."""
    flag = error.token.keyword or error.token.value
    names = chain.from_iterable(one.names for one in error.argument_collection if one.parse)
    near = closest(flag, names)
    return f"Unknown option: {flag}. Did you mean {near}?" if near else ""


def _missing(error: cyclopts.MissingArgumentError) -> str:
    """Missing argument or value of a flag; empty if it is unknown."""
    name, argument = next(iter(error.command_chain or ()), ""), error.argument
    if argument is None:
        return ""
    flag = error.keyword or next((t.keyword for t in argument.tokens if t.keyword), None)
    if flag is not None:
        return f"{flag} has no value; write one behind it, or leave it out"
    return _missing_word(name, argument) if name in COMMANDS else ""


def _missing_word(name: str, argument: cyclopts.Argument) -> str:
    known = COMMANDS[name]
    words = [word for word in known.usage.split() if word != "[FLAGS]"]
    named = argument.name.startswith("--") or argument.index is None
    what = argument.name if named else words[argument.index or 0]
    return f"{what} is missing; write for example: {known.examples[0]}"


def _repeated(error: cyclopts.RepeatArgumentError) -> str:
    """Flags given twice, or together with their opposite."""
    flag = error.token.keyword or ""
    name = flag.removeprefix("--").removeprefix("no-")
    both = [f"--{name}", f"--no-{name}"]
    if set(both) <= set(error.root_input_tokens or ()):
        return f"{' and '.join(both)} say two things; give one of them"
    return f"{flag} is given more than once; give it once"
