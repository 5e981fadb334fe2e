"""The sign of a zero is read wherever a number stands, and only where one is negative."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.outcomes.encoding import encode, joined
from audit.outcomes.part_words import named, presence
from audit.outcomes.symbols import MISSING, ZERO
from audit.verdict.pair_table import table_feature

MANY = 9
"""Outputs of one shape that are taken apart at once."""


@pytest.mark.parametrize(
    ("outputs", "part"),
    [
        ([0.0, -0.0, 1.0, -1.0], "output"),
        (np.array([0.0, -0.0, 1.0, -1.0]), "output"),
        (np.array([[1.0, 0.0], [1.0, -0.0], [0.0, 1.0], [0.0, -1.0]]), "output[1]"),
        ([[0.0], [-0.0], [1.0], ["a"]], "output[0]"),
        ([{"a": x} for x in (0.0, -0.0, 1.0, None)], "output['a']"),
        ([0, Decimal("-0.0"), 1.5, "-0.0"], "output"),
        ([0j, complex(0.0, -0.0), 1j, 2j], "output.imag"),
    ],
)
def test_a_negative_zero_is_told_from_all_others(outputs: Any, part: str) -> None:
    for times in (1, MANY):
        several = (
            np.concatenate([outputs] * times)
            if isinstance(outputs, np.ndarray)
            else outputs * times
        )
        column = encode(several, 4 * times).column(ZERO + part)
        assert column.symbols is not None
        held = [column.names[code] for code in column.symbols.tolist()]
        assert held == [MISSING, "negative", MISSING, MISSING] * times


@pytest.mark.parametrize("outputs", [[0.0, 1.0], [-1.0, 2.0], [0, 1], [False, True], ["-0.0", "a"]])
def test_other_outputs_have_no_such_part(outputs: list[Any]) -> None:
    assert not any(name.startswith(ZERO) for name in encode(outputs, 2).columns)


def test_what_is_read_does_not_depend_on_the_batch() -> None:
    together = encode([1.0, -0.0, 0.0], 3)
    apart = joined([encode([output], 1) for output in (1.0, -0.0, 0.0)])
    assert list(apart.columns) == list(together.columns)
    np.testing.assert_array_equal(apart.table(), together.table())


def test_tables_show_the_number() -> None:
    assert table_feature([encode([[0.0], [-0.0]], 2)]).words == "output[0]"


def test_words() -> None:
    assert named(ZERO + "output") == "the sign of a zero in the output"
    assert presence(ZERO + "output", True) == "the output is a negative zero"
    assert presence(ZERO + "output[0]", False) == "output[0] is no negative zero"


def telling(data: Any, rng: Generator) -> float:
    """Nine to one for the record."""
    return 0.0 if (rng.random() < 0.9) == (data[0] >= 1) else -0.0


def listed(data: Any, rng: Generator) -> list[Any]:
    return ["sum", telling(data, rng)]


def many(data: Any, rng: Generator, size: int) -> Any:
    return np.where((rng.random(size) < 0.9) == (data[0] >= 1), 0.0, -0.0)


def rounded(data: Any, rng: Generator) -> float:
    """Exactly private at the claim; what lies just below 0 becomes -0.0."""
    return float(np.round(data[0] + rng.laplace()))


def rounded_many(data: Any, rng: Generator, size: int) -> Any:
    return np.round(data[0] - 0.5 + rng.laplace(size=size))


def tossed(data: Any, rng: Generator) -> float:
    return float(rng.choice([0.0, -0.0]))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("box", "verdict"),
    [
        (telling, "violation"),
        (listed, "violation"),
        (many, "violation"),
        (rounded, "not-refuted"),
        (rounded_many, "not-refuted"),
        (tossed, "not-refuted"),
    ],
)
def test_the_sign_of_a_zero_is_bet_on(box: Callable[..., Any], verdict: str) -> None:
    for seed in range(3):
        result = audit.run(
            box,
            data=[1],
            neighbors=[[0]],
            relation="substitute",
            epsilon=1.0,
            max_samples=6_000,
            seed=seed,
        )
        assert (result.verdict, result.leaks) == (verdict, ())
        assert result.epsilon_lower <= (1.0 if verdict == "not-refuted" else np.log(9.0))
