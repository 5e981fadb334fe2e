"""Features: what the auditor reads off an output before sorting it into bins.

Features that calculate round their result to a `unit`, a power of two far above the rounding
errors of floats and far below anything of interest. Otherwise two results that are equal in
real arithmetic would differ in their last bits, and those bits depend on the dataset: that is a
leak of floating-point numbers, bet on separately, and no breach of the claim in real arithmetic.
Of numbers that are read as they are, bins ignore the last bits.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from audit.outcomes.binning import Binning
from audit.outcomes.column import quietly, rounded, symbol_column
from audit.outcomes.encoding import Column, Floats, Outcomes
from audit.outcomes.outcomes import KIND, joined
from audit.outcomes.symbols import shortened

UNDEFINED = "undefined"
_MOST_LOW_BITS = 4

_LARGEST = float(np.finfo(np.float64).max)


class Feature(ABC):
    """A fixed function of the output."""

    __slots__ = ()
    fitted: ClassVar[bool] = False
    """Whether it was fitted to frequencies on the two sides."""
    form: ClassVar[str] = ""
    """Its name in words, with its fields in their places."""

    @property
    def words(self) -> str:
        """Name of the feature in words."""
        return self.form.format(self)

    @abstractmethod
    def read(self, outcomes: Outcomes) -> Column:
        """One number or symbol for every output of the batch."""


@dataclass(frozen=True, slots=True)
class OfNumber(Feature):
    """A function of the numbers of one column; its symbols stay."""

    name: str

    @abstractmethod
    def of(self, values: Floats) -> Floats:
        """The function, NaN where it is undefined; shape (n,)."""

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        column = outcomes.column(self.name)
        return with_undefined(column, self.of(column.values))


def with_undefined(column: Column, values: Floats) -> Column:
    """Other numbers in the place of those of a column, "undefined" where they are NaN."""
    undefined = np.isnan(values)
    if not undefined.any():
        return Column(values, column.symbols, column.names)
    symbols = np.where(undefined & (column.codes == 0), len(column.names), column.codes)
    return Column(np.where(undefined, 0.0, values), symbols, (*column.names, UNDEFINED))


@dataclass(frozen=True, slots=True)
class Part(Feature):
    """One column as it is: the value itself, a coordinate, an entry of a dict."""

    name: str
    form: ClassVar[str] = "{0.name}"

    def read(self, outcomes: Outcomes) -> Column:
        return outcomes.column(self.name)


@dataclass(frozen=True, slots=True)
class Distance(OfNumber):
    """Distance of a column from a fixed centre: shows noise whose scale leaks."""

    centre: float
    form: ClassVar[str] = "distance of {0.name} from {0.centre!r}"

    def of(self, values: Floats) -> Floats:
        return np.minimum(np.abs(values - self.centre), _LARGEST)


_SIGNS = {"-": np.subtract, "*": np.multiply, "/": np.divide}


@dataclass(frozen=True, slots=True)
class TwoParts(Feature):
    """One part minus another, times it, or divided by it, which is undefined where that is 0.

    Attributes:
        sign: "-", "*" or "/".
        unit: what the result is rounded to.
    """

    left: str
    sign: str
    right: str
    unit: float
    form: ClassVar[str] = "{0.left} {0.sign} {0.right}"

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        left, right = (outcomes.column(name).floats for name in (self.left, self.right))
        with np.errstate(divide="ignore"):
            return as_column(_SIGNS[self.sign](left, right), self.unit)


_POSITION = "position of the largest"
_SUMMARIES: dict[str, tuple[float, Callable[[Floats], Floats]]] = {
    "sum": (0.0, lambda m: m.sum(axis=1)),
    "largest": (-np.inf, lambda m: m.max(axis=1)),
    "smallest": (np.inf, lambda m: m.min(axis=1)),
    _POSITION: (-np.inf, lambda m: m.argmax(axis=1).astype(np.float64)),
    "Euclidean norm": (0.0, lambda m: np.sqrt((m * m).sum(axis=1))),
}
SUMMARIES = tuple(_SUMMARIES)


@dataclass(frozen=True, slots=True)
class Summary(Feature):
    """A symmetric summary of all coordinates; `names` is empty for a whole array.

    Coordinates that are no finite numbers are left out: how many there are of
    them in a row may depend on the other outputs of its batch.
    """

    kind: str
    names: tuple[str, ...]
    unit: float
    form: ClassVar[str] = "{0.kind} of the output"

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        matrix = rows_of(outcomes, self.names)
        if matrix.shape[1] == 0:
            return as_column(np.full(outcomes.size, np.nan), self.unit)
        neutral, summary = _SUMMARIES[self.kind]
        unit = self.unit
        if self.kind == _POSITION:
            # Numbers that are equal but for their last bits share the first place.
            matrix, unit = np.round(matrix / unit), 0.0
        held = np.isfinite(matrix)
        if held.all():
            return as_column(summary(matrix), unit)
        values = summary(np.where(held, matrix, neutral))
        return as_column(np.where(held.any(axis=1), values, np.nan), unit)


@dataclass(frozen=True, slots=True)
class Pattern(Feature):
    """The values of a few discrete columns, read together as one symbol.

    Attributes:
        names: columns.
        units: what each is rounded to, 0 for whole numbers.
    """

    names: tuple[str, ...]
    units: tuple[float, ...]

    @property
    def words(self) -> str:
        return f"({', '.join(self.names)})"

    def read(self, outcomes: Outcomes) -> Column:
        columns = [outcomes.column(name) for name in self.names]
        merged = [
            np.unique(_keys(column, unit), return_inverse=True)
            for column, unit in zip(columns, self.units, strict=True)
        ]
        rows, index = np.unique(
            np.stack([inverse for _, inverse in merged], axis=1), axis=0, return_inverse=True
        )
        texts = [[_text(columns[j], merged[j][0][k]) for j, k in enumerate(row)] for row in rows]
        return symbol_column([f"({', '.join(text)})" for text in texts], index)


def _keys(column: Column, unit: float) -> Floats:
    """One sortable key per entry: the number, or symbols as NaN-free complex keys."""
    keys = rounded(column.values, unit).astype(np.complex128)
    keys.imag = column.codes
    return keys  # type: ignore[return-value]


def _text(column: Column, key: complex) -> str:
    if key.imag != 0:
        return shortened(column.names[int(key.imag)])
    return f"{key.real + 0.0:.12g}"


@dataclass(frozen=True, slots=True)
class LowBits(OfNumber):
    """The lowest set bit of a float: y is a multiple of 2^-k but of no coarser power.

    Reads -k; 0 and whole numbers read as large as their lowest bit allows.
    """

    form: ClassVar[str] = "power of two of the lowest set bit of {0.name}"

    def of(self, values: Floats) -> Floats:
        mantissa, exponent = np.frexp(values)
        scaled = np.abs(np.ldexp(mantissa, 53)).astype(np.int64)
        lowest = scaled & -scaled
        return np.where(scaled == 0, 2000.0, exponent - 53 + np.log2(np.maximum(lowest, 1)))


@dataclass(frozen=True, slots=True)
class LocationScore(Feature):
    """Sum over parts of (|y - right| - |y - left|) / scale.

    The log-likelihood ratio of two Laplace vectors up to a constant, and a
    robust score for anything that moves by a shift: each term is clipped.

    Attributes:
        parts: what is summed over.
        left: where each lies on D.
        right: where each lies on D'.
        scale: spread of each, positive.
        unit: what the score is rounded to.
    """

    parts: tuple[Feature, ...]
    left: tuple[float, ...]
    right: tuple[float, ...]
    scale: tuple[float, ...]
    unit: float
    fitted: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return f"location score of {len(self.parts)} parts of the output"

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        values = readings(outcomes, self.parts)
        moved = np.abs(values - np.array(self.right)) - np.abs(values - np.array(self.left))
        return as_column((moved / np.array(self.scale)).sum(axis=1), self.unit)


@dataclass(frozen=True, slots=True)
class BinnedScore(Feature):
    """Sum over columns of a clipped log-ratio read from a table of bins.

    Attributes:
        parts: for each column its feature, its bins and the score of each bin.
    """

    parts: tuple[tuple[Feature, Binning, tuple[float, ...]], ...]
    fitted: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return f"sum of log-ratios learned for {len(self.parts)} parts of the output"

    def read(self, outcomes: Outcomes) -> Column:
        total = np.zeros(outcomes.size)
        for feature, binning, scores in self.parts:
            total += np.array(scores)[binning.code(feature.read(outcomes))]
        return Column(total)


def numbers(outcomes: Outcomes, names: tuple[str, ...]) -> Floats:
    """Columns side by side, shape (n, len(names)); NaN where there is a symbol."""
    return readings(outcomes, tuple(Part(name) for name in names))


def rows_of(outcomes: Outcomes, names: tuple[str, ...]) -> Floats:
    """All entries of an array, or the parts of these names; no column where there is none."""
    if names:
        return numbers(outcomes, names)
    return np.empty((outcomes.size, 0)) if outcomes.matrix is None else outcomes.matrix


def readings(outcomes: Outcomes, parts: tuple[Feature, ...]) -> Floats:
    """Features side by side, shape (n, len(parts)); NaN where there is a symbol."""
    columns = [part.read(outcomes).floats for part in parts]
    return np.stack(columns, axis=1) if columns else np.empty((outcomes.size, 0))


@quietly
def as_column(values: Floats, unit: float) -> Column:
    """Calculated numbers as a column, rounded; what is not finite becomes "undefined"."""
    values = rounded(values, unit)
    return with_undefined(Column(values), np.where(np.isfinite(values), values, np.nan))


def has_fractions(outcomes: Outcomes) -> bool:
    """True if a column holds floats that are not whole numbers."""
    return any(_is_fractional(name, column) for name, column in outcomes.columns.items())


def _is_fractional(name: str, column: Column) -> bool:
    return name != KIND and bool(np.any(column.values != np.round(column.values)))


def low_bit_features(left: Outcomes, right: Outcomes) -> list[Feature]:
    """Low bits of the columns that hold floats which are not whole numbers.

    A column that does not vary on one side has no noise there, which rounding would not mend.
    """
    pooled = joined([left, right])
    names = [
        name
        for name, column in pooled.columns.items()
        if _is_fractional(name, column)
        and all(np.ptp(side.column(name).values) > 0.0 for side in (left, right) if side.size)
    ]
    return [LowBits(name) for name in names[:_MOST_LOW_BITS]]
