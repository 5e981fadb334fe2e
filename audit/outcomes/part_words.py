"""Parts of an output, and runs that gave none, as people call them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from audit.outcomes.encoding import KIND, OUTPUT
from audit.outcomes.outcomes import AMONG
from audit.outcomes.symbols import INDEX, LENGTH, MESSAGE, MISSING, MODULO, ORDER, TYPES, ZERO
from audit.outcomes.text import COUNTED, PLACED, SUMS

_DECIMALS = "decimals of "
_PLACED = "|".join(what for what in PLACED if not what.startswith(_DECIMALS))
_READ = re.compile(
    rf"(?:({'|'.join(COUNTED)}|characters among (?:'.*?'|\".*?\")) in |({'|'.join(SUMS)}) in |"
    rf"({_DECIMALS})?({_PLACED}) (-?)(\d+) of "
    r"|(first \d+ characters|pattern|name|index) of |(types|order of keys) in )(.+)",
    re.DOTALL,
)
"""What is read off a text, or of how an output is built."""
_KEY = re.compile(r"(.*)\[('.*'|\".*\")\]( #\d+)?", re.DOTALL)
_MEMBER = re.compile(r"(.*) in (output.*)", re.DOTALL)
_BUILT = {
    ORDER: ("the keys of {} are in ascending order", "the keys of {} are in no ascending order"),
    TYPES: ("{} has no entries of unusual types", "{} has entries of unusual types"),
    INDEX: ("the index of {} counts from 0", "the index of {} does not count from 0"),
    ZERO: ("{} is no negative zero", "{} is a negative zero"),
}
"""How an output is built, where that is as usual, and where it is not."""
_FAILURES = {
    "raised ": "raises ",
    "timed out": "times out",
    "exit code ": "ends with exit code ",
    "killed by ": "is killed by ",
    "more than ": "writes more than ",
    "no output file": "writes no output file",
    "crash": "ends its process",
    "timeout": "times out",
    "missing": "gives fewer outputs than asked for",
}
_SYMBOLS = {"nan": "NaN", "inf": "infinity", "-inf": "minus infinity"}


def named(part: str) -> str:
    """A part of the output as a sentence calls it."""
    if part.startswith(LENGTH):
        return f"the length of {named(part.removeprefix(LENGTH))}"
    if part.startswith(ZERO):
        return f"the {ZERO}{named(part.removeprefix(ZERO))}"
    if part == MESSAGE:
        return f"the {MESSAGE}"
    if part.startswith("entry "):
        return part.replace(OUTPUT, "the output")
    if part.endswith(MODULO):
        return f"{named(part.removesuffix(MODULO))}{MODULO}"
    if read := _READ.fullmatch(part):
        return _read_off(read)
    return "the output" if part == OUTPUT else part


def derived(part: str) -> bool:
    """True if a part is a length, a message, or read off a text or off how an output is built."""
    return part.startswith(LENGTH) or MESSAGE in part or _READ.fullmatch(part) is not None


def _read_off(read: re.Match[str]) -> str:
    """Name of a reading of a text, or of the structure of an output."""
    counted, summed, decimals, what, back, place, first, built, base = read.groups()
    whole = named(base)
    if counted:
        return f"the number of {counted} in {whole}"
    if summed:
        return f"the {summed} in {whole}"
    if what:
        at = f"{what} {place}{' from the end' if back else ''} of {whole}"
        return f"the number of decimals of {at}" if decimals else at
    if built:
        return f"the {built}{' of entries' * (built == 'types')} in {whole}"
    return f"the {first} of {whole}" + " without its numbers" * (first == "pattern")


def has_word(part: str, present: bool) -> str:
    """That a text has a word, or has not, as a sentence; empty for any other part."""
    word, among, base = part.partition(AMONG)
    return f"the word {word} is {'' if present else 'not '}in {named(base)}" if among else ""


def failure(kind: str) -> str:
    """Description of a run that failed in this way; empty for an output of a kind."""
    for name, verb in _FAILURES.items():
        if kind == name or (name.endswith(" ") and kind.startswith(name)):
            return verb + kind.removeprefix(name)
    return ""


def symbol(part: str, value: str) -> str:
    """That a part is a symbol, as the rest of a sentence: "is NaN", "raises ValueError"."""
    if part == KIND:
        return failure(value) or (f"is {value}" if value == "None" else f"is of type {value}")
    if value == MISSING:
        return "is absent"
    return f"is {_SYMBOLS.get(value, value)}"


_PRESENT, _ABSENT = ("is", "present", "a"), ("is not", "absent", "no")


_USUAL = {ORDER: "ascending", TYPES: "usual", INDEX: "from 0", ZERO: "none"}
"""Values of what is read of how an output is built, if that is as usual."""


def together(parts: Sequence[str], value: str) -> str:
    """Values of several parts, as one reading of all of them writes them: "(2, absent)"."""
    each = value.removeprefix("(").removesuffix(")").split(", ")
    if len(each) != len(parts):  # a text among them has a comma
        return value
    return f"({', '.join(map(_alone, parts, each))})"


def _alone(part: str, value: str) -> str:
    if value != MISSING:
        return _SYMBOLS.get(value, value)
    return next((word for start, word in _USUAL.items() if part.startswith(start)), "absent")


def presence(part: str, present: bool) -> str:
    """That an output has a part, or has not, as a sentence."""
    verb, adjective, number = _PRESENT if present else _ABSENT
    if part == OUTPUT:
        return f"there is {number} single answer"
    if part.startswith(LENGTH):
        return f"{named(part.removeprefix(LENGTH))} has {number} length"
    for beginning, words in _BUILT.items():
        if part.startswith(beginning):
            return words[present].format(named(part.removeprefix(beginning)))
    if member := _MEMBER.fullmatch(part):
        return f"{member[1]} {verb} in {named(member[2])}"
    if (key := _KEY.fullmatch(part)) and key[1].startswith(OUTPUT):
        inside = "" if key[1] == OUTPUT else f" of {key[1]}"
        return f"key {key[2]}{key[3] or ''}{inside} is {adjective}"
    return f"{named(part)} is {adjective}"
