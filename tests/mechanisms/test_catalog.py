"""Every entry of the catalogue can be audited as it stands."""

from __future__ import annotations

import copy
import math
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator, default_rng

from audit.declaration import Entry, Mechanism
from audit.errors import InputError
from audit.neighbors.check import check_pair
from audit.neighbors.domain.notation import parse_domain
from audit.neighbors.pair import neighboring
from mechanisms import CATALOG
from mechanisms.catalog import catalog_of

NAMES = list(CATALOG)
UNEQUAL_CONSUMPTION: dict[str, str] = {}
"""Entries whose two sides leave the generator in different states, with the reason."""


def released(entry: Entry, data: Any, rng: Generator, size: int) -> Any:
    """The outputs, or the exception in their place."""
    try:
        return entry.mechanism.release(data, rng, size)
    except Exception as error:
        return error


def same(left: Any, right: Any) -> bool:
    if isinstance(left, Exception):
        return repr(left) == repr(right)
    if isinstance(left, pd.DataFrame | pd.Series):
        return bool(left.equals(right))
    if isinstance(left, np.ndarray):
        return bool(np.array_equal(left, right, equal_nan=left.dtype.kind == "f"))
    tables = np.ndarray | pd.DataFrame | pd.Series
    if isinstance(left, list) and left and isinstance(left[0], tables):
        return len(left) == len(right) and all(map(same, left, right))
    return bool(left == right)


def sides(entry: Entry) -> list[Any]:
    return [entry.data, *entry.neighbors]


@pytest.mark.parametrize("name", NAMES)
def test_entry_says_what_a_person_needs(name: str) -> None:
    entry = CATALOG[name]
    assert entry.name == name
    assert re.fullmatch(r"[a-z0-9]+([-.][a-z0-9]+)*", name)
    assert all((entry.summary, entry.group, entry.truth.source))
    assert "\n" not in entry.summary
    assert isinstance(entry.mechanism, Mechanism)


@pytest.mark.parametrize("name", NAMES)
def test_truth_agrees_with_itself(name: str) -> None:
    entry = CATALOG[name]
    claimed = getattr(entry.mechanism.claim, "epsilon", math.nan)
    if entry.truth.epsilon is not None and not math.isnan(claimed):
        assert entry.truth.keeps == (entry.truth.epsilon <= claimed * (1 + 1e-12))
    assert entry.truth.reachable or not entry.truth.keeps


@pytest.mark.parametrize("name", NAMES)
def test_pairs_are_neighbors_within_the_domain(name: str) -> None:
    entry = CATALOG[name]
    domain = parse_domain(entry.domain) if entry.domain else None
    for position, neighbor in enumerate(entry.neighbors):
        pair = neighboring(f"D{position + 1}", entry.data, neighbor, entry.relation)
        assert check_pair(pair, domain) == ()


@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize("name", NAMES)
def test_release_gives_as_many_outputs_as_asked(name: str, size: int) -> None:
    entry = CATALOG[name]
    for data in sides(entry):
        outputs = released(entry, data, default_rng(1), size)
        assert isinstance(outputs, Exception) or len(outputs) == size


@pytest.mark.parametrize("name", NAMES)
def test_outputs_follow_from_the_seed_and_data_stay_as_they_are(name: str) -> None:
    entry = CATALOG[name]
    for data in sides(entry):
        before = copy.deepcopy(data)
        first = released(entry, data, default_rng(2), 50)
        assert same(first, released(entry, data, default_rng(2), 50))
        assert same(data, before)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in UNEQUAL_CONSUMPTION])
def test_both_sides_leave_the_generator_in_one_state(name: str) -> None:
    entry = CATALOG[name]
    after = []
    for data in sides(entry):
        rng = default_rng(3)
        released(entry, data, rng, 20)
        after.append(rng.bit_generator.state)
    assert all(state == after[0] for state in after)


def test_a_name_given_twice_is_refused() -> None:
    entry = CATALOG["laplace"]
    with pytest.raises(InputError, match="two mechanisms are called 'laplace'"):
        catalog_of([(entry,), (entry,)])


def test_catalog_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        CATALOG["another"] = CATALOG["laplace"]  # type: ignore[index]
