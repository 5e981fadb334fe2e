"""Whatever is said to be a claim is one that can be bet against, or is refused by name."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from audit.claims import Claim, claim_from
from audit.report.restore import restore
from tests.audit.report.sample_results import with_claim

from .examples import examples
from .refusals import refused
from .words import texts

EDGES = (0, -0.0, 1, True, 5e-324, 1e-300, 1e-9, 1 + 1e-16, 1 + 1e-12, 300, 300.1, 1e15, 1e308)
BEYOND = (math.nan, math.inf, -math.inf, 10**400, -(10**400))
NUMPY = (np.float32(0.5), np.float64("nan"), np.int64(2), np.bool_(True), np.array(1.0), np.ones(2))
FOREIGN: tuple[Any, ...] = (None, 1j, b"1", (), [1.0], {}, object())

numbers = st.sampled_from(EDGES + BEYOND) | st.floats() | st.integers()
anything = numbers | texts | st.sampled_from(NUMPY + FOREIGN)
pairs = st.tuples(anything, anything) | st.lists(anything, max_size=4) | anything
"""What may stand where an order and an epsilon should."""

PARAMETERS = {"epsilon": anything, "delta": anything, "rho": anything, "mu": anything}
parameters = st.fixed_dictionaries({}, optional=PARAMETERS | {"renyi": pairs})
likely = st.sampled_from((*EDGES, 0.5, 2.0, 1e-6)) | st.floats(1e-320, 300.0)
likely_parameters = st.one_of(
    st.fixed_dictionaries({"epsilon": likely}, optional={"delta": likely}),
    st.fixed_dictionaries({"rho": likely}),
    st.fixed_dictionaries({"mu": likely}),
    st.fixed_dictionaries({"renyi": st.tuples(likely, likely)}),
)


def assert_can_be_bet_against(claim: Claim) -> None:
    """Lines that a gambler can use, at its own level and at those a lower bound tries."""
    for level in (claim.level, claim.level / 3 or claim.level, min(300.0, 2 * claim.level)):
        lines = claim.lines(level)
        assert np.isfinite(lines**2).all()
        assert (lines[:, 0] >= 1.0).all()
        assert ((lines[:, 1] >= 0.0) & (lines[:, 1] <= 1.0)).all()
    profile = [claim.delta(x) for x in (0.0, 1e-9, 1.0, 50.0, 300.0)]
    assert 0.0 <= min(profile) <= max(profile) <= 1.0
    assert profile == sorted(profile, reverse=True)


@examples(170)
@given(parameters | likely_parameters)
@example({"renyi": (1e308, 1.0)})
@example({"epsilon": 1.0, "delta": "tiny"})
@example({"epsilon": 5e-324, "delta": 5e-324})
def test_anything_is_a_claim_or_refused(given_parameters: dict[str, Any]) -> None:
    if refused(claim_from, **given_parameters) is not None:
        return
    claim = claim_from(**given_parameters)
    if claim is None:
        assert all(value is None for value in given_parameters.values())
        return
    assert_can_be_bet_against(claim)
    assert str(claim).isprintable()
    again = restore(json.loads(json.dumps(with_claim(claim).to_json()))).claim
    assert again == claim


@examples(100)
@given(st.sampled_from(["epsilon", "rho", "mu"]), anything)
def test_what_is_no_number_in_range_is_named(name: str, value: Any) -> None:
    line = refused(claim_from, **{name: value})
    number = isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
    least = 0 if name == "epsilon" else 5e-324
    accepted = value is None or (number and least <= value <= 300)
    assert (line is None) == accepted
    assert line is None or line.startswith(f"{name} ")


@examples(100)
@given(anything)
def test_a_delta_that_is_no_probability_is_refused(delta: Any) -> None:
    line = refused(claim_from, epsilon=1.0, delta=delta)
    number = isinstance(delta, (int, float, np.number)) and not isinstance(delta, bool)
    assert (line is None) == (delta is None or (number and 0 <= delta < 1))
    assert line is None or "delta" in line
