"""Findings of an audit of canaries in words."""

from __future__ import annotations

from audit.canary.design import Assignment
from audit.canary.report.prefix_words import compared_in_words, guessed
from audit.canary.result import CanaryResult
from audit.relation import Relation
from audit.report.levels import together
from audit.report.numerals import at_least, at_most, count, percent
from audit.report.sentences import e_value as e_value_of


def facts(result: CanaryResult) -> list[tuple[str, str]]:
    """The evidence, each fact with its name."""
    found = [
        ("claim", step(result)),
        ("canaries", design(result)),
        ("lower bound", bounds(result)),
        ("evidence", evidence(result)),
        ("two-sample test", two_sample(result)),
        ("e-value", e_value(result)),
        ("ceiling", ceiling(result)),
        ("if Gaussian", gaussian(result)),
        ("confidence", confidence(result)),
    ]
    return [(name, text) for name, text in found if text]


def step(result: CanaryResult) -> str:
    """The claim, and the relation between both sides of a coin."""
    relation = {
        Relation.ADD_REMOVE: "one record added or removed",
        Relation.SUBSTITUTE: "the value of one record",
        Relation.USER: "all records of one user",
        Relation.DECLARED: "what the caller says",
    }[result.design.relation]
    stated = f"{result.claim}; neighboring datasets differ by {relation}"
    if result.design.steps == 1:
        return stated
    return f"{stated}, so that two neighbors in a row lead from one canary of a pair to the other"


def design(result: CanaryResult) -> str:
    """Number of canaries, and the rule that puts them in."""
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
    """The things that one coin decides about."""
    return "canaries" if result.design.assignment is Assignment.COIN else "pairs of canaries"


def bounds(result: CanaryResult) -> str:
    """The lower bounds and the claim, that of the claim's own kind first."""
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
    """True if the exact boundary decided, and not the recursion."""
    return result.p_value is not None


def evidence(result: CanaryResult) -> str:
    """The p-value of the guesses under the claim."""
    if result.p_value is None:
        return "the recursion of arXiv 2410.22235 at each prefix, with an equal part of α"
    return f"under the claim, guesses as good have probability at most {at_most(result.p_value)}"


def two_sample(result: CanaryResult) -> str:
    """The two-sample test and its bound, with its condition; empty where there is none."""
    if result.two_sample is None:
        return ""
    bound = f"{result.claim.symbol} ≥ {at_least(result.two_sample.bound)}"
    return f"{bound}: {compared_in_words(result.two_sample)}".replace(": The", ": the")


def e_value(result: CanaryResult) -> str:
    """The e-value against the claim, which further runs may multiply."""
    return (
        f"{e_value_of(result.log_evalue)}; those of further runs may be multiplied with it, "
        f"whenever one stops, and refute the claim at {count(1.0 / result.alpha)}"
    )


def ceiling(result: CanaryResult) -> str:
    """The largest bound that so many canaries can show."""
    most = f"{result.claim.symbol} ≥ {at_least(result.ceiling)}"
    return f"{count(guessed(result))} guesses, all of them right, would have shown {most}"


def shortage(needed: int | None) -> str:
    """The number of canaries that would do, in words."""
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
    """Confidence of the statements: the bounds, each with a level of its own."""
    return together(len(result.levels), result.alpha)


def trusted(result: CanaryResult) -> list[str]:
    """Assumptions that the scores cannot test."""
    chosen = {
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
    assumed = [chosen, blind, fresh] if result.runs > 1 else [chosen, blind]
    return [*assumed, *(_DECLARED[name] for name in result.assumptions)]


_DECLARED = {
    "independent-canaries": "canaries are independent (declared): the scores of members are "
    "independent draws from one law, those of the others from another one"
}
