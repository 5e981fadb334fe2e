"""Models of `diffprivlib.models` at epsilon 1, with public bounds, norms and classes."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.random import Generator

from audit.declaration import Entry
from mechanisms.external.call import Release
from mechanisms.external.diffprivlib.tools import state
from mechanisms.external.shelf import ADD_REMOVE, SUBSTITUTE, Finding, Shelf

_MANUAL = "models with differential privacy, epsilon: privacy parameter"
_ISSUES = "github.com/IBM/differential-privacy-library"
_MINIMUM = "the bounds are used only when an intercept is fitted; records are not clipped otherwise"


def _model(name: str, read: Callable[[Any], Any], **options: Any) -> Release:
    """Fits a model to rows whose last number is the label, if it needs one."""
    kind = getattr(importlib.import_module("diffprivlib.models"), name)
    labelled = name not in ("KMeans", "PCA")

    def release(data: Any, rng: Generator) -> Any:
        rows = np.asarray(data, dtype=float)
        model = kind(epsilon=1.0, random_state=state(rng), **options)
        fitted = model.fit(rows[:, :-1], rows[:, -1]) if labelled else model.fit(rows)
        return read(fitted)

    return release


def _bayes(declared: bool) -> Release:
    """Gaussian naive Bayes; `partial_fit` lets the caller declare the classes."""
    kind = importlib.import_module("diffprivlib.models").GaussianNB

    def release(data: Any, rng: Generator) -> Any:
        rows = np.asarray(data, dtype=float)
        model = kind(epsilon=1.0, bounds=(0, 1), random_state=state(rng))
        if declared:
            model.partial_fit(rows[:, :1], rows[:, 1], classes=[0, 1])
        else:
            model.fit(rows[:, :1], rows[:, 1])
        return model.class_count_

    return release


def _unexplained(model: Any) -> float:
    """`inertia_` beyond three known records at 0, for a public center."""
    center = float(model.cluster_centers_[0, 0])
    return round(float(np.sqrt(max(model.inertia_ - 3 * center**2, 0.0))) - center, 6)


def entries(shelf: Shelf) -> tuple[Entry, ...]:
    """Models at their best, and where they break."""
    return (*_kept(shelf), *_regression(shelf), *_classifiers(shelf), _clusters(shelf))


def _kept(shelf: Shelf) -> tuple[Entry, ...]:
    square = {"n_clusters": 2, "bounds": (0, 1)}
    return (
        shelf.entry(
            "pca",
            "PCA(1, centered=True, data_norm=1)",
            _model(
                "PCA", lambda m: m.explained_variance_, n_components=1, centered=True, data_norm=1.0
            ),
            [[1.0, 0.0], [0.0, 1.0], [0.0, 0.5]],
            [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]],
            relation=SUBSTITUTE,
            documented=_MANUAL,
        ),
        shelf.entry(
            "k-means",
            "KMeans(2, bounds=(0, 1)).cluster_centers_",
            _model("KMeans", lambda m: m.cluster_centers_, **square),
            [[0.0], [0.0], [1.0], [1.0]],
            [[0.0], [0.0], [1.0], [0.0]],
            relation=SUBSTITUTE,
            documented=_MANUAL,
        ),
        shelf.entry(
            "tree-add-remove",
            "DecisionTreeClassifier(max_depth=1, bounds=(0, 1), classes=[0, 1]), a record added",
            _tree(),
            [[0.5, 0.0], [0.5, 1.0]],
            [[0.5, 0.0]],
            relation=ADD_REMOVE,
            documented=_MANUAL,
        ),
    )


def _regression(shelf: Shelf) -> tuple[Entry, ...]:
    def fitted(intercept: bool, top: int) -> Release:
        bounds = {"bounds_X": (0, top), "bounds_y": (0, 1)}
        return _model("LinearRegression", lambda m: m.coef_, fit_intercept=intercept, **bounds)

    diagonal = "the sensitivity of x·x takes the lower bound twice: 0 for bounds (0, 100)"
    return (
        shelf.entry(
            "linear-regression-diagonal",
            "LinearRegression(bounds_X=(0, 100), bounds_y=(0, 1), fit_intercept=False)",
            fitted(False, 100),
            [[10.0, 0.0], [100.0, 0.0]],
            [[10.0, 0.0], [0.0, 0.0]],
            relation=SUBSTITUTE,
            documented=_MANUAL,
            broken=Finding(diagonal, None, f"{_ISSUES}/issues/105 (open), pull/110 (open)"),
        ),
        shelf.entry(
            "linear-regression-intercept",
            "LinearRegression(bounds_X=(0, 100), bounds_y=(0, 1))",
            fitted(True, 100),
            [[10.0, 0.0], [100.0, 0.0]],
            [[10.0, 0.0], [0.0, 0.0]],
            relation=SUBSTITUTE,
            documented=_MANUAL,
            broken=Finding(
                "the lower bound taken twice, and the intercept's budget spent on X and on y",
                None,
                f"{_ISSUES}/issues/104 and 105 (open)",
            ),
        ),
        shelf.entry(
            "linear-regression-outlier",
            "LinearRegression(bounds_X=(0, 1), bounds_y=(0, 1), fit_intercept=False)",
            fitted(False, 1),
            [[1.0, 1.0], [1.0, 1.0]],
            [[1000.0, 1.0], [1.0, 1.0]],
            relation=SUBSTITUTE,
            documented=f"{_MANUAL}; bounds_X: bounds of the data",
            broken=Finding(_MINIMUM),
        ),
    )


def _tree() -> Release:
    return _model(
        "DecisionTreeClassifier",
        lambda m: int(m.predict([[0.5]])[0]),
        max_depth=1,
        bounds=(0, 1),
        classes=[0, 1],
    )


def _classifiers(shelf: Shelf) -> tuple[Entry, ...]:
    three = [[0.5, 0.0]] * 3
    return (
        shelf.entry(
            "naive-bayes",
            "GaussianNB(bounds=(0, 1)).fit(X, y)",
            _bayes(declared=False),
            [*three, [0.5, 0.0]],
            [*three, [0.5, 1.0]],
            relation=SUBSTITUTE,
            documented=_MANUAL,
            broken=Finding("the classes are read from the labels, without noise or a warning"),
        ),
        shelf.entry(
            "naive-bayes-declared",
            "GaussianNB(bounds=(0, 1)).partial_fit(X, y, classes=[0, 1])",
            _bayes(declared=True),
            [*three, [0.5, 0.0]],
            [*three, [0.5, 1.0]],
            relation=SUBSTITUTE,
            documented=f"{_MANUAL}; classes: all that can possibly appear",
            broken=Finding(
                "a class that nobody has keeps count 0, every other one gets at least 1"
            ),
        ),
        shelf.entry(
            "tree-substitute",
            "DecisionTreeClassifier(max_depth=1, bounds=(0, 1), classes=[0, 1]), a label changed",
            _tree(),
            [[0.5, 0.0]],
            [[0.5, 1.0]],
            relation=SUBSTITUTE,
            documented=_MANUAL,
            broken=Finding(
                "permute-and-flip for monotone scores, but one falls and one rises", 1.491
            ),
        ),
    )


def _clusters(shelf: Shelf) -> Entry:
    return shelf.entry(
        "k-means-inertia",
        "KMeans(1, bounds=(0, 1)): center and inertia_, less what three known records add",
        _model("KMeans", _unexplained, n_clusters=1, bounds=(0, 1)),
        [[0.0], [0.0], [0.0], [0.0]],
        [[0.0], [0.0], [0.0], [1.0]],
        relation=SUBSTITUTE,
        documented=f"{_MANUAL}; inertia_: sum of squared distances to the closest center",
        broken=Finding("inertia_ is computed from the records, without noise or a warning"),
    )
