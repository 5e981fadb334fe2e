"""Whether something shows heads more often than coins do, by exact binomial tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def heads_too_often(heads: NDArray[np.integer], tails: NDArray[np.integer], level: float) -> bool:
    """Whether any of several coins is not fair, by an exact one-sided binomial test of each.

    Args:
        heads: how often each coin came up so, shape (coins,).
        tails: and how often the other way.
        level: chance of a yes where all coins are fair and their tosses independent of each
            other; coins may depend on each other (Bonferroni).
    """
    chances = so_many(heads, heads + tails, 0.5)
    return bool((chances <= level / max(1, len(heads))).any())


def so_many(heads: Any, tosses: Any, chance: float) -> Any:
    """Probability of so many heads or more, elementwise.

    Args:
        heads: whole numbers.
        tosses: whole numbers, not less.
        chance: of heads.
    """
    # Whoever only draws does not need it, and it takes long to load.
    from scipy.special import bdtrc

    return bdtrc(heads - 1.0, tosses, chance)
