"""What one bet on an event shows that was known beforehand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.benchmarks.known_event import KnownEvent


@pytest.mark.parametrize("event", [KnownEvent.shared(0.03, 0.02), KnownEvent.apart(0.03, 0.02)])
def test_what_is_shown_is_refuted_and_nothing_above(event: KnownEvent) -> None:
    shown, stakes = event.shown(200_000, 0.1), np.linspace(0.0, 0.6, 2_000)

    def earned(level: float) -> float:
        return 200_000 * max(event.growth(level, stake) for stake in stakes)

    assert earned(shown - 1e-3) > math.log(10.0) > earned(shown + 1e-3)
    assert shown < event.loss


def test_nothing_is_shown_of_what_is_too_rare() -> None:
    assert KnownEvent.apart(3e-7, 2e-7).shown(1_000, 0.1) == 0.0
