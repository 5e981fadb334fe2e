"""Findings of an audit in words: events, datasets, evidence, runs, leaks, assumptions."""

from __future__ import annotations

import json
import math
import re

from audit.betting.events import Event
from audit.claims import ApproxDP, Claim, PureDP
from audit.errors import visible
from audit.jsonable import jsonable
from audit.relation import NEIGHBOR, Measure, Relation, Within
from audit.report import loss
from audit.report.causes import channel
from audit.report.formatting import (
    at_least,
    clip,
    count,
    in_percent,
    number,
    percent,
    power_of_ten,
    rounded,
)
from audit.sampling.ledger_entry import Together
from audit.verdict.findings import Leak, Times, Units
from audit.verdict.result import AuditResult, Verdict, Witness

_LONGEST_NAME = 80
_LONGEST_EVENT = 160
_STAGES = {"check": "checks"}
_SIGNS = {"at least": "≥", "at most": "≤", "above": ">", "below": "<", "exactly": "="}
_BRIEF = re.compile(
    rf"(?:the )?(.+?) is ({'|'.join(_SIGNS)}) (-?[\d.]+(?:e[+-]?\d+)?(?: up to rounding)?)"
)
UNIT = "independent unit"
_UNITS = {
    "life": "fresh instance",
    "call": "call",
    "start": "start",
    "request": "request",
    "session": "session",
    "line": "recorded line",
    "canary": "canary",
}
_ASSUMED = {
    "independent-calls": "calls are independent of each other",
    "independent-requests": "requests are independent of each other",
    "independent-sessions": "sessions are independent of each other",
    "independent-lines": "recorded lines are independent draws, on neighboring datasets",
    "independent-canaries": "canaries' scores have independent noise",
    "shared-import": "importing the module draws no noise",
    "shared-constructor": "the object holds no noise drawn before the audit; else give factory=",
    "outside-process": "files, databases and services carry no noise between runs",
    "clock": "the clock does not seed the noise",
}


def named(result: AuditResult) -> str:
    """The mechanism's name, short enough for a sentence."""
    return clip(visible(result.mechanism), _LONGEST_NAME)


def event(found: Event) -> str:
    """An event with no more digits than people read."""
    return rounded(found.description)


def brief(found: Event) -> str:
    """An event as a formula where it compares one number, else in words."""
    words = event(found)
    if compared := _BRIEF.fullmatch(words):
        return f"{compared[1]} {_SIGNS[compared[2]]} {compared[3]}"
    return words


def difference(witness: Witness) -> str:
    """Difference between the two datasets of a witness, by its short names D and D'."""
    pair = re.escape(witness.pair)
    return re.sub(rf"(?<!\w){pair}(?!\w|\.\w)", NEIGHBOR, witness.difference)


def dataset(value: object, limit: int) -> str:
    """A dataset as the witness holds it: a sentence, or JSON."""
    text = value if isinstance(value, str) else json.dumps(jsonable(value), ensure_ascii=False)
    return clip(visible(text), limit)


def bets_on_functions(claim: Claim) -> str:
    """The bets on functions, for claims that bound divergences, a sentence; else empty."""
    bounds = claim.divergences(claim.level).tolist()
    if not bounds:
        return ""
    listed = ", ".join(f"of order {number(order)} by {number(bound)}" for order, bound in bounds)
    return (
        f"The claim also bounds the Rényi divergence {listed}: against ε at an order a, functions "
        "g ≥ 0 of the output are bet on by factors 1 + λ(e^(−(a−1)ε/a) · g(M(D)) − g(M(D′))^a′/a′ "
        "− 1/a) with a′ = a/(a−1), whose mean is at most 1 by Young's inequality; if a is 1, "
        "they are 1 + λ(g(M(D)) − e^g(M(D′)) + 1 − ε) for any bounded g."
    )


def sides_of(direction: str) -> tuple[str, str]:
    """D and D' in the order of a direction such as "D over D1"."""
    return ("D", NEIGHBOR) if direction.partition(" over ")[0] == "D" else (NEIGHBOR, "D")


def draws(witness: Witness, recorded: bool) -> str:
    """Size of the sample behind the probabilities of a witness."""
    return f"{count(witness.draws)} {'later outputs' if recorded else 'fresh runs'}"


def counts(witness: Witness) -> str:
    """Frequency of the event in the runs before the fresh ones; empty if nobody counted."""
    if witness.counts is None or witness.function is not None:
        return ""
    return _in_pairs(witness.counts, witness.direction)


def _in_pairs(counted: tuple[int, int, int], direction: str) -> str:
    here, there, pairs = map(count, counted)
    left, right = sides_of(direction)
    return f"{here} on {left} and {there} on {right} in {pairs} pairs of runs"


def samples(witness: Witness, result: AuditResult) -> str:
    """Sizes of both samples behind a counterexample: of earlier runs, and of the bars."""
    bars = f"bars: {draws(witness, result.recorded)}"
    if witness.function is not None:
        refuted = f"refuted it with {p_value(result)}" if p_value(result) else "refuted it"
        units = "" if result.units is None else f" in {many(result.units.count, 'unit')}"
        return f"the test {refuted}{units}; {bars}"
    if witness.counts is None:
        return ""
    here, there, pairs = witness.counts
    left, right = sides_of(witness.direction)
    shares = f"{in_percent(here / pairs)} on {left} and {in_percent(there / pairs)} on {right}"
    return f"earlier: {shares} in {count(pairs)} pairs; {bars}"


def strongest(witness: Witness) -> str:
    """The event with the largest wealth, if it is another one; else empty."""
    found = witness.strongest
    if found is None:
        return ""
    return f"{event(found.event)}: {_in_pairs(found.counts, found.direction)}"


def p_value(result: AuditResult) -> str:
    """The anytime-valid p-value of a rejected claim; empty elsewhere."""
    rejected = result.verdict is Verdict.VIOLATION and result.by_versions is None
    if not rejected or result.log_evalue < -math.log(result.alpha):
        return ""
    return f"p < {power_of_ten(-result.log_evalue)}"


def evidence(result: AuditResult) -> str:
    """The e-value against the claim, and the e-value that refutes it."""
    if result.by_versions is not None:
        return _wealth_together(result.by_versions)
    enough = result.log_evalue >= -math.log(result.alpha)
    needs = f"{count(1.0 / result.alpha)} refutes the claim"
    if enough and result.verdict is Verdict.INCONCLUSIVE:
        return f"e-value {e_value(result.log_evalue)}, which does not count: {result.reason}"
    if enough:
        return f"{p_value(result)} (anytime-valid; e-value {e_value(result.log_evalue)}; {needs})"
    if result.verdict is Verdict.VIOLATION:
        return (
            "simultaneous exact intervals of the tables, which all hold with "
            f"{percent(1.0 - result.alpha)} confidence; e-value {e_value(result.log_evalue)}"
        )
    return f"e-value {e_value(result.log_evalue)} at most; {needs}"


def e_value(log_value: float) -> str:
    """An e-value rounded down, as a power of ten if it is large."""
    if log_value >= math.log(1e6):
        return "∞" if math.isinf(log_value) else f"1e{math.floor(log_value / math.log(10.0))}"
    return at_least(math.exp(log_value))


def _wealth_together(found: Together) -> str:
    goal = count(1.0 / found.level)
    reached = e_value(found.log_wealth)
    return f"e-value {reached} of all versions together; {goal} refutes that all keep the claim"


def quiet_pairs(result: AuditResult) -> str:
    """The weight of tables without a flagged bin."""
    quiet = [pair.name for pair in result.pairs if pair.satisfied]
    if not quiet or result.null:
        return ""
    if result.verdict is Verdict.VIOLATION:
        return (
            "One pair and one event refute the claim. Tables without a flagged bin are of other "
            "pairs, or have too few runs to show it again; they do not weaken the verdict."
        )
    return (
        f"No bin of {', '.join(quiet)} breaks the claim on its own. That says little: the claim "
        "is about every pair of neighboring datasets and every event, and a table shows a few "
        "pairs and coarse bins. In a large dataset one record hardly moves the answer, "
        "and a scale read from the data hardly changes; small or extreme datasets show such flaws."
    )


def side_channel(leak: Leak, claim: Claim, verdict: Verdict) -> str:
    """A side channel, which the verdict does not count, and what to do about it.

    The bound on ε is shown unless the ε of the claim allows as much.
    """
    found = channel(leak.kind)
    lower = leak.epsilon_lower
    within = claim.level if isinstance(claim, PureDP | ApproxDP) else 0.0
    size = "" if lower is None or lower <= within else f" (ε ≥ {at_least(lower)})"
    said = found.aside if verdict is Verdict.NOT_REFUTED else found.brief
    return f"{said}{size}; {found.help}"


def leak_evidence(leak: Leak) -> str:
    """The event of a side channel and its e-value."""
    words = clip(event(leak.event), _LONGEST_EVENT)
    return f"{words} (e-value {e_value(leak.log_evalue)}, tested with its own α)"


def sample(result: AuditResult) -> str:
    """Size of an audit, in runs or in outputs that were recorded before."""
    return f"{count(result.samples)} {'recorded outputs' if result.recorded else 'runs'}"


def runs(result: AuditResult) -> str:
    """Numbers of runs, by stage; of recorded outputs their number."""
    if result.recorded:
        return f"{count(result.samples)}, recorded"
    spent = {_STAGES.get(stage, stage): made for stage, made in result.effort.items() if made}
    parts = ", ".join(f"{count(made)} {stage}" for stage, made in spent.items())
    split = f" ({parts})" if len(spent) > 1 and sum(spent.values()) == result.samples else ""
    return f"{count(result.samples)} in all{split}"


def units(found: Units) -> str:
    """Unit that counted once in the wealth; on a pair of datasets it may be one on each."""
    noun = _UNITS.get(found.kind, found.kind)
    return (
        f"{many(found.count, UNIT)} in the test, each of one {noun} or of one on D and one on its "
        f"neighbor; at the end {many(found.n, 'run')} per {noun}"
    )


def standing(result: AuditResult) -> str:
    """The ledger's statement on all audits of the target; empty without a ledger."""
    found = result.standing
    if found is None:
        return ""
    build = f"; build {count(found.build)} continues the wealth of the builds before"
    versions = "" if found.together is None else f"; {_wealth_together(found.together)}"
    if found.together is not None and found.together.gained is None:
        versions += " (this build adds nothing to it)"
    return (
        f"α = {number(found.alpha)} bounds the probability of any false alarm about "
        f"{clip(visible(found.target), _LONGEST_EVENT)} in {visible(found.file)}; audit "
        f"{count(found.audit)}, at level {number(result.alpha)}{build if found.build > 1 else ''}"
        f"{versions}"
    )


def failure(result: AuditResult) -> str:
    """The first run that gave no value; empty if all did."""
    found = result.failure
    return "" if found is None else f"{found.line} (the first: run {count(found.call)})"


def tried(result: AuditResult) -> list[str]:
    """Extent of the audit: datasets, events, and the search."""
    timed = [] if result.times is None else [times(result.times)]
    searched = "no search beyond the given pairs"
    if (search := result.search) is not None:
        pairs, steps = many(search.pairs, "pair"), many(search.shrinks, "step")
        searched = f"search: {pairs} of datasets, {steps} to shrink the worst one"
    return [*map(rounded, result.tried), *timed, searched]


def times(found: Times) -> str:
    """Duration of runs on both datasets."""
    left, right = (f"{1e3 * side[1]:.3g} ms" for side in (found.left, found.right))
    return (
        f"{count(found.runs)} timed runs, each on D or {found.pair} by the toss of a coin: median "
        f"{left} and {right}"
    )


def many(number: int, noun: str) -> str:
    """So many of a noun, as "1 record" or "1,200 records"."""
    return f"{count(number)} {noun}{'s' * (number != 1)}"


def assumed(result: AuditResult) -> str:
    """Assumptions that were declared, or seen and not ruled out; empty if there are none."""
    return "; ".join(_ASSUMED.get(one, one.replace("-", " ")) for one in result.assumptions)


def suggestive(result: AuditResult) -> str:
    """Evidence that grew and did not suffice; empty if there is none."""
    found = result.suggestive
    if found is None:
        return ""
    return (
        f"about {count(found.runs_wanted)} runs may decide; the e-value grew to "
        f"{e_value(found.log_evalue)} of {count(1.0 / result.alpha)}"
    )


def relation(result: AuditResult) -> str:
    """The adjacency relation, in words."""
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


def profile(result: AuditResult) -> str:
    """Lower bounds on epsilon at several deltas; empty if there are none."""
    if not loss.bounded(result) or not result.curve:
        return ""
    found = [f"ε ≥ {at_least(p.epsilon_lower)} at δ = {p.delta:g}" for p in result.curve]
    together = "all together with " if len(found) > 1 else ""
    return f"{', '.join(found)} ({together}{loss.sure(result)})"


def estimate(result: AuditResult) -> str:
    """The estimate of the claim's parameter; empty if there is none."""
    found = result.estimate
    if not loss.bounded(result) or found is None:
        return ""
    spread = f"{number(found.level)} ± {number(found.standard_error)}"
    units = f"{count(found.units)} units after the leading event was chosen"
    return f"{result.claim.symbol} ≈ {spread} (standard error, {units}; no confidence level)"
