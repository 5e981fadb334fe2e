"""Events are what their words say; bets on them are well formed."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from audit.betting.events import describe
from audit.outcomes.binning import Binning
from audit.outcomes.encoding import Column
from audit.outcomes.features import Part
from tests.bettings import bettings

exactly = settings(derandomize=True, database=None, deadline=None, max_examples=100)


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
