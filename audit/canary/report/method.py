"""What canaries are and how they are judged, for readers who meet them here."""

from __future__ import annotations

from audit.canary.report.sentences import by_boundary
from audit.canary.result import CanaryResult
from audit.verdict.result import Verdict


def canaries_are(result: CanaryResult) -> str:
    """What the verdict rests on, in three sentences."""
    told = (
        "Canaries are records that a coin puts into the training data or leaves out. After "
        "training, somebody who does not see the coins guesses them from the model. Under the "
        "claim no guess is right much more often than chance, whatever the model and the other "
        "coins"
    )
    return f"{told}{'; here too many were.' if result.verdict is Verdict.VIOLATION else '.'}"


def columns() -> str:
    """What the table of prefixes holds."""
    return (
        "Allowed is how many may be right before the claim is refuted, at the level that the "
        "boundary leaves to each prefix (– where the prefix counts against larger levels alone); "
        "the last column is what the prefix shows by itself."
    )


def method(result: CanaryResult) -> list[str]:
    """How the answer came about, one paragraph each."""
    return [_GUESSES, _DELTA, _BOUND] if by_boundary(result) else [_RECURSION, _BOUND]


_GUESSES = (
    "Given the model and all other coins, a guess about a fair coin is right with probability at "
    "most q = e^ε / (1 + e^ε) under a pure claim (arXiv:2305.08846), so that right guesses are at "
    "most as many as those of independent coins of probability q. The canaries are ordered by how "
    "far their scores are from the middle, ties by a permutation from the seed; how many of the "
    "first k are right is compared with what such coins give, for several k at once: one "
    "boundary, whose probability to be crossed anywhere is computed by exact convolution."
)
_DELTA = (
    "A δ adds at most the number of canaries times δ times a factor that the shortest block of "
    "guesses decides; it is part of the level."
)
_RECURSION = (
    "For right guesses N among at most r, and m canaries in all, the claim's curve F bounds "
    "E[N; N in A]/m by F(E[r − N; N + 1 in A]/m) for every set A (arXiv:2410.22235); from this "
    "follows, going down from the number seen, how likely so many can be. Each prefix has an "
    "equal part of α."
)
_BOUND = (
    "The lower bound is the largest level of the claim such that it and every smaller one are "
    "refuted, so that it is wrong with probability at most α."
)
