"""Calls on the left and behind them those on the right are what either gives by itself."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from numpy.random import SeedSequence

from audit.blackbox.python import PythonBlackBox
from audit.sampling.both_sides import BothSides
from audit.sampling.separate_calls import SeparateCalls
from audit.sampling.source import Source


def noisy(data: Any, rng: Any) -> float:
    """Noise of the audit, and of the generators that the whole process shares."""
    return float(data[0] + rng.normal() + random.random())


def calls(right: bool, runs: int) -> SeparateCalls:
    source = Source(PythonBlackBox(noisy), [float(right)])
    root = SeedSequence(3, spawn_key=(int(right),))
    return SeparateCalls({right: (source, root)}, (right,) * runs, root, 0)


@pytest.mark.parametrize("runs", [1, 5, 33, 150, 321])
def test_made_in_any_parts_they_are_what_both_give(runs: int) -> None:
    apart = [*calls(False, runs).made().outputs, *calls(True, runs).made().outputs]
    both = BothSides(calls(False, runs), calls(True, runs))
    assert both.made().outputs == apart
    ends = [*range(0, both.length, both.group), both.length]
    # The last first: whoever makes a part does not know what was made before.
    parts = [both.made(begin, end).outputs for begin, end in [*pairwise(ends)][::-1]]
    assert [output for part in parts[::-1] for output in part] == apart
