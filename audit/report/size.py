"""How large a privacy loss is: lower bounds in the symbols of their claims."""

from __future__ import annotations

from audit.claim import ApproxDP, Claim, PureDP, RenyiDP
from audit.report.numerals import at_least, number, percent, read
from audit.verdict.result import AuditResult, Verdict

_NAMES = {"zcdp": "rho_lower", "gaussian": "mu_lower", "renyi": "renyi_lower"}
_SYMBOLS = {"epsilon_lower": "ε", "rho_lower": "ρ", "mu_lower": "μ", "renyi_lower": "Rényi ε"}


def name_of(claim: Claim) -> str:
    """What the lower bound on the claim's own level is called in a result."""
    return _NAMES.get(claim.kind, "epsilon_lower")


def symbol_of(claim: Claim) -> str:
    """The symbol of the claim's own level."""
    return _SYMBOLS[name_of(claim)]


def size(result: AuditResult) -> str:
    """How large the loss is at least, beside the claim; empty where nothing larger is known."""
    name = name_of(result.claim)
    bound = result.levels.get(name, 0.0)
    if bound <= result.claim.level:
        return ""
    symbol = symbol_of(result.claim)
    return (
        f"at least {symbol} = {_above(bound, result.claim.level)}{_condition(result.claim)}, "
        f"where {symbol} = {result.claim.level:g} is claimed"
    )


def _above(bound: float, level: float) -> str:
    """The bound rounded down; with all its digits where it hardly exceeds the claim."""
    shown = at_least(bound)
    return shown if read(shown) > float(f"{level:g}") else repr(bound)


def _condition(claim: Claim) -> str:
    if isinstance(claim, ApproxDP):
        return f" at δ = {number(claim.delta_claimed)}"
    return f" of order {claim.order:g}" if isinstance(claim, RenyiDP) else ""


def bounds(result: AuditResult) -> str:
    """The lower bounds beside what is claimed, that of the claim's own kind first."""
    if result.verdict is Verdict.INCONCLUSIVE and result.reason:
        return f"none that counts; claimed is {result.claim}"
    own = name_of(result.claim)
    names = sorted(result.levels, key=lambda name: name != own)
    found = [_level(result, name) for name in names]
    confidence = percent(1.0 - result.alpha)
    each = "each at" if len(found) > 1 else "at"
    return f"{' and '.join(found)}, {each} {confidence} confidence; claimed is {result.claim}"


def _level(result: AuditResult, name: str) -> str:
    bound = f"{_SYMBOLS.get(name, name)} ≥ {at_least(result.levels[name])}"
    if name != "epsilon_lower" or isinstance(result.claim, PureDP):
        return bound
    delta = result.claim.delta_claimed if isinstance(result.claim, ApproxDP) else 0.0
    return f"{bound} at δ = {number(delta)}"
