"""Findings of an audit of canaries in words."""

from __future__ import annotations

from audit.canary.design import Assignment
from audit.canary.guesses import ALL_GUESSES, IN_ALONE
from audit.canary.result import CanaryResult, PrefixRow, TwoSample
from audit.relation import Relation
from audit.report.formatting import at_least, at_most, count, number, percent
from audit.report.loss import Interface, together
from audit.report.sentences import e_value


def facts(result: CanaryResult) -> list[tuple[str, str]]:
    """The evidence, each fact with its name."""
    further = (
        "those of further runs may be multiplied with it, whenever one stops, and refute the claim "
        f"at {count(1.0 / result.alpha)}"
    )
    guesses = count(guessed(result))
    most = f"{result.claim.symbol} ≥ {at_least(result.ceiling)}"
    found = [
        ("claim", _claim(result)),
        ("canaries", _design(result)),
        ("lower bound", _bounds(result)),
        ("evidence", _evidence(result)),
        ("two-sample test", _two_sample(result)),
        ("e-value", f"{e_value(result.log_evalue)}; {further}"),
        ("ceiling", f"{guesses} guesses, all of them right, would have shown {most}"),
        ("if Gaussian", gaussian(result)),
        ("confidence", together(len(result.levels), result.alpha)),
    ]
    return [(name, text) for name, text in found if text]


def _claim(result: CanaryResult) -> str:
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


def _design(result: CanaryResult) -> str:
    """Number of canaries, and the rule that puts them in."""
    trained = f"{count(result.runs)} run{'s' * (result.runs != 1)} of training"
    number_of = f"{count(result.canaries)} {result.design.coins} in {trained}"
    return {
        Assignment.COIN: f"{number_of}, each put in by a coin of probability "
        f"{result.design.probability:g} of its own",
        Assignment.PAIRS: f"{number_of}, a fair coin puts one of each pair in",
        Assignment.HALVES: f"{number_of}, matched at random: one of those put in, whose number "
        "was fixed, with one of those left out",
    }[result.design.assignment]


def _bounds(result: CanaryResult) -> str:
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


def _evidence(result: CanaryResult) -> str:
    """The p-value of the claim."""
    if result.p_value is None:
        return "the recursion of arXiv 2410.22235 at each prefix, with an equal part of α"
    what = "guesses as good" if result.two_sample is None else "guesses or scores as telling"
    return f"under the claim, {what} have probability at most {at_most(result.p_value)}"


def _two_sample(result: CanaryResult) -> str:
    """The two-sample test and its bound, with its condition; empty where there is none."""
    if result.two_sample is None:
        return ""
    bound = f"{result.claim.symbol} ≥ {at_least(result.two_sample.bound)}"
    return f"{bound}: {compared_in_words(result.two_sample)}"


def shortage(needed: int | None, guesses: int) -> str:
    """The number of canaries that would do, in words."""
    if needed is None:
        return "at this δ and α no number of canaries can; take a larger α or a smaller δ"
    if needed <= guesses:
        return "δ counts every canary, guessed or not; score all, or take a larger α or a smaller δ"
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
        "nothing here shows; on others this may exceed the truth"
    )


def trusted(result: CanaryResult) -> list[str]:
    """Assumptions that the scores cannot test."""
    chosen = {
        Assignment.COIN: "each canary was put in by a coin of its own, and the training saw no "
        "more of the coins than the data",
        Assignment.PAIRS: "a coin of its own decided each pair, and the training saw no more of "
        "the coins than the data",
        Assignment.HALVES: "those put in were drawn uniformly at random, the training saw no more "
        "of the draw than the data, and no other seed was tried for the matching",
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
    if result.p_value is None:  # no boundary decided
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


def most_telling(result: CanaryResult) -> PrefixRow | None:
    """The prefix with the largest bound, the longest of several."""
    return max(result.prefixes, key=lambda row: (row.bound, row.guesses), default=None)


def telling_rows(result: CanaryResult) -> list[PrefixRow]:
    """All prefixes of the strategy that shows most."""
    telling = most_telling(result)
    return [row for row in result.prefixes if telling and row.strategy == telling.strategy]


def allowed(row: PrefixRow) -> str:
    """Number of right guesses that the claim allows, for a cell of a table."""
    return "–" if row.allowed is None else count(row.allowed)


def telling(result: CanaryResult) -> tuple[str, str]:
    """The test that the bound comes from, and its numbers; empty where there are none.

    The two-sample test if its bound is the larger one, else the prefix that shows most.
    """
    row, compared = most_telling(result), result.two_sample
    if compared is not None and (row is None or compared.bound > row.bound):
        return "Two-sample test", compared_in_words(compared)
    return "Guesses", "" if row is None else _right(result, row)


def _right(result: CanaryResult, row: PrefixRow) -> str:
    """Right guesses of a prefix, and those that the claim allows or the bound that they show."""
    shown = f", which by itself shows {result.claim.symbol} ≥ {at_least(row.bound)}"
    allowed = shown if row.allowed is None else f", where the claim allows {count(row.allowed)}"
    if row.strategy == IN_ALONE:
        return (
            f"Of the {count(row.guesses)} canaries that look most like members, "
            f"{count(row.correct)} are{allowed}"
        )
    right = f"{count(row.correct)} of the {count(row.guesses)} most confident guesses are right"
    return f"{right}{allowed}"


def compared_in_words(compared: TwoSample) -> str:
    """The event of the two-sample test, and how often it happened."""
    event = f"{'at least' if compared.above else 'below'} {number(compared.threshold)}"
    draws = count(compared.draws)
    return (
        f"the score is {event} for {count(compared.members)} of {draws} members and "
        f"{count(compared.others)} of {draws} others, if canaries are independent; a sixth "
        "of the scores was used to choose this event"
    )


_BARELY = 1.25
"""Ceilings up to so many times the claim leave room for hardly any wrong guess."""


def more(result: CanaryResult) -> str:
    """Designs with a higher ceiling, if the ceiling barely exceeds the claim; else empty."""
    claim = result.claim
    if result.ceiling > _BARELY * claim.stated(claim.level):
        return ""
    interface = Interface.of(result.command)
    alpha = f"a larger {interface.argument('alpha')}"
    if result.design.steps == 1:
        return f"in the next training more canaries, or {alpha}"
    return (
        f"{interface.argument('relation', Relation.SUBSTITUTE)} if that is claimed; in the next "
        f"training a coin for each canary, or {alpha}. The two canaries of a pair are two steps "
        f"of {result.design.relation} apart, which halves the bound"
    )


def guessed(result: CanaryResult) -> int:
    """All coins that were guessed."""
    return result.opened[-1][0] if result.opened else 0
