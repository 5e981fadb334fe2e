"""Parts of an output on both datasets: numbers, and symbols with their frequencies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from audit.diagnosis.evidence import Counts, Evidence, Sample
from audit.outcomes.column import Column, Floats
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.outcomes import KIND, Outcomes, numbers_in
from audit.outcomes.symbols import MESSAGE, MODULO, ZERO, is_structure
from audit.outcomes.text import DECIMAL

_LEAST_NUMBERS = 0.95
"""Share of runs in which a part is a number, if it is treated as one."""
_FEWEST_PRESENT = 10
"""Runs with a part on each dataset, if its values there are compared."""
_MOST_ANSWERS = 16
"""Different values of a part at most that is an answer."""
_EXACT = 1e-12
_SQUARED = 1e150
"""Larger numbers leave the range of floats when they are squared."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the output that is a number, on both datasets.

    Attributes:
        name: in words, "the output" if it is the whole.
        left: its numbers on D.
        right: its numbers on D′.
    """

    name: str
    left: Floats
    right: Floats

    @property
    def constants(self) -> tuple[float | None, float | None]:
        """Its only value on D and on D′, None if it takes several."""
        return constant(self.left), constant(self.right)

    @property
    def noisy(self) -> bool:
        """True if it takes several values on both datasets."""
        return self.constants == (None, None)

    def sides(self, on_left: bool) -> tuple[Floats, Floats]:
        """Its numbers on both datasets, those on D first if `on_left`."""
        return (self.left, self.right) if on_left else (self.right, self.left)

    @property
    def values(self) -> int:
        """Number of different values on both datasets together."""
        return len(np.unique(np.concatenate([self.left, self.right])))


def constant(numbers: Floats) -> float | None:
    """The only value up to rounding, None if there are several."""
    low, high = float(numbers.min()), float(numbers.max())
    return low if high - low <= _EXACT * max(1.0, abs(low)) else None


def numeric_parts(evidence: Evidence, *, texts: bool = False) -> list[Part]:
    """The parts that are numbers in nearly all runs on both datasets.

    Numbers within `texts`, which are often parts of a label, count if they are asked for.
    """
    found = []
    for name in _names_of_numbers(evidence.left.outcomes, texts):
        left, right = (_numbers(side.outcomes, name) for side in (evidence.left, evidence.right))
        if left is not None and right is not None:
            found.append(Part(words(name), left, right))
    return found


def parts_where_present(evidence: Evidence) -> Iterator[Part]:
    """The parts that are there in some runs on both datasets, such as keys behind a threshold."""
    for name in _names_of_numbers(evidence.left.outcomes, texts=False):
        left, right = (
            side.outcomes.column(name).numbers for side in (evidence.left, evidence.right)
        )
        if min(len(left), len(right)) >= _FEWEST_PRESENT:
            yield Part(words(name), left, right)


def _names_of_numbers(outcomes: Outcomes, texts: bool) -> list[str]:
    """Names of the columns of values, and of the numbers that are read off texts."""
    values = [name for name in outcomes.columns if is_value(name)]
    if not texts:
        return values
    read = [part for name in values for part in numbers_in(outcomes.columns[name], name)]
    return [*values, *(name for name in read if not name.startswith(DECIMAL))]


def _numbers(outcomes: Outcomes, name: str) -> Floats | None:
    """The entries of a column that are numbers; None if few are."""
    column = outcomes.column(name)
    numbers = np.asarray(column.numbers)
    mostly = len(numbers) > 0 and len(numbers) >= _LEAST_NUMBERS * len(column.values)
    return numbers if mostly and float(np.abs(numbers).max()) < _SQUARED else None


def same_part(sample: Sample, name: str) -> Floats | None:
    """The numbers of a part in another sample; None if it is no number there."""
    for column in _names_of_numbers(sample.outcomes, texts=True):
        if words(column) == name:
            return _numbers(sample.outcomes, column)
    return None


def is_value(name: str) -> bool:
    """True for a column of values, not of structure."""
    return not is_structure(name) and name not in (KIND, MESSAGE)


def words(name: str) -> str:
    """The name of a part in a sentence."""
    if name == OUTPUT:
        return "the output"
    place, of, whole = name.rpartition(" of ")
    return f"{place}{of}the output" if whole == OUTPUT else name


@dataclass(frozen=True, slots=True)
class SymbolCount:
    """Number of times that a part of the output is one symbol, or that the output is one of few.

    Attributes:
        part: the column's name.
        symbol: its value, or "missing"; of a whole output its values in words.
        counts: on both datasets.
    """

    part: str
    symbol: str
    counts: Counts


def symbol_counts(evidence: Evidence, structural: bool) -> Iterator[SymbolCount]:
    """Frequencies of all symbols of the columns of structure, or of those of values.

    Numbers of structure, such as lengths, count as symbols.
    """
    left, right = evidence.left.outcomes, evidence.right.outcomes
    for name in dict.fromkeys((*left.columns, *right.columns)):
        if name == MESSAGE or name.startswith(ZERO) or name.endswith(MODULO):
            continue
        if structural != is_value(name):
            yield from _counts_of(evidence, name, numbers=structural)


def answer_counts(evidence: Evidence) -> Iterator[SymbolCount]:
    """Frequencies of the values of the parts that take few, such as answers of several people."""
    for name in evidence.left.outcomes.columns:
        if is_value(name):
            counted = [*_counts_of(evidence, name, numbers=True)]
            yield from counted if len(counted) <= _MOST_ANSWERS else ()


def _counts_of(evidence: Evidence, name: str, numbers: bool) -> Iterator[SymbolCount]:
    """Frequencies of the symbols of a column, and of its numbers where those count as such."""
    tallies = [
        _tally(side.outcomes.column(name), numbers) for side in (evidence.left, evidence.right)
    ]
    for symbol in dict.fromkeys((*tallies[0], *tallies[1])):
        hits = (tally.get(symbol, 0) for tally in tallies)
        yield SymbolCount(name, symbol, evidence.counts(*hits))


def _tally(column: Column, numbers: bool) -> dict[str, int]:
    symbols = [*zip(column.names, column.tally.tolist(), strict=True)][1:]
    found = {name: times for name, times in symbols if times}
    if numbers:
        # Numbers that read alike count together.
        texts = map("{:g}".format, np.sort(column.numbers).tolist())
        found |= Counter(texts)
    return found


_MOST_PATTERNS = 128
"""Different outputs that are few."""


def patterns(evidence: Evidence) -> list[SymbolCount]:
    """Frequencies of all different outputs; none if they are not few, or mostly unique."""
    left, right = evidence.left.outcomes, evidence.right.outcomes
    names = sorted(n for n in {*left.columns, *right.columns} if n != MESSAGE)
    both = [[*zip(*(one.column(n).texts() for n in names), strict=True)] for one in (left, right)]
    here, there = map(Counter, both)
    first: dict[tuple[str, ...], tuple[Outcomes, int]] = {}
    for outcomes, outputs in zip((left, right), both, strict=True):
        for at, output in enumerate(outputs):
            first.setdefault(output, (outcomes, at))
    if len(first) > min(_MOST_PATTERNS, (left.size + right.size) // 2):
        return []
    return [
        SymbolCount(OUTPUT, _output(*first[one]), evidence.counts(here[one], there[one]))
        for one in sorted(first)
    ]


def single_or_bits(evidence: Evidence) -> bool:
    """True if an output is one value, or a list of answers of two values each."""
    left, right = evidence.left.outcomes, evidence.right.outcomes
    names = [name for name in {*left.columns, *right.columns} if is_value(name)]
    values = ({*left.column(name).texts(), *right.column(name).texts()} for name in names)
    return len(names) == 1 or max(map(len, values), default=0) <= 2


def _output(outcomes: Outcomes, at: int) -> str:
    """The values of one output."""
    columns = [column for name, column in outcomes.columns.items() if is_value(name)]
    values = [column.take(slice(at, at + 1)).texts("g")[0] for column in columns]
    return values[0] if len(values) == 1 else f"({', '.join(values)})"
