"""The levels that a ledger gives, and lines that it refuses."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from audit.sampling.ledger_entry import Begun, Entry
from tests.audit.sampling.ledger.made import ALPHA, afresh, ended, fresh, history, next_build


def _levels(entries: list[Entry]) -> list[float]:
    return [entry.level for entry in entries if isinstance(entry, Begun)]


def test_the_kth_audit_gets_alpha_over_k_times_k_plus_1() -> None:
    expected = [ALPHA / (k * (k + 1)) for k in range(1, 61)]
    assert _levels(afresh(60)) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("number", [1, 2, 7, 100])
def test_all_levels_together_never_reach_alpha(number: int) -> None:
    spent = history(*afresh(number)).spent
    assert spent == pytest.approx(ALPHA * (1 - 1 / (number + 1)), rel=1e-9)
    assert spent < ALPHA


def test_going_on_spends_nothing() -> None:
    first = fresh(history())
    second = next_build(first)
    assert history(first, ended(first), second).spent == first.level
    assert history(first, second, next_build(second)).next_level(ALPHA) == pytest.approx(ALPHA / 6)


def test_going_on_side_by_side_counts_for_each_side() -> None:
    first = fresh(history())
    here, there = next_build(first, at="here"), next_build(first, at="there")
    assert history(first, here, there).spent == 2 * first.level
    # One build, ended twice: two copies of a ledger took up the same line.
    assert history(first, ended(first), ended(first)).spent == 2 * first.level


def test_levels_spent_on_two_branches_all_count_once_merged() -> None:
    shared = afresh(2)
    here = fresh(history(*shared), "here")
    there = fresh(history(*shared), "there")
    merged = history(*shared, here, there)
    assert list(merged.misfits()) == []
    level = merged.next_level(ALPHA)
    assert 0 < level <= (ALPHA - merged.spent) / 6
    left = [level]
    entries = [*shared, here, there]
    for k in range(200):
        entries.append(fresh(history(*entries), f"later {k}"))
        left.append(entries[-1].level)  # type: ignore[union-attr]
    assert math.fsum(_levels(entries)) < ALPHA


def test_branches_that_spent_more_than_alpha_leave_nothing() -> None:
    branches = [fresh(history(), f"branch {k}") for k in range(3)]
    assert history(*branches).spent == 1.5 * ALPHA
    assert history(*branches).next_level(ALPHA) == 0.0


def test_what_is_unchanged_is_found_with_its_last_build() -> None:
    first = fresh(history(), "a")
    second = fresh(history(first), "b")
    later = next_build(first)
    found = history(first, second, later)
    assert found.latest("a") == later
    assert found.latest("b") == second
    assert found.latest("c") is None
    assert not found.finished(later)
    assert history(first, second, later, ended(later)).finished(later)


def test_a_history_that_fits_is_not_refused() -> None:
    first = fresh(history())
    second = next_build(first)
    third = fresh(history(first, second), "new")
    entries: list[Entry] = [first, ended(first), second, ended(second), third]
    assert list(history(*entries).misfits()) == []
    # Lines may stand in any order after a merge.
    assert list(history(*reversed(entries)).misfits()) == []


@pytest.mark.parametrize(
    ("entries", "why"),
    [
        (afresh(3)[1:], "missing"),
        ([afresh(3)[0], afresh(3)[2]], "missing"),
        ([replace(fresh(history()), level=ALPHA)], "more than its level"),
        ([replace(fresh(history()), audit=3, level=1e-9)], "one before it is not"),
        ([next_build(fresh(history()))], "missing"),
        ([ended(fresh(history()))], "never began"),
        ([*afresh(1), fresh(history(*afresh(1)), alpha=0.01)], "different alphas"),
    ],
)
def test_lines_that_do_not_fit_are_found(entries: list[Entry], why: str) -> None:
    assert any(why in misfit for misfit in history(*entries).misfits())
