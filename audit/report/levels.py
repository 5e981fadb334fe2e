"""Confidence of the statements of a report: each by itself, and all together.

Each statement is wrong with probability alpha at most, whenever one stopped to look; by
the union bound, any of n is wrong with probability n times alpha at most.
"""

from __future__ import annotations

from collections.abc import Iterator

from audit.claims import EPSILON_BOUND
from audit.report.numerals import percent
from audit.verdict.result import AuditResult, Verdict


def confidence(result: AuditResult) -> str:
    """One sentence on the confidence of everything in the report."""
    return together(len(statements(result)), result.alpha)


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
    if result.recorded:
        return [*_where_recorded(result), *_epsilon(result), *_witness(result)]
    return [*_wealths(result), *_witness(result), *_tables(result)]


def _where_recorded(result: AuditResult) -> list[str]:
    """One for the bets and the tables, which share alpha."""
    found = ["the verdict"] * (result.verdict is Verdict.VIOLATION)
    found += [f"the lower bound on {result.claim.symbol}"] * bounded(result)
    found += ["all intervals of the tables"] * (bool(result.pairs) and _of_one_law(result))
    return [" with ".join(found)] if found else []


def _epsilon(result: AuditResult) -> list[str]:
    apart = bounded(result) and result.claim.bound != EPSILON_BOUND
    return ["the lower bound on ε"] * apart


def _wealths(result: AuditResult) -> list[str]:
    """One for each e-process: against the claim, against ε, and against low-order bits."""
    found: list[str] = []
    own = f"the lower bound on {result.claim.symbol}"
    if result.verdict is Verdict.VIOLATION and result.by_versions is None:
        found.append("the verdict" if result.null else f"the verdict with {own}")
    elif bounded(result):
        found.append(own)
    return [*found, *_epsilon(result), *_leaks(result)]


def _leaks(result: AuditResult) -> Iterator[str]:
    """One for a leak; one for its bound, which has runs of its own."""
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
    """True if the witness is a bin of a table, with the intervals that it has there."""
    found = result.witness
    return result.recorded and found is not None and found.counts is None and found.function is None


def _tables(result: AuditResult) -> list[str]:
    held = bool(result.pairs) and _of_one_law(result)
    return ["all intervals of the tables"] if held else []


def _of_one_law(result: AuditResult) -> bool:
    """True if nothing contradicts that runs are independent draws from one law."""
    if result.null:
        return result.verdict is not Verdict.VIOLATION
    return not (result.verdict is Verdict.INCONCLUSIVE and result.reason)


def tables(result: AuditResult) -> str:
    """Confidence of the intervals of the tables, a sentence."""
    if _of_one_law(result):
        sure = percent(1.0 - result.alpha)
        return f"All intervals of all tables hold together with {sure} confidence."
    return "The runs are not known to be independent draws from one law, as the intervals assume."


def intervals(result: AuditResult) -> str:
    """Kind and confidence of a witness's intervals."""
    each = percent(1.0 - result.alpha)
    if _of_a_table(result):
        return f"simultaneous with those of the tables, {each}"
    if result.witness is not None and result.witness.function is not None:
        return f"empirical Bernstein, {each} each"
    return f"Clopper-Pearson, {each} each"
