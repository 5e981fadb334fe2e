"""Mechanisms whose failures tell more than their answers."""

from __future__ import annotations

import math

import numpy as np

from audit.declaration import Entry, Truth
from mechanisms.parts.selection.quantile import ExponentialQuantile

GROUP = "Wrong: failures and lengths"

ENTRIES: tuple[Entry, ...] = (
    Entry(
        name="underflow-crash",
        group=GROUP,
        summary="all weights of an exponential mechanism underflow, and it raises",
        mechanism=ExponentialQuantile(quantile=0.0, arithmetic="naive"),
        data=np.array([0.0] * 1492 + [1.0]),
        neighbors=(np.array([0.0] * 1491 + [1.0]),),
        domain="float:0:1",
        truth=Truth(
            keeps=False,
            epsilon=math.inf,
            source="E03; opendp/smartnoise-sdk #572, IBM/differential-privacy-library #107",
            pairs=9.56,
        ),
    ),
)
