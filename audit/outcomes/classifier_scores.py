"""Scores learned by classifiers, for outputs with several parts (extra `classifier`).

A classifier that tells the two sides apart orders outputs by an estimate of
their likelihood ratio; sets of outputs with a high score are good events
(arXiv 2011.06427, section IV). Without scikit-learn the binned and location
scores remain, which need no library.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from audit.outcomes.blas_threads import one_thread
from audit.outcomes.encoding import Column, Floats, Outcomes
from audit.outcomes.features import Feature, as_column, numbers
from audit.outcomes.rounding import quietly, rounded_columns, rounding_for

_MOST_ROWS = 8192
_FEWEST_FOR_LINES = 32
_FEWEST_FOR_TREES, _MOST_FOR_TREES = 256, 2048
_UNIT = 2.0**-24
_FARTHEST = 1e100
"""Numbers beyond are taken for this one when fitting: their squares would leave the floats."""


@dataclass(frozen=True, slots=True)
class LinearScore:
    """A weighted sum of standardized coordinates, fitted by logistic regression.

    Attributes:
        names: coordinates; entries that are no numbers count as the centre.
        centre: subtracted from each.
        weight: of each.
    """

    names: tuple[str, ...]
    centre: tuple[float, ...]
    weight: tuple[float, ...]
    fitted: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return f"logistic regression score of {len(self.names)} parts of the output"

    @quietly
    def read(self, outcomes: Outcomes) -> Column:
        centre = np.array(self.centre)
        values = np.nan_to_num(numbers(outcomes, self.names) - centre, posinf=0.0, neginf=0.0)
        return as_column(values @ np.array(self.weight), _UNIT)


@dataclass(frozen=True, slots=True, eq=False)
class TreeScore:
    """Log-odds of gradient-boosted trees.

    Attributes:
        names: coordinates; entries that are no numbers are "missing" to the trees.
        units: what each is rounded to, as trees would split between last bits.
        model: the fitted classifier.
    """

    names: tuple[str, ...]
    units: tuple[float, ...]
    model: Any
    fitted: ClassVar[bool] = True

    @property
    def words(self) -> str:
        return f"gradient-boosted trees' score of {len(self.names)} parts of the output"

    def read(self, outcomes: Outcomes) -> Column:
        with one_thread(learners=True):
            rows = rounded_columns(numbers(outcomes, self.names), self.units)
            scores = self.model.decision_function(rows)
        return as_column(np.asarray(scores, np.float64), _UNIT)


@cache
def available() -> bool:
    """True if scikit-learn is installed."""
    try:
        import sklearn.ensemble
        import sklearn.linear_model  # noqa: F401
    except ImportError:
        return False
    return True


def classifier_scores(left: Outcomes, right: Outcomes, names: tuple[str, ...]) -> list[Feature]:
    """Scores fitted to draws of both sides; none where draws are few or the extra is missing."""
    if left.size < _FEWEST_FOR_LINES or len(names) < 2 or not available():
        return []
    rows = slice(0, _MOST_ROWS)
    sides = numbers(left.take(rows), names), numbers(right.take(rows), names)
    labels = np.repeat([1, 0], [len(side) for side in sides])
    found: list[Feature] = [_linear(np.concatenate(sides), labels, names)]
    if _FEWEST_FOR_TREES <= left.size <= _MOST_FOR_TREES:
        found.append(_trees(np.concatenate(sides), labels, names))
    return found


def _linear(rows: Floats, labels: Any, names: tuple[str, ...]) -> LinearScore:
    from sklearn.linear_model import LogisticRegression

    held = np.clip(np.nan_to_num(rows, posinf=0.0, neginf=0.0), -_FARTHEST, _FARTHEST)
    centre, spread = np.median(held, axis=0), np.std(held, axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    model = _quietly(LogisticRegression(C=1.0, max_iter=200).fit, (held - centre) / spread, labels)
    weight = model.coef_[0] / spread
    return LinearScore(names, tuple(map(float, centre)), tuple(map(float, weight)))


def _trees(rows: Floats, labels: Any, names: tuple[str, ...]) -> TreeScore:
    from sklearn.ensemble import HistGradientBoostingClassifier

    model = HistGradientBoostingClassifier(
        max_iter=10, max_depth=3, learning_rate=0.4, random_state=0
    )
    units = tuple(rounding_for(column) for column in rows.T)
    return TreeScore(names, units, _quietly(model.fit, rounded_columns(rows, units), labels))


def _quietly(fit: Callable[..., Any], rows: Floats, labels: Any) -> Any:
    """A fit that has not converged is still a score."""
    with warnings.catch_warnings(), one_thread(learners=True):
        warnings.simplefilter("ignore")
        return fit(rows, labels)
