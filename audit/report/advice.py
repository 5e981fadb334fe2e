"""What a side channel means, whom it concerns, what helps, and when it does not matter."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Advice:
    """Four answers about one kind of leak, each a clause.

    Attributes:
        means: what gives the data away.
        concerns: who should care.
        remedy: what to do.
        ignore: when it does not matter.
    """

    means: str
    concerns: str
    remedy: str
    ignore: str


_KNOWN = {
    # Mironov, On significance of the least significant bits for differential privacy (CCS 2012);
    # Haney and others, Precision-based attacks and interval refining (arXiv 2207.13793).
    "floating-point": Advice(
        means="the last digits of a float that is data plus noise depend on the data",
        concerns="releases with all their digits; noise of ordinary floating-point generators",
        remedy="add discrete noise on a grid, use a library that does, or release far fewer digits",
        ignore="where only rounded numbers leave, or nobody outside sees the outputs",
    ),
    "timing": Advice(
        means="how long a run takes depends on the data",
        concerns="services whose users can measure when an answer comes",
        remedy="answer at fixed times; draw noise and read data in a time that does not vary",
        ignore="where nobody outside sees when a run begins and ends",
    ),
}
_OTHER = Advice(
    means="something beside the value of an output depends on the data",
    concerns="releases of more than the value itself",
    remedy="release the value alone, always in the same form",
    ignore="where nobody outside sees more than the value",
)


def advice_on(kind: str) -> Advice:
    """The answers about a kind of leak."""
    return _KNOWN.get(kind, _OTHER)
