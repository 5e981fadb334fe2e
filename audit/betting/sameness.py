"""Outputs that are all one and the same, on which no bet can be placed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from audit.outcomes.column import Column
from audit.outcomes.encoding import OUTPUT
from audit.outcomes.outcomes import Outcomes
from audit.outcomes.pair_counts import PairedOutcomes
from audit.outcomes.symbols import is_text
from audit.sampling.units import LOST

_HOPELESS = 20
"""Runs on every dataset that fail alike before an audit ends."""


@dataclass(slots=True)
class Sameness:
    """Outputs on both datasets of a pair, as far as they are one and the same.

    Attributes:
        varied: True if outputs vary.
        answers: outputs, at most one more than one, as long as they do not vary.
        kinds: kinds of outputs as a whole, as long as no value came out.
        valued: True if a value came out.
        sizes: outputs on D and on D′.
    """

    varied: bool = False
    answers: set[Answer] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    valued: bool = False
    sizes: tuple[int, int] = (0, 0)

    def add(self, sides: tuple[Outcomes, Outcomes]) -> None:
        """Count the outputs of units; those that were lost say nothing of the mechanism."""
        if all(set(side.kinds) == {LOST} for side in sides if side.size):
            return
        self.sizes = self.sizes[0] + sides[0].size, self.sizes[1] + sides[1].size
        if self.varied and self.valued:
            return
        for side in sides:
            if side.size:
                answer = only_answer(side)
                self.answers |= set() if answer is None else {answer}
                self.varied |= answer is None or len(self.answers) > 1
                self.kinds |= set(side.kinds)
                self.valued |= bool(side.parts)


def constant(pairs: Iterable[Sameness]) -> bool:
    """True if all outputs on all pairs are one and the same."""
    held = list(pairs)
    answers = {answer for same in held for answer in same.answers}
    return len(answers) == 1 and not any(same.varied for same in held)


def failing(pairs: Iterable[Sameness]) -> bool:
    """True if the first runs on every dataset have all failed in the same way."""
    held = list(pairs)
    kinds = {kind for same in held for kind in same.kinds}
    enough = all(min(same.sizes) >= _HOPELESS for same in held)
    return enough and len(kinds) == 1 and not any(same.valued for same in held)


_LONGEST = 24
"""Characters of an output that is named in a sentence."""

Answer = tuple[Any, ...]
"""All parts of one output: equal answers are equal outputs."""
_SEVERAL = 32
"""Outputs of which none comes twice, if that is no accident."""


def only_value(answer: Answer) -> str:
    """A number or a short symbol in words; empty for other outputs."""
    found = {name: symbol or f"{value:g}" for name, value, symbol in answer[:-1]}
    words = found.get(OUTPUT, "")
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
