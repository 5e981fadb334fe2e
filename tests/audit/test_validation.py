"""What counts as a number is the same everywhere."""

from __future__ import annotations

import math
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.claims import GaussianDP, PureDP
from audit.engine.plan import as_dataset
from audit.errors import ClaimError
from audit.frontends.testing.budget import Budget
from audit.jsonable import jsonable
from audit.neighbors.data_files import read_data
from audit.neighbors.domain import FloatDomain, IntDomain, UserDomain
from audit.validation import is_number, is_whole, native, nearest_float, shape_of_numbers

pytestmark = pytest.mark.lowest

NUMBERS = [0, 10**400, -1.5, math.nan, math.inf, np.int8(3), np.uint64(7), np.float32(0.5)]
OTHERS = [True, np.True_, None, "1", b"1", 1j, np.complex64(1), Decimal(1), [1], np.array([1])]


@pytest.mark.parametrize("value", NUMBERS, ids=repr)
def test_numbers_are_numbers(value: Any) -> None:
    assert is_number(value)
    assert is_whole(value) == isinstance(value, (int, np.integer))


@pytest.mark.parametrize("value", OTHERS, ids=repr)
def test_everything_else_is_none(value: Any) -> None:
    assert not is_number(value)
    assert not is_whole(value)


@pytest.mark.parametrize("value", OTHERS, ids=repr)
def test_what_is_no_number_is_none_for_data_domains_claims_and_budgets(value: Any) -> None:
    assert isinstance(as_dataset([1, value]), list)
    assert not IntDomain().contains(value)
    assert not FloatDomain().contains(value)
    with pytest.raises(ClaimError, match="is not a number of at least 0"):
        PureDP(value)
    with pytest.raises(ClaimError, match="is not a number above 0"):
        GaussianDP(value)


@pytest.mark.parametrize(
    ("values", "shape"),
    [
        ([], (0,)),
        ([1, 2.5], (2,)),
        ([np.int64(1), 2], (2,)),
        ([[1, 2], [3, 4], [5, 6]], (3, 2)),
        ([[], []], (2, 0)),
        ([[1], [2, 3]], None),
        ([[1, True]], None),
        ([1, [2]], None),
        (["1"], None),
    ],
    ids=repr,
)
def test_lists_of_numbers_have_a_shape(values: list[Any], shape: tuple[int, ...] | None) -> None:
    assert shape_of_numbers(values) == shape
    data = as_dataset(values)
    assert data is values if shape is None else data.shape == shape


@pytest.mark.parametrize("text", ["[]", "[1, 2]", "[[1, 2], [3, 4]]", "[[], []]", '[1, "2"]'])
def test_data_in_json_and_in_python_become_the_same(text: str) -> None:
    from_text, from_python = read_data(text), as_dataset(jsonable(eval(text)))
    assert type(from_text) is type(from_python)
    assert np.array_equal(from_text, from_python)


def test_claims_of_numpy_numbers_are_written_as_json() -> None:
    half: Any = np.float32(0.5)
    claim = PureDP(half)
    assert jsonable(claim.as_json()) == {"kind": "pure", "epsilon": 0.5, "delta": 0.0}
    assert type(native(np.float32(0.5))) is float
    assert native("text") == "text"


def test_budgets_hold_numbers_of_python() -> None:
    budget = Budget().but(max_samples=np.int64(10), alpha=np.float32(0.5))
    assert (type(budget.max_samples), type(budget.alpha)) == (int, float)


def test_integers_beyond_floats_are_infinite() -> None:
    assert nearest_float(10**400) == math.inf
    assert nearest_float(-(10**400)) == -math.inf
    assert nearest_float(3) == 3.0


def test_users_are_named_by_integers_and_text() -> None:
    owner = UserDomain()
    assert all(map(owner.contains, [1, np.int64(2), "ann"]))
    assert not any(map(owner.contains, [True, 1.5, None]))


def test_a_budget_of_a_huge_seed_is_whole(tmp_path: Path) -> None:
    assert Budget().but(seed=10**400).seed == 10**400
