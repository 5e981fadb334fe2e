"""Outputs that are all one and the same, so that they may say nothing about the data."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from audit.claims import LARGEST_EPSILON, Claim
from audit.outcomes.column import Column
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.outcomes import KIND, Outcomes, PairedOutcomes
from audit.outcomes.symbols import LENGTH, is_text
from audit.sampling.units import LOST
from audit.validation import MOST_SAMPLES

_HOPELESS = 20
"""Runs on every dataset that fail alike before an audit ends."""


@dataclass(slots=True)
class Sameness:
    """Outputs on both datasets of a pair, as far as they are one and the same.

    Attributes:
        only: the one output on D, and on D′; None if outputs on it vary, or before the first.
        sides: True if outputs on D vary, and on D′.
        kinds: kinds of outputs as a whole, as long as no value came out.
        valued: True if a value came out.
        sizes: outputs on D and on D′.
    """

    only: list[Answer | None] = field(default_factory=lambda: [None, None])
    sides: list[bool] = field(default_factory=lambda: [False, False])
    kinds: set[str] = field(default_factory=set)
    valued: bool = False
    sizes: tuple[int, int] = (0, 0)

    def add(self, sides: tuple[Outcomes, Outcomes]) -> None:
        """Count the outputs of units; those that were lost say nothing of the mechanism."""
        if all(set(side.kinds) == {LOST} for side in sides if side.size):
            return
        self.sizes = self.sizes[0] + sides[0].size, self.sizes[1] + sides[1].size
        if all(self.sides) and self.valued:
            return
        for place, side in enumerate(sides):
            if side.size:
                self._add(place, side)
                self.kinds |= set(side.kinds)
                self.valued |= bool(side.parts)

    def _add(self, place: int, side: Outcomes) -> None:
        if self.sides[place]:
            return
        answer, before = only_answer(side), self.only[place]
        self.sides[place] = answer is None or before not in (None, answer)
        self.only[place] = None if self.sides[place] else answer

    @property
    def answers(self) -> set[Answer]:
        """Outputs on datasets on which they do not vary."""
        return {answer for answer in self.only if answer is not None}

    @property
    def varied(self) -> bool:
        """True if outputs vary, on one dataset or between both."""
        return any(self.sides) or len(self.answers) > 1

    @property
    def lopsided(self) -> bool:
        """True if outputs have varied on one dataset alone; no pure claim allows that for ever."""
        return sum(self.sides) == 1 and len(self.answers) == 1


def constant(pairs: Iterable[Sameness]) -> bool:
    """True if all outputs on all pairs are one and the same value; of failures see `failing`."""
    held = list(pairs)
    answers = {answer for same in held for answer in same.answers}
    return len(answers) == 1 and all(same.valued and not same.varied for same in held)


def failing(pairs: Iterable[Sameness]) -> bool:
    """True if the first runs on every dataset have all failed in the same way."""
    held = list(pairs)
    kinds = {kind for same in held for kind in same.kinds}
    enough = all(min(same.sizes) >= _HOPELESS for same in held)
    return enough and len(kinds) == 1 and not any(same.valued for same in held)


CERTAIN = 10.0
"""Expected number of outputs of a kind from which on one of them has certainly come."""


def unseen(pairs: Iterable[Sameness], claim: Claim) -> float:
    """Probability of the outputs that a claim allows on one dataset alone, which is its δ.

    Returns:
        0 if there are none, if no budget suffices for one, or if the runs on all datasets do.
    """
    delta = claim.delta(LARGEST_EPSILON)
    came = all(min(same.sizes) * delta >= CERTAIN for same in pairs)
    return 0.0 if came or delta * MOST_SAMPLES < 1.0 else delta


_LONGEST = 24
"""Characters of an output that is named in a sentence."""

_EMPTY = {"dict": "{}", "set": "set()", "list of 0": "[]", "tuple of 0": "()"}
"""Outputs without parts, by their kind."""

Answer = tuple[Any, ...]
"""All parts of one output: equal answers are equal outputs."""
_SEVERAL = 32
"""Outputs of which none comes twice, if that is no accident."""


def only_value(answer: Answer) -> str:
    """A number, a short symbol or an output without parts in words; empty for other outputs."""
    found = {name: symbol or f"{value:g}" for name, value, symbol in answer[:-1]}
    empty = _EMPTY.get(found[KIND], "") if found.get(LENGTH + OUTPUT) == "0" else ""
    words = found.get(OUTPUT, empty)
    return words if len(words) <= _LONGEST else ""


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


def certain(past: PairedOutcomes) -> bool:
    """True if outputs never varied on either side, and are not the same on both."""
    left, right = only_answer(past.left), only_answer(past.right)
    return left is not None and right is not None and left != right


def only_unique_texts(outcomes: Outcomes) -> bool:
    """True if every output is a text, or bytes, and none ever came twice."""
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


_LONG = 5.0
"""Seconds from which on a warning is worth it: a mechanism may well have rare outputs."""


def alike_so_far(pairs: Iterable[Sameness], seconds: float) -> str:
    """The warning; empty if outputs differ or little time is spent.

    Args:
        pairs: outputs so far.
        seconds: spent on them, or to be spent before the audit ends because of them.
    """
    held = list(pairs)
    if seconds < _LONG or not constant(held):
        return ""
    runs, value = sum(sum(same.sizes) for same in held), only_value(held[0].answers.pop())
    return (
        f"all {runs:,} runs so far gave one and the same output{f' ({value})' if value else ''} on "
        "every dataset; check that the data are read, and that the result is returned or printed"
    )
