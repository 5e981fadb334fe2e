"""What a bet on a known event shows, and the chances that a broken sparse vector gives it."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from mechanisms import CATALOG
from mechanisms.parts.selection.sparse_vector import SparseVector
from mechanisms.peers.patterns import input_patterns
from tests.benchmarks import rare_values
from tests.benchmarks.known_event import KnownEvent
from tests.benchmarks.rare_values import NAME, oracle


@pytest.mark.parametrize("event", [KnownEvent.shared(0.03, 0.02), KnownEvent.apart(0.03, 0.02)])
def test_what_is_shown_is_refuted_and_nothing_above(event: KnownEvent) -> None:
    shown, stakes = event.shown(200_000, 0.1), np.linspace(0.0, 0.6, 2_000)

    def earned(level: float) -> float:
        return 200_000 * max(event.growth(level, stake) for stake in stakes)

    assert earned(shown - 1e-3) > math.log(10.0) > earned(shown + 1e-3)
    assert shown < event.loss


def test_nothing_is_shown_of_what_is_too_rare() -> None:
    assert KnownEvent.apart(3e-7, 2e-7).shown(1_000, 0.1) == 0.0


@pytest.mark.parametrize("noise", [2.0, 2.2])
def test_chances_are_those_of_the_mechanism(noise: float) -> None:
    _, halves = input_patterns(10)["half above, half below"]
    made, runs = CATALOG[NAME].mechanism, 200_000
    assert isinstance(made, SparseVector)
    drawn = made.release(halves, np.random.default_rng(3), runs)
    at = int(np.searchsorted(rare_values._VALUES, 15.0))
    released = np.isfinite(drawn) & (drawn <= rare_values._VALUES[at])
    of = replace(made, query_factor=noise)
    wanted = np.array([chances[at] for chances in rare_values._chances(of, halves)])
    off = np.abs(released.mean(axis=0) - wanted) / np.sqrt(wanted / runs)
    assert bool(off.max() < 5.0) is (noise == made.query_factor)


@pytest.mark.slow
def test_more_runs_show_rarer_and_larger_losses() -> None:
    few, more = oracle(4_000_000), oracle(100_000_000)
    assert 0.19 < few < 0.21 < 0.29 < more < 0.32
