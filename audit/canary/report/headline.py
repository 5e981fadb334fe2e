"""The verdict about canaries in a few sentences."""

from __future__ import annotations

from audit.canary.report.prefix_words import guessed, telling
from audit.canary.report.sentences import bounds, coins, shortage
from audit.canary.result import CanaryResult
from audit.errors import visible
from audit.report.escape import clip
from audit.report.numerals import at_least, count
from audit.report.size import loss
from audit.verdict.result import Verdict

_LONGEST_NAME = 80


def headline(result: CanaryResult) -> str:
    """The verdict, its first word in capitals, and what it rests on."""
    word, name = _word(result), named(result)
    if result.verdict is Verdict.VIOLATION:
        return f"{word}: {name} breaks {result.claim}: {_size(result)}. {telling(result)}."
    if result.verdict is Verdict.INCONCLUSIVE:
        return (
            f"{word}: {count(guessed(result))} guesses could not have refuted {result.claim}, "
            f"whatever {name} is: {shortage(result.needed)}."
        )
    return (
        f"{word}: guesses about {count(result.canaries)} {coins(result)} of {name} did not break "
        f"{result.claim}. Had all of them been right, {result.claim.symbol} ≥ "
        f"{at_least(result.ceiling)} would have been seen. This is not a proof that the claim "
        "holds."
    )


def story(result: CanaryResult) -> str:
    """The headline without its first words, which say the verdict."""
    return headline(result).partition(": ")[2]


def last_line(result: CanaryResult) -> str:
    """Verdict and size again, short, for whoever reads the end first."""
    word = _word(result)
    if result.verdict is Verdict.VIOLATION:
        return f"{word}: {named(result)}, {_size(result)}"
    if result.verdict is Verdict.INCONCLUSIVE:
        lacking = "no number of canaries would do" if result.needed is None else "too few canaries"
        return f"{word}: {named(result)}, {result.claim}: {lacking}"
    return f"{word}: {named(result)}, {bounds(result)}"


def named(result: CanaryResult) -> str:
    """What was trained, short enough for a sentence."""
    return clip(visible(result.mechanism), _LONGEST_NAME)


def _word(result: CanaryResult) -> str:
    return str(result.verdict).replace("-", " ").upper()


def _size(result: CanaryResult) -> str:
    """How large the loss is at least; a bound that only reaches the claim is no larger one."""
    found = loss(result.claim, result.levels[result.claim.bound])
    return found or f"the lower bound reaches what is claimed, {result.claim}"
