"""Canaries and the tests on them, explained for readers who meet them here."""

from __future__ import annotations

from audit.canary.design import Assignment
from audit.canary.report.sentences import by_boundary
from audit.canary.result import CanaryResult
from audit.canary.strategy import ALL_GUESSES

CANARIES = (
    "Canaries are records that a coin puts into the training data or leaves out. After "
    "training, somebody who does not see the coins guesses them from the model. Under the "
    "claim no guess is right much more often than chance, whatever the model and the other "
    "coins."
)
COLUMNS = (
    "Allowed is how many may be right before the claim is refuted, at the level that the "
    "boundary leaves to each prefix (– if the prefix counts against larger levels alone); "
    "the last column is the bound of the prefix by itself."
)


def method(result: CanaryResult) -> list[str]:
    """The test behind the answer, one paragraph each."""
    last = [_DIRECTIONS, _BOUND] if result.two_sample is None else [_DIRECTIONS, _COMPARED, _BOUND]
    if not by_boundary(result):
        return [f"{_RECURSION} {_order(result)}", *last]
    return [f"{_rates(result)} {_order(result)} {_BOUNDARY}", _DELTA, *last]


def _rates(result: CanaryResult) -> str:
    """Probability of a right guess under a pure claim."""
    design = result.design
    if design.probability != 0.5:
        most = (
            "a guess that one is in is right with probability at most p e^ε / (p e^ε + 1 - p) "
            f"with p = {design.probability:g}, and one that it is not with the same of 1 - p"
        )
    elif design.steps == 1:
        most = "a guess about a fair coin is right with probability at most q = e^ε / (1 + e^ε)"
    else:
        most = "a guess which of two is in is right with probability at most q = e^2ε / (1 + e^2ε)"
    return (
        f"Given the model and all other coins, {most} under a pure claim (arXiv:2305.08846), so "
        "that right guesses are at most as many as if each were so often right by itself."
    )


def _order(result: CanaryResult) -> str:
    """Canaries that are guessed, and the order in which guesses are opened."""
    if result.design.assignment is not Assignment.COIN:
        return (
            "Of two canaries the one with the higher score is guessed to be in, and those are "
            "opened first whose scores are farthest apart, ties by a permutation from the seed."
        )
    if any(row.strategy == ALL_GUESSES for row in result.prefixes):
        return "The guesses are taken as they were made, in an order from the seed."
    return (
        "The canaries are ordered by how far their scores are from the middle, ties by a "
        "permutation from the seed."
    )


_BOUNDARY = (
    "How many of the first k are right is compared with what such guesses give, for several k at "
    "once: one boundary, whose probability to be crossed anywhere is computed by exact "
    "convolution."
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
_DIRECTIONS = (
    "Guesses are tested in both directions: higher scores as those of members with 80% of the "
    "level (lower ones if the caller says so), the reverse with 20%."
)
_COMPARED = (
    "The caller declares that canaries are independent. Half of α goes to an exact two-sample "
    "test: a sixth of the scores, drawn at random, chooses a threshold and a line of the claim, "
    "and the others are compared by the binomial test of Barnard (1947)."
)
_BOUND = (
    "The lower bound is the largest level of the claim such that it and every smaller one are "
    "refuted, so that it is wrong with probability at most α."
)
