"""Parts of an output, and runs that gave none, as people call them."""

from __future__ import annotations

import re

from audit.outcomes.encoding import KIND, OUTPUT
from audit.outcomes.symbols import LENGTH, MISSING

_KEY = re.compile(r"(.*)\[('.*'|\".*\")\]( #\d+)?", re.DOTALL)
_MEMBER = re.compile(r"(.*) in (output.*)", re.DOTALL)
_FAILURES = {
    "raised ": "raises ",
    "timed out": "times out",
    "exit code ": "ends with exit code ",
    "killed by ": "is killed by ",
    "more than ": "writes more than ",
    "no output file": "writes no output file",
}
_SYMBOLS = {"nan": "NaN", "inf": "infinity", "-inf": "minus infinity"}


def named(part: str) -> str:
    """A part of the output as a sentence calls it."""
    if part.startswith(LENGTH):
        return f"the length of {named(part.removeprefix(LENGTH))}"
    return "the output" if part == OUTPUT else part


def failure(kind: str) -> str:
    """What a mechanism does whose run failed in this way; empty for an output of a kind."""
    found = (verb + kind.removeprefix(name) for name, verb in _FAILURES.items() if _is(kind, name))
    return next(found, "")


def _is(kind: str, name: str) -> bool:
    return kind.startswith(name) if name.endswith(" ") else kind == name


def symbol(part: str, value: str) -> str:
    """That a part is a symbol, as the rest of a sentence: "is NaN", "raises ValueError"."""
    if part == KIND:
        return failure(value) or (f"is {value}" if value == "None" else f"is of type {value}")
    if value == MISSING:
        return "is absent"
    return f"is {_SYMBOLS.get(value, value)}"


def presence(part: str, present: bool) -> str:
    """That an output has a part, or has not, as a sentence."""
    verb = "is" if present else "is not"
    if part == OUTPUT:
        return "there is a single answer" if present else "there is no single answer"
    if member := _MEMBER.fullmatch(part):
        return f"{member[1]} {verb} in {named(member[2])}"
    adjective = "present" if present else "absent"
    if key := _KEY.fullmatch(part):
        inside = "" if key[1] == OUTPUT else f" of {key[1]}"
        return f"key {key[2]}{key[3] or ''}{inside} is {adjective}"
    return f"{named(part)} is {adjective}"
