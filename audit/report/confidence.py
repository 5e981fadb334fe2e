"""Which statements of a report hold together at its level, and which by themselves.

Each statement counts the false alarms of a whole audit: that it is wrong has
probability alpha at most, whenever one stopped to look. That any of several is
wrong has at most the sum of theirs.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.claim import EPSILON_BOUND
from audit.report.numerals import number, percent
from audit.verdict.result import AuditResult, Verdict


def confidence(result: AuditResult) -> str:
    """One sentence on the level of everything that the report says."""
    alpha, found = number(result.alpha), statements(result)
    if not found:
        return "nothing in this report claims a level"
    if len(found) == 1:
        return f"{found[0]}: wrong with probability at most α = {alpha}"
    listed = "; ".join(f"({place}) {words}" for place, words in enumerate(found, 1))
    return (
        f"wrong with probability at most α = {alpha}, each by itself: {listed}. That any of the "
        f"{len(found)} is wrong: at most {_sum(len(found), result.alpha)}"
    )


def _sum(statements: int, alpha: float) -> str:
    return f"{min(1.0, statements * alpha):.6g}"


def statements(result: AuditResult) -> list[str]:
    """What has its own alpha; what stands in one statement holds together."""
    if result.recorded:
        return [*_where_recorded(result), *_epsilon(result), *_witness(result)]
    return [*_wealths(result), *_witness(result), *_tables(result)]


def _where_recorded(result: AuditResult) -> list[str]:
    """One for the bets and the tables, which share alpha."""
    found = ["the verdict"] * (result.verdict is Verdict.VIOLATION)
    found += [f"the lower bound on {result.claim.symbol}"] * _bounded(result)
    found += ["all intervals of the tables"] * (bool(result.pairs) and _of_one_law(result))
    if len(found) < 2:
        return found
    return [f"{', '.join(found[:-1])} and {found[-1]}, together"]


def _epsilon(result: AuditResult) -> list[str]:
    apart = _bounded(result) and result.claim.bound != EPSILON_BOUND
    return ["the lower bound on ε"] * apart


def _wealths(result: AuditResult) -> list[str]:
    """One for each capital: that against the claim, that for epsilon, that for low bits."""
    found: list[str] = []
    own = f"the lower bound on {result.claim.symbol}"
    if result.verdict is Verdict.VIOLATION and result.by_versions is None:
        found.append("the verdict" if result.null else f"the verdict and {own}, together")
    elif _bounded(result):
        found.append(own)
    return [*found, *_epsilon(result), *_leaks(result)]


def _leaks(result: AuditResult) -> Iterator[str]:
    """One for what bets won; one for a bound, which has runs of its own."""
    for leak in result.leaks:
        yield f"the {leak.kind} leak"
        if leak.epsilon_lower is not None:
            yield f"the lower bound on ε of the {leak.kind} leak"


def _bounded(result: AuditResult) -> bool:
    return not result.null and not (result.verdict is Verdict.INCONCLUSIVE and result.reason)


def _witness(result: AuditResult) -> list[str]:
    apart = result.witness is not None and not _of_a_table(result)
    return ["the interval of p", "the interval of q"] if apart else []


def _of_a_table(result: AuditResult) -> bool:
    """Whether the witness is a bin of a table, with the intervals that it has there."""
    found = result.witness
    return result.recorded and found is not None and found.counts is None and found.function is None


def _tables(result: AuditResult) -> list[str]:
    held = bool(result.pairs) and _of_one_law(result)
    return ["all intervals of the tables, together"] if held else []


def _of_one_law(result: AuditResult) -> bool:
    """Whether nothing was found that contradicts runs being independent draws of one law."""
    if result.null:
        return result.verdict is not Verdict.VIOLATION
    return not (result.verdict is Verdict.INCONCLUSIVE and result.reason)


def tables(result: AuditResult) -> str:
    """How sure the intervals of the tables are, a sentence."""
    if _of_one_law(result):
        share = percent(1.0 - result.alpha)
        return f"All intervals of all tables hold together with probability at least {share}."
    return (
        "The runs are not known to be draws of one law, without which the intervals mean nothing."
    )


def intervals(result: AuditResult) -> str:
    """How sure the intervals of a witness are."""
    if _of_a_table(result):
        return "those of the tables, which all hold together"
    if result.witness is not None and result.witness.function is not None:
        return f"empirical Bernstein intervals of {percent(1.0 - result.alpha)} each"
    return f"Clopper-Pearson intervals of {percent(1.0 - result.alpha)} each"
