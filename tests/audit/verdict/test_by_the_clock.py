"""Noise that is kept within a burst is seen in one part of many, and in all that share a little."""

from __future__ import annotations

import numpy as np

from audit.sampling.bursts import bursts_differ
from audit.verdict.by_the_clock import _alike_in_a_tick

BURSTS, CALLS = 24, 6


def kept(rng: np.random.Generator, parts: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.repeat(rng.normal(size=(BURSTS, parts)), CALLS, axis=0)


def test_one_part_behind_many_others_is_seen_by_fours_alone() -> None:
    rng = np.random.default_rng(0)
    calls = rng.normal(size=(BURSTS * CALLS, 50))
    assert not _alike_in_a_tick(calls)
    calls[:, 45] = kept(rng, 1)[:, 0]
    assert _alike_in_a_tick(calls)
    assert not bursts_differ(calls, BURSTS, 0)


def test_a_little_that_many_parts_share_is_seen_by_whole_bursts_alone() -> None:
    rng = np.random.default_rng(1)
    calls = rng.normal(size=(BURSTS * CALLS, 20)) + 0.5 * kept(rng, 20)
    assert bursts_differ(calls, BURSTS, 0)
    assert not _alike_in_a_tick(calls)
