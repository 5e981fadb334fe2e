"""Outputs that never vary: is the mechanism deterministic, or does it keep its noise?

A function that draws noise once for every dataset and keeps it answers each dataset
always alike. Within one process that cannot be told from a function without noise,
whose answers break every claim. In another process, where nothing has been kept yet,
noise is drawn anew and a deterministic answer is the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from audit.blackbox.interface import BlackBox
from audit.errors import BlackBoxError
from audit.outcomes.encoding import OUTPUT, Column, Outcomes
from audit.outcomes.paired import PairedOutcomes
from audit.outcomes.symbols import is_text
from audit.sampling.sampler import Sampler
from audit.sampling.source import Source
from audit.sampling.stream import Address, Check, Stage
from audit.sampling.trace import Misaligned
from audit.sampling.workers.pickled import Parcel
from audit.sampling.workers.uncalled import Uncalled, anew

Answer = tuple[Any, ...]
"""All that was read off one output: equal answers are equal outputs."""

_ORDERS = ((1, 0), (0, 1))
_FEW, _LONG = 16, 3
"""Outputs that came one after the other, and how often each did at least, as within ticks."""
_SEVERAL = 32
"""Outputs of which none comes twice, where it is no accident."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """How the answers of another process compare.

    Attributes:
        same: whether they are the same; None where it could not be tried.
        runs: that were asked for to find out.
    """

    same: bool | None
    runs: int


def only_answer(outcomes: Outcomes) -> Answer | None:
    """The one output there ever was; None where outputs vary."""
    columns = outcomes.columns.items()
    if not all(_all_alike(column) for _, column in columns):
        return None
    rows = outcomes.matrix
    if rows is not None and not _repeated(rows):
        return None
    named = sorted(
        (name, float(c.values[0]), "" if c.symbols is None else c.names[int(c.symbols[0])])
        for name, c in columns
    )
    return (*named, None if rows is None else rows[0].tobytes())


def in_stretches(outcomes: Outcomes) -> frozenset[Answer]:
    """All outputs where there were few and each came for a while and never again; else nothing."""
    table = outcomes.table()
    begins = [0, *(np.flatnonzero((table[1:] != table[:-1]).any(axis=1)) + 1).tolist()]
    if len(begins) > min(_FEW, outcomes.size // _LONG):
        return frozenset()
    each = [only_answer(outcomes.take(slice(begin, begin + 1))) for begin in begins]
    found = frozenset(answer for answer in each if answer is not None)
    return found if len(found) == len(begins) else frozenset()


def certain(past: PairedOutcomes) -> bool:
    """Whether outputs never varied on either side, and are not the same on both."""
    left, right = only_answer(past.left), only_answer(past.right)
    return left is not None and right is not None and left != right


def commonest(outcomes: Outcomes) -> float:
    """Share of the output that came most often."""
    _, counts = np.unique(outcomes.table(), axis=0, return_counts=True)
    return float(counts.max()) / outcomes.size


def only_unique_texts(outcomes: Outcomes) -> bool:
    """Whether every output is a text, or bytes, and none ever came twice."""
    column = outcomes.column(OUTPUT)
    symbols = column.symbols
    if symbols is None or not symbols.all() or not all(map(is_text, column.names[1:])):
        return False
    return len(np.unique(symbols)) == outcomes.size >= _SEVERAL


def _all_alike(column: Column) -> bool:
    symbols = column.symbols
    return bool(
        (column.values == column.values[0]).all()
        and (symbols is None or (symbols == symbols[0]).all())
    )


def _repeated(rows: Any) -> bool:
    return bool(np.array_equal(rows, np.broadcast_to(rows[0], rows.shape), equal_nan=True))


def same_elsewhere(
    box: Uncalled,
    many: bool,
    seed: int,
    answers: Sequence[tuple[Any, Answer | None]],
    size: int = 1,
) -> Elsewhere:
    """Whether another process gives the same answers.

    Noise that is drawn from a seed of its own, for the first dataset first, is the
    same in every process, but not where the other dataset comes first: both orders
    are tried, each with a copy of the black box as it was before its first call.

    Args:
        box: the black box, packed before its first call.
        many: whether one call gives many outputs.
        seed: of the audit.
        answers: two datasets with the only answer that was ever seen on them; None where
            answers vary, which are not compared.
        size: outputs of a call.
    """
    runs = len(_ORDERS) * len(answers) * size
    try:
        data = Parcel.of([dataset for dataset, _ in answers])
    except BlackBoxError:
        return Elsewhere(None, runs)
    tries = [partial(_asked, box, data, many, seed, order, size) for order in _ORDERS]
    found = box.elsewhere(tries)
    if found is None:
        return Elsewhere(None, runs)
    fixed = [(side, answer) for side, (_, answer) in enumerate(answers) if answer is not None]
    same = all(there[side] == answer for there in found for side, answer in fixed)
    return Elsewhere(same, runs)


def _asked(
    box: Uncalled, data: Parcel, many: bool, seed: int, order: tuple[int, ...], size: int
) -> list[Answer | None]:
    """The answers of a black box that has not been called in this process before."""
    opened: BlackBox = anew(box)
    sampler = Sampler.of(opened, seed, coupled=False)
    sides = list(enumerate(data.opened()))
    given: dict[int, Answer | None] = {}
    for side, dataset in sorted(sides, key=lambda one: order[one[0]]):
        address = Address(Stage.CHECK, Check.ELSEWHERE, order[0])
        if not many:
            sampler.singly.add((address.stage, address.pair))
        try:
            given[side] = only_answer(sampler.side(address, Source(opened, dataset), size, side))
        except Misaligned:
            given[side] = None
    return [given[side] for side, _ in sides]
