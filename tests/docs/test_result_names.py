"""The reference lists every key of a result that has another name in Python."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import audit
from tests.audit.canary.test_report import made

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "reference" / "result.md").read_text("utf-8")
ROWS, CANARIES = PAGE.partition("## Names in Python")[2].rpartition("|\n")[::2]
LISTED = set(re.findall(r"`([\w.]+)`", " ".join(re.findall(r"^\|(.*?)\|", ROWS, re.MULTILINE))))
STORED = sorted((ROOT / "reports" / "systems").glob("*.json"))


def other_names(value: Any, stored: Any, path: str = "") -> Iterator[str]:
    """Keys of the JSON of an object that are no attribute of it; of parts as "leaks.event"."""
    if isinstance(value, tuple) and isinstance(stored, list):
        for one, found in zip(value, stored, strict=True):
            yield from other_names(one, found, path)
    elif isinstance(stored, dict) and not isinstance(value, dict):
        for key, found in stored.items():
            name = f"{path}.{key}".lstrip(".")
            if hasattr(value, key):
                yield from other_names(getattr(value, key), found, name)
            else:
                yield name


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_every_other_key_is_an_attribute_of_the_object(path: Path) -> None:
    result = audit.read_result(path)
    for name in other_names(result, result.to_json()):
        parts = name.split(".")
        assert {".".join(parts[:n]) for n in range(1, len(parts) + 1)} & LISTED, name


def test_every_other_key_of_canaries_is_an_attribute() -> None:
    result = made(0.5, epsilon=1.0)
    found = set(other_names(result, result.to_json()))
    assert found
    assert found <= {"schema", *re.findall(r"`([\w.]+)`", CANARIES)}


def test_a_key_without_an_attribute_is_found() -> None:
    result = audit.read_result(STORED[0])
    stored = result.to_json() | {"another": 1}
    assert "another" in set(other_names(result, stored)) - LISTED
