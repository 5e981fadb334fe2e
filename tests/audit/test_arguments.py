"""Arguments from Python that are no numbers: one line names what was given and what may be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from audit import run
from audit.case import assumptions_named
from audit.errors import InputError

FRAME = pd.DataFrame({"age": [1, 2]})


def noisy(data: Any, rng: Any) -> float:
    return float(len(data) + rng.laplace())


OTHER_KINDS: dict[str, tuple[list[str], list[Any]]] = {
    "no list of datasets": (["neighbors", "more_data"], [5, None, "ab", {}, [1, 2], FRAME]),
    "no path of a file": (["store", "ledger"], [5, [], b"kept"]),
    "neither true nor false": (["search", "null", "timing", "special"], [5, "yes"]),
    "not a sequence of assumptions": (["assume"], [5, "independent-calls", {"independent-calls"}]),
    "of type int": (["budget", "execution", "name"], [5]),
    "nothing that can be called": (["on_event"], [5]),
}


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [(n, v, words) for words, (names, vs) in OTHER_KINDS.items() for n in names for v in vs],
)
def test_other_kinds_are_refused_in_one_line(name: str, value: Any, words: str) -> None:
    given: dict[str, Any] = {"epsilon": 1.0, "data": [1, 2, 3], "max_samples": 300}
    with pytest.raises(InputError, match=f"^{name} .* is {words}; give for example") as caught:
        run(noisy, **given | {name: value})
    assert "\n" not in str(caught.value)
    assert caught.value.offender is value


def test_unknown_assumptions_are_refused_with_those_there_are() -> None:
    known = "independent-calls, independent-canaries"
    with pytest.raises(InputError, match=f"^assume 'iid' is not one of {known}; give for example"):
        run(noisy, epsilon=1.0, data=[1, 2, 3], max_samples=300, assume=("iid",))


def test_assumptions_reach_the_settings_once_each() -> None:
    declared = ["independent-canaries", "independent-calls", "independent-calls"]
    assert assumptions_named(declared) == ("independent-calls", "independent-canaries")
    assert assumptions_named(()) == ()


@pytest.mark.slow
def test_what_is_of_the_kind_is_taken(tmp_path: Path) -> None:
    neighbors = ([1, 2], [2, 3])
    result = run(
        noisy,
        epsilon=1.0,
        data=[1, 2, 3],
        neighbors=neighbors,
        name="a count",
        assume=("independent-calls",),
        store=tmp_path / "kept.sqlite",
        max_samples=2_000,
        on_event=lambda event: None,
    )
    assert result.mechanism == "a count"


def test_datasets_that_are_numbers_have_numbers_as_neighbors() -> None:
    result = run(
        lambda data, rng: data + rng.laplace(),
        epsilon=1.0,
        data=5,
        neighbors=[6],
        relation="declared",
        max_samples=500,
    )
    assert result.samples <= 500
