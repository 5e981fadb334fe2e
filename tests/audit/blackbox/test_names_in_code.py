"""What code names, wherever it stands in a function."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable

from audit.source_code import names_in


def nested(records: list[float]) -> Callable[[], list[float]]:
    def outer() -> list[float]:
        def inner(record: float) -> float:
            return math.exp(record)

        return [inner(record) for record in records]

    records.append(statistics.mean(records))
    return outer


def test_names_of_functions_inside_count() -> None:
    names = list(names_in(nested.__code__))
    assert {"statistics", "mean", "math", "exp"} <= set(names)
    assert names.index("statistics") < names.index("math")
