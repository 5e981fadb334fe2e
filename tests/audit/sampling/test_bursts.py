"""Calls of a burst that share a part of their noise are seen; independent ones are not."""

from __future__ import annotations

import numpy as np
import pytest

from audit.sampling.bursts import bursts_differ

BURSTS = 24


@pytest.mark.parametrize("calls", [6, 40])
@pytest.mark.parametrize("parts", [1, 3, 60])
def test_half_of_the_noise_in_common_is_seen(calls: int, parts: int) -> None:
    rng = np.random.default_rng(0)
    common = np.repeat(rng.normal(size=(BURSTS, 1)), calls, axis=0)
    assert bursts_differ(common + rng.normal(size=(BURSTS * calls, parts)), BURSTS, 1)


@pytest.mark.parametrize("parts", [1, 3])
def test_independent_calls_are_more_alike_only_by_accident(parts: int) -> None:
    rng = np.random.default_rng(2)
    laws = [
        rng.standard_cauchy((600, BURSTS * 6, 1)) + rng.normal(size=(600, BURSTS * 6, parts)),
        rng.integers(0, 2, (600, BURSTS * 6, parts)).astype(float),
    ]
    found = sum(
        bursts_differ(calls, BURSTS, seed) for law in laws for seed, calls in enumerate(law)
    )
    assert found <= 5  # 0.6 are expected; more than 5 come once in forty thousand times


def test_what_never_varies_is_no_difference() -> None:
    assert not bursts_differ(np.ones((BURSTS * 6, 2)), BURSTS, 0)
