"""The head of a report, for machines: YAML that is also JSON, value by value."""

from __future__ import annotations

import json
import re
from typing import Any

from audit.errors import visible
from audit.report.json_node import Stored

_LEVELS = "*_lower"
"""Stands for the lower bounds, which depend on the kind of the claim."""

_KEYS = (
    "schema",
    "mechanism",
    "parameters",
    "claim",
    "relation",
    "within",
    "verdict",
    _LEVELS,
    "alpha",
    "ledger",
    "log_evalue",
    "canaries",
    "guesses",
    "correct",
    "ceiling",
    "samples",
    "detectable_epsilon",
    "leaks",
    "seed",
    "version",
    "command",
)
_BARE_EXPONENT = re.compile(r"(?<![\d.])(-?\d+)(e[+-]?\d+)")


def front_matter(result: Stored) -> str:
    """One `key: value` line for each key of the result that fits on one."""
    found = result.to_json()
    keys = (name for key in _KEYS for name in (result.levels if key == _LEVELS else (key,)))
    lines = [f"{key}: {_value(found[key])}" for key in keys if key in found]
    return "\n".join(["---", *lines, "---"])


def head_of(report: str) -> dict[str, Any]:
    """The front matter of a Markdown report back; empty where there is none."""
    lines = report.split("\n")
    if lines[0] != "---" or "---" not in lines[1:]:
        return {}
    head = (line.partition(": ") for line in lines[1 : lines.index("---", 1)])
    try:
        return {key: json.loads(value) for key, _, value in head}
    except ValueError:
        return {}


def _value(value: Any) -> str:
    """JSON that YAML 1.1 reads the same way."""
    if isinstance(value, dict):
        parts = (f"{_value(key)}: {_value(part)}" for key, part in value.items())
        return f"{{{', '.join(parts)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, str):
        return json.dumps(visible(value), ensure_ascii=False)
    if isinstance(value, float):
        return _number(value)
    return json.dumps(value)


def _number(value: float) -> str:
    """With a point before the exponent, without which YAML 1.1 reads a word."""
    return _BARE_EXPONENT.sub(r"\1.0\2", json.dumps(value))
