"""Noise of a Wishart matrix."""

from __future__ import annotations

import numpy as np
from numpy.random import default_rng

from mechanisms.parts.sums.wishart import WishartMoments


def test_wishart_noise_is_positive_semidefinite_in_every_dimension() -> None:
    outputs = WishartMoments(dimension=3).release(np.zeros((0, 3)), default_rng(1), 200)
    assert outputs.shape == (200, 3, 3)
    assert np.linalg.eigvalsh(outputs).min() >= 0
