"""Results of a library's audits, in one file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

NAME = "results.json"
_READ = (
    "mechanism",
    "parameters",
    "claim",
    "relation",
    "verdict",
    "epsilon_lower",
    "rho_lower",
    "alpha",
    "samples",
    "detectable_epsilon",
    "witness",
    "leaks",
    "reason",
    "seed",
)
"""What the page reads; the rest stands in the report of a call, and would be said twice."""
_PARAMETERS = ("call", "version", "warned")


def keep(folder: Path, result: Mapping[str, Any]) -> None:
    """Put a result among those of its library, in place of an earlier one of its name.

    A line for each: what changed can be seen, and indents take no room.

    Args:
        folder: of the library.
        result: as `AuditResult.to_json` has it.
    """
    found = {one["mechanism"]: one for one in (*stored(folder), _read(result))}
    lines = (compact(found[name]) for name in sorted(found))
    (folder / NAME).write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")


def stored(folder: Path) -> list[dict[str, Any]]:
    """The results of a library, by name; none where none were kept."""
    path = folder / NAME
    results: list[dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.exists() else []
    return results


def compact(value: Mapping[str, Any]) -> str:
    """A mapping as JSON on one line, without blanks."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _read(result: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: result[key] for key in _READ if key in result}
    return {**kept, "parameters": {key: result["parameters"][key] for key in _PARAMETERS}}
