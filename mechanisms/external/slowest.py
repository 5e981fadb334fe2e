"""Which audits of libraries took the longest."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mechanisms.external.cells import table

NAME = "slowest.md"
_SHOWN = 30
_HEAD = """\
# The slowest audits of libraries

By the clock of one machine with two cores that others used, too: good for telling minutes from
seconds, for nothing finer. Of {counted} calls a time is known, {total:.0f} minutes in all; these
took the longest.

"""


def write_slowest(folder: Path, seconds: Mapping[str, Mapping[str, float]]) -> Path:
    """Write the page beside the index.

    Args:
        folder: that of the index.
        seconds: of each call of each library.
    """
    times = [
        (spent, library, call) for library, of in seconds.items() for call, spent in of.items()
    ]
    head = _HEAD.format(counted=len(times), total=sum(spent for spent, *_ in times) / 60)
    longest = sorted(times, key=lambda one: (-one[0], one[2]))[:_SHOWN]
    rows = [[f"{spent:.1f}", library, call] for spent, library, call in longest]
    path = folder / NAME
    path.write_text(head + table(("seconds", "library", "call"), rows), "utf-8")
    return path
