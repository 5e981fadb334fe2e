"""The program as it is called, and what may never come of it."""

from __future__ import annotations

import pytest

from tests.calls import Audit, Run, called, here

__all__ = ["Audit", "here"]

_LONGEST = 1500


@pytest.fixture
def audit(capfd: pytest.CaptureFixture[str]) -> Audit:
    """`audit("list", "--format", "json")`, which checks what holds for every call."""

    def call(*words: object) -> Run:
        run = called(capfd, *words)
        _check(run)
        return run

    return call


def _check(run: Run) -> None:
    """A result, or one line: nothing else, and nothing that steers a terminal."""
    assert run.code in (0, 1, 2, 3)
    assert (run.out + run.err).replace("\n", "").isprintable()
    assert "Traceback" not in run.err
    assert "internal error" not in run.err, run.err
    told = [line for line in run.err.splitlines() if not _warns(line)]
    assert all(line.startswith("audit: ") and len(line) < _LONGEST for line in told), run.err
    if run.code == 2:
        assert (run.out, len(told)) == ("", 1), run
    else:
        assert all("report in" in line for line in told), run.err


def _warns(line: str) -> bool:
    """Whether a line tells, before a long run, what it cannot show, or what changes nothing."""
    return " runs cannot refute " in line or line.endswith("recorded outputs are not drawn")
