"""How many examples a test tries, and which."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, settings

_TIMES = int(os.environ.get("FUZZ", "0"))
_CALM = [
    HealthCheck.function_scoped_fixture,
    HealthCheck.nested_given,
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.large_base_example,
]
"""The fixtures used here hold nothing that an example changes for the next one, and the search
for worse neighbors uses Hypothesis inside the audit under test."""


def examples(number: int) -> settings:
    """Always the same examples; times as many new ones where FUZZ says so."""
    return settings(
        max_examples=number * max(1, _TIMES),
        derandomize=_TIMES == 0,
        database=None,
        deadline=None,
        suppress_health_check=_CALM,
    )
