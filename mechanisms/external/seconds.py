"""Durations of a library's audits, apart from their results, which repeat exactly."""

from __future__ import annotations

import json
from pathlib import Path

NAME = "seconds.json"


def keep_seconds(folder: Path, name: str, seconds: float) -> None:
    """Note how long one audit took, in place of an earlier time.

    Args:
        folder: of the library.
        name: of the call.
        seconds: by the clock, all runs and the making of bets included.
    """
    found = {**kept_seconds(folder), name: round(seconds, 1)}
    folder.mkdir(parents=True, exist_ok=True)
    text = json.dumps(dict(sorted(found.items())), indent=0, ensure_ascii=False)
    (folder / NAME).write_text(f"{text}\n", "utf-8")


def kept_seconds(folder: Path) -> dict[str, float]:
    """The seconds of each call of a library; nothing where no time was kept."""
    path = folder / NAME
    found: dict[str, float] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return found
