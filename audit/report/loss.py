"""Lower bounds and detectable losses in words, and the confidence of all statements.

Each statement is wrong with probability alpha at most, whenever one stopped to look; by
the union bound, any of n is wrong with probability n times alpha at most.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from enum import StrEnum

from audit.case import Budget
from audit.claims import EPSILON_BOUND, LARGEST_EPSILON, ApproxDP, Claim, ProfileDP, PureDP
from audit.report.formatting import (
    at_least,
    at_most,
    count,
    duration,
    number,
    percent,
    read,
    sentence,
)
from audit.report.json_node import Stored
from audit.validation import MOST_SAMPLES
from audit.verdict.result import AuditResult, Verdict

_ARGUMENT = re.compile(r"`([a-z_]+)='([^`']+)'`")
_TABLES = "all intervals of the tables"
ENOUGH_TO_TELL = 0.1
"""Part of the runs whose time shows that of all: the first seconds are start-up and learning."""


def confidence(result: AuditResult) -> str:
    """One sentence on the confidence of everything in the report."""
    found = statements(result)
    if len(found) != 1:
        return together(len(found), result.alpha)
    hold = "hold" if found == [_TABLES] else "holds"
    return f"{sentence(found[0])} {hold} with {sure(result)}"


def together(statements: int, alpha: float) -> str:
    """Confidence of so many statements, each wrong with probability alpha at most."""
    each = percent(1.0 - alpha)
    if statements == 0:
        return "No statement of this report claims a confidence level"
    if statements == 1:
        return f"The statement holds with {each} confidence"
    whole = percent(max(0.0, 1.0 - statements * alpha))
    return f"Each statement holds with {each} confidence; all together with {whole}"


def statements(result: AuditResult) -> list[str]:
    """Statements with an alpha of their own; those that share one are one statement."""
    own = f"the lower bound on {result.claim.symbol}"
    epsilon = ["the lower bound on ε"] * (bounded(result) and result.claim.bound != EPSILON_BOUND)
    tables = [_TABLES] * (bool(result.pairs) and _of_one_law(result))
    if result.recorded:
        # The bets and the tables share alpha.
        verdict = ["the verdict"] * (result.verdict is Verdict.VIOLATION)
        whole = " with ".join([*verdict, *([own] * bounded(result)), *tables])
        return [*filter(None, [whole]), *epsilon, *_witness(result)]
    curve = ["the privacy profile"] * (bounded(result) and bool(result.curve))
    return [*_verdict(result, own), *epsilon, *curve, *_leaks(result), *_witness(result), *tables]


def _verdict(result: AuditResult, own: str) -> list[str]:
    if result.verdict is Verdict.VIOLATION and result.by_versions is None:
        return ["the verdict" if result.null else f"the verdict with {own}"]
    return [own] if bounded(result) else []


def _leaks(result: AuditResult) -> Iterator[str]:
    for leak in result.leaks:
        yield f"the {leak.kind} leak"
        if leak.epsilon_lower is not None:
            yield f"the lower bound on ε of the {leak.kind} leak"


def bounded(result: AuditResult) -> bool:
    """True if the lower bounds of a result count."""
    return not result.null and not (result.verdict is Verdict.INCONCLUSIVE and result.reason)


def _witness(result: AuditResult) -> list[str]:
    if result.witness is None or _of_a_table(result):
        return []
    if result.witness.function is None:
        return ["the interval of P[D]", "the interval of P[D']"]
    return [f"the interval of {mean}" for mean in ("the mean on D", "the mean on D'", "h on D'")]


def _of_a_table(result: AuditResult) -> bool:
    found = result.witness
    return result.recorded and found is not None and found.counts is None and found.function is None


def _of_one_law(result: AuditResult) -> bool:
    """True if nothing contradicts that runs are independent draws from one law."""
    return result.verdict is not Verdict.VIOLATION if result.null else bounded(result)


def tables(result: AuditResult) -> str:
    """Confidence of the intervals of the tables, a sentence."""
    if _of_one_law(result):
        return f"All intervals of all tables hold together with {sure(result)}."
    return "The runs are not known to be independent draws from one law, as the intervals assume."


def intervals(result: AuditResult) -> str:
    """Kind and confidence of a witness's intervals."""
    each = percent(1.0 - result.alpha)
    if _of_a_table(result):
        return f"simultaneous with those of the tables, {each}"
    if result.witness is not None and result.witness.function is not None:
        return f"empirical Bernstein, {each} each"
    return f"Clopper-Pearson, {each} each"


class Interface(StrEnum):
    """The way an audit was called, which decides how advice names its arguments."""

    COMMAND = "command"
    PYTHON = "python"
    PYTEST = "pytest"

    @classmethod
    def of(cls, command: str) -> Interface:
        """The interface that a result's command belongs to."""
        return cls.COMMAND if command.startswith("audit ") else cls.PYTHON

    @property
    def details(self) -> str:
        """Place of the whole report."""
        return {
            Interface.COMMAND: "--verbose, or --report DIR",
            Interface.PYTHON: "result.to_markdown()",
            Interface.PYTEST: "--audit-report DIR",
        }[self]

    @property
    def wider(self) -> str:
        """Arguments that test other pairs of datasets."""
        others = self.argument("neighbor" if self is Interface.COMMAND else "neighbors")
        return f"another {self.argument('seed')}, {self.argument('data')} with {others}"

    def argument(self, name: str, value: str | int = "") -> str:
        """An argument as the interface calls it, with its value if one is given."""
        if self is Interface.COMMAND:
            return f"--{name} {value}".rstrip()
        text = repr(str(value)) if value and isinstance(value, str) else value
        return f"{name.replace('-', '_')}={text}"

    def worded(self, text: str) -> str:
        """A text whose arguments between backticks are named as the interface calls them."""
        return _ARGUMENT.sub(lambda found: self.argument(found[1], found[2]), text)

    def assumption(self, name: str) -> str:
        """The argument that declares an assumption."""
        return f"--assume {name}" if self is Interface.COMMAND else f"assume=({name!r},)"

    def budget(self, runs: int) -> str:
        """The argument that allows so many runs."""
        of_marker = f", or --audit-max-samples {runs}" if self is Interface.PYTEST else ""
        return f"{self.argument('max-samples', runs)}{of_marker}"

    def time(self, seconds: float) -> str:
        """The argument that allows so many seconds."""
        name = "--max-seconds " if self is Interface.COMMAND else "max_seconds="
        return f"{name}{seconds:g}"


def larger(result: AuditResult, interface: Interface) -> str:
    """The argument that tests more, with its number if runs were the limit."""
    if result.time_limit is not None:
        return f"a larger {interface.argument('max-seconds')}"
    runs = result.max_samples or result.samples
    return interface.argument("max-samples", min(_MORE * runs, max(_USUAL, 2 * runs)))


_MORE, _USUAL = 10, Budget().max_samples
"""Factor of a small budget that is worth while, and the budget up to which it is."""


def remarks(result: AuditResult, interface: Interface) -> tuple[str, ...]:
    """Notes of a result, first that its time ended."""
    notes = tuple(map(interface.worded, result.notes))
    if result.time_limit is None:
        return notes
    ended = time_ended(result, interface.time(result.time_limit.seconds))
    return (f"{ended}; a result with a time limit does not follow from its seed alone", *notes)


def time_ended(result: AuditResult, limit: str) -> str:
    """That a time limit ended parts of an audit; empty if none did."""
    found = result.time_limit
    if found is None:
        return ""
    *others, last = (f"the {part}" for part in found.parts)
    parts = f"{', '.join(others)} and {last}" if others else last
    known = result.samples >= ENOUGH_TO_TELL * found.max_samples
    whole = found.seconds * found.max_samples / max(1, result.samples)
    return (
        f"{limit} ended {parts} after {count(result.samples)} of at most "
        f"{count(found.max_samples)} runs{f' (all take about {duration(whole)})' if known else ''}"
    )


def broken(claim: Claim) -> str:
    """That a claim does not hold, to follow the mechanism's name."""
    if isinstance(claim, PureDP | ApproxDP):
        return f"is not {claim} differentially private"
    return f"does not satisfy {'its curve' if isinstance(claim, ProfileDP) else claim}"


def bound(result: AuditResult) -> str:
    """The lower bound of the claim's own kind; of a refuted claim more than its level."""
    return level(result.claim, own_bound(result), _refuted(result))


def measured(result: AuditResult) -> str:
    """The same with its confidence; "none" if nothing above the least level was measured."""
    return f"{bound(result)} ({sure(result)})" if has_a_bound(result) else "none"


def has_a_bound(result: AuditResult) -> bool:
    """True if more than the least level was measured."""
    return bounded(result) and own_bound(result) > result.claim.stated(0.0)


def own_bound(result: Stored) -> float:
    """The lower bound of the claim's own kind; 0 if there is none."""
    return result.levels.get(result.claim.bound, 0.0)


def _refuted(result: AuditResult) -> bool:
    return result.verdict is Verdict.VIOLATION and not result.null and result.by_versions is None


def level(claim: Claim, bound: float, refuted: bool) -> str:
    """A lower bound on the claim's own level; more digits if three would not exceed the claim.

    If the claim was refuted and no larger level was, the true level exceeds the claimed one.
    """
    claimed = claim.stated(claim.level)
    if refuted and bound <= claimed:
        return f"{claim.symbol} > {claimed:g}{claim.condition and f' {claim.condition}'}"
    words = at_least(bound)
    if bound > claimed and read(words) <= float(f"{claimed:g}"):
        words = repr(bound)
    return f"{claim.symbol} ≥ {words}{claim.condition and f' {claim.condition}'}"


def bounds(result: AuditResult) -> str:
    """All lower bounds, that of the claim's own kind first."""
    if not bounded(result):
        return f"none counts; claimed: {result.claim}"
    if not has_a_bound(result):
        return f"none; claimed: {result.claim}"
    # Next to another kind of level, the bound on epsilon is that of pure DP.
    others = [
        f"ε ≥ {at_least(found)} at δ = 0" if name == EPSILON_BOUND else f"{name} {at_least(found)}"
        for name, found in result.levels.items()
        if name != result.claim.bound
    ]
    each = "each " * bool(others)
    largest = "; the largest of all bets, tests of events and tables" * result.recorded
    found = " and ".join([bound(result), *others])
    return f"{found} ({each}{sure(result)}{largest}); claimed: {result.claim}"


def sure(result: AuditResult) -> str:
    """The confidence level of each statement."""
    return f"{percent(1.0 - result.alpha)} confidence"


def needed(result: AuditResult, interface: Interface) -> str:
    """Next step for an inconclusive audit, as an imperative."""
    if result.recorded:
        few = result.samples < 2 * result.floor
        least = f"at least {count(result.floor)} " if few else ""
        return (
            f"record {least}outputs on D and on a neighbor, independent and in the order in which "
            "they were drawn"
        )
    if not result.wanted:
        return "make runs give usable, independent outputs; more runs alone do not help"
    if result.reason and result.wanted <= result.max_samples:
        return f"let it run to its end, {count(result.wanted)} runs at most"
    if result.wanted > MOST_SAMPLES:
        return f"claim a smaller level; this one needs more than {count(MOST_SAMPLES)} runs"
    data = f"{interface.argument('data')} with more records, or " if result.reason else ""
    return f"give {data}{interface.budget(result.wanted)}"


def detectable(result: AuditResult) -> str:
    """The smallest loss that events would have revealed with power 0.9.

    By the most telling of those tested, and by one that 10% of the outputs show on the dataset on
    which it is likelier. A loss that none of the tested events shows is not seen.
    """
    smallest = result.detectable_epsilon
    if smallest is None:
        return "no event could be tested, so no loss would have been detected"
    if smallest > LARGEST_EPSILON:
        return "no loss on the tested events would have been detected reliably"
    least, claim = least_loss(result, smallest), result.claim
    if _in_epsilon(result):
        what, ordinary = "a difference of ε" * result.null or "ε", in_a_tenth(result, "≥ {least}")
        return f"90% power to detect {what} ≥ {least} on the tested events{ordinary}"
    beyond, allowed = "", ""
    if isinstance(claim, ApproxDP):
        beyond, allowed = " beyond δ", f" (allowed: {number(math.exp(claim.epsilon))})"
    ordinary = in_a_tenth(result, "{least} times")
    return f"90% power to detect a tested event {least} times{allowed} as likely{beyond}{ordinary}"


def _in_epsilon(result: AuditResult) -> bool:
    return result.null or isinstance(result.claim, PureDP)


def least_loss(result: AuditResult, smallest: float) -> str:
    """A loss that would have been detected, as an ε or as a ratio of probabilities."""
    return at_most(smallest if _in_epsilon(result) else math.exp(smallest))


def in_a_tenth(result: AuditResult, words: str) -> str:
    """The same for an event of one output in ten, which is what most losses show in."""
    smallest = result.detectable_tenth
    if smallest is None:
        return ""
    if smallest > LARGEST_EPSILON:
        return " (nothing if 10% of runs show it)"
    rare = "; no tested event is so frequent" * ((result.detectable_epsilon or 0.0) > smallest)
    return f" ({words.format(least=least_loss(result, smallest))} if 10% of runs show it{rare})"


def has_little_power(result: AuditResult) -> bool:
    """True if a claimed ε was not refuted, and neither would twice as much have been detected."""
    claim, smallest = result.claim, result.detectable_epsilon
    if result.null or smallest is None or not isinstance(claim, PureDP | ApproxDP):
        return False
    return smallest > (2.0 * claim.epsilon or LARGEST_EPSILON)
