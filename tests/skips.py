"""Skips under CI: a test that is skipped for want of a program or a package fails there."""

from __future__ import annotations

import os
from collections.abc import Generator

import pytest

CI = os.environ.get("CI", "").lower() not in {"", "0", "false"}
"""True on a machine that must have all that the tests need."""


def refuse(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Make a skip a failure of one line; an expected failure stays what it is."""
    if CI and report.outcome == "skipped" and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = (
            f"{reason}. Under CI nothing is skipped: install what is missing, or unset CI."
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Refuse the skip of a test."""
    report = yield
    refuse(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Refuse the skip of a whole file."""
    report = yield
    refuse(report)
    return report
