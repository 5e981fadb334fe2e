"""One small audit, which every habit has to pass through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import audit
from audit.errors import BlackBoxError
from audit.verdict.result import AuditResult

Audited = Callable[..., AuditResult]
Refused = Callable[..., str]


@pytest.fixture
def audited() -> Audited:
    """`audited(function, epsilon=2.0)`: an audit on the datasets [1.0] and [0.0]."""

    def run(function: Any, **more: Any) -> AuditResult:
        settings: dict[str, Any] = {
            "epsilon": 1.0,
            "relation": "declared",
            "data": [1.0],
            "neighbors": [[0.0]],
            "max_samples": 400,
        }
        return audit.run(function, **{**settings, **more})

    return run


@pytest.fixture
def refused(audited: Audited) -> Refused:
    """`refused(function)`: the one line with which an audit is refused."""

    def run(function: Any) -> str:
        with pytest.raises(BlackBoxError) as caught:
            audited(function)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    return run
