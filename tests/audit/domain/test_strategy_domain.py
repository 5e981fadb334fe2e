"""Domains given as a Hypothesis strategy in a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from audit.domain import parse_domain
from audit.errors import DomainError

FILE = """
from hypothesis import strategies as st

numbers = st.integers(-20, 20)
vectors = st.lists(st.floats(0, 1), min_size=3, max_size=3)
words = st.sampled_from(["a", "b", "c"])
rows = st.fixed_dictionaries({"age": st.integers(0, 9), "sex": st.sampled_from("fm")})
mixed = st.one_of(st.integers(0, 3), st.sampled_from(["a"]))
nothing = st.nothing()
huge = st.sampled_from([-(10**400), 0, 0.5, 10**400])
number = 3
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "given_records.py"
    path.write_text(FILE)
    return path


def test_numbers_end_where_the_examples_end(file: Path) -> None:
    domain = parse_domain(f"{file}:numbers")
    low, high = domain.ends
    assert low < 0 < high
    assert domain.extremes[:2] == (low, high)
    assert domain.extremes == parse_domain(f"{file}:numbers").extremes
    assert domain.opposite(low) == high
    assert domain.opposite(high) == low


@pytest.mark.parametrize(
    ("name", "shape"), [("numbers", (0,)), ("vectors", (0, 3)), ("words", None), ("mixed", None)]
)
def test_datasets_keep_their_form_when_empty(
    file: Path, name: str, shape: tuple[int, ...] | None
) -> None:
    domain = parse_domain(f"{file}:{name}")
    empty, two = domain.dataset([]), domain.dataset(domain.ends)
    assert type(empty) is type(two)
    assert len(two) == 2
    if shape is not None:
        assert empty.shape == shape
        assert empty.dtype == two.dtype
        assert two.shape[1:] == shape[1:]
    else:
        assert empty == []


def test_mappings_become_a_table(file: Path) -> None:
    domain = parse_domain(f"{file}:rows")
    empty, two = domain.dataset([]), domain.dataset(domain.ends)
    assert list(empty.columns) == ["age", "sex"]
    assert empty.dtypes.equals(two.dtypes)
    assert empty["age"].dtype == np.int64


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("missing", "has nothing called 'missing'"),
        ("number", "has no Hypothesis strategy called 'number'"),
        ("nothing", "gives no records"),
    ],
)
def test_what_gives_no_records_is_refused(file: Path, name: str, complaint: str) -> None:
    with pytest.raises(DomainError, match=complaint):
        _ = parse_domain(f"{file}:{name}").ends


@pytest.mark.parametrize(
    ("content", "complaint"),
    [("import nothing_of_this_name", "ModuleNotFoundError"), ("exit(0)", "SystemExit: 0")],
)
def test_a_file_that_fails_is_refused(tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "failing.py"
    path.write_text(content)
    with pytest.raises(DomainError, match=f"cannot be loaded.*{complaint}"):
        _ = parse_domain(f"{path}:records").extremes


def test_integers_beyond_floats_are_records_like_others(file: Path) -> None:
    domain = parse_domain(f"{file}:huge")
    assert domain.ends == (-(10**400), 10**400)
    assert domain.opposite(10**400) == -(10**400)
    assert domain.dataset([0.5, 10**400]) == [0.5, 10**400]


def test_records_that_do_not_go_together_are_refused(file: Path) -> None:
    domain = parse_domain(f"{file}:rows")
    with pytest.raises(DomainError, match="records that do not go together"):
        domain.dataset([{"age": None, "sex": "f"}])
