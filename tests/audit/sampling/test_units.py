"""Plans of units: coins and randomness by the number of a unit, however units are grouped."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from audit.outcomes.encoding import encode
from audit.sampling.source import Stage
from audit.sampling.units import UnitBatch, UnitPlan

ERROR = 1e-9


def coins(first: int, count: int, n: int = 3, share: float = 0.2, seed: int = 5) -> np.ndarray:
    return UnitPlan(Stage.BET, 1, first, count, n, share).sides(seed)


def test_coins_do_not_depend_on_how_units_are_grouped() -> None:
    whole = coins(0, 40)
    parts = [coins(first, count) for first, count in ((0, 1), (1, 16), (17, 23))]
    np.testing.assert_array_equal(whole, np.concatenate(parts))
    assert whole.shape == (40, 3)


@pytest.mark.parametrize("change", ["seed", "pair", "stage"])
def test_coins_are_others_elsewhere(change: str) -> None:
    plan = UnitPlan(Stage.BET, 1, 0, 60, 2, 0.5)
    others = {
        "seed": plan.sides(6),
        "pair": UnitPlan(Stage.BET, 2, 0, 60, 2, 0.5).sides(5),
        "stage": UnitPlan(Stage.WITNESS, 1, 0, 60, 2, 0.5).sides(5),
    }
    assert not np.array_equal(plan.sides(5), others[change])


@pytest.mark.parametrize("share", [0.1, 0.2, 0.5, 0.9])
def test_coins_choose_d_with_its_probability(share: float) -> None:
    tossed = coins(0, 1500, 4, share)
    on_d = int((~tossed).sum())
    low, high = stats.binom.interval(1.0 - ERROR, tossed.size, share)
    assert low <= on_d <= high
    # The answers of one unit, and those of one unit after the other, toss coins of their own.
    for one, other in ((tossed[:, 0], tossed[:, 1]), (tossed[:-1, 0], tossed[1:, 0])):
        assert abs(np.corrcoef(one, other)[0, 1]) < 0.17


def test_a_share_of_one_is_d_alone_and_of_zero_its_neighbor() -> None:
    assert not coins(0, 50, 2, 1.0).any()
    assert coins(0, 50, 2, 0.0).all()


def test_pairs_have_no_coins() -> None:
    with pytest.raises(ValueError, match="pairs have no coins"):
        UnitPlan(Stage.BET, 0, 0, 5).sides(0)


def test_no_two_units_have_the_same_entropy() -> None:
    numbers = (0, 1, 2, 255, 2**32 - 1)
    found = {
        UnitPlan(stage, pair, 0, 1).entropy(seed, number)
        for seed, stage, pair, number in itertools.product(
            (0, 1, 2**32, 2**63), Stage, (0, 1, 7), numbers
        )
    }
    assert len(found) == 4 * len(Stage) * 3 * len(numbers)
    words = UnitPlan(Stage.BET, 0, 0, 1).entropy(2**63 + 5, 3)
    assert all(0 <= word < 2**32 for word in words)


@pytest.mark.parametrize(("share", "runs"), [(None, 24), (0.5, 12)])
def test_runs_are_outputs_on_both_datasets(share: float | None, runs: int) -> None:
    assert UnitPlan(Stage.BET, 0, 0, 4, 3, share).runs == runs


def test_pairs_are_outputs_of_unit_after_unit() -> None:
    left, right = encode(np.arange(6.0), 6), encode(np.arange(6.0, 12.0), 6)
    batch = UnitBatch.of_pairs(left, right, 3)
    assert (batch.count, batch.n, batch.share, batch.paired) == (2, 3, None, True)
    for units in batch.units:
        assert units.tolist() == [0, 0, 0, 1, 1, 1]
