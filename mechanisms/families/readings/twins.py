"""Two entries for each style: one that shows the true count, and one that shows the noisy one."""

from __future__ import annotations

import inspect
import math
from collections.abc import Mapping

import numpy as np

from audit.declaration import Entry, Truth
from mechanisms.parts.rendering.count import RenderedCount
from mechanisms.parts.rendering.style import Render

THREE, TWO = np.ones(3), np.ones(2)


def twins(
    group: str, styles: Mapping[str, Render], losses: Mapping[str, float] | None = None
) -> tuple[Entry, ...]:
    """Entries of all these styles.

    Args:
        group: their heading.
        styles: by name.
        losses: the true epsilon of those whose true count does not show for certain.
    """
    found = []
    for style, render in styles.items():
        how = (inspect.getdoc(render) or style).splitlines()[0].rstrip(".")
        loss = (losses or {}).get(style, math.inf)
        for exact in (True, False):
            mechanism = RenderedCount(style, exact)
            number = "true" if exact else "noisy"
            truth = (
                Truth(keeps=False, epsilon=loss, source="calculation: 3 and 2 are told apart")
                if exact
                else Truth(keeps=True, source="post-processing of a Laplace count")
            )
            found.append(
                Entry(
                    name=f"{style}-of-{number}-count",
                    group=group,
                    summary=f"a noisy count; the {number} one shows: {how[0].lower()}{how[1:]}",
                    mechanism=mechanism,
                    data=THREE,
                    neighbors=(TWO,),
                    truth=truth,
                )
            )
    return tuple(found)
