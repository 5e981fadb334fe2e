"""What a reading promises does not depend on which side was seen first."""

from __future__ import annotations

import numpy as np
import pytest

from audit.outcomes.encoding import encode
from audit.outcomes.feature_selection import promising
from audit.outcomes.features import Part
from audit.outcomes.number_features import Remainder
from audit.outcomes.outcomes import Outcomes

EVEN = Remainder("number 1 of output", 2.0, True)


def codes(seed: int, odd: float, size: int = 200) -> Outcomes:
    """Texts that hardly ever repeat, of which a part has an odd number."""
    rng = np.random.default_rng(seed)
    drawn = 2 * rng.integers(0, 10**4, size) + (rng.random(size) < odd)
    return encode([f"code {n}" for n in drawn.tolist()], size)


def test_texts_that_hardly_repeat_promise_nothing_as_wholes() -> None:
    sides = codes(0, 0.5), codes(1, 0.5)
    assert promising([Part("output")], [], sides, 6) == []


@pytest.mark.parametrize("turned", [False, True])
def test_they_hide_no_other_reading(turned: bool) -> None:
    sides = codes(0, 0.9), codes(1, 0.1)
    found = promising([EVEN], [Part("output")], sides[::-1] if turned else sides, 6)
    assert found == [EVEN]


def test_a_label_that_one_side_has_oftener_still_promises_much() -> None:
    left, right = (encode(["a", "b", "b", "a"] * 20 + [x] * 80, 160) for x in "ab")
    assert promising([Part("output")], [], (left, right), 6) == [Part("output")]
