"""Logistic regression by DP-SGD, and the ways in which it goes wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from audit.claims import ApproxDP, Claim, ProfileDP
from mechanisms.parts.noise import Floats, gaussian
from mechanisms.parts.parameters import require_count, require_positive, require_probability

Flaw = Literal["none", "not clipped", "scale of the average", "batch twice", "shuffled"]
_SMALLEST_NORM = 1e-12
_FEWEST_COINS = 16
"""As many are thrown for smaller datasets, so that neighbors leave a generator in one state."""
_Masks = NDArray[np.bool_]
CURVE = (
    (0.0, 0.2182), (0.1, 0.1905), (0.2, 0.1659), (0.35, 0.1346), (0.5, 0.1089), (0.75, 0.076),
    (1.0, 0.0528), (1.25, 0.0364), (1.5, 0.025), (2.0, 0.0115), (2.5, 0.00516), (3.0, 0.00226),
)  # fmt: skip
"""Epsilon and delta of ten Poisson batches at rate 0.1 and noise 0.7, as dp_accounting has
them for the worse of both directions, delta rounded up."""


@dataclass(frozen=True, slots=True)
class DpSgd:
    """Noisy sums of clipped gradients of a logistic regression, one for each step.

    They are all that an accountant assumes to be seen; the parameters follow
    from them. A record is a row of features and a label 0 or 1 behind them.

    Attributes:
        epsilon: claimed epsilon of all steps together.
        delta: claimed delta.
        noise: standard deviation of the noise, in units of the clipping norm.
        rate: with which a record is in a batch.
        steps: how many batches.
        clip: largest Euclidean norm of a gradient.
        learning_rate: length of a step.
        batch: expected records in a batch, by which sums are divided; a constant.
        features: length of a record without its label.
        flaw: what is done wrong, "none" for nothing: gradients keep their norm;
            the average of a batch has the noise of the average of all records;
            every other step takes the batch of the step before; records are
            shuffled into batches, and the claim is that of independent ones.
    """

    epsilon: float = 1.0
    delta: float = 0.053
    noise: float = 0.7
    rate: float = 0.1
    steps: int = 10
    clip: float = 1.0
    learning_rate: float = 1e-3
    batch: float = 1.0
    features: int = 1
    flaw: Flaw = "none"

    def __post_init__(self) -> None:
        require_positive("noise", self.noise)
        require_positive("clip", self.clip)
        require_positive("batch", self.batch)
        require_probability("rate", self.rate)
        require_count("steps", self.steps)
        require_count("features", self.features)

    @property
    def claim(self) -> Claim:
        return ApproxDP(self.epsilon, self.delta)

    @property
    def scale(self) -> float:
        """Standard deviation of the noise that a sum really gets."""
        return self.noise * self.clip * (self.rate if self.flaw == "scale of the average" else 1.0)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy sums of gradients, shape (size, steps, features)."""
        records = np.asarray(data, dtype=np.float64).reshape(-1, self.features + 1)
        sums = np.empty((size, self.steps, self.features))
        weights = np.zeros((size, self.features))
        masks = self._batches(len(records), rng, size)
        for step in range(self.steps):
            gradients = self.gradients(records, weights)
            exact = np.einsum("rn,rnf->rf", masks[step], gradients)
            sums[:, step] = exact + gaussian(rng, self.scale, (size, self.features))
            weights = weights - self.learning_rate * sums[:, step] / self.batch
        return sums

    def gradients(self, records: Floats, weights: Floats) -> Floats:
        """Gradients of the loss as they enter a sum.

        Args:
            records: shape (records, features + 1).
            weights: one model a row, shape (models, features).

        Returns:
            Shape (models, records, features).
        """
        from scipy.special import expit  # which takes long to load

        features, labels = records[:, :-1], records[:, -1]
        found = (expit(weights @ features.T) - labels)[:, :, None] * features
        if self.flaw == "not clipped":
            return np.asarray(found)
        norms = np.linalg.norm(found, axis=2, keepdims=True)
        return np.asarray(found * np.minimum(1.0, self.clip / np.maximum(norms, _SMALLEST_NORM)))

    def weights_after(self, sums: Floats) -> Floats:
        """The model before each step and after the last, shape (steps + 1, features).

        Args:
            sums: of one run, shape (steps, features).
        """
        moves = -self.learning_rate * sums / self.batch
        return np.vstack([np.zeros(self.features), np.cumsum(moves, axis=0)])

    def _batches(self, records: int, rng: Generator, size: int) -> _Masks:
        """Members of the batch of each step, shape (steps, size, records)."""
        if self.flaw == "shuffled":
            return self._shuffled(records, rng, size)
        coins = rng.random((self.steps, size, max(records, _FEWEST_COINS)))
        masks = coins[:, :, :records] < self.rate
        if self.flaw == "batch twice":
            masks[1::2] = masks[: 2 * (self.steps // 2) : 2]
        return masks

    def _shuffled(self, records: int, rng: Generator, size: int) -> _Masks:
        """One epoch: every record in one of the batches, all of them equally long.

        Records fill places drawn at random among those of all batches, so that
        nothing depends on which places stay empty.
        """
        places = self.steps * -(-records // self.steps)
        drawn = rng.random((size, places)).argsort(axis=1)[:, :records] % self.steps
        return np.asarray(drawn[None] == np.arange(self.steps)[:, None, None])


@dataclass(frozen=True, slots=True)
class DpSgdByItsCurve:
    """The same training, claimed by all that its accountant says, not by one point of it.

    Attributes:
        flaw: what is done wrong, as for `DpSgd`.
    """

    flaw: Flaw = "none"

    @property
    def claim(self) -> Claim:
        return ProfileDP(CURVE)

    def release(self, data: ArrayLike, rng: Generator, size: int) -> Floats:
        """Noisy sums of gradients, shape (size, steps, features)."""
        return DpSgd(flaw=self.flaw).release(data, rng, size)
