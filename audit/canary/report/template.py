"""What the templates of a report of canaries are filled with, the same for Markdown and pages."""

from __future__ import annotations

import json
from typing import Any

from audit.canary.report import headline, method, sentences
from audit.canary.report.prefix_words import allowed, telling
from audit.canary.result import CanaryResult


def template_values(result: CanaryResult) -> dict[str, Any]:
    """The result and all that finds words for it, by the names that templates use."""
    return {
        "result": result,
        "headline": headline,
        "method": method,
        "words": sentences,
        "telling": telling,
        "allowed": allowed,
        "parameters": json.dumps(result.parameters, ensure_ascii=False),
    }
