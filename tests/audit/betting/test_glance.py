"""A glance ranks pairs by the best bet with hindsight."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from audit.betting.bet import STAKES
from audit.betting.growth_score import best_possible, extent, glance, law_of, widest
from audit.claims import ApproxDP, Claim, GaussianDP, PureDP
from audit.outcomes.encoding import encode
from audit.outcomes.leaves import Failure
from audit.outcomes.outcomes import PairedOutcomes

PURE = PureDP(1.0)
PAIRS = 40


def past(left: Any, right: Any) -> PairedOutcomes:
    return PairedOutcomes(encode(left, len(left)), encode(right, len(right)))


def noise(shift: float = 0.0, scale: float = 1.0, width: int | None = None) -> Any:
    shape = PAIRS if width is None else (PAIRS, width)
    return shift + scale * np.random.default_rng(0).laplace(size=shape)


@pytest.mark.parametrize("claim", [PURE, ApproxDP(1.0, 0.01), GaussianDP(1.0)])
def test_a_certain_event_shows_as_the_best_possible_one(claim: Claim) -> None:
    seen = glance(past([0.0] * PAIRS, [1.0] * PAIRS), claim)
    assert seen == pytest.approx(best_possible(PAIRS, claim))


def test_the_best_possible_growth_is_that_of_the_largest_stake() -> None:
    assert best_possible(PAIRS, PURE) == pytest.approx(PAIRS * math.log1p(STAKES[0] / math.e))


CERTAIN: dict[str, tuple[list[Any], list[Any]]] = {
    "exceptions": ([Failure("raised ValueError")] * PAIRS, list(noise())),
    "other exceptions": (
        [Failure("raised ValueError")] * PAIRS,
        [Failure("raised KeyError")] * PAIRS,
    ),
    "None": ([None] * PAIRS, list(noise())),
    "NaN": ([math.nan] * PAIRS, list(noise())),
    "infinities": ([math.inf] * PAIRS, [-math.inf] * PAIRS),
    "lengths": ([[1.0]] * PAIRS, [[1.0, 1.0]] * PAIRS),
    "keys": ([{"a": x} for x in noise()], [{} for _ in range(PAIRS)]),
    "strings": (["a"] * PAIRS, ["b"] * PAIRS),
    "an atom": ([0.0] * PAIRS, list(noise())),
    "noise of two": ([(x, x) for x in noise()], [(x + 10.0, x) for x in noise()]),
    "multiples": (
        [{"n": 2 * x, "age": 240 * x} for x in noise()],
        [{"n": 2 * x + 1, "age": 240 * x + 30} for x in noise()],
    ),
    "one of many": (
        [(*row, row[0] / 3.0) for row in noise(width=20)],
        [(*row, row[0] / 3.0 + 1.0) for row in noise(width=20)],
    ),
    "the last of many": (
        [(*row, 0.0) for row in noise(width=199)],
        [(*row, 1.0) for row in noise(width=199)],
    ),
}


@pytest.mark.parametrize("outputs", CERTAIN.values(), ids=CERTAIN.keys())
def test_every_kind_of_certain_difference_is_seen(outputs: tuple[list[Any], list[Any]]) -> None:
    seen = glance(past(*outputs), PURE)
    assert seen == pytest.approx(best_possible(PAIRS, PURE))
    assert glance(past(outputs[1], outputs[0]), PURE) == pytest.approx(seen)


def test_equal_draws_show_nothing() -> None:
    assert glance(past(noise(), noise()), PURE) == 0.0


@pytest.mark.parametrize("shift", [0.1, 0.5, 1.0])
def test_a_shift_that_the_claim_allows_shows_little(shift: float) -> None:
    assert glance(past(noise(), noise(shift)), PURE) < 0.3 * best_possible(PAIRS, PURE)


def test_noise_of_another_scale_is_seen_by_its_distance_from_the_middle() -> None:
    assert glance(past(noise(), noise(scale=0.01)), PURE) > 0.7 * best_possible(PAIRS, PURE)


def test_one_coordinate_of_many_is_seen() -> None:
    left, right = noise(width=20), noise(width=20)
    right[:, 13] += 50.0
    assert glance(past(left, right), PURE) == pytest.approx(best_possible(PAIRS, PURE))


def test_what_all_coordinates_share_is_seen_in_their_sum() -> None:
    left, right = noise(width=16), noise(0.7, width=16)
    single = glance(past(left[:, 0], right[:, 0]), PURE)
    assert glance(past(left, right), PURE) > 2 * single


def test_a_larger_loss_looks_larger_also_where_the_claim_allows_it() -> None:
    extents = [extent(past(noise(), noise(shift)), PURE) for shift in (0.0, 0.2, 0.5, 1.0, 2.0)]
    assert extents == sorted(set(extents))
    assert extents[0] == 0.0


@pytest.mark.parametrize("claim", [PURE, ApproxDP(1.0, 0.01), GaussianDP(1.0), PureDP(200.0)])
def test_nothing_looks_larger_than_a_certain_event(claim: Claim) -> None:
    assert extent(past([0.0] * PAIRS, [1.0] * PAIRS), claim) == pytest.approx(widest(claim))
    assert extent(past(noise(), noise(0.5)), claim) < 0.9 * widest(claim)


def test_laws_are_far_apart_where_numbers_move_or_spread_or_are_of_another_kind() -> None:
    law = law_of(encode(noise(), PAIRS))
    same, wider = (law_of(encode(noise(scale=scale), PAIRS)) for scale in (1.0, 4.0))
    moved = law_of(encode(noise(shift=30.0), PAIRS))
    assert law.distance(same) == 0.0
    assert 2.0 <= law.distance(wider) < 3.0
    assert law.distance(moved) > 10.0
    assert law.distance(law_of(encode([None] * PAIRS, PAIRS))) == math.inf


def test_numbers_without_an_end_are_of_a_kind_of_their_own() -> None:
    finite, endless = (law_of(encode([x] * PAIRS, PAIRS)) for x in (1e308, math.inf))
    assert finite.distance(endless) == endless.distance(finite) == math.inf
    assert endless.distance(law_of(encode([math.inf] * PAIRS, PAIRS))) == 0.0
    now_and_then = law_of(encode([math.inf, *[1e308] * (PAIRS - 1)], PAIRS))
    assert now_and_then.distance(finite) < math.inf


@pytest.mark.parametrize("outlier", [math.inf, math.nan, 1e308, 0.0])
def test_outputs_that_are_no_numbers_hide_no_common_noise(outlier: float) -> None:
    left = [(x, 3.0 * x) for x in noise()]
    right = [(x + 10.0, 3.0 * x) for x in noise()]
    right[-1] = left[-1] = (outlier, 1.0)
    assert glance(past(left, right), PURE) > 0.9 * best_possible(PAIRS - 1, PURE)


def test_noise_of_each_column_is_not_common_noise() -> None:
    apart = past(noise(width=2), noise(width=2))
    assert glance(apart, PURE) == 0.0
    assert glance(past(noise(10.0, width=2), noise(width=2)), PURE) > 0.0
