"""Arguments from Python that are no numbers: one line names what was given and what may be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from audit import run
from audit.errors import InputError

FRAME = pd.DataFrame({"age": [1, 2]})


def noisy(data: Any, rng: Any) -> float:
    return float(len(data) + rng.laplace())


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        *(
            (list_, value, "no list of datasets")
            for list_ in ("neighbors", "more_data")
            for value in (5, None, "ab", {}, [1, 2], FRAME)
        ),
        *(
            (file, value, "no path of a file")
            for file in ("store", "ledger")
            for value in (5, [], b"kept")
        ),
        *(
            (truth, value, "neither true nor false")
            for truth in ("search", "null", "timing", "special")
            for value in (5, "yes")
        ),
        ("budget", 5, "of type int"),
        ("execution", {}, "of type dict"),
        ("name", 5, "of type int"),
        ("on_event", 5, "nothing that can be called"),
    ],
)
def test_other_kinds_are_refused_in_one_line(name: str, value: Any, words: str) -> None:
    given: dict[str, Any] = {"epsilon": 1.0, "data": [1, 2, 3], "max_samples": 300}
    with pytest.raises(InputError, match=f"^{name} .* is {words}; give for example") as caught:
        run(noisy, **given | {name: value})
    assert "\n" not in str(caught.value)
    assert caught.value.offender is value


def test_what_is_of_the_kind_is_taken(tmp_path: Path) -> None:
    neighbors = ([1, 2], [2, 3])
    result = run(
        noisy,
        epsilon=1.0,
        data=[1, 2, 3],
        neighbors=neighbors,
        name="a count",
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
