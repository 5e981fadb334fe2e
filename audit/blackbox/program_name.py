"""Name of a program: its own file, not the interpreter that runs it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

_INTERPRETER = re.compile(
    r"(python|pypy|ruby|perl|php|lua|tclsh|guile)[\d.]*|node|nodejs|deno|bun|java|julia|Rscript|"
    r"octave|racket|sh|bash|dash|zsh|ksh|env"
)
_MODULE = "-m"
_CODE = re.compile(r"-([A-Za-z]*c|e|E|p)|--eval|--print")
"""Flags behind which stands a program's text."""


def program_name(words: Sequence[str]) -> str:
    """Name of a program in results.

    Args:
        words: the program and its arguments.

    Returns:
        The name of its file; where that is an interpreter, the name of the script or
        of the module (-m) that it runs, if there is one.
    """
    own, *arguments = words
    name = Path(own).name
    if not _INTERPRETER.fullmatch(name):
        return name
    for place, word in enumerate(arguments):
        if word == _MODULE and place + 1 < len(arguments):
            return arguments[place + 1]
        if _CODE.fullmatch(word):
            break
        if os.path.isfile(word):
            # Behind `env` stands a program, and its arguments.
            return program_name(arguments[place:])
    return name
