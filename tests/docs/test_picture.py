"""The README's picture shows the audit of the README."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest

from tests.docs.pages import DOCS
from tests.docs.picture import PICTURE, Bar, audited, drawn

RARE, FREQUENT = Bar("[]", 0.2, 0.18, 0.22), Bar("[0]", 0.5, 0.48, 0.52)


def widths(look: str, svg: str) -> list[float]:
    """Widths of the rectangles of a class, in order."""
    return [float(width) for width in re.findall(rf'class="{look}" [^>]*width="([^"]+)"', svg)]


@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_the_bars_are_proportional_and_split_at_the_mark(epsilon: float) -> None:
    svg = drawn("Event: x ≥ 1", RARE, FREQUENT, epsilon)
    inside, excess = widths("bar", svg), widths("excess", svg)
    per_unit = inside[0] / RARE.estimate
    allowed = min(FREQUENT.estimate, RARE.estimate * math.exp(epsilon))
    assert inside[1] == pytest.approx(allowed * per_unit, abs=0.1)
    assert excess == pytest.approx([0.0, (FREQUENT.estimate - allowed) * per_unit], abs=0.1)
    assert (excess[1] > 0) == (epsilon < math.log(FREQUENT.estimate / RARE.estimate))


def test_the_mark_is_named_with_its_numbers() -> None:
    svg = drawn("Event: x ≥ 1", RARE, FREQUENT, 0.5)
    assert "ε = 0.5 allows at most e^0.5 × 20.0% = 33.0%" in svg


def test_words_are_large_enough_on_a_phone() -> None:
    """A page of 390 points leaves about 350 to the picture."""
    svg = drawn("Event: x ≥ 1", RARE, FREQUENT, 0.5, ["Bars: 100 fresh runs each."])
    width = re.search(r'width="(\d+)"', svg)
    assert width is not None
    sizes = [float(size) for size in re.findall(r"font-size:(\d+)px", svg)]
    assert min(sizes) * 350.0 / float(width[1]) >= 8.0


@pytest.mark.parametrize("page", [DOCS / "index.md", DOCS.parent / "README.md"])
def test_the_words_for_the_picture_have_its_numbers(page: Path) -> None:
    found = re.search(r"!\[(.*)\]\(\S*counterexample.svg\)", page.read_text("utf-8"))
    assert found is not None
    svg = re.sub(r"<[^>]*>", " ", PICTURE.read_text("utf-8"))
    numbers = re.findall(r"\d+\.\d+", found[1])
    assert len(numbers) == 5
    assert [number for number in numbers if number not in svg] == []


@pytest.mark.lives
@pytest.mark.slow
def test_the_picture_is_that_of_this_version() -> None:
    assert PICTURE.read_text(encoding="utf-8") == audited(), "python -m tests.docs.picture"
