"""The wealth of all versions together: its expectation, its accusations, what it makes of files."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.sampling.ledger_entry import FORFEIT, Begun, Ended, Entry
from audit.sampling.running_wealth import (
    CASH,
    kept,
    reserve,
    running_wealth,
    steps_of,
    together_of,
)
from tests.audit.sampling.ledger.made import ALPHA, ended, fresh, history, next_build

LEVEL = 0.1
Step = tuple[int, float]
Law = tuple[tuple[float, float], ...]
"""Factors W of a build with their probabilities."""
FAIR: Law = ((0.0, 0.5), (2.0, 0.5))
BOLD: Law = ((0.0, 0.75), (4.0, 0.25))
MEAN: Law = ((0.5, 0.5), (1.0, 0.5))
WRONG: Law = ((0.5, 0.3), (4.0, 0.7))


def entry(number: int, together: float = LEVEL, at: str = "") -> Begun:
    """An audit of its own version, one after the other."""
    first = fresh(history())
    return replace(
        first, audit=number, identity=f"code {number}", level=1e-9, together=together, at=at
    )


def end(begun: Begun, won: float, samples: int = 10) -> Ended:
    """Its end with a factor W."""
    gained = math.log(won) if won > 0.0 else FORFEIT
    return replace(ended(begun), gained=gained, samples=samples)


def factor(won: float) -> float:
    return kept(math.log(won) if won > 0.0 else FORFEIT)


def wealth(steps: Sequence[Step]) -> float:
    return math.exp(running_wealth(steps, LEVEL).log_wealth)


def accused_by(steps: Sequence[Step]) -> int:
    found = running_wealth(steps, LEVEL)
    return found.since if found.accused else 0


def first_accusation(steps: Sequence[Step]) -> tuple[int, int]:
    """The audit at which somebody is accused, and since which; zeros for never."""
    found = ((steps[n - 1][0], accused_by(steps[:n])) for n in range(1, len(steps) + 1))
    return next((told for told in found if told[1]), (0, 0))


def games(laws: Sequence[Law]) -> list[tuple[float, list[Step]]]:
    """All histories of audits with these laws: probability and steps."""
    return [
        (
            math.prod(chance for _, chance in played),
            [(number, factor(won)) for number, (won, _) in enumerate(played, 1)],
        )
        for played in itertools.product(*laws)
    ]


def ever_falsely(laws: Sequence[Law], wrong: int = 0) -> float:
    """Exact chance that some audit after the wrong one is ever accused, of all these."""
    return math.fsum(
        chance
        for chance, steps in games(laws)
        if any(accused_by(steps[:n]) > wrong for n in range(1, len(steps) + 1))
    )


def test_weights_sum_to_one_and_fall_slowly() -> None:
    weights = [reserve(n - 1) - reserve(n) for n in range(1, 2001)]
    assert min(weights) > 0.0
    assert math.fsum(weights) + reserve(2000) == pytest.approx(1.0, rel=1e-12)
    assert weights[999] > 1e-5


def test_a_build_cannot_lose_what_it_did_not_bet() -> None:
    assert kept(0.0) == pytest.approx(0.0, abs=1e-15)
    assert kept(-math.inf) == kept(FORFEIT) == pytest.approx(math.log(CASH))
    assert kept(800.0) == pytest.approx(800.0 + math.log(1.0 - CASH))


@pytest.mark.parametrize("law", [FAIR, BOLD, MEAN])
@pytest.mark.parametrize("builds", [1, 2, 6])
def test_its_expectation_is_at_most_one_where_claims_are_kept(law: Law, builds: int) -> None:
    # Far from an accusation, after which terms are dropped.
    expected = math.fsum(
        chance * math.exp(running_wealth(steps, 1e-30).log_wealth)
        for chance, steps in games([law] * builds)
    )
    assert expected <= 1.0 + 1e-12
    if law is not MEAN:
        assert expected == pytest.approx(1.0)


def test_its_expectation_exceeds_one_where_they_are_not() -> None:
    expected = math.fsum(chance * wealth(steps) for chance, steps in games([WRONG] * 3))
    assert expected > 1.5


@pytest.mark.parametrize("law", [FAIR, BOLD])
def test_right_versions_are_accused_with_probability_at_most_the_level(law: Law) -> None:
    chance = ever_falsely([law] * 9)
    assert LEVEL / 20 < chance <= LEVEL


def test_those_after_a_wrong_version_are_as_safe() -> None:
    sure: Law = ((1e6, 1.0),)
    laws = [FAIR] * 2 + [sure] + [BOLD] * 6
    assert ever_falsely(laws, wrong=3) <= LEVEL
    assert ever_falsely(laws) == 1.0


def test_wrong_versions_are_accused() -> None:
    caught = math.fsum(c for c, steps in games([WRONG] * 9) if first_accusation(steps)[1])
    assert caught > 0.5


def test_a_small_excess_adds_up_and_names_where_it_began() -> None:
    quiet = [(number, 0.0) for number in range(1, 101)]
    wrong = [(number, math.log(1.8)) for number in range(101, 140)]
    assert max(math.exp(factor) for _, factor in wrong) < 1.0 / LEVEL
    # Versions that had nothing to bet on have lost nothing.
    assert first_accusation([*quiet, *wrong]) == (105, 1)
    lossy = [(number, math.log(0.9)) for number in range(1, 101)]
    told, since = first_accusation([*lossy, *wrong])
    assert 110 < told < 125 and 90 < since <= 101


def test_losses_before_do_not_hide_what_comes_later() -> None:
    lost = [(number, math.log(CASH)) for number in range(1, 51)]
    told, since = first_accusation([*lost, *((n, math.log(3.0)) for n in range(51, 70))])
    assert told < 62 and since == 51


def test_what_was_accused_stays_so_until_it_is_changed() -> None:
    steps = [(1, 3.0), (1, 3.0)]
    assert accused_by(steps) == 1
    assert accused_by([*steps, (1, -5.0)]) == 1
    later = [*steps, (2, 0.0)]
    assert accused_by(later) == 0 and wealth(later) < 1.0
    again = [*later, *((n, 1.0) for n in range(3, 14))]
    found = [accused_by(again[:n]) for n in range(len(later), len(again) + 1)]
    assert max(found) > 1


def test_steps_are_those_of_all_builds_and_what_did_not_end_is_lost() -> None:
    one, two, three = entry(1), entry(2), entry(3)
    more = next_build(one)
    more = replace(more, together=LEVEL)
    entries: list[Entry] = [one, end(one, 2.0), more, end(more, 3.0), two, three]
    expected = [(1, factor(2.0)), (1, factor(3.0)), (2, factor(0.0)), (3, factor(0.0))]
    assert steps_of(history(*entries)) == expected
    pending = steps_of(history(*entries), three, math.log(5.0))
    assert pending == [*expected[:3], (3, factor(5.0))]


def test_old_lines_have_no_part_in_it() -> None:
    old, new = entry(1, together=0.0), entry(2)
    assert steps_of(history(old, end(old, 9.0), new, end(new, 2.0))) == [(2, factor(2.0))]
    assert together_of(history(old), old, end(old, 9.0)) is None


def test_of_audits_with_one_number_the_least_counts() -> None:
    # Copies of a ledger that were merged: their seeds are the same.
    one, here, there = entry(1), entry(2, at="here"), entry(2, at="there")
    entries: list[Entry] = [one, end(one, 2.0), here, end(here, 5.0), there, end(there, 3.0)]
    assert steps_of(history(*entries))[1:] == [(2, factor(3.0))]
    # As does one build that two copies went on with, or ended, and a line that stands twice.
    again: list[Entry] = [one, one, end(one, 2.0), end(one, 1.5)]
    assert steps_of(history(*again)) == [(1, factor(1.5))]
    left, right = (replace(next_build(one, at), together=LEVEL) for at in ("left", "right"))
    both: list[Entry] = [one, end(one, 2.0), left, end(left, 4.0), right]
    assert steps_of(history(*both)) == [(1, factor(2.0)), (1, factor(0.0))]


def test_what_is_said_counts_builds_and_runs_since_then() -> None:
    one, two, three = entry(1), entry(2), entry(3)
    more = replace(next_build(two), together=LEVEL)
    entries: list[Entry] = [one, end(one, 0.0, 100), two, end(two, 3.0, 20), more]
    entries += [end(more, 3.0, 45), three]
    found = together_of(history(*entries), three, end(three, 20.0, 7))
    assert found is not None
    assert (found.accused, found.since, found.builds, found.runs) == (True, 2, 3, 52)
    assert found.gained == pytest.approx(math.log(20.0)) and found.level == LEVEL
    lost = together_of(history(*entries), three, end(three, 0.0, 7))
    assert lost is not None and lost.gained is None


losses = st.sampled_from([FORFEIT, -1.0, 0.0, 0.7, 3.0])


@given(st.lists(losses, min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_lines_does_not_matter(factors: list[float], random: object) -> None:
    entries: list[Entry] = []
    for number, gained in enumerate(factors, 1):
        begun = entry(number)
        entries += [begun, replace(ended(begun), gained=gained)]
    expected = steps_of(history(*entries))
    shuffle: Callable[[list[Entry]], None] = random.shuffle  # type: ignore[attr-defined]
    shuffle(entries)
    assert steps_of(history(*entries)) == expected


@given(st.lists(losses, min_size=2, max_size=8), losses)
def test_another_copy_never_adds_wealth(factors: list[float], other: float) -> None:
    entries: list[Entry] = []
    for number, gained in enumerate(factors, 1):
        begun = entry(number)
        entries += [begun, replace(ended(begun), gained=gained)]
    copy = entry(len(factors), at="copy")
    merged = [*entries, copy, replace(ended(copy), gained=other)]
    before, after = (running_wealth(steps_of(history(*e)), 1e-30) for e in (entries, merged))
    assert after.log_wealth <= before.log_wealth + 1e-12


@given(st.lists(losses, min_size=1, max_size=30))
def test_it_is_the_mixture_over_first_audits(factors: list[float]) -> None:
    steps = [(number, kept(gained)) for number, gained in enumerate(factors, 1)]
    products = np.exp(np.cumsum([f for _, f in steps][::-1]))[::-1]
    weights = np.array([reserve(n - 1) - reserve(n) for n, _ in steps])
    expected = float((weights * products).sum()) + reserve(len(steps))
    found = running_wealth(steps, 1e-300).log_wealth
    assert found == pytest.approx(math.log(expected), abs=1e-9)


def test_half_of_alpha_is_for_all_versions_together() -> None:
    assert history().half_of_rest(ALPHA) == ALPHA / 2
    first = replace(fresh(history()), level=ALPHA / 4, together=ALPHA / 2)
    assert history(first).half_of_rest(ALPHA) == ALPHA / 2
    assert history(first).next_level(ALPHA, ALPHA / 2) == pytest.approx(ALPHA / 12)
    assert not list(history(first).misfits())
    more = replace(first, together=0.6 * ALPHA)
    assert any("less than half" in misfit for misfit in history(more).misfits())
    # A ledger of an earlier version has spent half of alpha on its first audit.
    old = fresh(history())
    assert history(old).half_of_rest(ALPHA) == pytest.approx(ALPHA / 4)
    assert history(old).next_level(ALPHA, ALPHA / 4) == pytest.approx(ALPHA / 12)
