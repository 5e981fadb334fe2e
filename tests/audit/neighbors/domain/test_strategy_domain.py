"""Domains given as a Hypothesis strategy in a file."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from audit.blackbox.callables import load_callable
from audit.errors import DomainError
from audit.neighbors.domain import parse_domain

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
    with pytest.raises(DomainError, match=f"fails in line 1.*{complaint}"):
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


CLASSES = """
from dataclasses import dataclass
from hypothesis import strategies as st

@dataclass(frozen=True)
class Record:
    name: str

records = st.just(Record({name!r}))

def known(data):
    return isinstance(data[0], Record)
"""


def test_files_of_one_name_do_not_collide(tmp_path: Path) -> None:
    found = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        path = tmp_path / name / "strategies.py"
        path.write_text(CLASSES.format(name=name))
        found.append(parse_domain(f"{path}:records").ends[0])
    assert [record.name for record in found] == ["first", "second"]
    # Pickle finds a class by the name of its module.
    assert [pickle.loads(pickle.dumps(record)).name for record in found] == ["first", "second"]


def test_functions_and_records_of_one_file_share_its_classes(tmp_path: Path) -> None:
    path = tmp_path / "release.py"
    path.write_text(CLASSES.format(name="one"))
    known = load_callable(f"{path}:known")
    assert known(parse_domain(f"{path}:records").dataset(parse_domain(f"{path}:records").ends))


def test_a_file_finds_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "limits_of_records.py").write_text("HIGHEST = 7")
    path = tmp_path / "records.py"
    path.write_text(
        "from hypothesis import strategies as st\n"
        "from limits_of_records import HIGHEST\n"
        "records = st.just(HIGHEST)\n"
    )
    assert parse_domain(f"{path}:records").ends == (7, 7)
