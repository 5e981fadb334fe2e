"""The section on peers: a head, and a part for each peer that is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.peers import f_dp, ldp, statdp

TITLE = "Side by side with peers"
MARK = "###"


@dataclass(frozen=True, slots=True)
class Part:
    """A peer's part of the section.

    Attributes:
        folder: name of the clone.
        title: of the part.
        paragraphs: each is made from the folder of all clones.
    """

    folder: str
    title: str
    paragraphs: Sequence[Callable[[Path], Iterable[str]]]

    def lines(self, folder: Path) -> Iterator[str]:
        """All of them, with an empty line before each."""
        for paragraph in self.paragraphs:
            yield ""
            yield from paragraph(folder)


PARTS = {
    "f-dp": Part(f_dp.NAME, f_dp.TITLE, (f_dp.level, f_dp.power, f_dp.known_beforehand)),
    "statdp": Part(statdp.NAME, statdp.TITLE, (statdp.level, statdp.power, statdp.calls)),
    "ldp": Part(ldp.NAME, ldp.TITLE, (ldp.level, ldp.bounds)),
}
"""By the name that `--peer` takes, in the order of the page."""
HEAD = (
    "Both on the same machine, one process at a time. *Here* is a whole audit of this tool on the",
    "given pairs, calls being assumed independent, up to the violation. Seconds are processor",
    "seconds of an audit, start-up and compilation left out. Each part first gives how often right",
    "claims are rejected. One-run canaries stand beside jax_privacy's in [canaries](canaries.md).",
)


def markdown(folder: Path) -> list[str]:
    """The head, and the parts of the peers in the folder."""
    lines = [*HEAD]
    for part in PARTS.values():
        if (folder / part.folder).is_dir():
            lines += ["", f"{MARK} {part.title}", *part.lines(folder)]
    return lines
