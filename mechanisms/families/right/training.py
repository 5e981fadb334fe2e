"""Training by DP-SGD as it is accounted for."""

from __future__ import annotations

import numpy as np

from audit.declaration import Entry, Truth
from mechanisms.parts.training import DpSgd, DpSgdByItsCurve

GROUP = "Right"
ONE_LOUD, NONE = np.array([[100.0, 1.0]]), np.empty((0, 2))
"""A record whose gradient is longer than any clipping norm, and nobody."""

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="dp-sgd",
        group=GROUP,
        summary="logistic regression by DP-SGD: ten Poisson batches, gradients clipped to 1",
        mechanism=DpSgd(),
        data=ONE_LOUD,
        neighbors=(NONE,),
        truth=Truth(
            keeps=True,
            epsilon=0.9969,
            source="privacy loss distribution of the Poisson-subsampled Gaussian, dp_accounting",
        ),
    ),
    Entry(
        name="dp-sgd-curve",
        group=GROUP,
        summary="the same, claimed by the curve of (epsilon, delta) that its accountant gives",
        mechanism=DpSgdByItsCurve(),
        data=ONE_LOUD,
        neighbors=(NONE,),
        truth=Truth(keeps=True, source="twelve points of the same curve, delta rounded up"),
    ),
)
