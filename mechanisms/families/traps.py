"""Mechanisms that look wrong, or carry a bug report, and yet keep their claim."""

from __future__ import annotations

import numpy as np

from mechanisms.families.inputs import COUNT_ADDED, FAVORITE, GROUP_SESSION, ONE_REMOVED
from mechanisms.parts import composition, counts, selection, sessions, sums
from mechanisms.table import declared, keeps, table

ENTRIES = table("Traps", (
    ("scale-is-epsilon", sums.NoisySum(epsilon=2.0, calibration="inverted"), ONE_REMOVED,
     keeps("N01; calculation", 0.5),
     "Laplace noise of scale epsilon for 1/epsilon: above 1 that is too much noise"),
    ("exponential-without-half-of-two", selection.ExponentialMechanism(factor=1.0),
     declared(np.array([1.0, 0.0]), np.array([0.0, 1.0])), keeps("N03; calculation", 1.0),
     "exponential mechanism without the 2, between two candidates"),
    ("exponential-without-half-monotone", selection.ExponentialMechanism(factor=1.0),
     declared(FAVORITE, np.zeros(10)), keeps("N03; Dwork and Roth 2014, section 3.4", 1.0),
     "exponential mechanism without the 2, all scores moving in one direction"),
    ("classic-gaussian-epsilon-5", sums.NoisySum(5.0, 1e-5, "gaussian", "classic"), ONE_REMOVED,
     keeps("N08; calculation", 4.5401044015645),
     "textbook Gaussian beyond its proof: still too much noise at epsilon 5"),
    ("classic-gaussian", sums.NoisySum(1.0, 1e-5, "gaussian", "classic"), ONE_REMOVED,
     keeps("N08; calculation", 0.7509769568667172),
     "textbook Gaussian at epsilon 1, with more noise than it needs"),
    ("laplace-rounded", sums.NoisySum(finish="round"), ONE_REMOVED,
     keeps("N10; post-processing", 1.0),
     "Laplace noise, then rounded to a whole number"),
    ("laplace-not-negative", sums.NoisySum(finish="not-negative"), ONE_REMOVED,
     keeps("N10; post-processing", 1.0),
     "Laplace noise, then negative sums made zero"),
    ("laplace-clamped", sums.NoisySum(finish="clamp"), ONE_REMOVED,
     keeps("N10; post-processing", 1.0),
     "Laplace noise, then cut to the range of the records"),
    ("momentum-after-noise", composition.NoisyGradientSteps(), ONE_REMOVED,
     keeps("N10; post-processing", 1.0),
     "gradient steps with momentum, computed from noisy gradients"),
    ("renormalized-geometric-of-one", counts.RenormalizedGeometric(largest=1), COUNT_ADDED,
     keeps("N12; calculation", 1.0),
     "a renormalised geometric on {0, 1}, which is randomized response"),
    ("sparse-vector-session-same-threshold", sessions.LargeGroups(kept="threshold"), GROUP_SESSION,
     keeps("arXiv 1603.01699, Theorem 2: 0.75 epsilon suffices"),
     "a sparse vector that never redraws its threshold; it still holds"),
))  # fmt: skip
