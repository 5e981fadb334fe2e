"""Texts and bytes around a noisy number that expose a whole number."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from datetime import datetime, timedelta

from mechanisms.parts.rendering import Render, each

_HEX = "0123456789abcdef"
_CONSONANTS, _VOWELS = "bcdfghjklm", "aeiou"
_MONDAY = datetime(2026, 11, 16)


def _hexadecimal(chance: float, digits: int) -> str:
    return f"{int(chance * 16**digits):0{digits}x}"


@each
def line(noisy: float, shown: int, chance: list[float]) -> str:
    """A number after others that never repeat."""
    return f"job {int(chance[0] * 1e9)}: released {noisy:.6f} from {shown} records"


@each
def log(noisy: float, shown: int, chance: list[float]) -> str:
    """A field of a log line with a time and an id."""
    time = f"2026-11-21T10:{int(chance[0] * 60):02}:{chance[1] * 60:06.3f}Z"
    return f"{time} INFO {_hexadecimal(chance[2], 12)} value={noisy:.4f} rows={shown}"


@each
def padded(noisy: float, shown: int, chance: list[float]) -> str:
    """The length of a text."""
    return f"{noisy:+09.4f}"[:9] + "." * shown


@each
def document(noisy: float, shown: int, chance: list[float]) -> str:
    """An entry of a JSON document with entries in random order."""
    entries = [("value", round(noisy, 6)), ("rows", shown), ("id", int(chance[0] * 1e9))]
    turn = int(chance[1] * 3)
    return json.dumps(dict(entries[turn:] + entries[:turn]))


@each
def word(noisy: float, shown: int, chance: list[float]) -> str:
    """A word at a random place among words that never repeat."""
    words = [_hexadecimal(part, 6) for part in chance[:5]] + [f"{noisy:.5f}"]
    words.insert(int(chance[5] * 6), "odd" if shown % 2 else "even")
    return " ".join(words)


@each
def decimals(noisy: float, shown: int, chance: list[float]) -> str:
    """The number of decimals of a number in a text of random length."""
    return f"{int(chance[0] * 10 ** (1 + int(chance[1] * 6)))} and {noisy:.{3 + shown % 4}f}"


@each
def packed(noisy: float, shown: int, chance: list[float]) -> bytes:
    """One byte among others."""
    return struct.pack("<d", noisy) + bytes([shown]) + struct.pack("<d", chance[0])


@each
def lines(noisy: float, shown: int, chance: list[float]) -> str:
    """The number of lines, each of random length."""
    parts = [f"{part * noisy:.{int(part * 9)}f}" for part in chance[: 2 + shown % 4]]
    return "\n".join([*parts, "x" * int(chance[7] * 40)])


@each
def capitals(noisy: float, shown: int, chance: list[float]) -> str:
    """The letter case of an id."""
    text = f"x{_hexadecimal(chance[0], 10)}-{abs(noisy):.4f}"
    return text.upper() if shown % 2 else text


@each
def check_digit(noisy: float, shown: int, chance: list[float]) -> str:
    """One character of an id."""
    text = _hexadecimal(chance[0], 12)
    return f"{text[:4]}{_HEX[shown]}{text[5:]}"


@each
def vowels(noisy: float, shown: int, chance: list[float]) -> str:
    """The number of vowels of a name at a random place."""
    digits = int(chance[0] * 1e12)
    drawn = [digits // 10**place % 10 for place in range(12)]
    turn = int(chance[1] * 12)
    letters = [
        (_VOWELS[digit // 2] if place < shown else _CONSONANTS[digit])
        for place, digit in enumerate(drawn)
    ]
    return f"{''.join(letters[turn:] + letters[:turn])} {noisy:.4f}"


@each
def stamp(noisy: float, shown: int, chance: list[float]) -> str:
    """The weekday of a timestamp in a random week."""
    days = 7 * int(10 * noisy + 1000 * chance[0]) + shown % 7
    return (_MONDAY + timedelta(days, int(86_400 * chance[1]))).isoformat()


@each
def last_digit(noisy: float, shown: int, chance: list[float]) -> str:
    """The last digit before an exponent."""
    decimals, exponent = int(chance[1] * 4), 5 + int(chance[2] * 4)
    front = f"{chance[0] * 10 ** (1 + int(chance[3] * 4)):.{1 + decimals}f}"
    return f"{front}{shown}e-{exponent:02} of {noisy:.3f} {'.' * int(chance[4] * 9)}"


TEXTS: Mapping[str, Render] = {
    "text-line": line,
    "text-log": log,
    "text-length": padded,
    "text-json": document,
    "text-word": word,
    "text-decimals": decimals,
    "bytes": packed,
    "text-lines": lines,
    "text-capitals": capitals,
    "text-character": check_digit,
    "text-vowels": vowels,
    "text-time-stamp": stamp,
    "text-last-digit": last_digit,
}
