"""Recordings: outputs on one dataset each, checked to belong together, and their lines as units.

A unit is a pair with n = 1: unit i of pair k is line i of D and line i of D_k. Pairs share the
lines of D, so that a line of D that one pair knows must not be news to the bets on another: all
pairs go in lockstep (theorem of docs/explanation/recorded-outputs.md).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from audit.errors import InputError
from audit.outcomes.binning import Binning
from audit.outcomes.column import Counts
from audit.outcomes.encoding import encode
from audit.outcomes.features import Feature
from audit.outcomes.outcomes import Outcomes
from audit.sampling.source import Sources
from audit.sampling.units import UnitBatch, UnitKind, UnitPlan

Outputs = NDArray[np.float64] | list[Any]
"""An array of shape (n,) for numbers or (n, d) for vectors, a list of n outputs for anything
else; in a list too, numbers are np.float64 and vectors of numbers arrays of one axis."""


@dataclass(frozen=True, slots=True)
class Recording:
    """Outputs on one dataset, in the order in which they were recorded.

    Attributes:
        name: D, D1, D2, ...
        source: their file, in words.
        outputs: the outputs.
        columns: names of the columns if outputs are rows of a table.
        notes: what a reader must know, one sentence each.
    """

    name: str
    source: str
    outputs: Outputs
    columns: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Number of outputs."""
        return len(self.outputs)

    def part(self, start: int, stop: int) -> Outcomes:
        """The outputs from one line to another, in columns."""
        held = self.outputs[start:stop]
        return encode(held, len(held))

    def fields(self) -> dict[str, Recording]:
        """Columns of a table, or fields that all JSON objects have; empty for other outputs."""
        keys = dict(zip(self.columns, range(len(self.columns)), strict=True)) or _keys(self.outputs)
        return {
            name: replace(self, outputs=gathered([row[key] for row in self.outputs]), columns=())
            for name, key in keys.items()
        }

    def halves(self) -> tuple[Recording, Recording]:
        """The first half and the second, without the line in the middle."""
        half = len(self) // 2
        first = Recording("D", f"{self.source}, first half", self.outputs[:half])
        second = self.outputs[len(self) - half :]
        return first, Recording("D0", f"{self.source}, second half", second)


def gathered(outputs: list[Any]) -> Outputs:
    """The same outputs as one array where they are numbers, or vectors of one length."""
    kinds = set(map(type, outputs))
    if kinds == {np.float64}:
        return np.array(outputs)
    if kinds == {np.ndarray} and len(set(map(len, outputs))) == 1:
        return np.stack(outputs)
    return outputs


def kinds_of(outputs: Outputs) -> set[str]:
    """Kinds of the outputs, in words: files of the same kinds can be compared."""
    return set(map(_kind_of, outputs[:1] if isinstance(outputs, np.ndarray) else outputs))


def _kind_of(output: Any) -> str:
    if isinstance(output, np.ndarray):
        return f"a vector of {len(output)} numbers" if len(output) > 1 else "a vector of one number"
    if isinstance(output, list):
        return f"a list of {len(output)}"
    return _KINDS.get(type(output), type(output).__name__)


_KINDS = {
    np.float64: "a number",
    str: "a text",
    bool: "a truth value",
    dict: "an object with keys",
    type(None): "null",
}


def _keys(outputs: Outputs) -> dict[str, Any]:
    if not all(isinstance(output, dict) for output in outputs):
        return {}
    return {key: key for key in outputs[0] if all(key in output for output in outputs)}


def shuffled(recordings: Sequence[Recording], seed: int) -> list[Recording]:
    """The same lines, each recording in a random order of its own.

    Independent draws whose order was lost, because they were sorted or grouped, are independent
    draws again: the order statistics of such a sample, put in a uniformly random order that does
    not depend on them, have the law of the sample.

    Args:
        recordings: that of D first.
        seed: of the orders, chosen without a look at the outputs.
    """
    roots = np.random.SeedSequence(seed).spawn(len(recordings))
    orders = [np.random.default_rng(root) for root in roots]
    return [
        replace(held, outputs=_ordered(held.outputs, rng.permutation(len(held))))
        for held, rng in zip(recordings, orders, strict=True)
    ]


def _ordered(outputs: Outputs, order: NDArray[np.int64]) -> Outputs:
    if isinstance(outputs, np.ndarray):
        return outputs[order]
    return [outputs[place] for place in order.tolist()]


def recordings_of(files: Sequence[Recording]) -> list[Recording]:
    """The files with the names of their datasets, that of D first.

    Raises:
        InputError: the files cannot hold outputs of one mechanism.
    """
    for other in files[1:]:
        _check_columns(files[0], other)
        _check_kinds(files[0], other)
    return [replace(file, name=f"D{place}" if place else "D") for place, file in enumerate(files)]


def halves_of(file: Recording) -> list[Recording]:
    """The two halves of one file, as if each were recorded on a dataset of its own.

    Raises:
        InputError: it holds too few outputs.
    """
    if len(file) < 2:
        raise InputError(f"file {file.source!r} holds one output; halves need two", file.source)
    return list(file.halves())


def _check_columns(first: Recording, other: Recording) -> None:
    if first.columns == other.columns or not (first.columns and other.columns):
        return
    held = (f"{file.source!r} has columns {', '.join(file.columns)}" for file in (first, other))
    raise InputError(
        f"{' and '.join(held)}: these are not recorded outputs of one mechanism; "
        "write the same columns in the same order, or choose one with --column",
        other.source,
    )


def _check_kinds(first: Recording, other: Recording) -> None:
    """Refuse files whose outputs are of one kind each, and never of the same.

    Kinds that vary inside a file, such as lists of random length, may tell the
    datasets apart and are bet on. A kind that is certain on both sides is sooner
    two recordings that do not belong together than a mechanism.
    """
    kinds = kinds_of(first.outputs), kinds_of(other.outputs)
    if any(len(found) > 1 for found in kinds) or kinds[0] == kinds[1]:
        return
    (here,), (there,) = kinds
    raise InputError(
        f"every output in {first.source!r} is {here} and every one in {other.source!r} "
        f"{there}: do these files belong together? Give outputs of one mechanism, written alike",
        other.source,
    )


Reader = tuple[Feature, Binning]
"""What to read off an output and how to bin it: all that counting needs."""

_FIRST_BLOCK = 1 << 10
_BLOCK_NUMBERS = 1 << 19
"""Numbers of one file that are sorted into columns at once."""


@dataclass(frozen=True, slots=True)
class RecordedUnits:
    """A `UnitSource` of recorded lines.

    Attributes:
        here: outputs on D.
        there: outputs on each neighbor.
    """

    here: Recording
    there: Sequence[Recording]
    kind: ClassVar = UnitKind.LINE
    coins: ClassVar = False
    pairs: ClassVar = False
    coupled: ClassVar = False

    @property
    def lengths(self) -> list[int]:
        """Lines of each pair."""
        return [min(len(self.here), len(other)) for other in self.there]

    def costs(self) -> tuple[float, float]:
        """See `UnitSource.costs`: nothing is drawn."""
        return 0.0, 0.0

    def add_pair(self, index: int, sources: Sources) -> None:
        """See `UnitSource.add_pair`: all pairs are there."""

    def doubt(self, *, waits: bool = True) -> str:
        """See `UnitSource.doubt`: lines are assumed to be independent (see `doubts`)."""
        return ""

    def drawn(self, plan: UnitPlan) -> UnitBatch:
        """See `UnitSource.drawn`."""
        return UnitBatch.of_pairs(*self.sides(plan.pair, plan.first, plan.first + plan.count), n=1)

    def sides(self, pair: int, start: int, stop: int) -> tuple[Outcomes, Outcomes]:
        """Outputs of a pair from one line to another."""
        return self.here.part(start, stop), self.there[pair].part(start, stop)

    def joint(self, pair: int, reader: Reader, start: int, stop: int) -> Counts:
        """Joint counts of the lines from one to another, shape (bins, bins)."""
        feature, binning = reader
        bins = binning.count
        found = np.zeros(bins * bins, np.int64)
        for sides in self._blocks(pair, start, stop):
            left, right = (binning.code(feature.read(side)) for side in sides)
            found += np.bincount(left * bins + right, minlength=bins * bins)
        return found.reshape(bins, bins)

    def _blocks(self, pair: int, start: int, stop: int) -> Iterator[tuple[Outcomes, Outcomes]]:
        """The same lines in parts that fit in memory."""
        size = _FIRST_BLOCK
        while start < stop:
            left, right = self.sides(pair, start, min(stop, start + size))
            yield left, right
            start += size
            size = max(1, _BLOCK_NUMBERS // max(1, left.width, right.width))
