"""What an audit of canaries found, in sentences that say neither more nor less."""

from __future__ import annotations

import math

from audit.canary.design import Assignment
from audit.canary.report.prefix_words import guessed
from audit.canary.result import CanaryResult
from audit.relation import Relation
from audit.report.numerals import at_least, at_most, count, number, percent
from audit.verdict.result import Verdict


def facts(result: CanaryResult) -> list[tuple[str, str]]:
    """Everything that belongs to the answer, each with its name."""
    found = [
        ("claim", step(result)),
        ("canaries", design(result)),
        ("lower bound", bounds(result)),
        ("evidence", evidence(result)),
        ("e-value", e_value(result)),
        ("ceiling", ceiling(result)),
        ("if Gaussian", gaussian(result)),
        ("level", confidence(result)),
    ]
    return [(name, text) for name, text in found if text]


def step(result: CanaryResult) -> str:
    """What the two sides of a coin are to the claim."""
    relation = {
        Relation.ADD_REMOVE: "one record added or removed",
        Relation.SUBSTITUTE: "the value of one record",
        Relation.USER: "all records of one user",
        Relation.DECLARED: "what the caller says",
    }[result.design.relation]
    told = f"{result.claim}; neighboring datasets differ by {relation}"
    if result.design.steps == 1:
        return told
    return f"{told}, so that two neighbors in a row lead from one canary of a pair to the other"


def design(result: CanaryResult) -> str:
    """How many canaries, and who decided about them."""
    trained = f"{count(result.runs)} run{'s' * (result.runs != 1)} of training"
    number_of = f"{count(result.canaries)} {coins(result)} in {trained}"
    return {
        Assignment.COIN: f"{number_of}, each put in by a coin of probability "
        f"{result.design.probability:g} of its own",
        Assignment.PAIRS: f"{number_of}, a fair coin puts one of each pair in",
        Assignment.HALVES: f"{number_of}, matched at random: one of those put in, whose number "
        "was fixed, with one of those left out",
    }[result.design.assignment]


def coins(result: CanaryResult) -> str:
    """What one coin decides about."""
    return "canaries" if result.design.assignment is Assignment.COIN else "pairs of canaries"


def bounds(result: CanaryResult) -> str:
    """The lower bounds beside what is claimed, that of the claim's own kind first."""
    names = sorted(result.levels, key=lambda name: name != result.claim.bound)
    found = [_level(result, name) for name in names]
    each = "each at" if len(found) > 1 else "at"
    trust = percent(1.0 - result.alpha)
    return f"{' and '.join(found)}, {each} {trust} confidence; claimed is {result.claim}"


def _level(result: CanaryResult, name: str) -> str:
    claim, bound = result.claim, at_least(result.levels[name])
    if name != claim.bound:  # of epsilon beside another level, the bound is that of pure DP
        return f"ε ≥ {bound} at δ = 0"
    return f"{claim.symbol} ≥ {bound}{claim.condition and f' {claim.condition}'}"


def by_boundary(result: CanaryResult) -> bool:
    """Whether the exact boundary decided, and not the recursion."""
    return result.p_value is not None


def evidence(result: CanaryResult) -> str:
    """How surprising the guesses are."""
    if result.p_value is None:
        return "the recursion of arXiv 2410.22235 at each prefix, with an equal part of α"
    return f"under the claim, guesses as good have probability at most {at_most(result.p_value)}"


def e_value(result: CanaryResult) -> str:
    """What later runs may use."""
    return (
        f"log e-value {number(result.log_evalue)}; those of further runs may be added to it, "
        f"whenever one stops, and refute the claim at ln(1/α) = "
        f"{number(-math.log(result.alpha))}"
    )


def ceiling(result: CanaryResult) -> str:
    """What could have been seen at most."""
    most = f"{result.claim.symbol} ≥ {at_least(result.ceiling)}"
    return f"{count(guessed(result))} guesses, all of them right, would have shown {most}"


def shortage(needed: int | None) -> str:
    """How many canaries would do, in words."""
    if needed is None:
        return "at this δ and α no number of canaries can; take a larger α or a smaller δ"
    return f"that takes at least {count(needed)} right guesses and no wrong one"


def gaussian(result: CanaryResult) -> str:
    """The Gaussian reading, with its condition; empty where there is none."""
    reading = result.gaussian
    if reading is None:
        return ""
    epsilon = ""
    if reading.epsilon is not None:
        epsilon = f", which is ε ≥ {at_least(reading.epsilon)} {result.claim.condition}"
    return (
        f"μ ≥ {at_least(reading.mu)}{epsilon}: only if the mechanism is exactly Gaussian, which "
        "nothing here shows; on others this exceeds the truth"
    )


def confidence(result: CanaryResult) -> str:
    """What is stated together, and what by itself."""
    symbol, alpha = result.claim.symbol, number(result.alpha)
    own = f"the bound on {symbol}"
    if result.verdict is Verdict.VIOLATION:
        own = f"the verdict and {own}, together"
    if len(result.levels) > 1:
        own = f"{own}; and, by itself, the bound on ε"
    return f"wrong with probability at most α = {alpha}: {own}"


def trusted(result: CanaryResult) -> list[str]:
    """What nothing in the scores can show."""
    told = {
        Assignment.COIN: "each canary was put in by a coin of its own, and the training saw no "
        "more of the coins than the data",
        Assignment.PAIRS: "a coin of its own decided each pair, and the training saw no more of "
        "the coins than the data",
        Assignment.HALVES: "those put in were drawn uniformly at random, and the training saw no "
        "more of the draw than the data",
    }[result.design.assignment]
    blind = (
        "scores depend on who was put in through the trained model alone: no reference model, "
        "threshold or normalization saw it"
    )
    fresh = "each run had fresh coins and fresh noise, and none was left out"
    return [told, blind, fresh] if result.runs > 1 else [told, blind]
