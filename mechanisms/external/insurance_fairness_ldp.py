"""insurance-fairness-ldp: randomized response of one policyholder's category."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from audit.claims import PureDP
from audit.declaration import Entry
from mechanisms.external.call import imported
from mechanisms.external.shelf import Finding, Shelf

REQUIREMENT = "insurance-fairness-ldp==0.1.1"
_CLASS = "KaryRandomisedResponse, docstring: a privatised response satisfying epsilon-LDP"
_CUT = (
    "answers are written into a copy of the true ones, in its type: a longer word is cut to the "
    "length of the true word"
)


def entries() -> tuple[Entry, ...]:
    """Calls of insurance-fairness-ldp.

    Raises:
        InputError: it is not installed.
    """
    library, version = imported("insurance_fairness_ldp", "insurance-fairness-ldp", REQUIREMENT)
    shelf = Shelf("insurance-fairness-ldp", version, "pypi: insurance-fairness-ldp")

    def one(
        name: str,
        categories: Sequence[Any],
        pair: tuple[Any, Any],
        epsilon: float = 1.0,
        why: Finding | None = None,
    ) -> Entry:
        made = library.KaryRandomisedResponse(epsilon=epsilon, categories=list(categories))
        return shelf.entry(
            name,
            f"KaryRandomisedResponse({epsilon:g}, {list(categories)}).privatise([value])",
            lambda data: made.privatise(np.array(list(data))).tolist(),
            [pair[0]],
            [pair[1]],
            claims=PureDP(epsilon),
            documented=_CLASS,
            broken=why,
        )

    named = ("White", "Asian", "Black", "Other")
    return (
        one("equal-lengths", named, ("White", "Asian")),
        one("equal-lengths-half", named, ("White", "Asian"), 0.5),
        one("equal-lengths-3", named, ("White", "Asian"), 3.0),
        one("binary", ("A", "B"), ("A", "B")),
        one("integers", (0, 1, 2), (0, 2)),
        one("words", ("No", "Yes"), ("No", "Yes"), 1.0, Finding(_CUT)),
    )
