"""Sessions of the catalogue, as somebody who types the commands of the page meets them."""

from __future__ import annotations

import pytest

from tests.audit.frontends.cli.conftest import Audit


@pytest.mark.slow
def test_a_right_session_ends_with_0(audit: Audit) -> None:
    found = audit("budget-session", "--max-samples", "6000", "--progress", "off")
    assert found.code == 0
    assert "NOT REFUTED" in found.out


@pytest.mark.slow
def test_a_wrong_session_ends_with_1(audit: Audit) -> None:
    found = audit("budget-session-reset", "--until", "violation", "--progress", "off")
    assert found.code == 1
    assert found.out.startswith("FAIL  ")
