"""What audits of a library found, in one file, for the page about all libraries."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

NAME = "results.json"
_LEFT_OUT = frozenset({"pairs", "seconds", "finished"})
"""Tables are in the reports; times change with every run."""


def keep(folder: Path, result: Mapping[str, Any]) -> None:
    """Put a result among those of its library, in place of an earlier one of its name.

    Args:
        folder: of the library.
        result: as `AuditResult.to_json` has it.
    """
    found = {one["mechanism"]: one for one in (*stored(folder), result)}
    kept = [
        {key: value for key, value in found[name].items() if key not in _LEFT_OUT}
        for name in sorted(found)
    ]
    text = json.dumps(kept, indent=1, ensure_ascii=False, allow_nan=False)
    (folder / NAME).write_text(f"{text}\n", "utf-8")


def stored(folder: Path) -> list[dict[str, Any]]:
    """The results of a library, by name; none where none were kept."""
    path = folder / NAME
    results: list[dict[str, Any]] = json.loads(path.read_text("utf-8")) if path.exists() else []
    return results
