"""What an audit found, in sentences that say neither more nor less."""

from __future__ import annotations

import json
import math

from audit.betting.event import Event
from audit.claim import Claim
from audit.errors import visible
from audit.jsonable import jsonable
from audit.relation import Measure, Relation, Within
from audit.report.escape import clip
from audit.report.headline import sides, sides_of
from audit.report.numerals import (
    at_least,
    count,
    interval,
    number,
    percent,
    power_of_ten,
    rounded,
)
from audit.sampling.ledger import Together
from audit.verdict.leak import Leak
from audit.verdict.result import AuditResult, Verdict, Witness
from audit.verdict.times import Times

_LONGEST_EVENT = 160
_STAGES = {
    "search": "the search",
    "bets": "the bets",
    "check": "checks",
    "witness": "the witness",
    "tables": "tables",
    "together": "the wealth of all versions",
}


def event(found: Event) -> str:
    """An event with no more digits than people read."""
    return rounded(found.description)


def noun(witness: Witness) -> str:
    """What breaks the claim: an event or a function, and its letter."""
    return "event E" if witness.function is None else "function h"


def shows(witness: Witness) -> str:
    """What a witness shows, before its datasets are said to differ."""
    if witness.function is None:
        return "Two neighboring datasets and an event E whose odds break the claim"
    order = number(witness.function.order)
    return (
        "Two neighboring datasets and a function h of the output whose means break the claim, "
        f"which bounds their Rényi divergence of order {order}"
    )


def bets_on_functions(claim: Claim) -> str:
    """What is bet on beside events where a claim bounds divergences, a sentence; else empty."""
    bounds = claim.divergences(claim.level).tolist()
    if not bounds:
        return ""
    listed = ", ".join(f"of order {number(order)} by {number(bound)}" for order, bound in bounds)
    return (
        f"The claim also bounds the Rényi divergence {listed}: against ε at an order a, functions "
        "g ≥ 0 of the output are bet on by factors 1 + λ(e^(−(a−1)ε/a) · g(M(D)) − g(M(D′))^a′/a′ "
        "− 1/a) with a′ = a/(a−1), whose mean is at most 1 by Young's inequality; where a is 1, "
        "they are 1 + λ(g(M(D)) − e^g(M(D′)) + 1 − ε) for any bounded g."
    )


def draws(witness: Witness, recorded: bool = False) -> str:
    """What stands behind p and q, and what the bets saw."""
    kind = "outputs" if recorded else "runs"
    fresh = f"{count(witness.draws)} {'later' if recorded else 'fresh'} {kind} on each side"
    if witness.function is not None:
        _, right = sides(witness)
        mean = interval(witness.function.mean)
        return f"{fresh} behind p and q; the mean of h itself on {right} is {mean}"
    if witness.counts is None:
        return f"{fresh} behind p and q"
    here, there, pairs = witness.counts
    left, right = sides(witness)
    return (
        f"{fresh} behind p and q; in {count(pairs)} pairs of {kind} bet on, E happened "
        f"{count(here)} times on {left} and {count(there)} times on {right}"
    )


def strongest(witness: Witness) -> str:
    """The event that earned most, where it is another one; else nothing."""
    if witness.strongest is None:
        return ""
    found = witness.strongest
    here, there, pairs = map(count, found.counts)
    left, right = sides_of(found.direction)
    return (
        f"{rounded(found.event.description)}: {here} times on {left} and {there} on {right} in "
        f"{pairs} pairs of runs bet on"
    )


def evidence(result: AuditResult) -> str:
    """The wealth of the gambler against what refuting takes."""
    if result.by_versions is not None:
        return _wealth_together(result.by_versions)
    goal = -math.log(result.alpha)
    enough = result.log_evalue >= goal
    # Nothing short of the goal is to look like it.
    reached = f"log e-value {number(result.log_evalue) if enough else at_least(result.log_evalue)}"
    takes = f"refuting takes ln(1/α) = {number(goal)}"
    if result.verdict is Verdict.INCONCLUSIVE and enough:
        return f"{reached}, which does not count here: {result.reason or 'see the notes'}"
    if enough:
        chance = power_of_ten(-result.log_evalue)
        held = "were its runs independent" if result.null else "had the claim held"
        return (
            f"{reached}, where {takes}: {held}, a gambler betting against that would have become "
            f"this rich with probability at most {chance}"
        )
    if result.verdict is Verdict.VIOLATION:
        return (
            f"{reached}, where {takes}; the verdict rests on simultaneous exact intervals of the "
            f"tables, which all hold with probability {percent(1.0 - result.alpha)}"
        )
    factor = at_least(math.exp(min(result.log_evalue, 700.0)))
    return (
        f"{reached}, where {takes}: betting multiplied the stake by {factor} at best, of the "
        f"{count(1.0 / result.alpha)} that refuting takes"
    )


def _wealth_together(found: Together) -> str:
    goal = -math.log(found.level)
    reached = number(found.log_wealth) if found.accused else at_least(found.log_wealth)
    return (
        f"all versions together have reached a log e-value of {reached}, where an accusation "
        f"takes {number(goal)}"
    )


def quiet_pairs(result: AuditResult) -> str:
    """What tables without a flagged bin are worth where nothing else was found either."""
    quiet = [pair.name for pair in result.pairs if pair.satisfied]
    if not quiet or result.null or result.verdict is Verdict.VIOLATION:
        return ""
    names = ", ".join(quiet)
    start = f"No bin of {names} breaks the claim on its own. That is weak evidence for it:"
    return (
        f"{start} a claim speaks of every pair of neighboring datasets and every event, and "
        "a table shows a few pairs and coarse bins. In a large dataset one record hardly moves "
        "the answer, and a scale read from the data hardly changes, so that flaws which small or "
        "extreme datasets show at once stay far below the noise of the table."
    )


def side_channel(leak: Leak) -> str:
    """A leak outside real arithmetic, which the verdict does not count."""
    words = clip(event(leak.event), _LONGEST_EVENT)
    lower = leak.epsilon_lower
    loss = "" if lower is None else f" With it, at least ε = {at_least(lower)} is lost."
    return (
        f"LEAK ({leak.kind}), beside the verdict, which is about real arithmetic: whether {words} "
        f"tells the datasets apart (log e-value {number(leak.log_evalue)}, a wealth of its own)."
        f"{loss}"
    )


def runs(result: AuditResult) -> str:
    """How many runs there were, what they were made for, and where their randomness came from."""
    if result.recorded:
        return f"none: {count(result.samples)} recorded outputs"
    spent = {_STAGES.get(stage, stage): made for stage, made in result.effort.items() if made}
    parts = ", ".join(f"{count(made)} for {stage}" for stage, made in spent.items())
    told = f" ({parts})" if len(spent) > 1 and sum(spent.values()) == result.samples else ""
    return f"{count(result.samples)} in all{told}; {coupling(result)}"


def standing(result: AuditResult) -> str:
    """What a ledger says of all audits of the target; empty where there is none."""
    found = result.standing
    if found is None:
        return ""
    goes_on = f"; its build {count(found.build)} goes on with the wealth of those before"
    return (
        f"this target ({clip(visible(found.target), _LONGEST_EVENT)}) will ever raise a false "
        f"alarm with probability at most α = {number(found.alpha)}, over all audits in "
        f"{visible(found.file)}; this is audit {count(found.audit)} of it, at level "
        f"{number(result.alpha)}{goes_on if found.build > 1 else ''}{_together(found.together)}"
    )


def _together(found: Together | None) -> str:
    if found is None:
        return ""
    forfeited = "" if found.gained is not None else " (this build adds nothing to it)"
    return f"; {_wealth_together(found)}{forfeited}"


def failure(result: AuditResult) -> str:
    """The first run that gave no value; empty where all did."""
    found = result.failure
    return "" if found is None else f"the first was run {count(found.call)}: {found.told}"


def coupling(result: AuditResult) -> str:
    """Where the randomness of the two sides came from."""
    if result.coupled:
        return "both sides of a pair shared their random numbers, which sharpens the comparison"
    return "the two sides of a pair were drawn independently"


def tried(result: AuditResult) -> list[str]:
    """What was looked at, the search included."""
    timed = [] if result.times is None else [times(result.times)]
    return [*map(rounded, result.tried), *timed, _searched(result)]


def times(found: Times) -> str:
    """How long runs took on both sides."""
    left, right = (f"{1e3 * side[1]:.3g} ms" for side in (found.left, found.right))
    return (
        f"{count(found.runs)} timed runs, each on D or {found.pair} by the toss of a coin: in "
        f"the middle {left} and {right}"
    )


def _searched(result: AuditResult) -> str:
    """What the search for worse neighbors took."""
    if result.search is None:
        return "no search beyond the given pairs"
    search = result.search
    pairs, steps = _many(search.pairs, "pair"), _many(search.shrinks, "step")
    return (
        f"{pairs} searched for worse neighbors and {steps} to shrink the worst one, with "
        f"{_many(search.samples, 'run')}"
    )


def _many(number: int, noun: str) -> str:
    return f"{count(number)} {noun}{'s' * (number != 1)}"


def relation(result: AuditResult) -> str:
    """What makes two datasets neighbors, in words."""
    if isinstance(result.relation, Within):
        return _distance(result.relation)
    return {
        Relation.ADD_REMOVE: "neighboring datasets differ by one record added or removed",
        Relation.SUBSTITUTE: "neighboring datasets differ in the value of one record",
        Relation.USER: "neighboring datasets differ in all records of one user",
        Relation.DECLARED: "the pairs are neighboring because the caller says so",
    }[result.relation]


def _distance(relation: Within) -> str:
    most = number(relation.most)
    if relation.measure is Measure.CHANGES:
        records = "record" if relation.most == 1 else "records"
        return f"neighboring datasets differ in the values of at most {most} {records}"
    name = {Measure.L1: "L1", Measure.L2: "L2", Measure.LINF: "L∞"}[relation.measure]
    return f"neighboring datasets are vectors at an {name} distance of at most {most}"


def dataset(value: object, limit: int) -> str:
    """A dataset as the witness holds it: a sentence, or JSON."""
    text = value if isinstance(value, str) else json.dumps(jsonable(value), ensure_ascii=False)
    return clip(visible(text), limit)
