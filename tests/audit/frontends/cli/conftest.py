"""The command line as it is installed."""

from __future__ import annotations

from functools import partial
from importlib.metadata import entry_points

import pytest

from tests.calls import Audit, called, here

__all__ = ["Audit", "here"]


@pytest.fixture(scope="session", autouse=True)
def _installed() -> None:
    if not entry_points(group="dp_audit.catalogs"):
        pytest.fail("the command line finds its catalogue once installed: pip install '.[test]'")


@pytest.fixture
def audit(capfd: pytest.CaptureFixture[str]) -> Audit:
    """`audit("list", "--format", "json")`."""
    return partial(called, capfd)
