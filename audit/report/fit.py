"""Statements cut to the height of an answer: the cause of a violation and its fix last."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

WIDTH = 80
_EXAMPLE, FACTS = 1, 3
"""Places of the counterexample and of the facts among the blocks of a short answer."""
BARS = 3
"""Lines of the bars, none of which is cut."""
AFTER = 3
"""Ranks from here on are left out before one of these facts is cut."""
SPARE = 4
"""Ranks from here on are left out before a fact is cut."""


@dataclass(slots=True)
class Entry:
    """One statement in lines.

    Attributes:
        lines: of the statement.
        least: lines that it keeps if there is not room for all.
        rank: statements of the highest one are left out first; those of 0 stay.
        needed: True if others are cut before.
    """

    lines: list[str]
    least: int = 1
    rank: int = 0
    needed: bool = False

    def cut(self) -> None:
        """Leave out the last line, and mark the one before, at the end of a sentence or a word."""
        self.lines.pop()
        if self.lines:
            self.lines[-1] = _marked(self.lines[-1])


def _marked(text: str) -> str:
    """A line up to the end of its last sentence or, if none ends in it, of a word, and "…"."""
    sentence, stop, _ = text.rpartition(". ")
    if stop:
        return f"{sentence}. …"
    whole = textwrap.wrap(text, WIDTH - len(" …"), break_on_hyphens=False)[0]
    return f"{whole.rstrip(' ,;:')} …"


Block = list[Entry]
"""Statements between two empty lines."""


def fitted(blocks: Sequence[Block], most: int) -> list[list[str]]:
    """The blocks cut to so many lines: first what may well be left out, the cause and fix last."""
    entries = [entry for block in blocks for entry in block]
    ways = (
        partial(_left_out, entries, SPARE),
        partial(_cut, [entry for entry in entries if not entry.needed]),
        partial(_left_out, entries, AFTER),
        partial(_close_up, blocks),
        partial(_cut_to_one, blocks[_EXAMPLE]),
        partial(_cut, entries),
        partial(_left_out, entries, 1),
        partial(_cut_to_one, blocks[FACTS]),
    )
    while height([lines_of(block) for block in blocks]) > most and any(way() for way in ways):
        continue
    return [lines_of(block) for block in blocks]


def _left_out(entries: Sequence[Entry], least: int) -> bool:
    """Leave out the last statement of the highest rank; False if all ranks are below the least."""
    spare = [entry for entry in entries if entry.lines and entry.rank >= least]
    if spare:
        max(reversed(spare), key=lambda entry: entry.rank).lines.clear()
    return bool(spare)


def _cut(entries: Sequence[Entry]) -> bool:
    """Cut a line of the statement with the most to spare, of the highest rank; False if none."""
    over = [entry for entry in entries if len(entry.lines) > entry.least]
    if over:
        max(over, key=lambda entry: (len(entry.lines) - entry.least, entry.rank)).cut()
    return bool(over)


def _close_up(blocks: Sequence[Block]) -> bool:
    """Leave out the empty line after the facts; False if there is none."""
    facts, end = blocks[FACTS], blocks[-1]
    apart = bool(lines_of(facts) and lines_of(end))
    facts += end
    end.clear()
    return apart


def _cut_to_one(block: Block) -> bool:
    """Cut a line of the last statement that has several; False if there is none."""
    over = [entry for entry in block if len(entry.lines) > 1 and entry.least < BARS]
    if over:
        over[-1].cut()
    return bool(over)


def lines_of(block: Block) -> list[str]:
    """The lines of all statements."""
    return [one for entry in block for one in entry.lines]


def height(blocks: Sequence[Sequence[str]]) -> int:
    """Lines of all blocks, with an empty one between each two."""
    heights = [len(lines) for lines in blocks if lines]
    return sum(heights) + max(0, len(heights) - 1)
