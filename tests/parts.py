"""The option `--part K/N` of pytest: one of N parts of the selected tests.

A test's part follows from its node id alone, so the same on every machine and in every process.
"""

from __future__ import annotations

import re
import zlib
from argparse import ArgumentTypeError
from dataclasses import dataclass

import pytest


@dataclass(frozen=True, slots=True)
class Part:
    """One of several parts.

    Attributes:
        number: from 1 to `count`.
        count: how many parts there are.
    """

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Part:
        """Read K/N.

        Raises:
            ArgumentTypeError: if the text is not of this form, or K is not from 1 to N.
        """
        found = re.fullmatch(r"(\d+)/(\d+)", text)
        if found is None or not 1 <= int(found[1]) <= int(found[2]):
            raise ArgumentTypeError(f"{text!r} is no part; use K/N with K from 1 to N, as in 3/10")
        return cls(int(found[1]), int(found[2]))

    def holds(self, test: str) -> bool:
        """True if the test with this node id belongs to the part."""
        return zlib.crc32(test.encode()) % self.count == self.number - 1


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    parser.addoption(
        "--part",
        type=Part.parse,
        metavar="K/N",
        help="run part K of N parts of the selected tests; together the parts are all of them",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the tests of other parts."""
    part: Part | None = config.getoption("--part")
    if part is not None:
        others = [item for item in items if not part.holds(item.nodeid)]
        items[:] = [item for item in items if part.holds(item.nodeid)]
        config.hook.pytest_deselected(items=others)
