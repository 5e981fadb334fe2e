"""Lower bounds on epsilon at several deltas, whatever the claim is."""

from __future__ import annotations

import math
import re
from functools import cache

import numpy as np
from scipy.optimize import brentq

from audit.report.formatting import read

from ..known_truth import LAWLESS, MECHANISMS, Watched
from .rule import says

_EDGES = np.concatenate([[-math.inf], np.linspace(-20.0, 20.0, 4_001), [math.inf]])


@cache
def true_epsilon(name: str, delta: float) -> float:
    """The epsilon of the mechanism's privacy profile at a delta, on a fine grid of outputs."""
    law = MECHANISMS[name].law
    if law is None:  # outputs that one dataset alone gives
        return math.inf
    sides = [np.diff([law(total)(float(x)) for x in _EDGES]) for total in (0.0, 1.0)]

    def beyond(epsilon: float) -> float:
        p, q = sides
        both = (np.maximum(a - math.exp(epsilon) * b, 0.0).sum() for a, b in ((p, q), (q, p)))
        return float(max(both)) - delta

    return float(brentq(beyond, 0.0, 40.0)) if beyond(0.0) > 0.0 else 0.0


@says(r"profile: (?P<rows>ε ≥ .+) \((?:all together with )?99\.9% confidence\)")
def _profile(found: re.Match[str], seen: Watched) -> None:
    assert seen.name not in LAWLESS
    rows = re.findall(r"ε ≥ (\S+) at δ = (\S+?)(?:,|$)", found["rows"])
    assert len(rows) == len(seen.result.curve) > 0
    for (shown, delta), point in zip(rows, seen.result.curve, strict=True):
        assert read(shown) <= point.epsilon_lower <= true_epsilon(seen.name, float(delta))
        assert read(shown) >= 0.99 * point.epsilon_lower and float(delta) == point.delta
