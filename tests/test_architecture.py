"""The page that draws the line names files that are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAMED = re.compile(r"`((?:audit|docs|mechanisms|tests)/[\w/.-]+)`")


def test_every_file_that_the_page_names_is_there() -> None:
    named = NAMED.findall((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    assert len(named) > 20
    assert [path for path in named if not (ROOT / path).exists()] == []
