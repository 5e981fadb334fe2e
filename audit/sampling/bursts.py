"""Whether calls of one burst are more alike than calls of others: an exact permutation test.

Calls that are independent draws of one law are as likely in any other order. So the scatter of
the means of bursts has any rank among those of shuffled orders with equal probability, whatever
the law is, and however parts of an output depend on each other, as they are shuffled together.
Where all calls of a burst share a part of their noise, those means scatter more.
"""

from __future__ import annotations

import numpy as np

from audit.outcomes.column import Floats

_SHUFFLES = 1_999
_MOST_PARTS = 32


def bursts_differ(calls: Floats, bursts: int, seed: int) -> bool:
    """Whether the means of bursts scatter more than in each of 1,999 shuffled orders.

    Args:
        calls: one number for each part of what came of each call, in the order in which they were
            made, shape (bursts * calls of one, parts); ranks are compared.
        bursts: how many there were, each of so many calls.
        seed: of the shuffles.

    Returns:
        True with probability at most 1/2,000 where calls are independent and of one law.
    """
    ranks = [np.unique(part, return_inverse=True)[1] for part in calls.T[:_MOST_PARTS]]
    told = np.stack(ranks, axis=1).astype(np.float64)
    spread = told.std(axis=0)
    scores = (told - told.mean(axis=0))[:, spread > 0] / spread[spread > 0]
    if not scores.size:
        return False
    rng = np.random.default_rng(seed)
    first = _scatter(scores, bursts)
    return all(first > _scatter(rng.permutation(scores), bursts) for _ in range(_SHUFFLES))


def _scatter(scores: Floats, bursts: int) -> float:
    means = scores.reshape(bursts, -1, scores.shape[1]).mean(axis=1)
    return float((means**2).sum())
