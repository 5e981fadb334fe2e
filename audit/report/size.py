"""How large a privacy loss is: lower bounds in the symbols of their claims."""

from __future__ import annotations

from audit.claim import EPSILON_BOUND, Claim
from audit.report.numerals import at_least, percent, read
from audit.verdict.result import AuditResult, Verdict


def size(result: AuditResult) -> str:
    """How large the loss is at least, beside the claim; empty where nothing larger is known."""
    return loss(result.claim, result.levels.get(result.claim.bound, 0.0))


def loss(claim: Claim, bound: float) -> str:
    """The same of a bound on the claim's own level."""
    claimed = claim.stated(claim.level)
    if bound <= claimed:
        return ""
    return (
        f"at least {claim.symbol} = {_above(bound, claimed)}{_condition(claim)}, "
        f"where {claim.symbol} = {claimed:g} is claimed"
    )


def _above(bound: float, level: float) -> str:
    """The bound rounded down; with all its digits where it hardly exceeds the claim."""
    shown = at_least(bound)
    return shown if read(shown) > float(f"{level:g}") else repr(bound)


def _condition(claim: Claim) -> str:
    return claim.condition and f" {claim.condition}"


def bounds(result: AuditResult) -> str:
    """The lower bounds beside what is claimed, that of the claim's own kind first."""
    if result.verdict is Verdict.INCONCLUSIVE and result.reason:
        return f"none that counts; claimed is {result.claim}"
    names = sorted(result.levels, key=lambda name: name != result.claim.bound)
    found = [_level(result, name) for name in names]
    confidence = percent(1.0 - result.alpha)
    each = "each at" if len(found) > 1 else "at"
    return f"{' and '.join(found)}, {each} {confidence} confidence; claimed is {result.claim}"


def _level(result: AuditResult, name: str) -> str:
    claim, bound = result.claim, at_least(result.levels[name])
    if name == claim.bound:
        return f"{claim.symbol} ≥ {bound}{_condition(claim)}"
    # Of epsilon beside another level, the bound is that of pure DP.
    return f"ε ≥ {bound} at δ = 0" if name == EPSILON_BOUND else f"{name} {bound}"
