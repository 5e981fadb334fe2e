"""Report noisy max: the largest of several scores, and what may be released with it.

Why an answer about the `depth` best positions needs noise of scale
2·depth·sensitivity/epsilon: going to a neighbor, raise the noise of each of those
positions so that its noisy score rises by exactly one sensitivity. All others rise
by at most that, so the ordered answer stays, each raise is between 0 and 2
sensitivities, and a raise of s multiplies the density of Laplace, exponential and
Gumbel noise by no less than e^(-s/scale). When all scores move the same way
(monotone: counts) the raises stay below one sensitivity and half the noise does.

The gap to the runner-up is free for all three. Laplace: arXiv 1904.12773. Gumbel:
the gap is logistic around score - logsumexp(others). Exponential: with scale 1,
c_j = e^(score_j - score + gap) and U uniform, its density is
H(c) = E prod(1 - c_j U)+ - prod(1 - c_j)+, and the absolute values of c_j dH/dc_j
add up to at most H, so log H moves by no more than the largest change of a log c_j.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from mechanisms.parts.calibration import Pure
from mechanisms.parts.noise import SAMPLERS, Floats, Integers
from mechanisms.parts.parameters import require_count, require_positive

Noise = Literal["laplace", "exponential", "gumbel"]
Output = Literal["index", "gap", "top-two", "kth-smallest", "value"]


@dataclass(frozen=True, slots=True)
class ReportNoisyMax(Pure):
    """Noise on every score, then the name of a position.

    Attributes:
        epsilon: claimed epsilon.
        noise: distribution of the noise.
        output: "index" of the largest noisy score, the same with its noisy "gap" to
            the runner-up, "top-two" indices, index of the "kth-smallest" noisy score,
            or the "value" of the largest, which no fixed noise pays for.
        k: which smallest score; used by that output only.
        queries: "general" when one record may raise some scores and lower others by
            up to the sensitivity, "monotone" when it moves all of them one way.
        sensitivity: how far one record moves a score.
        split: whether answers about several positions get that many times the noise.
    """

    noise: Noise = "laplace"
    output: Output = "index"
    k: int = 1
    queries: Literal["general", "monotone"] = "general"
    sensitivity: float = 1.0
    split: bool = True

    def __post_init__(self) -> None:
        require_positive("epsilon", self.epsilon)
        require_positive("sensitivity", self.sensitivity)
        require_count("k", self.k)

    def scale(self, scores: int) -> float:
        """Scale of the noise on each of that many scores."""
        depth = self._depth(scores) if self.split else 1
        shift = 2 if self.queries == "general" else 1
        return depth * shift * self.sensitivity / self.epsilon

    def release(self, data: ArrayLike, rng: Generator, size: int) -> NDArray[Any]:
        """Select `size` times.

        Args:
            data: scores, shape (scores,).
            rng: source of the noise, one draw for each score and selection.
            size: draws.

        Returns:
            Indices or values, shape (size,); rows of (index, gap) or of the best two
            indices, shape (size, 2).

        Raises:
            ValueError: there are fewer scores than the answer has to name.
        """
        scores = np.asarray(data, dtype=np.float64)
        needed = {"index": 1, "value": 1, "kth-smallest": self.k}.get(self.output, 2)
        if scores.size < needed:
            raise ValueError(f"{scores.size} scores are too few; this answer needs {needed}")
        noise = SAMPLERS[self.noise](rng, self.scale(scores.size), (size, scores.size))
        below = self.output == "kth-smallest" and self.k == self._depth(scores.size)
        return self._answer(noise - scores if below else noise + scores)

    def _depth(self, scores: int) -> int:
        """Number of positions that the answer names, counted from the nearer end.

        One-sided noise pays for raises only, so it is subtracted from the scores
        when that end is the lower one.
        """
        match self.output:
            case "top-two":
                return 2
            case "kth-smallest":
                return min(self.k, scores + 1 - self.k)
        return 1

    def _answer(self, noisy: Floats) -> NDArray[Any]:
        """Released quantity: what to say about the largest entries of each row."""
        match self.output:
            case "index":
                return np.asarray(noisy.argmax(axis=1))
            case "value":
                return np.asarray(noisy.max(axis=1))
            case "kth-smallest":
                return np.argsort(noisy, axis=1)[:, -self._depth(noisy.shape[1])]
        best = np.argsort(noisy, axis=1)[:, :-3:-1]
        return best if self.output == "top-two" else _with_gap(noisy, best)


def _with_gap(noisy: Floats, best: Integers) -> Floats:
    values = np.take_along_axis(noisy, best, axis=1)
    return np.column_stack([best[:, 0], values[:, 0] - values[:, 1]])


def true_epsilon(
    epsilon: float, believed: float, sensitivity: float, *, monotone: bool = True
) -> float:
    """Epsilon of a selection whose noise has scale believed/epsilon.

    Args:
        epsilon: the claim.
        believed: sensitivity that the noise was made for.
        sensitivity: how far one record really moves a score.
        monotone: whether it moves all scores one way, as counts under add-remove.

    Returns:
        The smallest epsilon for all datasets, approached as one score falls far
        behind; claim minus this is what the noise wastes.
    """
    return epsilon * sensitivity / believed * (1 if monotone else 2)
