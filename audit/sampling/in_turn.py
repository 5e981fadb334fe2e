"""Whether outputs follow each other in an order that comes again, as where noise is given in turn.

A table of noise that is read from its beginning again, a file of random numbers, a generator with
a short period: each output has the law it should have, and bets take a thousand numbers for
many thousands. Nothing need look alike in a row there, nor differ later, and a dataset against
itself is as alike as it should be. What gives it away is that the same output is followed by the
same one again.

Let run t give what run s < t gave, the last that did (or let the few runs up to t give what those
up to s gave), and ask of runs t + 1 and t + 2 which of them gives what run s + 1 gave. Where runs
are independent draws of one law, exchanging these two changes nothing but the answer: where one of
them does and the other does not, it is a fair coin given all that was before, whatever the law.
The two are asked about once, so that who stakes half of a wealth on every coin has as much as
before in expectation (Ville's inequality, arXiv 2210.01948). What comes in turn shows as heads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from audit.outcomes.column import Floats, Integers
from audit.sampling.heads import log_wealth_on_heads

_CONTEXTS = (1, 4)
"""Runs that are compared with earlier ones: more where few outputs are possible."""


def codes_of(table: Floats) -> Integers:
    """A number for each row, the same for those that are alike bit by bit; shape (rows,)."""
    numbers: dict[bytes, int] = {}
    found = (numbers.setdefault(row.tobytes(), len(numbers)) for row in table)
    return np.fromiter(found, np.int64, len(table))


def any_in_turn(tables: Sequence[Floats], level: float = 1e-6) -> bool:
    """Whether the rows of any of several tables come in turn.

    Args:
        tables: what came of runs in the order in which they were made, shape (runs, parts) each.
        level: chance of a yes where all runs are independent draws of one law for each table.
    """
    return any(come_in_turn(codes_of(table), level / len(tables)) for table in tables)


def come_in_turn(codes: Integers, level: float) -> bool:
    """Whether what follows is what followed before, more often than for independent draws.

    Args:
        codes: of outputs in the order in which they were made, the same for those that are alike,
            shape (runs,).
        level: chance of a yes where runs are independent draws of one law.
    """
    told = codes.tolist()
    goal = math.log(len(_CONTEXTS) / level)
    return any(log_wealth_on_heads(*_coins(told, context)) >= goal for context in _CONTEXTS)


def _coins(codes: Sequence[int], context: int) -> tuple[int, int]:
    """Heads and tails: how often the next run gives what followed before, and the one after it."""
    heads = tails = 0
    last: dict[tuple[int, ...], int] = {}
    asked = 0
    for place in range(context - 1, len(codes) - 2):
        seen = tuple(codes[place + 1 - context : place + 1])
        before = last.get(seen)
        last[seen] = place
        if before is not None and place >= asked:
            expected = codes[before + 1]
            first, second = codes[place + 1] == expected, codes[place + 2] == expected
            heads, tails = heads + (first and not second), tails + (second and not first)
            asked = place + 2
    return heads, tails
