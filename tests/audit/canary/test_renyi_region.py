"""What a Rényi divergence leaves to one event: never too little, and hardly more than the truth."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import audit
from audit.canary.design import Floats
from audit.canary.profile_test import region_offsets, smallest_other
from audit.claims import RenyiDP
from tests.audit.canary.tables import noisy

SLOPES = np.exp(np.linspace(-3.0, 6.0, 19))


def divergence(order: float, p: Floats, q: Floats) -> Floats:
    """Of two laws of two outcomes."""
    parts = [order * np.log(x) + (1.0 - order) * np.log(y) for x, y in ((p, q), (1 - p, 1 - q))]
    return np.asarray(np.logaddexp(*parts) / (order - 1.0))


def smallest(order: float, most: float, p: Floats) -> Floats:
    """The smallest q below p that a divergence leaves, by halving."""
    low, high = np.full_like(p, -700.0), np.log(p)
    for _ in range(80):
        middle = (low + high) / 2.0
        far = divergence(order, p, np.exp(middle)) > most
        low, high = np.where(far, middle, low), np.where(far, high, middle)
    return np.asarray(np.exp(high))


@pytest.mark.parametrize(
    ("order", "most"),
    [
        (1.0001, 0.3),
        (1.01, 0.3),
        (1.03, 2.0),
        (1.05, 0.3),
        (2.0, 0.5),
        (4.0, 0.001),
        (4.0, 2.0),
        (32.0, 1.0),
    ],
)
def test_it_is_the_region_of_two_outcomes(order: float, most: float) -> None:
    p = 1.0 / (1.0 + np.exp(-np.linspace(-30.0, 30.0, 6001)))
    q = smallest(order, most, p)
    exact = np.array([float(np.max(p - slope * q)) for slope in SLOPES])
    found = region_offsets(order, most, SLOPES)
    assert (found >= exact - 1e-9).all()
    assert found == pytest.approx(exact, rel=0.01, abs=1e-4 if order < 1.05 else 1e-8)


@given(
    st.one_of(st.floats(1.0001, 1.1), st.floats(1.1, 50.0)),
    st.floats(0.01, 4.0),
    st.floats(1e-4, 0.999),
    st.floats(1e-4, 0.999),
)
def test_no_two_laws_within_the_divergence_are_outside(
    order: float, most: float, p: float, q: float
) -> None:
    if divergence(order, np.array([p]), np.array([q])) <= most:
        assert (p - SLOPES * q <= region_offsets(order, most, SLOPES) + 1e-12).all()


@given(st.floats(1.0001, 50.0), st.floats(0.01, 4.0))
def test_more_divergence_leaves_more(order: float, most: float) -> None:
    """Levels that a search compares are farther apart than this."""
    less, more = (region_offsets(order, level, SLOPES) for level in (most, most + 2e-4))
    assert (less <= more + 1e-12).all()


def test_curves_are_those_of_the_region() -> None:
    """A curve from lines lies below the edge, and close to it."""
    curve = smallest_other(RenyiDP(4.0, 0.5))
    p = np.array([0.001, 0.01, 0.1, 0.5, 0.9])
    edges = np.maximum(smallest(4.0, 0.5, p), mirrored(4.0, 0.5, p))
    found = np.array([curve(float(x)) for x in p])
    assert (found <= edges + 1e-9).all()
    assert found == pytest.approx(edges, rel=0.03)


def mirrored(order: float, most: float, p: Floats) -> Floats:
    """The smallest q below p that the divergence of the other direction leaves."""
    low, high = np.full_like(p, -700.0), np.log(p)
    for _ in range(80):
        middle = (low + high) / 2.0
        far = divergence(order, np.exp(middle), p) > most
        low, high = np.where(far, middle, low), np.where(far, high, middle)
    return np.asarray(np.exp(high))


@pytest.mark.slow
def test_renyi_claims_that_are_far_too_small_are_refuted() -> None:
    """Gaussian noise of 0.5 has divergence 8 of order 4."""
    members, scores = noisy(2000, 0.5)
    wrong, right = (
        audit.canaries(scores, members, claim=RenyiDP(4.0, most), assignment="coin", alpha=0.05)
        for most in (0.2, 8.0)
    )
    assert wrong.verdict == "violation"
    assert wrong.levels["renyi_lower"] > 0.2
    assert right.verdict != "violation"
