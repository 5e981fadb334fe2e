"""Products of signs that no two parts show."""

from __future__ import annotations

import numpy as np

from audit.outcomes.encoding import Outcomes, encode
from audit.outcomes.rare_features import sign_products

NAMES = tuple(f"output[{k}]" for k in range(5))


def drawn(seed: int, tied: bool, middle: float = 0.0, size: int = 400) -> Outcomes:
    """Five normal numbers; where they are tied, the signs of three have a positive product."""
    rows = np.random.default_rng(seed).normal(size=(size, 5))
    if tied:
        rows[:, 4] *= np.sign(rows[:, 1] * rows[:, 3] * rows[:, 4])
    return encode(rows + middle, size)


def test_the_three_that_are_tied_are_found() -> None:
    found = [f.names for f in sign_products(drawn(0, True), drawn(1, False), NAMES)]
    assert found == [(NAMES[1], NAMES[3], NAMES[4]), NAMES]


def test_they_tell_other_draws_apart() -> None:
    feature, _ = sign_products(drawn(0, True), drawn(1, False), NAMES)
    assert set(feature.read(drawn(2, True)).values) == {1.0}
    assert abs(feature.read(drawn(3, False)).values.mean()) < 0.2
    assert feature.words == "sign of output[1] * output[3] * output[4]"


def test_signs_are_told_from_the_middle_as_well() -> None:
    found = list(sign_products(drawn(0, True, 9.0), drawn(1, False, 9.0), NAMES))
    assert {f.names for f in found} >= {(NAMES[1], NAMES[3], NAMES[4])}
    best = next(f for f in found if len(f.names) == 3 and any(f.middles))
    assert best.read(drawn(2, True, 9.0)).values.mean() > 0.9


def test_two_parts_are_left_to_others() -> None:
    assert list(sign_products(drawn(0, True), drawn(1, False), NAMES[:2])) == []
