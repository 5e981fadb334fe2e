"""A batch of outputs as named columns, and columns read off its texts when one is asked for."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.blackbox.output import check_names
from audit.outcomes.column import (
    Column,
    Floats,
    column_of,
    joined_column,
    numeric_column,
    same_symbol,
)
from audit.outcomes.leaves import PARTS
from audit.outcomes.symbols import LENGTH, MESSAGE, MISSING, Leaf
from audit.outcomes.text import (
    COUNTED,
    DECIMAL,
    JSON,
    KIND_OF,
    MOST_PLACES,
    PLACED,
    SECONDS,
    SUMS,
    Text,
    at_place,
    kinds_of,
    texts_of,
    unquoted,
    without_numbers,
)

KIND = "kind of output"
_ENTRY = re.compile(r"entry (\d+) of output")
_LETTERS = 8
"""Characters of a text that take as much room as a number."""


def entry_name(place: int) -> str:
    """Name of an entry of large arrays, counted from 0 and row by row."""
    return f"entry {place} of output"


@dataclass(frozen=True, slots=True)
class Outcomes:
    """A batch of outputs.

    Attributes:
        size: number of outputs n.
        columns: the parts by name, each of length n.
        matrix: shape (n, d), all entries of outputs that are arrays of numbers,
            also those without a column; NaN behind the last entry of a shorter
            array and where the output is none; None when there is no array.
    """

    size: int
    columns: Mapping[str, Column]
    matrix: Floats | None = None

    def column(self, name: str) -> Column:
        """The column of that name, which may be an entry of a matrix, or read off a text;
        else all "missing"."""
        found = self.columns.get(name)
        if found is None and (entry := _ENTRY.fullmatch(name)):
            place = int(entry[1])
            if self.matrix is None or place >= self.matrix.shape[1]:
                return same_symbol(MISSING, self.size)
            return numeric_column(self.matrix[:, place])
        if found is None:
            found = text_column(self.columns, name)
        return same_symbol(MISSING, self.size) if found is None else found

    @property
    def width(self) -> int:
        """Numbers and symbols that are held of one output, its kind aside; long texts are more."""
        entries = 0 if self.matrix is None else self.matrix.shape[1]
        letters = sum(len(name) for column in self.columns.values() for name in column.names)
        return len(self.columns) - 1 + entries + letters // (_LETTERS * max(1, self.size))

    @property
    def parts(self) -> tuple[str, ...]:
        """Readable parts of values, none if runs failed."""
        return tuple(name for name in self.columns if name not in (KIND, MESSAGE))

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of the outputs of this batch, each as a whole."""
        return self.columns[KIND].names[1:]

    def table(self) -> Floats:
        """All parts of all outputs as numbers, symbols by checksums, shape (n, parts).

        Their places would tell when each of them came first, and so when an output was made.
        """
        columns = self.columns.values()
        parts: list[NDArray[Any]] = [column.values.reshape(-1, 1) for column in columns]
        parts += [_checksums(c).reshape(-1, 1) for c in columns if c.symbols is not None]
        parts += [] if self.matrix is None else [np.nan_to_num(self.matrix, nan=0.0)]
        return np.concatenate(parts, axis=1, dtype=np.float64)

    def take(self, index: slice | NDArray[np.intp]) -> Outcomes:
        """The same batch restricted to some draws."""
        rows = range(self.size)[index] if isinstance(index, slice) else index
        columns = {name: column.take(index) for name, column in self.columns.items()}
        matrix = None if self.matrix is None else self.matrix[index]
        return Outcomes(len(rows), columns, matrix)

    def trimmed(self) -> Outcomes:
        """The same without the symbols that no output has."""
        columns = {name: column.trimmed() for name, column in self.columns.items()}
        return Outcomes(self.size, columns, self.matrix)


Sides = tuple[Outcomes, Outcomes]
"""Outputs on D and on D'."""


@dataclass(frozen=True, slots=True)
class PairedOutcomes:
    """Past draws of one pair.

    Attributes:
        left: outputs on D.
        right: outputs on D', paired with `left`.
    """

    left: Outcomes
    right: Outcomes


def _checksums(column: Column) -> NDArray[np.int64]:
    """A number for each symbol that depends on nothing but what it is called."""
    codes = [zlib.crc32(name.encode("utf-8", "replace")) for name in column.names]
    return np.array(codes, np.int64)[column.symbols]


def joined(batches: Sequence[Outcomes]) -> Outcomes:
    """Several batches as one, their symbols merged; those without outputs add nothing.

    Raises:
        OutcomeError: their parts have too many different names.
    """
    batches = [batch for batch in batches if batch.size] or batches[:1]
    if len(batches) == 1:
        return batches[0]
    names = dict.fromkeys(name for batch in batches for name in batch.columns)
    check_names(len(names))
    columns = {name: joined_column([b.column(name) for b in batches]) for name in names}
    return Outcomes(sum(b.size for b in batches), columns, _joined_matrix(batches))


def _joined_matrix(batches: Sequence[Outcomes]) -> Floats | None:
    widths = [b.matrix.shape[1] for b in batches if b.matrix is not None]
    if not widths:
        return None
    ends = np.cumsum([b.size for b in batches]).tolist()
    whole = np.full((ends[-1], max(widths)), np.nan)
    for end, batch in zip(ends, batches, strict=True):
        if batch.matrix is not None:
            whole[end - batch.size : end, : batch.matrix.shape[1]] = batch.matrix
    return whole


AMONG = " among the words of "
"""Between a word and the name of a text: 1 where it is one of its words, else 0."""
_FORMS = re.compile(
    rf"(?P<counted>{'|'.join((*COUNTED, *SUMS))}) in |(?P<pattern>pattern of )"
    rf"|(?P<at>{'|'.join(PLACED)}) (?P<place>-?\d+) of |first (?P<first>\d+) characters of "
    rf"|(?P<word>'.*'|\".*\"){AMONG}|characters among (?P<among>'.*?'|\".*?\") in ",
    re.DOTALL,
)
_FIRST, _LAST = 24, 4
_OTHERS = ("word", "decimals of number", "last digit of number", "exponent of number")
"""What is read at each place besides numbers and characters."""
_BEGINNINGS = (2, 4, 8, 16)
_MOST_LEAVES = 48
_CLEAR = 3.0
"""Spreads by which a side has a character oftener that is not so by chance."""
_LONGEST_CODE = 64
"""Characters of ids and the like, among which there may be one that checks the others."""
_SOME_TEXTS = 64
"""Texts of several lengths that tell which of their characters are always digits."""


def text_column(columns: Mapping[str, Column], name: str) -> Column | None:
    """The column of that name, read off texts; None where there are no such texts."""
    if JSON in name:
        return _of_json(columns, name)
    found = _FORMS.match(name)
    if found is None or name[found.end() :] not in columns:
        return None
    return _read(columns[name[found.end() :]], found[0])


def _reading(form: str) -> Callable[[Text], Leaf | None]:
    """Reading named by the start of a column's name or by the name of a leaf."""
    if JSON in form:
        return lambda text: text.parsed.get(form)
    found = _FORMS.match(form)
    assert found is not None
    if found["counted"]:
        return lambda text: text.count(found["counted"])
    if found["pattern"]:
        return lambda text: repr(without_numbers(text))
    if found["at"]:
        return partial(at_place, what=found["at"], place=int(found["place"]))
    if found["among"]:
        characters = str(unquoted(found["among"]))
        return lambda text: float(sum(map(text.text.count, characters)))
    if found["first"]:
        return lambda text: repr(text.text[: int(found["first"])])
    return lambda text: float(found["word"] in set(map(repr, text.words)))


def _of_json(columns: Mapping[str, Column], name: str) -> Column | None:
    """A leaf of what texts are in JSON; None where there are no such texts."""
    for end in (found.start() for found in re.finditer(JSON, name)):
        for start in (len(word) for word in (KIND_OF, LENGTH, "") if name.startswith(word)):
            if name[start:end] in columns:
                return _read(columns[name[start:end]], f"{name[:start]}\0{name[end:]}")
    return None


def _read(column: Column, form: str) -> Column:
    """A leaf of each text; "missing" where there is none, and where there is no text."""
    if column.symbols is None:
        return same_symbol(MISSING, len(column.values))
    read = _leaves(column.names, form)
    symbols = None if read.symbols is None else read.symbols[column.symbols]
    return Column(read.values[column.symbols], symbols, read.names)


@lru_cache(maxsize=192)
def _leaves(symbols: tuple[str, ...], form: str) -> Column:
    reading = _reading(form)
    leaves = [None if text is None else reading(text) for text in texts_of(symbols)]
    return column_of([MISSING if leaf is None else leaf for leaf in leaves], len(leaves))


def numbers_in(column: Column, name: str) -> list[str]:
    """Names of the columns of numbers that its texts hold, or of the leaves of its JSON."""
    texts = _held(column)
    if kinds := kinds_of([text.raw for text in texts]):
        return [part for kind in kinds for part in _placed(f"{kind} number", texts, name)]
    names = dict.fromkeys(leaf for text in texts[:_MOST_LEAVES] for leaf in text.parsed)
    if names:
        return [leaf.replace("\0", name, 1) for leaf in names][:_MOST_LEAVES]
    return [*_placed(DECIMAL, texts, name), *_placed("number", texts, name)][:MOST_PLACES]


def _placed(what: str, texts: Sequence[Text], name: str) -> Iterator[str]:
    """Names of the columns of a reading at all places that some text has."""
    most = max((len(PLACED[what][0](text)) for text in texts), default=0)
    return (f"{what} {place} of {name}" for place in range(1, min(most, MOST_PLACES) + 1))


def others_in(column: Column, name: str) -> Iterator[str]:
    """Names of the other columns that can be read off its texts, the simplest first."""
    texts = _held(column)
    longest = max((len(text.text) for text in texts), default=0)
    yield from (f"{kind} in {name}" for kind in COUNTED)
    yield f"pattern of {name}"
    for what in _OTHERS:
        yield from _placed(what, texts, name)
    yield from (f"first {size} characters of {name}" for size in _BEGINNINGS if size < longest)
    places = [*range(1, min(longest, _FIRST) + 1), *range(-1, -min(longest, _LAST) - 1, -1)]
    yield from (f"character {place} of {name}" for place in places)


def codes_in(column: Column, name: str) -> list[str]:
    """Names of the columns of its characters' codes, where all its texts are of one length; else
    of those in front that are digits in all."""
    held = _held(column)
    lengths = {len(text.raw or text.text) for text in held}
    shortest, longest = min(lengths, default=0), max(lengths, default=0)
    if shortest < 2 or longest > _LONGEST_CODE:
        return []
    texts = [text.text for text in held[:_SOME_TEXTS]] if shortest < longest else []
    places = (p for p in range(1, shortest + 1) if all(t[p - 1 : p].isdigit() for t in texts))
    return [f"code of character {place} of {name}" for place in places]


def words_apart(left: Column, right: Column, name: str, most: int) -> list[str]:
    """Names of columns that say whether a text has a word: those one side has oftener."""
    tallies = _tallies((left, right), lambda text: dict.fromkeys(text.words, 1))
    apart = sorted(tallies, key=lambda word: -abs(tallies[word][0] - tallies[word][1]))
    return [f"{word!r}{AMONG}{name}" for word in apart[:most]]


def _tallies(
    sides: Sequence[Column], parts_of: Callable[[Text], Mapping[str, int]]
) -> dict[str, list[int]]:
    """How often each part comes in the texts of each side."""
    tallies: dict[str, list[int]] = {}
    for side, column in enumerate(sides):
        for text, count in zip(texts_of(column.names), column.tally.tolist(), strict=True):
            for part, often in ({} if text is None else parts_of(text)).items():
                tallies.setdefault(part, [0, 0])[side] += count * often
    return tallies


def characters_apart(left: Column, right: Column, name: str, most: int) -> list[str]:
    """Names of columns that count characters: single ones that one side has oftener, and all
    together that a side clearly has."""
    tallies = _tallies((left, right), lambda text: Counter(text.text))
    # Excess of each character on the left, in standard errors.
    scores = {c: (a - b) / (a + b) ** 0.5 for c, (a, b) in tallies.items() if "\\" not in repr(c)}
    apart = sorted(scores, key=lambda c: -abs(scores[c]))[:most]
    clear = ["".join(sorted(c for c in scores if sign * scores[c] > _CLEAR)) for sign in (1, -1)]
    sets = dict.fromkeys(found for found in (*clear, *apart) if found)
    return [f"characters among {found!r} in {name}" for found in sets if repr(found)[1:-1] == found]


def moments_in(left: Column, right: Column, name: str) -> list[str]:
    """Names of the columns of time stamps in texts and of their parts, but for those that tell
    when they were drawn."""
    most = max((len(t.moments) for side in (left, right) for t in _held(side)), default=0)
    found = []
    for place in range(1, most + 1):
        seconds = f"{SECONDS} {place} of {name}"
        # Numbers that never fall from draw to draw are those of a clock.
        steps = (np.diff(_read(side, seconds).values) for side in (left, right))
        if not any((step >= 0.0).all() for step in steps):
            found += [seconds, *(f"{part} of time stamp {place} of {name}" for part in PARTS)]
    return found


def _held(column: Column) -> list[Text]:
    return [text for text in texts_of(column.names) if text is not None]
