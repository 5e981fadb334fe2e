"""Whether calls depend on each other, seen in what was won with them.

What is won call by call cannot be inflated by what the outputs of one call have in
common; that calls are independent of each other given the past is assumed. Where it
holds and calls are of one kind, what they paid is as likely in any other order. So the
variance of sums over neighboring calls is compared with that after shuffling: the order
in which they were made has, among all of them, any rank with equal probability, however
payoffs are distributed (a permutation test is exact). It costs no runs.
"""

from __future__ import annotations

import numpy as np

from audit.betting.e_process import Floats

_SHUFFLES = 499
"""Orders that are compared with the one in which calls were made."""
_FEWEST_SUMS = 4
"""Sums that a variance is taken of."""


def order_matters(payoffs: Floats, seed: int) -> bool | None:
    """Whether payoffs next to each other are more alike than in all of many random orders.

    Args:
        payoffs: of calls in the order in which they were made, shape (calls,).
        seed: of the shuffles.

    Returns:
        True with probability at most 1/500 where the calls are independent; None where nothing
        could be seen: too few calls, or calls that all paid the same.
    """
    if np.ptp(payoffs) == 0.0 or len(payoffs) < 2 * _FEWEST_SUMS:
        return None
    rng, centred = np.random.default_rng(seed), payoffs - payoffs.mean()
    orders = [centred, *(rng.permutation(centred) for _ in range(_SHUFFLES))]
    scatter = np.array([_scatter(order) for order in orders])
    spread = scatter.std(axis=0)
    deviation = (scatter - scatter.mean(axis=0)) / np.where(spread > 0.0, spread, 1.0)
    largest = deviation.max(axis=1)
    return bool(largest[0] > largest[1:].max())


def _scatter(centred: Floats) -> list[float]:
    """Mean squares of the sums over 2, 4, 8, ... values in a row."""
    found, sums = [], centred
    while len(sums) >= 2 * _FEWEST_SUMS:
        sums = sums[: len(sums) // 2 * 2].reshape(-1, 2).sum(axis=1)
        found.append(float((sums**2).mean()))
    return found
