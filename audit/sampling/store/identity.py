"""What makes an audit the same audit: everything on which its draws depend."""

from __future__ import annotations

from importlib import metadata
from typing import Any

from audit import __version__ as VERSION
from audit.case import Case, Settings
from audit.sampling.store.digest import digest_of

_LIBRARIES = ("numpy", "scipy", "pandas", "scikit-learn")
"""Their random numbers and their last bits decide what is bet on."""


def identity_of(case: Case, settings: Settings) -> dict[str, Any]:
    """Plain values by names that people understand; two audits are the same when all agree.

    The budget is not among them, as an audit may go on with a larger one.
    """
    return {
        "version": VERSION,
        **{f"version of {name}": _installed(name) for name in _LIBRARIES},
        "mechanism": case.name,
        **{f"parameter {name}": repr(value) for name, value in case.parameters.items()},
        "claim": str(case.claim),
        "relation": str(case.relation),
        "seed": settings.seed,
        "alpha": settings.alpha,
        "--null": settings.null,
        "--assume": ", ".join(settings.assume),
        "code": digest_of(getattr(case.box, "identity", case.box)),
        "datasets": digest_of([[pair.dataset, pair.neighbor] for pair in case.pairs]),
        "domain": None if case.domain is None else str(case.domain),
        **_asked(case),
        "rule of stopping": str(settings.budget.until),
    }


def _asked(case: Case) -> dict[str, Any]:
    """What the search may ask sessions, where there are any."""
    if case.questions is None:
        return {}
    known = digest_of([[pair.dataset, pair.neighbor] for pair in case.known])
    return {"questions": str(case.questions), "known datasets": known}


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
