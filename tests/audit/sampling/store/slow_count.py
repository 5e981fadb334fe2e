"""A mechanism slow enough to be killed while it is audited, in a process of its own."""

from __future__ import annotations

import json
import sys
import time
from typing import Any

from numpy.random import Generator

import audit
from tests.timeless import timeless

PAUSE = 0.002
"""Seconds that a call takes."""


def slow_count(data: Any, rng: Generator, size: int) -> Any:
    """A noisy count that takes a little while."""
    time.sleep(PAUSE)
    return len(data) + rng.laplace(0.0, 1.0, size)


def audited(store: str | None, max_samples: int, **more: Any) -> str:
    """The result of its audit as JSON."""
    result = audit.run(
        slow_count,
        epsilon=1.0,
        domain="int:0:3",
        store=store,
        max_samples=max_samples,
        assume=("independent-calls",),
        **more,
    )
    return json.dumps(timeless(result), sort_keys=True)


if __name__ == "__main__":
    print(audited(sys.argv[1], int(sys.argv[2])))
