"""Recordings: outputs on one dataset each, checked to belong together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from audit.errors import InputError
from audit.outcomes.encoding import Outcomes, encode
from audit.verdict.recorded.files import Samples
from audit.verdict.recorded.outputs import Outputs, kinds_of


@dataclass(frozen=True, slots=True)
class Recording:
    """Outputs on one dataset, in the order in which they were recorded.

    Attributes:
        name: D, D1, D2, ...
        source: their file, in words.
        outputs: the outputs.
    """

    name: str
    source: str
    outputs: Outputs

    def __len__(self) -> int:
        """Number of outputs."""
        return len(self.outputs)

    def part(self, start: int, stop: int) -> Outcomes:
        """The outputs from one line to another, in columns."""
        held = self.outputs[start:stop]
        return encode(held, len(held))

    def halves(self) -> tuple[Recording, Recording]:
        """The first half and the second, without the line in the middle."""
        half = len(self) // 2
        first = Recording("D", f"{self.source}, first half", self.outputs[:half])
        second = self.outputs[len(self) - half :]
        return first, Recording("D0", f"{self.source}, second half", second)


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


def recordings_of(files: Sequence[Samples]) -> list[Recording]:
    """One for each file, that of D first.

    Raises:
        InputError: the files cannot hold outputs of one mechanism.
    """
    for other in files[1:]:
        _check_columns(files[0], other)
        _check_kinds(files[0], other)
    return [
        Recording(f"D{place}" if place else "D", str(file.path), file.outputs)
        for place, file in enumerate(files)
    ]


def halves_of(file: Samples) -> list[Recording]:
    """The two halves of one file, as if each were recorded on a dataset of its own.

    Raises:
        InputError: it holds too few outputs.
    """
    if len(file) < 2:
        raise InputError(f"file {str(file.path)!r} holds one output; halves need two", file.path)
    return list(Recording("D", str(file.path), file.outputs).halves())


def _check_columns(first: Samples, other: Samples) -> None:
    if first.columns == other.columns or not (first.columns and other.columns):
        return
    held = (f"{str(file.path)!r} has columns {', '.join(file.columns)}" for file in (first, other))
    raise InputError(
        f"{' and '.join(held)}: these are not recorded outputs of one mechanism; "
        "write the same columns in the same order, or choose one with --column",
        other.path,
    )


def _check_kinds(first: Samples, other: Samples) -> None:
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
        f"every output in {str(first.path)!r} is {here} and every one in {str(other.path)!r} "
        f"{there}: do these files belong together? Give outputs of one mechanism, written alike",
        other.path,
    )
