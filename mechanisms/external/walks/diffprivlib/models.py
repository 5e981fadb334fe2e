"""diffprivlib's models: each attribute that the documentation lists, on more than one pair."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.random import Generator

from audit.declaration import Entry
from mechanisms.external.call import Release
from mechanisms.external.diffprivlib.tools import state
from mechanisms.external.shelf import ADD_REMOVE, SUBSTITUTE, Shelf
from mechanisms.external.walks.steps import shown, step

_WORDS = "models with differential privacy; epsilon: privacy parameter"
_Read = Callable[[Any], Any]


def entries(shelf: Shelf) -> Iterator[Entry]:
    """Classifiers, clusters, components and scales."""
    yield from _bayes(shelf)
    yield from _forests(shelf)
    yield from _clusters(shelf)
    yield from _components(shelf)
    yield from _scalers(shelf)
    yield from _regressions(shelf)


def _bayes(shelf: Shelf) -> Iterator[Entry]:
    """A record moves within its class, or its label changes; both classes keep many."""
    for low, high in ((0, 1), (90, 100)):
        middle = (low + high) / 2
        rest = [[middle, label] for label in (0, 1) for _ in range(5)]
        pairs = {
            "a record moved": ([[low, 0], *rest], [[high, 0], *rest]),
            "a label changed": ([[middle, 0], *rest], [[middle, 1], *rest]),
        }
        for words, pair in pairs.items():
            for attribute in ("class_count_", "theta_", "var_", "class_prior_"):
                given = {"bounds": (low, high)}
                yield _model(shelf, "GaussianNB", given, attribute, pair, words)
            both = "class_count_ and theta_"
            yield _model(shelf, "GaussianNB", {"bounds": (low, high)}, both, pair, words)


def _forests(shelf: Shelf) -> Iterator[Entry]:
    """Records with labels that alternate; a record more stands at the end."""
    for trees in (1, 2, 10):
        for shuffle in (False, True):
            labels = [[0.5, number % 2] for number in range(trees)]
            given: dict[str, Any] = {
                "n_estimators": trees,
                "max_depth": 1,
                "bounds": (0, 1),
                "classes": [0, 1],
            }
            given |= {"shuffle": shuffle}
            pair = [*labels, [0.5, trees % 2]], labels
            words = "predictions of the trees", "a record added"
            yield _model(shelf, "RandomForestClassifier", given, words[0], pair, words[1])


def _clusters(shelf: Shelf) -> Iterator[Entry]:
    pairs = {
        "all near one place": ([[0.0]] * 4, [[0.0]] * 3 + [[1.0]]),
        "in two places": ([[0.0]] * 2 + [[1.0]] * 2, [[0.0]] * 3 + [[1.0]]),
    }
    for count in (1, 2, 3):
        for words, pair in pairs.items():
            given = {"n_clusters": count, "bounds": (0, 1)}
            for attribute in ("cluster_centers_", "labels_", "n_iter_"):
                yield _model(shelf, "KMeans", given, attribute, pair, words)


def _components(shelf: Shelf) -> Iterator[Entry]:
    pair = [[1.0, 0.0], [0.0, 1.0], [0.0, 0.5]], [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    for count in (1, 2):
        for centered in (False, True):
            given: dict[str, Any] = {"n_components": count, "centered": centered, "data_norm": 1.0}
            given |= {} if centered else {"bounds": (0, 1)}
            attributes = ("explained_variance_", "singular_values_", "mean_", "noise_variance_")
            for attribute in (*attributes, "explained_variance_ratio_", "n_samples_"):
                yield _model(shelf, "PCA", given, attribute, pair, "a row replaced")


def _scalers(shelf: Shelf) -> Iterator[Entry]:
    for low, high in ((0, 1), (90, 100)):
        rest = [[float(low)], [float(high)], [float(high)]]
        pair = [*rest, [float(high)]], [*rest, [float(low)]]
        for attribute in ("mean_", "var_", "scale_", "n_samples_seen_"):
            given = {"bounds": (low, high)}
            yield _model(shelf, "StandardScaler", given, attribute, pair, "a record moved")


def _regressions(shelf: Shelf) -> Iterator[Entry]:
    pair = [[1.0, 1.0], [0.5, 0.5], [0.0, 0.0]], [[1.0, 0.0], [0.5, 0.5], [0.0, 0.0]]
    for intercept in (False, True):
        for bound in (1, 2):
            given: dict[str, Any] = {
                "bounds_X": (-bound, bound),
                "bounds_y": (-1, 1),
                "fit_intercept": intercept,
            }
            for attribute in ("coef_", "intercept_"):
                yield _model(shelf, "LinearRegression", given, attribute, pair, "a label changed")
    labels = [[1.0, 1.0], [1.0, 0.0], [-1.0, 1.0], [-1.0, 0.0]]
    changed = [[1.0, 0.0], *labels[1:]]
    for intercept in (False, True):
        given = {"data_norm": 1.0, "fit_intercept": intercept}
        for attribute in ("coef_", "intercept_"):
            pair = labels, changed
            yield _model(shelf, "LogisticRegression", given, attribute, pair, "a label changed")


_READ: Mapping[str, _Read] = {
    "class_count_ and theta_": lambda m: [*m.class_count_, *np.ravel(m.theta_)],
    "predictions of the trees": lambda m: [int(t.predict([[0.5]])[0]) for t in m.estimators_],
}
_UNLABELLED = ("KMeans", "PCA", "StandardScaler")


def _model(
    shelf: Shelf, name: str, given: Mapping[str, Any], attribute: str, pair: Any, words: str
) -> Entry:
    relation = ADD_REMOVE if len(pair[0]) != len(pair[1]) else SUBSTITUTE
    does = _fitted(name, given, _READ.get(attribute, lambda m: getattr(m, attribute)))
    call = f"{name}({shown(given)}), {attribute}, {words}"
    return step(shelf, call, does, pair, relation=relation, documented=_WORDS)


def _fitted(name: str, given: Mapping[str, Any], read: _Read) -> Release:
    """Fits a model to rows whose last number is the label, if it needs one."""
    kind = getattr(importlib.import_module("diffprivlib.models"), name)

    def release(data: Any, rng: Generator) -> Any:
        rows = np.asarray(data, dtype=float)
        model = kind(epsilon=1.0, random_state=state(rng), **given)
        if name in _UNLABELLED:
            return read(model.fit(rows))
        return read(model.fit(rows[:, :-1], rows[:, -1]))

    return release
