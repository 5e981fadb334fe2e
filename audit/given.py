"""What a caller gives where the numbers of a claim should be."""

from __future__ import annotations

from typing import Any

import numpy as np

from audit.errors import ClaimError, shown


def plain(value: Any) -> Any:
    """Numbers of numpy as Python's own, which every result can hold; anything else as it is."""
    return value.item() if isinstance(value, np.generic) else value


def is_number(value: object) -> bool:
    """Whether it is a number; true and false are none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def check_positive(name: str, value: Any, largest: float) -> None:
    """Refuse what is no number above 0 and up to the largest.

    Raises:
        ClaimError: it is something else.
    """
    if not (is_number(value) and 0 < value <= largest):
        raise ClaimError(
            f"{name} {shown(value)} is not a number above 0 and up to {largest:g}", value
        )


def order_and_epsilon(renyi: Any) -> tuple[Any, Any]:
    """The two parts of a Rényi claim, not checked yet.

    Raises:
        ClaimError: it is no pair.
    """
    if not (isinstance(renyi, (tuple, list)) and len(renyi) == 2):
        raise ClaimError(
            f"renyi {shown(renyi)} is not an order and an epsilon; use for example (2, 0.5)", renyi
        )
    return plain(renyi[0]), plain(renyi[1])
