"""What an audit found, in sentences that say neither more nor less."""

from __future__ import annotations

import json
import math

from audit.claim import EPSILON_CLAIMS, ApproxDP, PureDP
from audit.declaration import Relation
from audit.errors import visible
from audit.jsonable import jsonable
from audit.report.escape import clip
from audit.report.numerals import count, number, percent, power_of_ten, rounded
from audit.result import AuditResult, Leak, Verdict, Witness

_LONGEST_EVENT = 160
_SYMBOLS = {"epsilon_lower": "ε", "rho_lower": "ρ", "mu_lower": "μ", "renyi_lower": "Rényi ε"}


def headline(result: AuditResult) -> str:
    """The verdict in one sentence, its first word in capitals."""
    if result.verdict is Verdict.VIOLATION:
        return _null_failed(result) if result.null else _violation(result)
    if result.verdict is Verdict.INCONCLUSIVE:
        return f"INCONCLUSIVE: {_obstacle(result)}"
    return _null_passed(result) if result.null else _not_refuted(result)


def _violation(result: AuditResult) -> str:
    broken = f"VIOLATION: {result.mechanism} breaks {result.claim}: "
    if result.witness is None:
        return f"{broken}the evidence against it is below; no single event stands out."
    return f"{broken}{odds(result.witness)}, {_allowance(result.witness)}."


def _null_failed(result: AuditResult) -> str:
    told = "" if result.witness is None else f" ({odds(result.witness)})"
    return (
        f"VIOLATION of the null self-check: {result.mechanism} was told apart from itself on one "
        f"dataset{told}, so its runs are not independent draws and no audit of it can be trusted."
    )


def _null_passed(result: AuditResult) -> str:
    return (
        f"NOT REFUTED, as it should be: {count(result.samples)} runs of {result.mechanism} on one "
        "dataset, audited against itself, showed no difference beyond chance."
    )


def _not_refuted(result: AuditResult) -> str:
    return (
        f"NOT REFUTED: {count(result.samples)} runs of {result.mechanism} did not break "
        f"{result.claim}; {detectable(result)}. This is not a proof that the claim holds."
    )


def _obstacle(result: AuditResult) -> str:
    if _budget_too_small(result):
        return (
            f"{count(result.samples)} runs could not have refuted {result.claim} reliably, "
            f"whatever {result.mechanism} does; {needed(result)}."
        )
    reason = result.reason or "no usable output was drawn"
    return f"the audit of {result.mechanism} against {result.claim} has no answer: {reason}."


def _budget_too_small(result: AuditResult) -> bool:
    return result.wanted > 0


def needed(result: AuditResult) -> str:
    """What an inconclusive audit lacks."""
    if not _budget_too_small(result):
        return "a black box that gives usable, independent outputs; more runs alone do not help"
    runs = count(2 * result.claimed_reach)
    return (
        f"even an event that is certain on D and impossible on its neighbor takes {runs} runs, "
        f"and several pairs share them: give about --max-samples {result.wanted}"
    )


def sides(witness: Witness) -> tuple[str, str]:
    """Names of the witness' left and right dataset."""
    left, found, right = witness.direction.partition(" over ")
    return (left, right) if found else ("the dataset", "its neighbor")


def odds(witness: Witness) -> str:
    """The event and its two probabilities."""
    left, right = sides(witness)
    event = clip(rounded(witness.event.description), _LONGEST_EVENT)
    p, q = number(witness.p.estimate), number(witness.q.estimate)
    return f"P[{event}] is {p} on {left} and {q} on {right}"


def _allowance(witness: Witness) -> str:
    allowed = min(1.0, witness.slope * witness.q.estimate + witness.offset)
    return f"where the claim allows at most {number(allowed)} on {sides(witness)[0]}"


def line(witness: Witness) -> str:
    """The inequality of the claim that the witness breaks."""
    offset = f" + {number(witness.offset)}" if witness.offset else ""
    if witness.slope == 1.0:
        return f"p ≤ q{offset}"
    power = f"e^{number(math.log(witness.slope))}"
    return f"p ≤ {power} q{offset} = {number(witness.slope)} q{offset}"


def detectable(result: AuditResult) -> str:
    """The smallest excess that would have been seen."""
    smallest = result.detectable_epsilon
    if smallest is None or math.isinf(smallest):
        return "no loss, however large, would have been seen reliably with this budget"
    if result.claim.kind not in EPSILON_CLAIMS:
        return (
            f"on the pairs tried, events that a change of one record makes e^{number(smallest)} "
            "times as likely would have refuted it with probability 0.9"
        )
    return (
        f"on the pairs tried, a loss of ε ≥ {number(smallest)} would have been refuted with "
        "probability 0.9"
    )


def bounds(result: AuditResult) -> str:
    """The lower bounds beside what is claimed, that of the claim's own kind first."""
    names = sorted(result.levels, key=lambda name: name == "epsilon_lower")
    found = [_level(result, name) for name in names]
    confidence = percent(1.0 - result.alpha)
    each = "each at" if len(found) > 1 else "at"
    return f"{' and '.join(found)}, {each} {confidence} confidence; claimed is {result.claim}"


def _level(result: AuditResult, name: str) -> str:
    bound = f"{_SYMBOLS.get(name, name)} ≥ {number(result.levels[name])}"
    if name != "epsilon_lower" or isinstance(result.claim, PureDP):
        return bound
    delta = result.claim.delta_claimed if isinstance(result.claim, ApproxDP) else 0.0
    return f"{bound} at δ = {number(delta)}"


def evidence(result: AuditResult) -> str:
    """The wealth of the gambler against what refuting takes."""
    goal = -math.log(result.alpha)
    reached = f"log e-value {number(result.log_evalue)}"
    takes = f"refuting takes ln(1/α) = {number(goal)}"
    if result.verdict is Verdict.INCONCLUSIVE and result.log_evalue >= goal:
        return f"{reached}, which does not count here: {result.reason or 'see the notes'}"
    if result.log_evalue >= goal:
        chance = power_of_ten(-result.log_evalue)
        return (
            f"{reached}, where {takes}: had the claim held, a gambler betting against it "
            f"would have become this rich with probability at most {chance}"
        )
    if result.verdict is Verdict.VIOLATION:
        return (
            f"{reached}; the verdict rests on the simultaneous exact intervals of the table, "
            f"which all hold with probability at least {percent(1.0 - result.alpha)}"
        )
    factor = number(math.exp(min(result.log_evalue, 700.0)))
    return (
        f"{reached}, where {takes}: betting against the claim multiplied the stake by "
        f"{factor} at best, of the {count(1.0 / result.alpha)} that refuting takes"
    )


def quiet_pairs(result: AuditResult) -> str:
    """What tables without a flagged bin are worth; empty where every table has one."""
    quiet = [pair.name for pair in result.pairs if pair.satisfied]
    if not quiet or result.null:
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
    return (
        f"LEAK ({leak.kind}): the event {clip(rounded(leak.event.description), _LONGEST_EVENT)} "
        f"tells the datasets apart, with a log e-value of {number(leak.log_evalue)} from a wealth "
        "of its own. The verdict is about real arithmetic and does not count it."
    )


def coupling(result: AuditResult) -> str:
    """Where the randomness of the two sides came from."""
    if result.coupled:
        return "both sides of a pair shared their random numbers, which sharpens the comparison"
    return "the two sides of a pair were drawn independently"


def tried(result: AuditResult) -> list[str]:
    """What was looked at, the search included."""
    return [*map(rounded, result.tried), _searched(result)]


def _searched(result: AuditResult) -> str:
    """What the search for worse neighbors took."""
    if result.search is None:
        return "no search beyond the given pairs"
    search = result.search
    return (
        f"{count(search.pairs)} pairs searched for worse neighbors and {count(search.shrinks)} "
        f"steps to shrink the worst one, with {count(search.samples)} runs"
    )


def relation(result: AuditResult) -> str:
    """What makes two datasets neighbors, in words."""
    return {
        Relation.ADD_REMOVE: "neighboring datasets differ by one record added or removed",
        Relation.SUBSTITUTE: "neighboring datasets differ in the value of one record",
        Relation.USER: "neighboring datasets differ in all records of one user",
        Relation.DECLARED: "the pairs are neighboring because the caller says so",
    }[result.relation]


def dataset(value: object, limit: int) -> str:
    """A dataset as the witness holds it: a sentence, or JSON."""
    text = value if isinstance(value, str) else json.dumps(jsonable(value), ensure_ascii=False)
    return clip(visible(text), limit)
