"""The walk of the sparse vector, and quantiles over the gaps between records."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.random import default_rng
from scipy import stats

from audit.errors import InputError
from mechanisms.parts.selection import ABOVE, BELOW, STOPPED, ExponentialQuantile, SparseVector
from mechanisms.peers.statdp import SummarizedSparseVector

BIG = 1e6


def test_without_much_noise_it_compares_with_the_threshold() -> None:
    vector = SparseVector(epsilon=400.0, threshold=BIG / 2, cutoff=2)
    outputs = vector.release([0.0, BIG, 0.0, BIG, BIG], default_rng(1), 3)
    assert (outputs == [BELOW, ABOVE, BELOW, ABOVE, STOPPED]).all()


def test_without_a_cutoff_it_never_stops() -> None:
    vector = SparseVector(cutoff=0)
    outputs = vector.release([-BIG, BIG, BIG, BIG], default_rng(1), 3)
    assert (outputs == [BELOW, ABOVE, ABOVE, ABOVE]).all()


def test_values_stand_for_above_and_symbols_for_the_rest() -> None:
    vector = SparseVector(epsilon=400.0, threshold=50.0, release_value="compared")
    outputs = vector.release([0.0, 100.0, 100.0], default_rng(1), 500)
    assert np.isneginf(outputs[:, 0]).all()
    assert np.abs(outputs[:, 1] - 100.0).max() < 1.0
    assert np.isnan(outputs[:, 2]).all()


def test_fresh_values_do_not_depend_on_the_comparison() -> None:
    """A compared value just above the threshold is biased upwards, a fresh one is not."""
    means = {}
    for value in ("compared", "fresh"):
        vector = SparseVector(
            threshold_factor=1e-6,
            release_value=value,
            value_factor=4.0,
        )
        outputs = vector.release([0.0], default_rng(4), 50_000)
        means[value] = outputs[np.isfinite(outputs)].mean()
    assert means["compared"] == pytest.approx(4.0, abs=0.3)
    assert means["fresh"] == pytest.approx(0.0, abs=0.3)


def test_threshold_is_drawn_again_after_each_above() -> None:
    """With noise on the threshold only, one threshold decides all equal queries alike."""
    queries = np.zeros(4)
    kept = SparseVector(cutoff=0, query_factor=0.0).release(queries, default_rng(1), 20_000)
    assert (kept == kept[:, :1]).all()
    again = SparseVector(cutoff=0, query_factor=0.0, redraw=True)
    outputs = again.release(queries, default_rng(1), 20_000)
    after_above = outputs[outputs[:, 0] == ABOVE][:, 1]
    assert after_above.mean() == pytest.approx(0.5, abs=0.05)
    assert (outputs[outputs[:, 0] == BELOW] == BELOW).all()


def test_redrawing_changes_nothing_when_it_stops_at_the_first() -> None:
    """Algorithms 1 and 2 are one algorithm at a cutoff of 1."""
    queries = [0.0, 1.0, 0.0]
    shares = [
        np.mean(
            SparseVector(redraw=redraw).release(queries, default_rng(6), 100_000) == ABOVE, axis=0
        )
        for redraw in (False, True)
    ]
    assert shares[0] == pytest.approx(shares[1], abs=0.012)


@pytest.mark.parametrize(
    ("answers", "below", "distance"),
    [
        ([1, STOPPED, STOPPED, STOPPED], 0, 3),
        ([0, 1, STOPPED, STOPPED], 1, 3),
        ([0, 0, 1, STOPPED], 2, 4),
        ([0, 0, 0, 0], 4, 2),
    ],
)
def test_summaries_count_as_the_published_code_does(
    answers: list[int], below: int, distance: int
) -> None:
    """An answer not given differs from both above and below."""
    queries = [BIG if answer == ABOVE else -BIG for answer in answers]
    counts = SummarizedSparseVector(summary="below").release(queries, default_rng(1), 2)
    assert (counts == below).all()
    distances = SummarizedSparseVector().release(queries, default_rng(1), 2)
    assert (distances == distance).all()


def test_summary_with_a_value_marks_its_absence() -> None:
    vector = SummarizedSparseVector(
        epsilon=400.0, query_factor=2.0, release_value="compared", summary="below-and-value"
    )
    assert (vector.release([-BIG, -BIG], default_rng(1), 2) == [2, -math.inf]).all()
    released = vector.release([-BIG, 100.0, 100.0], default_rng(1), 2)
    assert (released[:, 0] == 1).all()
    assert np.abs(released[:, 1] - 100.0).max() < 1.0


def test_impossible_parameters_are_refused() -> None:
    with pytest.raises(InputError, match="cutoff -1"):
        SparseVector(cutoff=-1)
    with pytest.raises(InputError, match=r"threshold_factor 0\.0"):
        SparseVector(threshold_factor=0.0)


BUDGET = 1e-9


@pytest.mark.parametrize("arithmetic", ["log", "naive"])
def test_quantile_is_drawn_by_rank_and_length(arithmetic: Any) -> None:
    """Records 0.2 and 0.6 and their median: three intervals of known weight."""
    mechanism = ExponentialQuantile(epsilon=2.0, arithmetic=arithmetic)
    drawn = mechanism.release([0.6, 0.2], default_rng(1), 50_000)
    weights = np.array([0.2, 0.4, 0.4]) * np.exp([-1.0, 0.0, -1.0])
    observed = np.histogram(drawn, [0.0, 0.2, 0.6, 1.0])[0]
    assert stats.chisquare(observed, weights / weights.sum() * 50_000).pvalue > BUDGET
