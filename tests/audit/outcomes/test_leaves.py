"""One output of every kind, taken apart into numbers and symbols."""

from __future__ import annotations

import enum
import math
from collections import namedtuple
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.errors import OutcomeError
from audit.outcomes.leaves import Failure, leaves_of
from audit.outcomes.symbols import DENOMINATOR, EXPONENT, MODULO, Leaf, shortened

exactly = settings(derandomize=True, database=None, deadline=None, max_examples=100)

Point = namedtuple("Point", "x y")


class Colour(enum.IntEnum):
    RED = 3


class Answer(enum.Enum):
    YES = 1
    NO = (2, 3)
    nan = 4  # what stands for something else is not taken for it


class Text(enum.StrEnum):
    YES = "y"


class Rights(enum.Flag):
    READ = 1
    WRITE = 2


@pytest.mark.parametrize(
    ("output", "kind", "leaf"),
    [
        (1.5, "float", 1.5),
        (-0.0, "float", 0.0),
        (5e-324, "float", 5e-324),
        (1.7e308, "float", 1.7e308),
        (math.nan, "float", "nan"),
        (math.inf, "float", "inf"),
        (-math.inf, "float", "-inf"),
        (3, "int", 3.0),
        (2**70, "int", 2.0**70),
        (10**400, "int", "an integer beyond floats"),
        (-(10**400), "int", "an integer beyond floats"),
        (True, "bool", 1.0),
        (np.float32(0.5), "float", 0.5),
        (np.float16("nan"), "float", "nan"),
        (np.int8(-3), "int", -3.0),
        (np.uint64(2**64 - 1), "int", 2.0**64),
        (np.bool_(False), "bool", 0.0),
        (np.array(2.5), "float", 2.5),
        (np.array(None), "None", "None"),
        (Decimal("0.25"), "Decimal", 0.25),
        (Decimal("sNaN"), "Decimal", "nan"),
        (Fraction(1, 4), "Fraction", 0.25),
        (Colour.RED, "Colour", 3.0),
        (None, "None", "None"),
        (pd.NA, "NAType", "<NA>"),
        (pd.NaT, "NaTType", "NaT"),
        ("1.5", "str", "'1.5'"),
        ("", "str", "''"),
        ("None", "str", "'None'"),
        ("\ud800", "str", r"'\ud800'"),
        (np.str_("a"), "str", "'a'"),
        (b"1.5", "bytes", "b'1.5'"),
        (Answer.YES, "Answer", "YES"),
        (Answer.NO, "Answer", "NO"),
        (Answer.nan, "Answer", "<Answer.nan: 4>"),
        (Text.YES, "Text", "YES"),
        (Rights.READ | Rights.WRITE, "Rights", "READ|WRITE"),
        (Rights(0), "Rights", "<Rights: 0>"),
    ],
)
def test_single_values(output: Any, kind: str, leaf: Leaf) -> None:
    found, leaves = leaves_of(output, "y")
    assert found == kind
    assert leaves.pop("y") == leaf
    assert all(name.endswith(MODULO) or name.startswith((DENOMINATOR, EXPONENT)) for name in leaves)


@pytest.mark.parametrize(
    ("output", "kind", "leaves"),
    [
        ([], "list of 0", {"length of y": 0.0}),
        (
            [1, None],
            "list of 2",
            {"length of y": 2.0, "types in y": "int, NoneType", "y[0]": 1.0, "y[1]": "None"},
        ),
        ((1.0,), "tuple of 1", {"length of y": 1.0, "y[0]": 1.0}),
        ({Answer.YES: 1.0}, "dict", {"length of y": 1.0, "y[YES]": 1.0}),
        ({Answer.YES}, "set", {"length of y": 1.0, "YES in y": 1.0}),
        (
            Point(1.0, 2.0),
            "Point of 2",
            {"length of y": 2.0, "fields of y": "'x, y'", "y.x": 1.0, "y.y": 2.0},
        ),
        (
            [[1.0], [2.0, 3.0]],
            "list of 2",
            {
                "length of y": 2.0,
                "length of y[0]": 1.0,
                "y[0][0]": 1.0,
                "length of y[1]": 2.0,
                "y[1][0]": 2.0,
                "y[1][1]": 3.0,
            },
        ),
        ({}, "dict", {"length of y": 0.0}),
        ({"a": 1.0, 2: "b"}, "dict", {"length of y": 2.0, "y['a']": 1.0, "y[2]": "'b'"}),
        ({("a", 1): 1.0}, "dict", {"length of y": 1.0, "y[('a', 1)]": 1.0}),
        ({np.int64(2): 1.0}, "dict", {"length of y": 1.0, "y[2]": 1.0}),
        (set(), "set", {"length of y": 0.0}),
        ({"b", "a"}, "set", {"length of y": 2.0, "'a' in y": 1.0, "'b' in y": 1.0}),
        (
            frozenset({frozenset({"b", "a", "c"})}),
            "frozenset",
            {"length of y": 1.0, "{'a', 'b', 'c'} in y": 1.0},
        ),
        (
            np.array([1.0, np.nan]),
            "float64 array of 2",
            {"length of y": 2.0, "y[0]": 1.0, "y[1]": "nan"},
        ),
        (
            np.array([[1, 2]]),
            "int64 array of 1 x 2",
            {"length of y": 2.0, "y[0, 0]": 1.0, "y[0, 1]": 2.0},
        ),
        (np.empty((0, 3)), "float64 array of 0 x 3", {"length of y": 0.0}),
        (
            np.array([None, "a"], object),
            "object array of 2",
            {"length of y": 2.0, "y[0]": "None", "y[1]": "'a'"},
        ),
        (1 + 2j, "complex", {"length of y": 2.0, "y.real": 1.0, "y.imag": 2.0}),
        (
            complex(math.nan, math.inf),
            "complex",
            {"length of y": 2.0, "y.real": "nan", "y.imag": "inf"},
        ),
        (
            pd.Series([1, 2], index=["a", "a"]),
            "Series of int64",
            {
                "length of y": 2.0,
                "index of y": f"Index of {pd.Index(['a']).dtype}",
                "y['a']": 1.0,
                "y['a'] #2": 2.0,
            },
        ),
        (
            pd.Series([0.5, None]),
            "Series of float64",
            {"length of y": 2.0, "y[0]": 0.5, "y[1]": "nan"},
        ),
        (
            pd.DataFrame({"a": [1, 2]}, index=[7, 7]),
            "DataFrame with columns a",
            {
                "length of y": 2.0,
                "index of y": "Index of int64",
                "types in y": "int64",
                "y['a'][7]": 1.0,
                "y['a'][7] #2": 2.0,
            },
        ),
        (
            pd.DataFrame([[1.0, 2.0]], columns=["a", "a"]),
            "DataFrame with columns a, a",
            {"length of y": 1.0, "y['a'][0]": 1.0, "y['a'] #2[0]": 2.0},
        ),
        (pd.DataFrame(), "DataFrame with columns ", {"length of y": 0.0}),
        (Failure("timed out"), "timed out", {}),
    ],
)
def test_containers(output: Any, kind: str, leaves: dict[str, Leaf]) -> None:
    assert leaves_of(output, "y") == (kind, leaves)


@pytest.mark.parametrize(
    ("output", "named"),
    [
        (object(), "y is of type builtins.object"),
        ((x for x in "ab"), "builtins.generator"),
        ([1.0, object()], r"y\[1\] is of type builtins.object"),
        ({object(): 1}, "a key is of type builtins.object"),
        ({lambda: 1}, "a key is of type builtins.function"),
        (type, "builtins.type"),
        (np.void(b"ab"), "numpy.void"),
        ([[[[[[1]]]]]], "nested deeper than 5"),
        (list(range(5000)), "more than 4096 parts"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_other_kinds_are_refused_by_name(output: Any, named: str) -> None:
    with pytest.raises(OutcomeError, match=named):
        leaves_of(output, "y")


def test_long_texts_that_differ_late_still_differ() -> None:
    first, second = ("x" * 500 + end for end in "ab")
    symbols = [str(leaves_of(text, "y")[1]["y"]) for text in (first, first, second)]
    assert symbols[0] == symbols[1] != symbols[2]
    short = list(map(shortened, symbols))
    assert short[0] == short[1] != short[2]
    assert all(len(symbol) <= 80 for symbol in short)
    longest = leaves_of("x" * 10**5, "y")[1]["y"]
    assert len(str(longest)) < 20_000
    assert len(leaves_of({first: 1.0, second: 2.0}, "y")[1]) == 3


def test_a_large_array_shows_its_first_entries_and_its_length() -> None:
    kind, leaves = leaves_of(np.arange(10_000), "y")
    assert kind == "int64 array of 10000"
    assert leaves["length of y"] == 10_000.0
    assert len(leaves) == 65
    assert len(leaves_of({"a": np.arange(100)}, "y")[1]) == 103


@exactly
@given(
    st.recursive(
        st.one_of(st.none(), st.booleans(), st.floats(), st.integers(), st.text(max_size=3)),
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=2), inner, max_size=3)
        ),
        max_leaves=6,
    )
)
def test_equal_outputs_have_equal_leaves_and_different_ones_differ(output: Any) -> None:
    try:
        kind, leaves = leaves_of(output, "y")
    except OutcomeError as error:
        assert "nested deeper" in str(error)
        return
    assert (kind, leaves) == leaves_of(output, "y")
    assert (kind, leaves) != leaves_of([output], "y")
    assert all(isinstance(leaf, str) or math.isfinite(leaf) for leaf in leaves.values())


@pytest.mark.parametrize(
    ("one", "other", "leaf"),
    [
        ({"a": 1.0, "b": 2.0}, {"b": 2.0, "a": 1.0}, "order of keys in y"),
        ({"a": 1.0}, {"a": 1}, "types in y"),
        ([(1.0,)], [[1.0]], "types in y"),
        ([np.zeros(2)], [np.zeros(2, np.float32)], "types in y"),
        (pd.Series([1.0, 2.0]), pd.Series([1.0, 2.0], index=pd.Index([0, 1])), "index of y"),
        (
            pd.Series([1.0, 2.0], index=[0, 1]),
            pd.Series([2.0, 1.0], index=[1, 0]),
            "order of keys in y",
        ),
        (pd.Series([1.0]), pd.Series([1.0], name="v"), "name of y"),
        (pd.DataFrame({"a": [1.0]}), pd.DataFrame({"a": [1]}), "types in y"),
        (2**53, 2**53 + 1, f"y{MODULO}"),
        (-(2**60), -(2**60) - 1, f"y{MODULO}"),
        (Failure("raised E", "no 3"), Failure("raised E", "no 4"), "message of the failure"),
    ],
    ids=str,
)
def test_what_equal_values_differ_in(one: Any, other: Any, leaf: str) -> None:
    (_, leaves), (_, others) = (leaves_of(output, "y") for output in (one, other))
    assert {name for name in {*leaves, *others} if leaves.get(name) != others.get(name)} == {leaf}


def test_the_layout_of_an_array_is_of_its_kind() -> None:
    rows = np.zeros((2, 3))
    kinds = [leaves_of(array, "y")[0] for array in (rows, np.asfortranarray(rows), rows[:, :2])]
    assert kinds[0] == "float64 array of 2 x 3"
    assert kinds[1] == "float64 array of 2 x 3 in Fortran order"
    assert kinds[2] == "float64 array of 2 x 2"


def test_numbers_of_numpy_are_the_numbers_they_are() -> None:
    plain = leaves_of({"a": 1.5, "b": 2.5}, "output")
    assert leaves_of({"a": np.float64(1.5), "b": 2.5}, "output") == plain
    assert leaves_of([np.int64(1), True], "output") == leaves_of([1, np.True_], "output")
    whole = leaves_of({"a": 1.5, "b": 2}, "output")
    assert whole != leaves_of({"a": 1.5, "b": 2.0}, "output")


@pytest.mark.parametrize("kind", [Decimal, Fraction])
def test_exact_numbers_with_the_digits_of_a_float_are_read_as_that_float(kind: Any) -> None:
    """Their exponent and denominator are its last bits, which speak for a leak alone."""
    drawn = 3.0 + np.random.default_rng(0).laplace(size=20)
    assert [list(leaves_of(kind(x), "output")[1]) for x in drawn.tolist()] == [["output"]] * 20


@pytest.mark.parametrize(
    ("value", "name"),
    [
        (Decimal("3.10"), EXPONENT),
        (Decimal(1) / Decimal(3), EXPONENT),
        (Decimal("0.5"), EXPONENT),
        (Decimal(10) ** 400 + Decimal("0.1"), EXPONENT),
        (Fraction(1, 3), DENOMINATOR),
        (Fraction(1, 1 << 21) + Fraction(1, 3), DENOMINATOR),
        (Fraction(10**400, 7), DENOMINATOR),
    ],
    ids=str,
)
def test_other_exact_numbers_tell_how_they_are_written(value: Any, name: str) -> None:
    assert any(part.startswith(name) for part in leaves_of(value, "output")[1])
