"""Features of one text: its length, words, numbers, characters, JSON.

Ids and time stamps differ from call to call whatever the data are. Where they have a
form of their own they are masked before numbers are looked for: the time at which a
dataset was drawn is no property of the dataset.

Texts and bytes read back from how Python writes them, without its syntax trees.

`ast.literal_eval` counts how deep its trees are in one place for all threads: where Python
3.11 changes threads in the middle of one, it raises SystemError from then on. Outputs are read in
threads.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property, lru_cache, partial
from itertools import islice, pairwise
from operator import attrgetter, eq, methodcaller
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.errors import OutcomeError
from audit.outcomes.leaves import PARTS, leaves_of, part_of, seconds_of
from audit.outcomes.symbols import Leaf, is_text

JSON = " as JSON"
"""Behind the name of a text: what it is when parsed."""
KIND_OF = "kind of "
MOST_PLACES = 24
"""Words, numbers and characters of a text that are looked at one by one."""

KINDS = {
    "float64": "<f8",
    "float32": "<f4",
    "int64": "<i8",
    "int32": "<i4",
    "big-endian float64": ">f8",
    "big-endian float32": ">f4",
}
"""Kinds of numbers, the likelier first, and what numpy calls them."""
_NPY, _HEADER = b"\x93NUMPY", 10
"""How a file of numpy begins; behind its version and the length of its header that header is."""
_SMALLEST, _LARGEST, _LARGEST_INTEGER = 1e-12, 1e12, 2.0**24
_MOSTLY = 0.9


@lru_cache(maxsize=4096)
def packed_numbers(raw: bytes, kind: str) -> NDArray[np.float64]:
    """The numbers of a kind that some bytes hold; none where they hold no whole number of them."""
    if raw.startswith(_NPY) and len(raw) > _HEADER:
        raw = raw[_HEADER + int.from_bytes(raw[8:_HEADER], "little") :]
    dtype = np.dtype(KINDS[kind])
    if not raw or len(raw) % dtype.itemsize:
        return np.empty(0)
    with np.errstate(invalid="ignore"):  # some NaN of other bytes
        return np.frombuffer(raw, dtype).astype(np.float64)


def kinds_of(held: Sequence[bytes]) -> list[str]:
    """The kinds of numbers that some outputs seem to be packed with: two at most, as two numbers
    of half the length may look like one."""
    return list(islice((kind for kind in KINDS if _packed_so(held, kind)), 2))


def _packed_so(held: Sequence[bytes], kind: str) -> bool:
    """True if bytes hold numbers of a usual size; other bytes would seldom make such."""
    found = [packed_numbers(raw, kind) for raw in held]
    if not found or not all(part.size for part in found):
        return False
    sizes = np.abs(np.concatenate(found))
    if "int" in kind:
        good = sizes < _LARGEST_INTEGER
    else:
        good = (sizes == 0) | ~np.isfinite(sizes) | ((sizes > _SMALLEST) & (sizes < _LARGEST))
    return bool(good.mean() >= _MOSTLY) and bool(np.any(sizes[np.isfinite(sizes)] > 0))


_NUMBER = re.compile(r"(?:(?<![\w.)])[-+])?(?:\d+\.?\d*|(?<!\w)\.\d+)(?:[eE][-+]?\d+)?")
_COMMA = re.compile(r"(?<![\d.,])[-+]?\d+,\d+(?![.,]?\d)")
_STAMP = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)?(?:Z|[+-]\d\d:?\d\d)?"
    r"|\b\d\d?:\d\d:\d\d(?:[.,]\d+)?\b"
    r"|\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b"
    r"|\b0x[0-9a-fA-F]+\b"
    r"|\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{12,}\b"
)
_MASK = "~"
_MOMENT = re.compile(
    r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)?(?:Z|[+-]\d\d:\d\d)?"
)
_MOST_MOMENTS = 4
_WORD = re.compile(r"[^\s,;:=|<>\[\](){}\"']+")
_COUNTS: Mapping[str, Callable[[Text], int]] = {
    "characters": lambda text: text.length,
    "words": lambda text: len(text.words),
    "lines": lambda text: len(text.text.splitlines()),
    "numbers": lambda text: len(text.numbers),
}
_SHAPES: Mapping[str, Callable[[Text], int]] = {
    "different characters": lambda text: len(set(text.text)),
    "times of the commonest character": lambda text: max(Counter(text.text).values(), default=0),
    "characters like the one before": lambda text: sum(a == b for a, b in pairwise(text.text)),
    "characters like the one as far from the end": lambda text: sum(
        map(eq, text.text, reversed(text.text))
    ),
    "different words": lambda text: len(set(text.words)),
    "words not before the last one in the alphabet": lambda text: sum(
        one <= other for one, other in pairwise(text.words)
    ),
}
_WHOLE = {**_COUNTS, **_SHAPES}
_CLASSES: Mapping[str, Callable[[str], int]] = {
    "digits": str.isdigit,
    "capital letters": str.isupper,
    "small letters": str.islower,
    "vowels": lambda c: c in "aeiouAEIOU",
    "spaces": str.isspace,
    "other characters": lambda c: not (c.isalnum() or c.isspace()),
    "characters beyond ASCII": lambda c: ord(c) > 127,
}
_SUMMED: Mapping[str, Callable[[str], int]] = {
    "sum of digits": lambda c: int(c) if "0" <= c <= "9" else 0,
    "sum of character codes": ord,
}
_BY_CHARACTER = {**_CLASSES, **_SUMMED}
COUNTED = (*_COUNTS, *_CLASSES, *_SHAPES)
"""What is counted in a text."""
SUMS = tuple(_SUMMED)
"""What characters of a text add up to, as check digits and checksums do."""


@dataclass(frozen=True)
class Text:
    """One text, taken apart as far as it is asked.

    Attributes:
        text: it; bytes that are no UTF-8 count one character each.
        length: its characters, or bytes.
        raw: the bytes where it is made of them; else empty.
    """

    text: str
    length: int
    raw: bytes = b""

    @cached_property
    def masked(self) -> str:
        """Without ids and time stamps."""
        return _STAMP.sub(_MASK, self.text)

    @cached_property
    def moments(self) -> list[datetime]:
        """Its first time stamps, as far as they stand for days that there are."""
        found = []
        for stamp in _MOMENT.findall(self.text)[:_MOST_MOMENTS]:
            with suppress(ValueError):
                found.append(datetime.fromisoformat(stamp))
        return found

    @cached_property
    def numbers(self) -> list[str]:
        """Its numbers as they are written."""
        return _NUMBER.findall(self.masked)

    @cached_property
    def exponents(self) -> list[str]:
        """Its numbers up to the last one that has an exponent."""
        last = max((at for at, n in enumerate(self.numbers, 1) if "e" in n.lower()), default=0)
        return self.numbers[:last]

    @cached_property
    def decimals(self) -> list[str]:
        """Its numbers that have a comma in front of their decimals, where it stands for a point."""
        return _COMMA.findall(self.masked)

    @cached_property
    def words(self) -> list[str]:
        """Its words, without what separates them."""
        return _WORD.findall(self.text)

    @cached_property
    def parsed(self) -> Mapping[str, Leaf]:
        """The leaves of what it is in JSON, but for plain words and numbers; none where it is none.

        Their names follow the name of the text.
        """
        if not self.text.lstrip().startswith(("{", "[")):
            return {}
        try:
            found = json.loads(self.text)
            kind, leaves = leaves_of(found, JSON)
        except (ValueError, RecursionError, OutcomeError):
            return {}
        # Names are made of the name of the whole, which stands behind other words in some.
        return {name.replace(JSON, f"\0{JSON}", 1): leaf for name, leaf in leaves.items()} | {
            f"{KIND_OF}\0{JSON}": kind
        }

    @cached_property
    def codes(self) -> list[int]:
        """The codes of its characters; of bytes, the bytes."""
        return list(self.raw) or list(map(ord, self.text))

    def packed(self, kind: str) -> NDArray[np.float64]:
        """The numbers of a kind that its bytes hold."""
        return packed_numbers(self.raw, kind)

    def count(self, kind: str) -> float:
        """Number of characters of a kind, words, lines or numbers; or what they add up to."""
        if kind in _WHOLE:
            return float(_WHOLE[kind](self))
        return float(sum(map(_BY_CHARACTER[kind], self.text)))


def _number(written: str) -> Leaf:
    number = float(written)
    return number if abs(number) < math.inf else "an integer beyond floats"


def _packed(number: float) -> Leaf:
    return float(number) if abs(number) < math.inf else repr(float(number))


def _mantissa(number: str) -> str:
    return number.lower().partition("e")[0]


def _exponent(number: str) -> Leaf | None:
    # More digits than these are no number that a float holds.
    digits = number.lower().partition("e")[2][:9]
    return float(digits) if digits else None


DECIMAL = "decimal number"
"""One with a point; `number` counts those without as well."""
SECONDS = "seconds of time stamp"
PLACED: Mapping[str, tuple[Callable[[Text], Sequence[Any]], Callable[[Any], Leaf | None]]] = {
    "number": (attrgetter("numbers"), _number),
    DECIMAL: (attrgetter("decimals"), lambda number: float(number.replace(",", "."))),
    **{f"{kind} number": (methodcaller("packed", kind), _packed) for kind in KINDS},
    "decimals of number": (
        attrgetter("numbers"),
        lambda number: float(len(_mantissa(number).partition(".")[2])),
    ),
    "last digit of number": (
        attrgetter("numbers"),
        lambda number: float(_mantissa(number).rstrip(".")[-1]),
    ),
    "exponent of number": (attrgetter("exponents"), _exponent),
    SECONDS: (attrgetter("moments"), seconds_of),
    **{f"{p} of time stamp": (attrgetter("moments"), partial(part_of, part=p)) for p in PARTS},
    "word": (attrgetter("words"), repr),
    "character": (attrgetter("text"), repr),
    "code of character": (attrgetter("codes"), float),
}
"""What a text has at each of its places, and what is read of one."""


def at_place(text: Text, what: str, place: int) -> Leaf | None:
    """A reading of `PLACED` at a place, counted from 1, or from -1 at the end."""
    entries, read = PLACED[what]
    held = entries(text)
    if not 1 <= abs(place) <= len(held):
        return None
    return read(held[place - 1 if place > 0 else place])


@lru_cache(maxsize=16)
def texts_of(symbols: tuple[str, ...]) -> tuple[Text | None, ...]:
    """The texts that symbols stand for; None for symbols that are none."""
    return tuple(map(_text, symbols))


def _text(symbol: str) -> Text | None:
    if not is_text(symbol):
        return None
    plain = symbol[0] != "b" and "\\" not in symbol and symbol[0] == symbol[-1]
    if plain and len(symbol) > 1:
        return Text(symbol[1:-1], len(symbol) - 2)
    try:
        found = unquoted(symbol)
    except ValueError:
        return Text(symbol[1:], len(symbol))  # a very long one that was cut
    if isinstance(found, bytes):
        try:
            return Text(found.decode(), len(found), found)
        except UnicodeDecodeError:
            return Text(found.decode("latin-1"), len(found), found)
    return Text(found, len(found))


def without_numbers(text: Text) -> str:
    """It without its numbers, ids and time stamps."""
    return _NUMBER.sub("#", text.masked)


_WRITTEN = r"""(['"])((?:(?!\1)[^\\]|\\(?:[\\'"nrt]|x[0-9a-f]{2}%s))*)\1"""
_WIDE = "|u[0-9a-f]{4}|U00(?:0[0-9a-f]|10)[0-9a-f]{4}"
_QUOTED = re.compile(_WRITTEN % _WIDE, re.DOTALL)
_QUOTED_BYTES = re.compile("b" + _WRITTEN % "", re.DOTALL)


def unquoted(written: str) -> str | bytes:
    """The text, or the bytes, of which this is the `repr`.

    Raises:
        ValueError: it is none; a long one may have been cut.
    """
    packed = written.startswith("b") and written.isascii()
    found = (_QUOTED_BYTES if packed else _QUOTED).fullmatch(written)
    if found is None:
        raise ValueError(f"{written[:40]!r} is no text as Python writes it")
    text = found[2].encode("latin-1", "backslashreplace").decode("unicode_escape")
    return text.encode("latin-1") if packed else text
