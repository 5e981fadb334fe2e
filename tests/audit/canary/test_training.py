"""From training to scores: right DP-SGD is not refuted by its canaries, wrong DP-SGD is."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator, default_rng

import audit
from audit.canary.training import (
    draw_members,
    gradient_products,
    log_likelihoods,
    trained_with_canaries,
    with_canaries,
)
from audit.errors import InputError
from mechanisms.parts.training import DpSgd

FEATURES = 400


def sgd(**flaw: Any) -> DpSgd:
    """Few canaries, each along a coordinate of its own, as the strongest are."""
    facts: dict[str, Any] = {"features": FEATURES, "rate": 0.5, "noise": 2.0}
    return DpSgd(**facts | flaw)


def one_coordinate_each() -> Any:
    return np.column_stack([100.0 * np.eye(FEATURES), np.ones(FEATURES)])


def trained(mechanism: DpSgd, data: Any, rng: Generator) -> Any:
    return mechanism.release(data, rng, 1)[0]


def products(mechanism: DpSgd, sums: Any, canaries: Any) -> Any:
    weights = mechanism.weights_after(sums)[:-1]
    return gradient_products(sums, mechanism.gradients(canaries, weights))


@pytest.mark.parametrize(
    ("flaw", "epsilon", "verdict"),
    [
        ({}, 4.0, "not-refuted"),
        ({"flaw": "not clipped"}, 4.0, "violation"),
        ({"rate": 0.1}, 0.8, "not-refuted"),
        ({"rate": 0.1, "flaw": "scale of the average"}, 0.8, "violation"),
    ],
    ids=str,
)
def test_canaries_of_dp_sgd(flaw: dict[str, Any], epsilon: float, verdict: str) -> None:
    """Without a flaw the claims hold: ten batches at these rates have epsilon 3.96 and 0.799."""
    mechanism = sgd(**flaw)
    records = np.column_stack([default_rng(1).normal(0, 1, (50, FEATURES)), np.ones(50)])
    trial = trained_with_canaries(
        partial(trained, mechanism),
        partial(products, mechanism),
        records,
        one_coordinate_each(),
        default_rng(2),
    )
    claim = {"epsilon": epsilon, "delta": 1e-5}
    result = audit.canaries(trial.scores, trial.members, alpha=0.05, **claim)  # type: ignore[arg-type]
    assert result.verdict == verdict


class Memory:
    """A classifier that knows what it has seen, in the style of scikit-learn."""

    def fit(self, features: Any, labels: Any) -> Memory:
        self.classes_ = np.array([0, 1])
        self.seen = {(float(x), int(y)) for x, y in zip(features, labels, strict=True)}
        return self

    def predict_proba(self, features: Any) -> Any:
        told = [[0.9 if (float(x), y) in self.seen else 0.5 for y in (0, 1)] for x in features]
        return np.array(told) / np.sum(told, axis=1, keepdims=True)


def memorized(data: Any, rng: Generator) -> Memory:
    return Memory().fit(data["x"], data["y"])


def forgotten(data: Any, rng: Generator) -> Memory:
    return Memory().fit([], [])


def likelihood(model: Memory, canaries: Any) -> Any:
    return log_likelihoods(model, canaries["x"], canaries["y"])


@pytest.mark.parametrize(
    ("train", "verdict"), [(memorized, "violation"), (forgotten, "not-refuted")]
)
def test_canaries_of_an_estimator(train: Any, verdict: str) -> None:
    rng = default_rng(3)
    canaries = pd.DataFrame({"x": rng.normal(0, 1, 300), "y": rng.integers(0, 2, 300)})
    records = pd.DataFrame({"x": rng.normal(0, 1, 20), "y": rng.integers(0, 2, 20)})
    trial = trained_with_canaries(train, likelihood, records, canaries, rng)
    assert audit.canaries(trial.scores, trial.members, epsilon=2.0).verdict == verdict


def test_canaries_stand_behind_the_records() -> None:
    members = np.array([True, False, True])
    assert with_canaries([1, 2], [3, 4, 5], members) == [1, 2, 3, 5]
    assert with_canaries(np.array([1]), np.array([3, 4, 5]), members).tolist() == [1, 3, 5]
    table = with_canaries(pd.DataFrame({"x": [1]}), pd.DataFrame({"x": [3, 4, 5]}), members)
    assert table["x"].tolist() == [1, 3, 5]
    with pytest.raises(InputError, match="2 canaries have 3 coins"):
        with_canaries([1], [2, 3], members)


def test_coins_have_their_probability() -> None:
    assert draw_members(20_000, default_rng(4)).mean() == pytest.approx(0.5, abs=0.022)
    assert draw_members(20_000, default_rng(4), 0.1).mean() == pytest.approx(0.1, abs=0.014)
    with pytest.raises(InputError, match="make at least one"):
        draw_members(0, default_rng(4))


def test_products_of_gradients() -> None:
    updates = np.array([[1.0, 0.0], [0.0, 2.0]])
    assert gradient_products(updates, np.eye(2)).tolist() == [1.0, 2.0]
    changing = np.stack([np.eye(2), 3.0 * np.eye(2)])
    assert gradient_products(updates, changing).tolist() == [1.0, 6.0]


def test_one_score_a_canary() -> None:
    with pytest.raises(InputError, match=r"scores of shape \(1,\) are not one for each of 3"):
        trained_with_canaries(
            lambda data, rng: 0.0,
            lambda model, canaries: [1.0],
            [1.0],
            [1.0, 2.0, 3.0],
            default_rng(6),
        )
