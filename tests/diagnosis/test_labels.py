"""Labels of the broken mechanisms: all of them, and no other."""

from __future__ import annotations

from audit.verdict.findings import Cause
from mechanisms import CATALOG
from tests.diagnosis.labels import CAUSES


def test_every_broken_mechanism_and_no_other_has_causes() -> None:
    assert set(CAUSES) == {name for name, entry in CATALOG.items() if not entry.truth.keeps}


def test_causes_are_known_ones_and_stand_there_once() -> None:
    for causes in CAUSES.values():
        assert causes
        assert Cause.UNKNOWN not in causes
        assert len(set(causes)) == len(causes)
