"""From training to scores: coins for canaries, canaries among the data, scores of what was trained.

Nothing here needs a library of machine learning. Data are arrays, lists or
DataFrames whose first axis is the records; canaries are a few more of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from audit.canary.design import Flags, Floats
from audit.errors import InputError, shown
from audit.lazy_modules import loaded_pandas as pd

_LEAST = 1e-300
"""Probabilities of 0 have a logarithm all the same."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One run of training with canaries: what `audit.canaries` is given.

    Attributes:
        scores: of each canary, shape (canaries,).
        members: whether each was put in, shape (canaries,).
    """

    scores: Floats
    members: Flags


class Classifier(Protocol):
    """Trained model in the style of scikit-learn."""

    classes_: Any

    def predict_proba(self, features: Any) -> Any:
        """Probabilities of the classes, shape (records, classes)."""


def draw_members(canaries: int, rng: Generator, probability: float = 0.5) -> Flags:
    """A coin for each canary: whether it is put in.

    Args:
        canaries: how many.
        rng: of nobody else: who trains or scores must not see it.
        probability: of being put in.

    Returns:
        Shape (canaries,).

    Raises:
        InputError: there are no canaries.
    """
    if canaries < 1:
        raise InputError(f"{shown(canaries)} canaries cannot be drawn; make at least one", canaries)
    return rng.random(canaries) < probability


def with_canaries(records: Any, canaries: Any, members: Flags) -> Any:
    """The training data: all records, and the canaries that were put in behind them.

    Args:
        records: array, list or DataFrame.
        canaries: of the same kind, one a coin.
        members: who is put in, shape (canaries,).

    Returns:
        New data of the kind of `records`.

    Raises:
        InputError: there are not as many canaries as coins.
    """
    if len(canaries) != len(members):
        raise InputError(
            f"{len(canaries):,} canaries have {len(members):,} coins; draw one for each",
            len(canaries),
        )
    if isinstance(records, pd.DataFrame):
        return pd.concat([records, canaries[members]], ignore_index=True)
    if isinstance(records, list):
        return records + [c for c, member in zip(canaries, members, strict=True) if member]
    return np.concatenate([records, np.asarray(canaries)[members]])


def trained_with_canaries(
    train: Callable[[Any, Generator], Any],
    score: Callable[[Any, Any], ArrayLike],
    records: Any,
    canaries: Any,
    rng: Generator,
    probability: float = 0.5,
) -> Trial:
    """Train once with canaries that coins chose, and score all of them.

    Args:
        train: from data and a generator to a model, as `audit.run` audits it.
        score: from a model and all canaries to one score for each; more of it
            speaks for "was trained on". It never sees the coins.
        records: everybody else's data.
        canaries: records of the same kind.
        rng: from which coins and training have independent streams.
        probability: of a coin.

    Returns:
        Scores and coins.

    Raises:
        InputError: there is not one score for each canary.
    """
    coins, training = rng.spawn(2)
    members = draw_members(len(canaries), coins, probability)
    model = train(with_canaries(records, canaries, members), training)
    scores = np.asarray(score(model, canaries), dtype=np.float64)
    if scores.shape != members.shape:
        raise InputError(
            f"scores of shape {scores.shape} are not one for each of {len(members):,} canaries",
            scores.shape,
        )
    return Trial(scores, members)


def log_likelihoods(model: Classifier, features: Any, labels: ArrayLike) -> Floats:
    """The log probability that a classifier gives each record's own label: minus its loss.

    Args:
        model: fitted, in the style of scikit-learn.
        features: shape (records, ...).
        labels: shape (records,); one that the model does not know has probability 0.

    Returns:
        Shape (records,).
    """
    told = np.asarray(model.predict_proba(features), dtype=np.float64)
    own = np.asarray(labels)[:, None] == np.asarray(model.classes_)[None, :]
    return np.asarray(np.log(np.maximum((told * own).sum(axis=1), _LEAST)))


def gradient_products(updates: ArrayLike, gradients: ArrayLike) -> Floats:
    """Products of the steps of training with each canary's own gradient.

    Whoever sees every noisy sum of gradients, as the accounting of DP-SGD lets
    everybody, can hardly do better (arXiv 2302.07956). Gradients are those at
    the model of each step, clipped as in training.

    Args:
        updates: the noisy sum of each step, shape (steps, parameters).
        gradients: of each canary at each step, shape (steps, canaries,
            parameters), or (canaries, parameters) where they never change.

    Returns:
        Sums of products over all steps, shape (canaries,).
    """
    told = np.asarray(updates, dtype=np.float64)
    own: NDArray[Any] = np.asarray(gradients, dtype=np.float64)
    if own.ndim == 2:
        return np.asarray(own @ told.sum(axis=0))
    return np.asarray(np.einsum("sp,scp->c", told, own))
