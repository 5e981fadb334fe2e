"""Parts of an answer that have to fit on one screen together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

_LEFT_OUT = "  … {} more lines"


@dataclass(frozen=True, slots=True)
class Section:
    """Lines that belong together; an empty line stands before the next section.

    Attributes:
        lines: the lines; a section without any is left out.
        least: lines it keeps where there is not room for all; the line that says how
            many are missing is one of them.
        rank: sections with a higher one are cut first.
    """

    lines: Sequence[str]
    least: int
    rank: int


def fitted(sections: Sequence[Section], most: int) -> list[Section]:
    """The sections, cut until they take so many lines at most, those of the highest rank first."""
    kept = [section for section in sections if section.lines]
    order = sorted(range(len(kept)), key=lambda place: -kept[place].rank)
    for place in order:
        over = _height(kept) - most
        if over > 0:
            kept[place] = _cut(kept[place], over)
    return kept


def _height(sections: Sequence[Section]) -> int:
    return sum(len(section.lines) for section in sections) + max(0, len(sections) - 1)


def _cut(section: Section, over: int) -> Section:
    """The section without so many of its lines, as far as it may be cut."""
    held = len(section.lines)
    shown = max(section.least, held - over)
    if shown >= held:
        return section
    left_out = _LEFT_OUT.format(held - shown + 1)
    return replace(section, lines=[*section.lines[: shown - 1], left_out])


def joined(sections: Sequence[Section]) -> str:
    """All sections as text."""
    return "\n\n".join("\n".join(section.lines) for section in sections if section.lines) + "\n"
