"""The verdict in a few sentences: what was found, how large it is, what shows it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from audit.errors import visible
from audit.report.escape import clip
from audit.report.numerals import at_most, count, interval, read, rounded
from audit.report.power import detectable, needed, too_few_runs
from audit.report.size import bounds, size
from audit.verdict.function_shown import FunctionShown
from audit.verdict.result import AuditResult, Verdict, Witness

_LONGEST_EVENT = 160
_LONGEST_NAME = 80
_MOST_DIGITS = 17
_ENDLESS = "no finite ε is in sight"
_OFTEN, _ALWAYS = 100, 50
"""An event seen so often on one side would have shown on the other, were it only rarer there;
one that nearly always happens sooner."""


def headline(result: AuditResult) -> str:
    """The verdict, its first word in capitals, and what it rests on."""
    if result.verdict is Verdict.VIOLATION:
        return _null_failed(result) if result.null else _violation(result)
    if result.verdict is Verdict.INCONCLUSIVE:
        return f"INCONCLUSIVE: {_obstacle(result)}"
    return _null_passed(result) if result.null else _not_refuted(result)


def story(result: AuditResult) -> str:
    """The headline without its first words, which say the verdict."""
    return headline(result).partition(": ")[2]


def named(result: AuditResult) -> str:
    """The mechanism's name, short enough for a sentence."""
    return clip(visible(result.mechanism), _LONGEST_NAME)


def last_line(result: AuditResult) -> str:
    """Verdict and size again, short, for whoever reads the end first."""
    name = named(result)
    if result.null:
        return f"{_word(result.verdict)}: {name} against itself"
    if result.verdict is Verdict.INCONCLUSIVE:
        lacking = "too few runs" if too_few_runs(result) else "no answer, for the reason above"
        return f"INCONCLUSIVE: {name}, {result.claim}: {lacking}"
    if (together := result.by_versions) is not None:
        return f"VIOLATION: {name}, some version since audit {count(together.since)}"
    if result.verdict is Verdict.VIOLATION:
        return f"VIOLATION: {name}, {size(result) or f'claimed is {result.claim}'}"
    return f"NOT REFUTED: {name}, {bounds(result)}"


def _word(verdict: Verdict) -> str:
    return str(verdict).replace("-", " ").upper()


def _violation(result: AuditResult) -> str:
    if (together := result.by_versions) is not None:
        return (
            f"VIOLATION: some version of {named(result)} since audit {count(together.since)} "
            f"breaks {result.claim}. This build alone does not show it; "
            f"{count(together.builds)} builds together do, with {count(together.runs)} runs."
        )
    loss = size(result)
    broken = f"VIOLATION: {named(result)} breaks {result.claim}{loss and f': {loss}'}."
    if result.witness is None:
        return f"{broken} The evidence against it is below; no single event stands out."
    return f"{broken} {odds(result.witness, result.recorded)}."


def _null_failed(result: AuditResult) -> str:
    shown = "" if result.witness is None else f" {odds(result.witness, result.recorded)}."
    return (
        f"VIOLATION of the null self-check: {named(result)} was told apart from itself on one "
        f"dataset, so its runs are not independent draws and no audit of it can be trusted.{shown}"
    )


def _null_passed(result: AuditResult) -> str:
    return (
        f"NOT REFUTED, as it should be: {count(result.samples)} runs of {named(result)} on one "
        "dataset, audited against itself, showed no difference beyond chance."
    )


def _not_refuted(result: AuditResult) -> str:
    kind = "outputs" if result.recorded else "runs"
    return (
        f"NOT REFUTED: {count(result.samples)} {kind} of {named(result)} did not break "
        f"{result.claim}. This is not a proof that it holds: {detectable(result)}."
    )


def _obstacle(result: AuditResult) -> str:
    if too_few_runs(result):
        return (
            f"{count(result.samples)} runs could not have refuted {result.claim} reliably, "
            f"whatever {named(result)} does; {needed(result)}."
        )
    reason = result.reason or "no usable output was drawn"
    return f"the audit of {named(result)} against {result.claim} has no answer: {reason}."


def sides(witness: Witness) -> tuple[str, str]:
    """Names of the witness' left and right dataset."""
    return sides_of(witness.direction)


def sides_of(direction: str) -> tuple[str, str]:
    """The names in a direction such as "D over D1"."""
    left, found, right = direction.partition(" over ")
    return (left, right) if found else ("the dataset", "its neighbor")


def odds(witness: Witness, recorded: bool = False) -> str:
    """How often the event happens on both sides, with numbers that break the claim, or none.

    Fresh runs are quoted where their intervals exclude the claim, else the bets
    that won; what was drawn beside them may by chance look as the claim allows.
    """
    if witness.function is not None:
        return _means(witness, witness.function, "recorded outputs" if recorded else "fresh runs")
    excluded = (a for a in _allowances(witness) if a.excludes(*_shown(witness, a.digits)))
    allowed = next(excluded, None) if witness.separated else None
    if allowed is not None:
        return _fresh(witness, allowed, "recorded outputs" if recorded else "fresh runs")
    return _bets(witness)


def _means(witness: Witness, function: FunctionShown, runs: str) -> str:
    """What a function averages to on both sides, and the most that the claim allows."""
    left, right = sides(witness)
    most = witness.slope * witness.q.high + witness.offset
    found = (
        f"Over {count(witness.draws)} {runs} on each side the mean of h is {interval(witness.p)} "
        f"on {left} and {interval(function.mean)} on {right}, where that of {function.dual} is "
        f"{interval(witness.q)}"
    )
    said = event(witness)
    if not witness.separated:
        return f"Bets won on h, {said}. {found}: too few to show it by themselves"
    return f"{found}; the claim allows at most {at_most(most)} on {left}. Here h is {said}"


def _bets(witness: Witness) -> str:
    """What the bets saw that were won."""
    left, right = sides(witness)
    here, there, pairs = witness.counts or (0, 0, 0)
    shares = here / max(1, pairs), there / max(1, pairs)
    excluded = (a for a in _allowances(witness) if a.excludes(*shares))
    allowed = next(excluded, None)
    few = f"{count(witness.draws)} more runs on each side are too few to show it by themselves"
    if allowed is None:
        return (
            f"Bets won on this event, on {left} more often than on {right}: {event(witness)}; {few}"
        )
    found = (
        f"Of {count(pairs)} pairs of runs bet on, {count(here)} on {left} and {count(there)} on "
        f"{right} show this event: {event(witness)}"
    )
    if _endless(witness):
        return f"{found}: {_ENDLESS}"
    return f"{found}; {allowed.text}" + ("" if witness.separated else f"; {few}")


def _fresh(witness: Witness, allowed: _Allowance, runs: str) -> str:
    left, right = sides(witness)
    here, there = (_share(e.estimate, allowed.digits) for e in (witness.p, witness.q))
    draws = count(witness.draws)
    found = (
        f"{_capitalized(event(witness))} in {here} of {draws} {runs} on {left} and in {there} of "
        f"{draws} on {right}"
    )
    return f"{found}: {_ENDLESS}" if _endless(witness) else f"{found}; {allowed.text}"


def _endless(witness: Witness) -> bool:
    """Whether the event was seen often on one side, and never on the other.

    Fresh runs and the bets that won are counted together.
    """
    here, there, _ = witness.counts or (0, 0, 0)
    often = _ALWAYS if witness.p.estimate > 0.9 else _OFTEN
    seen = here + witness.p.estimate * witness.draws
    return there == 0 and witness.q.estimate == 0.0 and seen >= often


def _shown(witness: Witness, digits: int) -> tuple[float, float]:
    """Both shares as they will be read."""
    found = witness.p.estimate, witness.q.estimate
    here, there = (float(f"{100.0 * share:.{digits}g}") / 100.0 for share in found)
    return here, there


def _share(share: float, digits: int) -> str:
    if share in (0.0, 1.0):
        return "all" if share else "none"
    shown = f"{100.0 * share:.{digits}g}"
    return f"{100.0 * share:.6g}%" if shown == "100" else f"{shown}%"


@dataclass(frozen=True, slots=True)
class _Allowance:
    """What a line of the claim allows, in words.

    Attributes:
        text: the words.
        digits: significant digits in them.
        slope: how many times as often, as it is read.
        offset: how much more, as it is read.
    """

    text: str
    digits: int
    slope: float
    offset: float

    def excludes(self, here: float, there: float) -> bool:
        """Whether two shares break the line, all numbers taken as they are read."""
        return here > self.slope * there + self.offset


def _allowances(witness: Witness) -> Iterator[_Allowance]:
    """The witness' line with three digits, four, and so on."""
    left, right = sides(witness)
    for digits in range(3, _MOST_DIGITS):
        slope, percent = (at_most(v, digits) for v in (witness.slope, 100.0 * witness.offset))
        much = f"{slope} times as often" if slope != "1" else "as often"
        plus = f", plus {percent}% of runs" if witness.offset else ""
        text = f"the claim allows it at most {much} on {left} as on {right}{plus}"
        yield _Allowance(text, digits, read(slope), read(percent) / 100.0)


def _capitalized(words: str) -> str:
    """With a capital at its start, unless the first word is code."""
    return words[:1].upper() + words[1:] if words.split(" ")[0].isalpha() else words


def event(witness: Witness) -> str:
    """The witness' event, short enough for a sentence."""
    return clip(rounded(witness.event.description), _LONGEST_EVENT)
