"""The how-to's snippets: before has the cause of its heading, after has not."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.verdict.findings import Cause
from tests.diagnosis.made import diagnosed

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "likely-cause.md"
SECTION = re.compile(r"^## (?P<cause>[\w-]+)$(?P<text>.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)
SNIPPET = re.compile(r"^```python\n(?P<source>def .*?)^```$", re.DOTALL | re.MULTILINE)

SNIPPETS = {
    section["cause"]: snippets
    for section in SECTION.finditer(PAGE.read_text("utf-8"))
    if (snippets := SNIPPET.findall(section["text"]))
}
PAIRS: dict[str, tuple[Any, Any]] = {
    "data-dependent-scale": (np.array([26.0]), np.array([26.0, 90.0])),
    "data-dependent-structure": (np.array([26.0]), np.array([26.0, 90.0])),
}
_ONE: tuple[Any, Any] = (np.array([100.0]), np.array([]))


def _defined(source: str) -> Callable[..., Any]:
    names: dict[str, Any] = {"np": np}
    exec(source, names)
    function: Callable[..., Any] = names["before" if "before" in names else "after"]
    return function


def test_the_common_causes_have_snippets() -> None:
    assert len(SNIPPETS) >= 11
    assert all(len(snippets) == 2 for snippets in SNIPPETS.values())


def test_every_cause_with_a_rule_is_in_the_table() -> None:
    text = PAGE.read_text("utf-8")
    assert [cause for cause in Cause if f"`{cause}`" not in text] == []


@pytest.mark.parametrize("cause", SNIPPETS)
def test_a_snippet_has_the_cause_before_and_not_after(cause: str) -> None:
    before, after = map(_defined, SNIPPETS[cause])
    pair = PAIRS.get(cause, _ONE)
    assert diagnosed(before, *pair, records=(0.0, 100.0)).cause == cause
    found = diagnosed(after, *pair, records=(0.0, 100.0))
    # At the claimed ε the estimated factor is 1 up to its error.
    assert found.cause != cause or found.numbers["factor"] == pytest.approx(1.0, abs=0.15)
