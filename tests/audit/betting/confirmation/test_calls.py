"""Calls that repeat the one before are told from independent ones."""

from __future__ import annotations

import numpy as np
import pytest

from audit.betting.confirmation.calls import repeats
from audit.outcomes.encoding import encode

CALLS, SIZE = 200, 4


@pytest.mark.parametrize("kept", [2, 40, 80, CALLS])
def test_calls_that_are_kept_for_a_while_repeat(kept: int) -> None:
    drawn = np.random.default_rng(0).normal(size=(CALLS // kept, SIZE))
    outputs = np.repeat(drawn, kept, axis=0).ravel()
    assert repeats(encode(outputs, len(outputs)), SIZE, 0.1)


@pytest.mark.parametrize("share", [0.5, 0.9, 1.0])
def test_independent_calls_do_not_however_few_outputs_there_are(share: float) -> None:
    random = np.random.default_rng(1)
    for _ in range(20):
        outputs = (random.random(CALLS * SIZE) < share).astype(float)
        assert not repeats(encode(outputs, len(outputs)), SIZE, share)


def test_continuous_ones_do_not() -> None:
    outputs = np.random.default_rng(2).normal(size=CALLS * SIZE)
    assert not repeats(encode(outputs, len(outputs)), SIZE, 0.0)


def test_copies_of_one_number_in_a_call_are_no_repetition_beyond_its_share() -> None:
    coins = np.random.default_rng(3).integers(0, 2, CALLS).astype(float)
    outputs = np.repeat(coins, SIZE)
    assert not repeats(encode(outputs, len(outputs)), SIZE, 0.55)


def test_calls_for_one_output_agree_by_accident_as_often_as_their_share_says() -> None:
    rng = np.random.default_rng(4)
    for _ in range(200):
        coins = rng.integers(0, 2, CALLS).astype(float)
        assert not repeats(encode(coins, CALLS), 1, 0.5)
