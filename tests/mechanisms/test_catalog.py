"""Every entry of the catalogue can be audited as it stands."""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import Generator, default_rng

from audit.declaration import Entry, Mechanism
from audit.errors import InputError
from audit.neighbors.domain.notation import parse_domain
from audit.neighbors.pair import check_pair, neighboring
from mechanisms import CATALOG
from mechanisms.catalog import catalog_of


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


def failing(holds: Callable[[Entry], bool]) -> list[str]:
    """The names of the entries that lack a property; an exception names its entry."""
    names = []
    for name, entry in CATALOG.items():
        try:
            if not holds(entry):
                names.append(name)
        except Exception as error:
            error.add_note(f"entry {name}")
            raise
    return names


def described(entry: Entry) -> bool:
    return (
        CATALOG[entry.name] is entry
        and re.fullmatch(r"[a-z0-9]+([-.][a-z0-9]+)*", entry.name) is not None
        and all((entry.summary, entry.group, entry.truth.source))
        and "\n" not in entry.summary
        and isinstance(entry.mechanism, Mechanism)
    )


def consistent(entry: Entry) -> bool:
    claimed = getattr(entry.mechanism.claim, "epsilon", math.nan)
    known = entry.truth.epsilon
    keeps = entry.truth.keeps
    if known is not None and not math.isnan(claimed) and keeps != (known <= claimed * (1 + 1e-12)):
        return False
    return entry.truth.reachable or not keeps


def neighbors_in_domain(entry: Entry) -> bool:
    domain = parse_domain(entry.domain) if entry.domain else None
    pairs = (neighboring("D1", entry.data, other, entry.relation) for other in entry.neighbors)
    for pair in pairs:
        check_pair(pair, domain)
        if "another order" in pair.difference:
            return False
    return True


def gives_as_many(entry: Entry, size: int) -> bool:
    outputs = (released(entry, data, default_rng(1), size) for data in sides(entry))
    return all(isinstance(output, Exception) or len(output) == size for output in outputs)


def reproducible(entry: Entry) -> bool:
    def repeats(data: Any) -> bool:
        before = copy.deepcopy(data)
        first = released(entry, data, default_rng(2), 50)
        return same(first, released(entry, data, default_rng(2), 50)) and same(data, before)

    return all(map(repeats, sides(entry)))


def coupled(entry: Entry) -> bool:
    def after(data: Any) -> Any:
        rng = default_rng(3)
        released(entry, data, rng, 20)
        return rng.bit_generator.state

    first, *others = map(after, sides(entry))
    return all(other == first for other in others)


def test_every_entry_has_a_name_a_summary_a_group_and_a_source() -> None:
    assert failing(described) == []


def test_the_truth_of_every_entry_agrees_with_its_claim() -> None:
    assert failing(consistent) == []


@pytest.mark.slow
def test_the_neighbors_of_every_entry_are_neighbors_in_its_domain() -> None:
    assert failing(neighbors_in_domain) == []


def test_every_mechanism_gives_one_output() -> None:
    assert failing(lambda entry: gives_as_many(entry, 1)) == []


@pytest.mark.slow
def test_every_mechanism_gives_a_thousand_outputs() -> None:
    assert failing(lambda entry: gives_as_many(entry, 1000)) == []


@pytest.mark.slow
def test_outputs_of_every_mechanism_follow_from_the_seed_and_leave_the_data_alone() -> None:
    assert failing(reproducible) == []


def test_the_generator_ends_in_the_same_state_on_every_dataset_of_an_entry() -> None:
    assert failing(coupled) == []


def test_an_entry_without_a_property_is_named() -> None:
    entry = CATALOG["laplace"]
    wrong = replace(entry.truth, keeps=not entry.truth.keeps)
    assert failing(lambda other: other is not entry) == ["laplace"]
    assert not described(replace(entry, summary=""))
    assert not consistent(replace(entry, truth=wrong))
    with pytest.raises(ZeroDivisionError) as raised:
        failing(lambda other: 1 / (other is not entry) > 0)
    assert raised.value.__notes__ == ["entry laplace"]


def test_a_name_given_twice_is_refused() -> None:
    entry = CATALOG["laplace"]
    with pytest.raises(InputError, match="two mechanisms are called 'laplace'"):
        catalog_of([(entry,), (entry,)])


def test_catalog_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        CATALOG["another"] = CATALOG["laplace"]  # type: ignore[index]
