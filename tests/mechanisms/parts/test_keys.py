"""Key selection: who is counted, what is shown, and that keys keep their own noise."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng
from scipy import stats

from audit.errors import InputError
from mechanisms.parts.keys import KeySelection, geometric_threshold

SURE = KeySelection(epsilon=400.0, threshold="zero")


def rounded(shown: list[dict[str, float]]) -> list[dict[str, int]]:
    return [{key: round(count) for key, count in draw.items()} for draw in shown]


def test_plain_keys_are_records_of_their_own() -> None:
    shown = SURE.release(["pear", "apple", "pear"], default_rng(1), 2)
    assert rounded(shown) == [{"apple": 1, "pear": 2}] * 2


def test_a_user_counts_once_for_a_key() -> None:
    table = pd.DataFrame({"user": [1, 1, 2], "key": ["apple", "apple", "apple"]})
    assert rounded(SURE.release(table, default_rng(1), 1)) == [{"apple": 2}]


def test_a_user_counts_for_so_many_keys() -> None:
    table = pd.DataFrame({"user": [1, 1, 1], "key": ["apple", "pear", "plum"]})
    two = KeySelection(epsilon=400.0, threshold="zero", keys_per_user=2)
    assert rounded(two.release(table, default_rng(1), 1)) == [{"apple": 1, "pear": 1}]


def test_no_records_show_nothing() -> None:
    assert SURE.release([], default_rng(1), 2) == [{}, {}]


def test_noise_of_a_key_does_not_depend_on_the_other_keys() -> None:
    mechanism = KeySelection(threshold="zero")
    alone = mechanism.release(["apple"] * 50, default_rng(1), 20)
    beside = mechanism.release(["aardvark", *["apple"] * 50], default_rng(1), 20)
    assert [draw["apple"] for draw in alone] == [draw["apple"] for draw in beside]
    both = mechanism.release(["apple"] * 50 + ["pear"] * 50, default_rng(1), 20)
    assert all(draw["apple"] != draw["pear"] for draw in both)


@pytest.mark.parametrize("keys_per_user", [1, 3])
def test_laplace_threshold_is_passed_with_the_share_of_delta(keys_per_user: int) -> None:
    mechanism = KeySelection(delta=0.01, keys_per_user=keys_per_user)
    passed = stats.laplace.sf(mechanism.least - 1, scale=mechanism.scale)
    assert passed == pytest.approx(0.01 / keys_per_user)


@pytest.mark.parametrize("delta", [0.3, 0.0364, 1e-5])
def test_geometric_threshold_never_passes_more_than_delta(delta: float) -> None:
    mechanism = KeySelection(delta=delta, noise="geometric", threshold="geometric")
    decay = math.exp(-1.0)
    passed = decay ** (mechanism.least - 1) / (1 + decay)
    assert delta * decay < passed <= delta
    assert mechanism.least - 1 < geometric_threshold(1.0, delta) <= mechanism.least


def test_truncated_threshold_is_one_too_low() -> None:
    right = KeySelection(delta=0.0364, noise="geometric", threshold="geometric")
    wrong = KeySelection(delta=0.0364, noise="geometric", threshold="geometric-truncated")
    assert (right.least, wrong.least) == (4, 3)


def test_counts_of_integer_noise_are_integers() -> None:
    mechanism = KeySelection(delta=0.3, noise="geometric", threshold="geometric")
    [[count]] = [list(draw.values()) for draw in mechanism.release(["a"] * 90, default_rng(1), 1)]
    assert isinstance(count, int)


def test_a_user_without_keys_is_refused() -> None:
    with pytest.raises(InputError, match="keys_per_user 0"):
        KeySelection(keys_per_user=0)


def test_keys_may_be_numbers() -> None:
    assert rounded(SURE.release(np.array([3, 3, 4]), default_rng(1), 1)) == [{"3": 2, "4": 1}]
