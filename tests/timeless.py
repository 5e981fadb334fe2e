"""Results without what differs from run to run: how long an audit took, and when it ended."""

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
