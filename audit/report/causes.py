"""Likely causes and side channels by id: names, rules and what helps."""

from __future__ import annotations

from dataclasses import dataclass

from audit.verdict.findings import Cause

CAUSES = {str(cause): cause for cause in Cause}
"""By `diagnosis.cause`."""


def short_cause(cause: str) -> str:
    """A few words for a cause."""
    return CAUSES[cause].short if cause in CAUSES else cause.replace("-", " ")


@dataclass(frozen=True, slots=True)
class Channel:
    """A side channel: what it is called, and four answers about it, each a clause.

    Attributes:
        name: a heading of one or two words.
        brief: the finding.
        aside: the finding next to a verdict that nothing was refuted.
        help: the remedy in a few words.
        means: the mechanism behind it.
        concerns: who should care.
        remedy: what to do.
        ignore: when it does not matter.
    """

    name: str
    brief: str
    aside: str
    help: str
    means: str
    concerns: str
    remedy: str
    ignore: str


_CHANNELS = {
    # Mironov, On significance of the least significant bits for differential privacy (CCS 2012);
    # Haney and others, Precision-based attacks and interval refining (arXiv 2207.13793).
    "floating-point": Channel(
        name="Floating point",
        brief="low-order bits reveal the input",
        aside="the verdict holds for rounded outputs; full-precision floats release more",
        help="round or discretize",
        means="the last digits of a float that is data plus noise depend on the data",
        concerns="releases with all their digits; noise of ordinary floating-point generators",
        remedy="use discrete noise on a grid, or release far fewer digits",
        ignore="if only rounded numbers leave, or nobody outside sees the outputs",
    ),
    "timing": Channel(
        name="Timing",
        brief="the time of a run reveals the input",
        aside="the verdict holds for outputs; the time of a run releases more",
        help="answer at fixed times",
        means="the duration of a run depends on the data",
        concerns="services whose users can measure when an answer comes",
        remedy="answer at fixed times; draw noise and read data in a time that does not vary",
        ignore="if nobody outside sees when a run begins and ends",
    ),
}


def channel(kind: str) -> Channel:
    """A side channel by its kind."""
    return _CHANNELS.get(kind) or Channel(
        name=kind.replace("-", " ").capitalize(),
        brief="a side channel reveals the input",
        aside="the verdict holds for values; a side channel releases more",
        help="release the value alone",
        means="a property of a run other than the value of its output depends on the data",
        concerns="releases of more than the value itself",
        remedy="release the value alone, always in the same form",
        ignore="if nobody outside sees more than the value",
    )
