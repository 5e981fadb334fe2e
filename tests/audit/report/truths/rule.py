"""What makes a sentence of a report true: rules, and what they need to know of a mechanism."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np
from scipy.stats import binom

from audit.claims import ApproxDP, PureDP
from audit.report.formatting import number, read
from audit.verdict.result import AuditResult, Witness

from ..known_truth import CERTAIN, MECHANISMS, Watched, mean_of, truth_of

Check = Callable[[re.Match[str], Watched], None]
RULES: list[tuple[re.Pattern[str], Check]] = []
_CHANCE = 1e-9
"""How seldom a count may lie so far from its mean."""
_N = r"[\d.,e+-]+|∞"
NUMBERS = rf"({_N}) \[({_N}), ({_N})\]"
PERCENT = rf"({_N})% \[({_N})%, ({_N})%\]"
_BOUND_NAMES = {"ε": "epsilon_lower", "ρ": "rho_lower", "μ": "mu_lower", "shift": "shift_lower"}


def says(pattern: str) -> Callable[[Check], Check]:
    """Register what makes a sentence of this form true."""

    def keep(check: Check) -> Check:
        RULES.append((re.compile(pattern), check))
        return check

    return keep


def hold(sentence: str, seen: Watched) -> None:
    """Check one sentence.

    Raises:
        AssertionError: it is not true, or nobody has said when it would be.
    """
    for pattern, check in RULES:
        if found := pattern.fullmatch(sentence):
            check(found, seen)
            return
    raise AssertionError(f"no rule knows when this is true: {sentence!r}")


def chances(seen: Watched, witness: Witness) -> tuple[float, float]:
    """The true probabilities of the witness' event, first where it is likelier."""
    if seen.name in CERTAIN:
        assert witness.event.description in _EXACT[seen.name]
        return 1.0, 0.0
    return truth_of(seen.name, witness)


_EXACT = {
    "exact": ("the output is exactly 1", "the output is at least 1"),
    "raises": ("the mechanism raises ValueError",),
    "keyed": ("key 'rare' is present", "the length of the output is at least 2"),
}


def sides(witness: Witness) -> tuple[str, str]:
    """Names of both datasets, that of the witness' own side first."""
    return ("D", "D'") if witness.direction.startswith("D over") else ("D'", "D")


def other_mean(seen: Watched, witness: Witness) -> float:
    """The true mean of a witness' function on the side that it is not bet on."""
    law = MECHANISMS[seen.name].law
    assert law is not None and witness.function is not None
    return mean_of(witness.function, law(float(np.sum(witness.neighbor))))


def likely(count: int, of: int, chance: float) -> None:
    low, high = binom.ppf(_CHANCE, of, chance), binom.isf(_CHANCE, of, chance)
    assert low <= count <= high, (count, of, chance)


def witness_of(result: AuditResult) -> Witness:
    assert result.witness is not None
    return result.witness


def nothing(found: re.Match[str], seen: Watched) -> None:
    """A heading: it says nothing."""


def violator(seen: Watched) -> bool:
    claim = seen.result.claim
    return MECHANISMS[seen.name].levels[claim.bound] > claim.stated(claim.level)


def bounded(symbol: str, shown: str, seen: Watched) -> None:
    """A lower bound: no larger than the result's, and than the truth."""
    name = _BOUND_NAMES[symbol]
    assert read(shown) <= seen.result.levels[name] <= MECHANISMS[seen.name].levels[name]
    assert read(shown) >= 0.99 * seen.result.levels[name] - 1e-9


def event_words(witness: Witness) -> str:
    """The event with short decimals, a comparison as a formula."""
    return as_formula(long_words(witness))


def long_words(witness: Witness) -> str:
    """The event with short decimals."""
    return re.sub(r"\d+\.\d{7,}", lambda d: f"{float(d[0]):.6g}", witness.event.description)


def as_formula(words: str) -> str:
    """A comparison with one number as a formula."""
    signs = {"at least": "≥", "at most": "≤", "above": ">", "below": "<", "exactly": "="}
    for said, sign in ((f" is {said} ", f" {sign} ") for said, sign in signs.items()):
        subject, found, number = words.partition(said)
        if found and re.fullmatch(r"-?[\d.e+-]+(?: up to rounding)?", number):
            return f"{subject.removeprefix('the ')}{sign}{number}"
    return words


def would_show(said: str, seen: Watched) -> None:
    """That so much is detected so often is measured in test_detectable."""
    pure = seen.result.null or isinstance(seen.result.claim, PureDP)
    claim, beyond, allowed = seen.result.claim, "", ""
    if isinstance(claim, ApproxDP):
        beyond = " beyond δ"
        allowed = rf" \(allowed: {re.escape(number(math.exp(claim.epsilon)))}\)"
    rare = "(; no tested event is so frequent)?"
    words = (
        r"90% power to detect (?:a difference of )?ε ≥ (\S+) on the tested events"
        rf"(?: \((?:≥ (\S+)|none) if 10% of runs show it{rare}\))?"
        if pure
        else rf"90% power to detect a tested event (\S+) times{allowed} as likely{beyond}"
        rf"(?: \((?:(\S+) times|none) if 10% of runs show it{rare}\))?"
    )
    found = re.fullmatch(words, said)
    assert found is not None and seen.result.detectable_epsilon is not None
    unit = float if pure else math.exp
    assert read(found[1]) >= unit(seen.result.detectable_epsilon)
    tenth = seen.result.detectable_tenth
    assert (tenth is None) == ("10%" not in said)
    assert tenth is None or found[2] is None or read(found[2]) >= unit(tenth)
    assert bool(found[3]) is (tenth is not None and tenth < seen.result.detectable_epsilon)
    assert seen.result.null or not pure or read(found[1]) > seen.result.claim.level
