"""The list of worst pairs holds one that shows each of the bugs it was written for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest

from audit.errors import InputError
from audit.neighbors import Pair, check_pair, worst_pairs
from audit.neighbors.difference import change
from audit.neighbors.domain import parse_domain
from audit.neighbors.rows import keys_of
from audit.relation import Relation

ADD, SUBSTITUTE, USER = Relation.ADD_REMOVE, Relation.SUBSTITUTE, Relation.USER
SPECS = (
    "int:0:1",
    "int:0:100",
    "int:90:100",
    "int",
    "float:-1:1",
    "float",
    "choice:a",
    "choice:a,b",
    "choice:a,b,c,d,e,f,g,h,i,j,k,l",
    "bool",
    "age=int:0:120,sex=choice:f,m",
    "user=user:1,v=int:0:9",
    "user=user,v=float,w=choice:x,y,z",
)


@pytest.mark.parametrize("relation", [ADD, SUBSTITUTE, USER])
@pytest.mark.parametrize("spec", SPECS)
def test_pairs_are_neighbors_few_and_all_different(spec: str, relation: Relation) -> None:
    domain = parse_domain(spec)
    if relation is USER and "user" not in spec:
        with pytest.raises(InputError, match="`domain`"):
            worst_pairs(domain, relation)
        return
    pairs = worst_pairs(domain, relation)
    for pair in pairs:
        check_pair(pair, domain)
        assert not change(pair.dataset, pair.neighbor).moved
    assert [pair.name for pair in pairs] == [f"W{i + 1}" for i in range(len(pairs))]
    least = 0 if (spec, relation) == ("choice:a", SUBSTITUTE) else 10
    assert least <= len(pairs) <= 132
    both = [frozenset(str(keys_of(data)) for data in (p.dataset, p.neighbor)) for p in pairs]
    assert len(set(both)) == len(pairs)
    sizes = [max(len(pair.dataset), len(pair.neighbor)) for pair in pairs]
    assert sizes == sorted(sizes)


def test_the_list_is_the_same_every_time() -> None:
    domain = parse_domain("int:0:1")
    one, other = worst_pairs(domain, ADD), worst_pairs(domain, ADD)
    assert [(p.name, p.difference, len(p.dataset)) for p in one] == [
        (p.name, p.difference, len(p.dataset)) for p in other
    ]


@pytest.mark.parametrize(
    ("spec", "relation", "sizes"),
    [
        ("int:0:9[37]", SUBSTITUTE, {37}),
        ("int:0:9[37]", ADD, set()),
        ("bool[2..3]", ADD, {2, 3}),
        ("bool[2..3]", SUBSTITUTE, {2, 3}),
        ("choice:a,b[3..40]", ADD, {3, 4, 40}),
        ("user=user:5,v=int:0:9[4..30]", USER, {5, 6, 30}),
    ],
)
def test_datasets_have_as_many_records_as_the_domain_admits(
    spec: str, relation: Relation, sizes: set[int]
) -> None:
    domain = parse_domain(spec)
    pairs = worst_pairs(domain, relation)
    found = {len(data) for pair in pairs for data in (pair.dataset, pair.neighbor)}
    assert sizes <= found
    assert all(map(domain.sizes.admits, found))
    for pair in pairs:
        check_pair(pair, domain)
        assert not change(pair.dataset, pair.neighbor).moved
    assert len(pairs) > 10 or not sizes


def test_declared_neighbors_are_not_made_up() -> None:
    assert worst_pairs(parse_domain("int:0:1"), Relation.DECLARED) == ()


def _leaps(statistic: Callable[[np.ndarray], float], bound: float) -> Callable[[Pair], bool]:
    """Whether a statistic moves by more than noise of this sensitivity would hide."""
    return lambda pair: abs(statistic(pair.dataset) - statistic(pair.neighbor)) > bound


def _range(data: np.ndarray) -> float:
    return float(data.max() - data.min()) if len(data) else 0.0


def _keys_in(pair: Pair) -> set[frozenset[str]]:
    return {frozenset(pair.dataset), frozenset(pair.neighbor)}


def _int8_sum(data: np.ndarray) -> float:
    with np.errstate(over="ignore"):
        return float(data.astype(np.int8).sum(dtype=np.int8))


def _scale_of_median(data: np.ndarray) -> float:
    """Local sensitivity of the median under substitution in [0, 100]."""
    ordered, middle = np.sort(data), len(data) // 2
    around = np.concatenate([[0], ordered, [100]])[middle : middle + 3]
    return float(max(around[1] - around[0], around[2] - around[1])) if len(data) else 100.0


def _counts_cross(pair: Pair) -> bool:
    """Whether one count falls and another grows, both by one."""
    change = Counter(pair.neighbor)
    change.subtract(pair.dataset)
    return sorted(value for value in change.values() if value) == [-1, 1]


BUGS: dict[str, tuple[str, Relation, Callable[[Pair], bool]]] = {
    "bounds read from data": ("int:0:100", ADD, _leaps(_range, 99)),
    "local sensitivity of the median": ("int:0:100", SUBSTITUTE, _leaps(_scale_of_median, 99)),
    "noisy sum over the exact count": ("float:0:1", ADD, lambda p: len(p.dataset) == 1),
    "raises on empty data": ("float:0:1", ADD, lambda p: len(p.dataset) == 0),
    "count shown from 10 on": ("bool", ADD, lambda p: (len(p.dataset), len(p.neighbor)) == (9, 10)),
    "count shown above 10": ("bool", ADD, lambda p: (len(p.dataset), len(p.neighbor)) == (10, 11)),
    "keys present in the output": ("choice:a,b,c", ADD, lambda p: len(_keys_in(p)) == 2),
    "a key that nobody else has": (
        "choice:a,b,c",
        ADD,
        lambda p: {frozenset("ac"), frozenset("abc")} == _keys_in(p),
    ),
    "range taken for magnitude": ("int:90:100", ADD, _leaps(np.sum, 99)),
    "int8 sum of bits": ("int:0:1", ADD, _leaps(_int8_sum, 200)),
    "int8 sum of bits, substituted": ("int:0:1", SUBSTITUTE, _leaps(_int8_sum, 200)),
    "int8 sum": (
        "int:0:100",
        ADD,
        lambda p: int(np.sum(p.dataset)) == 127 and int(np.sum(p.neighbor)) == 128,
    ),
    "int16 sum of bits": ("int:0:1", ADD, lambda p: len(p.dataset) == 32_767),
    "int8 value": (
        "int",
        SUBSTITUTE,
        lambda p: (list(p.dataset), list(p.neighbor)) == ([127], [128]),
    ),
    "uint8 count": ("choice:a,b", ADD, lambda p: len(p.dataset) == 255),
    "int64 sum": ("int", ADD, lambda p: 2**63 - 1 in p.dataset and len(p.neighbor) == 2),
    "quantile range read from data": (
        "int:0:1",
        SUBSTITUTE,
        lambda p: (list(p.dataset), list(p.neighbor)) == ([0, 0, 0], [0, 0, 1]),
    ),
    "values that are not clipped": ("float", ADD, _leaps(lambda d: float(np.sum(d)), 999_999)),
    "NaN": ("float", ADD, lambda p: np.isnan(p.neighbor).any() and len(p.dataset) == 1),
    "infinity": ("float", SUBSTITUTE, lambda p: np.isinf(p.neighbor).any()),
    "noisy max, opposite moves": (
        "choice:a,b,c,d",
        SUBSTITUTE,
        lambda p: _counts_cross(p) and len(set(p.dataset)) == 4,
    ),
    "first tenth of the rows": (
        "int:0:1",
        ADD,
        lambda p: (
            len(p.neighbor) > 10
            and p.dataset[: len(p.dataset) // 10].sum() == 0
            and p.neighbor[: len(p.neighbor) // 10].sum() == 1
        ),
    ),
    "an outlier among many": ("int:0:100", ADD, lambda p: len(p.dataset) == 1000),
    "alternating records": ("bool", ADD, lambda p: list(p.dataset) == [False, True] * 2 + [False]),
    "a record before all that rise": (
        "int:0:100",
        ADD,
        lambda p: len(p.dataset) == 5 and p.neighbor[0] == 100 and (np.diff(p.dataset) > 0).all(),
    ),
    "a record behind all that fall": (
        "float:0:1",
        SUBSTITUTE,
        lambda p: len(p.dataset) == 6 and (np.diff(p.dataset[:-1]) < 0).all(),
    ),
    "every value twice": ("int:0:100", ADD, lambda p: list(p.dataset) == [0, 0, 25, 25, 50]),
    "an empty group": (
        "choice:a,b,c,d,e",
        ADD,
        lambda p: len(_keys_in(p)) == 2 and set(p.neighbor) == set("abcde"),
    ),
    "an empty group of a table": (
        "g=choice:a,b,c,v=float:0:1",
        ADD,
        lambda p: (
            (len(p.neighbor), p.neighbor["g"].nunique(), p.dataset["g"].nunique()) == (3, 3, 2)
        ),
    ),
    "a batch clipped as a whole": (
        "x=float:-2:2,y=bool",
        ADD,
        lambda p: list(p.neighbor["x"]) == [2, 2] and list(p.neighbor["y"]) == [True, False],
    ),
    "int32 value": ("int", ADD, lambda p: list(p.neighbor) == [2**31]),
    "int16 value from below": ("int", ADD, lambda p: list(p.neighbor) == [-32_769]),
    "64 bits, one beside the edge": ("int", ADD, lambda p: list(p.neighbor) == [2**63 - 2]),
    "the last of many, in a vector": (
        "float:0:1[1024]",
        SUBSTITUTE,
        lambda p: len(p.dataset) == 1024 and p.dataset[-1] == 0 and p.neighbor[-1] == 1,
    ),
    "one user with many rows": (
        "user=user:5,v=int:0:9",
        USER,
        lambda p: len(p.dataset) == 1 and len(p.neighbor) == 6,
    ),
    "one user with many keys": (
        "user=user:10,key=choice:a,b,c,d,e,f,g,h,i,j",
        USER,
        lambda p: len(p.dataset) == 0 and p.neighbor["key"].nunique() == 10,
    ),
}


@pytest.mark.parametrize("bug", BUGS)
def test_some_pair_shows(bug: str) -> None:
    spec, relation, shows = BUGS[bug]
    assert any(map(shows, worst_pairs(parse_domain(spec), relation)))


def test_int8_sums_wrap_within_three_records_where_records_are_large() -> None:
    small = [p for p in worst_pairs(parse_domain("int:0:100"), ADD) if len(p.neighbor) <= 3]
    assert any(_leaps(_int8_sum, 200)(pair) for pair in small)
