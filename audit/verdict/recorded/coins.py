"""Whether something shows heads more often than coins do: exact binomial tests, and a wager."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.special import special

_WON, _LOST = math.log(1.5), math.log(0.5)


def log_wealth_on_heads(heads: int, tails: int) -> float:
    """What becomes of a wealth of 1 where half of it is staked on heads at every toss.

    Of coins that are fair given all that was before, however many there turn out to be, it is at
    least 1/alpha at any time with probability at most alpha (Ville's inequality).
    """
    return heads * _WON + tails * _LOST


def heads_too_often(heads: NDArray[np.integer], tails: NDArray[np.integer], level: float) -> bool:
    """Whether any of several coins is not fair, by an exact one-sided binomial test of each.

    Args:
        heads: how often each coin came up so, shape (coins,).
        tails: and how often the other way.
        level: chance of a yes where all coins are fair and their tosses independent of each
            other; coins may depend on each other (Bonferroni).
    """
    tosses, least = heads + tails, level / max(1, len(heads))
    if not len(heads) or 0.5 ** int(tosses.max()) > least:
        return False  # heads alone would not be too many
    return bool((so_many(heads, tosses, 0.5) <= least).any())


def so_many(heads: Any, tosses: Any, chance: float) -> Any:
    """Probability of so many heads or more, elementwise.

    Args:
        heads: whole numbers.
        tosses: whole numbers, not less.
        chance: of heads.
    """
    return special.bdtrc(heads - 1.0, tosses, chance)
