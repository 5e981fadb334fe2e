"""Results without what differs where the audit is the same: its times, and where the box stands."""

from __future__ import annotations

import json
from typing import Any

from audit.verdict.result import AuditResult


def timeless(result: AuditResult | str) -> dict[str, Any]:
    """The JSON of a result, or one that was written as text, without its times."""
    found = json.loads(result) if isinstance(result, str) else result.to_json()
    assert found.pop("seconds") >= 0.0
    assert found.pop("finished")
    return dict(found)


def placeless(result: AuditResult) -> dict[str, Any]:
    """A `timeless` result without the line of its function, for boxes that should do the same."""
    found = timeless(result)
    assert found.pop("place")
    return found
