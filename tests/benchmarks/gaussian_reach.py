"""What an oracle shows of a loss that Gaussian noise has at a small delta.

At delta = 1e-5 that loss belongs to outputs which come once in thousands of runs. Whoever knows
the best threshold and the best stake beforehand still has to see it cross: so much of the true
epsilon can be shown with so many pairs, and no more.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.optimize import brentq
from scipy.stats import norm

from audit.claims import GaussianDP

_SAID = (
    "At δ = 1e-5 the loss of Gaussian noise belongs to outputs that come once in thousands of "
    "runs. This is the part of it that an oracle shows which knows the best threshold and the best "
    "stake, and whose pairs share their noise; a default budget is 200,000 pairs, of which some "
    "50,000 to 110,000 are left for the confirmation that a bound comes from."
)
_LARGEST = 20.0
_THRESHOLDS = np.linspace(-2.0, 5.0, 141)
_STAKES = np.linspace(0.0, 1.0, 200)[1:-1]


def shift_of(epsilon: float, delta: float) -> float:
    """The mu of Gaussian noise that is exactly (epsilon, delta)-DP."""
    found: float = brentq(lambda mu: GaussianDP(mu).delta(epsilon) - delta, 0.01, _LARGEST)
    return found


def growth(mu: float, epsilon: float, delta: float) -> float:
    """Log-wealth that a pair of runs with shared noise earns at the best threshold and stake."""
    above, below = norm.sf(_THRESHOLDS - mu)[:, None], norm.sf(_THRESHOLDS)[:, None]
    slope = math.exp(epsilon)
    stakes = _STAKES / (slope + delta)
    earned = (
        below * np.log1p(stakes * (1.0 - slope - delta))
        + (above - below) * np.log1p(stakes * (1.0 - delta))
        + (1.0 - above) * np.log1p(-stakes * delta)
    )
    return float(earned.max())


def shown_by_an_oracle(epsilon: float, delta: float, pairs: int, alpha: float = 0.001) -> float:
    """The largest epsilon that an oracle is expected to refute with so many pairs.

    Args:
        epsilon: the true one at this delta.
        delta: of the claim.
        pairs: of runs.
        alpha: the level.
    """
    mu, goal = shift_of(epsilon, delta), -math.log(alpha)
    found: float = brentq(lambda e: pairs * growth(mu, e, delta) - goal, 1e-3, _LARGEST, xtol=1e-4)
    return found


def markdown(losses: tuple[float, ...] = (1.791, 2.155, 3.619), delta: float = 1e-5) -> list[str]:
    """What to say of it, and parts of some true epsilons, by pairs."""
    sizes = (50_000, 200_000, 1_000_000, 10_000_000)
    lines = [_SAID, "", "| true ε | " + " | ".join(f"{size:,} pairs" for size in sizes) + " |"]
    lines.append("|---" * (1 + len(sizes)) + "|")
    for loss in losses:
        parts = (shown_by_an_oracle(loss, delta, size) / loss for size in sizes)
        lines.append(f"| {loss:g} | " + " | ".join(f"{part:.2f}" for part in parts) + " |")
    return lines


if __name__ == "__main__":
    print("\n".join(markdown()))
