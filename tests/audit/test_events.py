"""Events are what their words say; bets on them are well formed."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from audit.binning import Binning
from audit.events import Bets, bets_for, describe
from audit.features import Part
from audit.outcomes import Column
from tests import masks

exactly = settings(derandomize=True, database=None, deadline=None, max_examples=100)
EDGES = st.lists(st.integers(-4, 4).map(float), max_size=6, unique=True)
SYMBOLS = st.lists(st.sampled_from(["nan", "'a'", "None"]), max_size=3, unique=True)


@st.composite
def bettings(draw: st.DrawFn) -> tuple[Binning, NDArray[np.int64], NDArray[np.int64]]:
    binning = Binning.of(draw(EDGES), draw(SYMBOLS))
    counts = st.lists(st.integers(0, 20), min_size=binning.count, max_size=binning.count)
    return binning, np.array(draw(counts)), np.array(draw(counts))


@exactly
@given(bettings())
def test_bets_are_well_formed(
    betting: tuple[Binning, NDArray[np.int64], NDArray[np.int64]],
) -> None:
    binning, left, right = betting
    bets = bets_for(binning, left, right)
    assert (
        bets.size
        == len(masks.single(bets)) + len(masks.plus(bets))
        == len(bets.weight)
        == len(bets.ranked)
    )
    assert masks.plus(bets).shape == masks.minus(bets).shape
    assert masks.single(bets).shape[1] == binning.count
    assert (bets.weight > 0).all()
    assert bets.weight.sum() == pytest.approx(1.0)
    assert not (masks.plus(bets) & masks.minus(bets)).any(), (
        "a pair may fall into one of two joined events"
    )
    assert masks.plus(bets).any(axis=1).all()
    assert masks.minus(bets).any(axis=1).all()


def has(bets: Bets, *bins: int) -> bool:
    mask = np.isin(np.arange(masks.single(bets).shape[1]), bins)
    return bool((masks.single(bets) == mask).all(axis=1).any())


def test_half_lines_single_bins_and_likely_sets_are_bet_on() -> None:
    binning = Binning.of([0.0, 1.0, 2.0], ["nan"])
    left, right = np.array([9, 1, 8, 1, 5, 0]), np.array([1, 9, 1, 8, 5, 0])
    bets = bets_for(binning, left, right)
    for half_line in [(1, 2, 3), (2, 3), (3,), (0,), (0, 1), (0, 1, 2)]:
        assert has(bets, *half_line)
    for code in range(binning.count):
        assert has(bets, code)
    assert has(bets, 0, 2)
    assert has(bets, 1, 3)


def test_bets_chosen_by_their_frequencies_are_marked() -> None:
    binning = Binning.of([0.0, 1.0, 2.0])
    left, right = np.array([9, 1, 8, 1, 0]), np.array([1, 9, 1, 8, 0])
    bets, other = bets_for(binning, left, right), bets_for(binning, right, left)
    fixed = ~bets.ranked[: len(masks.single(bets))]
    np.testing.assert_array_equal(masks.single(bets)[fixed], masks.single(other)[fixed])
    assert bets.ranked.any()
    assert not np.array_equal(masks.single(bets)[~fixed], masks.single(other)[~fixed])


def inside(parameters: dict[str, object], value: float | str) -> bool:
    """Whether an output belongs to an event, read from its plain values."""
    if isinstance(value, str):
        named = parameters["symbols"]
        assert isinstance(named, list)
        return value in named or (bool(parameters["other_symbols"]) and value == "unseen")
    intervals = parameters["intervals"]
    assert isinstance(intervals, list)
    return any(float(low) <= value < float(high) for low, high in intervals)


@exactly
@given(bettings(), st.data())
def test_an_event_holds_what_its_parameters_say(
    betting: tuple[Binning, NDArray[np.int64], NDArray[np.int64]], data: st.DataObject
) -> None:
    binning = betting[0]
    bins = st.lists(st.booleans(), min_size=binning.count, max_size=binning.count)
    mask = np.array(data.draw(bins))
    event = describe(Part("output"), binning, mask)
    names = ("", *binning.symbols, "unseen")
    numbers = [-5.0, *np.arange(-4.5, 5.0, 0.5), 1e300]
    values = np.array([*numbers, *np.zeros(len(names) - 1)])
    symbols = np.array([0] * len(numbers) + list(range(1, len(names))))
    held = mask[binning.code(Column(values, symbols, names))]
    outputs = [*numbers, *names[1:]]
    assert [inside(event.parameters, output) for output in outputs] == held.tolist()


@pytest.mark.parametrize(
    ("bins", "words"),
    [
        ([0], "output < 0.0"),
        ([3], "output >= 2.5"),
        ([1], "output in [0.0, 1.0)"),
        ([1, 2], "output in [0.0, 2.5)"),
        ([0, 3], "output < 0.0 or >= 2.5"),
        ([0, 1, 2, 3], "output is a number"),
        ([4], "output is nan"),
        ([3, 5], "output >= 2.5 or is any other value"),
    ],
)
def test_events_in_words(bins: list[int], words: str) -> None:
    binning = Binning.of([0.0, 1.0, 2.5], ["nan"])
    event = describe(Part("output"), binning, np.isin(np.arange(6), bins))
    assert event.description == words
    assert event.as_json()["description"] == words


def test_an_atom_is_said_to_be_equal() -> None:
    binning = Binning.of([0.1, np.nextafter(0.1, 1.0)])
    assert describe(Part("output"), binning, np.isin(np.arange(4), [1])).description == (
        "output = 0.1"
    )
