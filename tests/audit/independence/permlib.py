"""Permanent randomized response: drawn once for a record, then kept."""

from __future__ import annotations

import math
import secrets

_memo: dict[int, int] = {}


def permanent(bit: int, epsilon: float) -> int:
    key = int(bit)
    if key not in _memo:
        truth = secrets.SystemRandom().random() < math.exp(epsilon) / (1 + math.exp(epsilon))
        _memo[key] = key if truth else 1 - key
    return _memo[key]
