"""Renderings of the catalogue: outputs expose the true count where they should, and only there."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

import numpy as np
import pytest
from numpy.random import default_rng
from scipy import stats

import audit
from audit.verdict.result import Verdict
from mechanisms import CATALOG
from mechanisms.families.rendering import STYLES, RenderedCount

NAMES = [name for name, entry in CATALOG.items() if entry.group.startswith("Rendering")]
DRAWS = 4_000
SEED, BUDGET = 11, 1e-9

READERS: dict[str, Callable[[Any], Any]] = {
    "text-line": lambda y: int(re.findall(r"from (\d+)", y)[0]),
    "text-log": lambda y: int(y.rsplit("=", 1)[1]),
    "text-length": lambda y: len(y) - 9,
    "text-json": lambda y: json.loads(y)["rows"],
    "text-word": lambda y: "odd" in y.split(),
    "text-decimals": lambda y: len(y.rsplit(".", 1)[1]),
    "bytes": lambda y: y[8],
    "text-lines": lambda y: y.count("\n"),
    "text-capitals": lambda y: y[0] == "X",
    "text-character": lambda y: y[4],
    "key-order": lambda y: next(iter(y)),
    "number-type": lambda y: type(y["value"]) is int,
    "container-type": lambda y: type(y[0]) is tuple,
    "index-kind": lambda y: type(y.index).__name__,
    "column-type": lambda y: str(y.dtypes.iloc[1]),
    "memory-layout": lambda y: y.flags.fnc,
    "field-order": lambda y: y._fields,
    "record-type": lambda y: type(y[0]).__name__,
    "unused-category": lambda y: len(y.dtype.categories),
    "trailing-zeros": lambda y: y.as_tuple().exponent,
    "weekday": lambda y: y.weekday(),
    "text-vowels": lambda y: sum(letter in "aeiou" for letter in y),
    "text-time-stamp": lambda y: datetime.fromisoformat(y).weekday(),
    "text-last-digit": lambda y: y.partition("e")[0][-1],
    "unknown-step": lambda y: round(y / 0.7) % 3,
    "residue": lambda y: y % 7,
    "decimal-grid": lambda y: abs(y * 100 - round(y * 100)) < 1e-6,
    "fraction": lambda y: round((y % 1.0) * 10),
    "large-integer": lambda y: y % 10,
    "exact-relation": lambda y: round(y[2] - y[0] + 2 * y[1]),
    "exact-ratio": lambda y: round(y[1] / y[0]),
    "repeated-entry": lambda y: len(set(y.tolist())),
    "spread": lambda y: round(y.max() - y.min()),
    "sum-residue": lambda y: y.sum() % 5,
    "order-of-entries": lambda y: tuple(np.argsort(y[:3]).tolist()),
    "sign-agreement": lambda y: y[0] * y[1] > 0,
    "longest-run": lambda y: y[2] == y[3],
}
"""What shows the true count in every output; an eighth of the rest does, or odds of 6 to 1."""
ODDS = {"narrow-peak": (0.125, lambda y: 1.11 <= y <= 1.11002), "scattered-values": (6 / 7, None)}


def outputs_of(style: str, exact: bool, size: int, count: int) -> Iterable[Any]:
    found = RenderedCount(style, exact).release(np.ones(count), default_rng([SEED, count]), size)
    assert len(found) == size
    return list(found)


def test_every_style_has_a_reader_and_two_entries() -> None:
    assert {*READERS, *ODDS} == {*STYLES}
    assert len(NAMES) == 2 * len(STYLES) >= 40
    assert {name.rpartition("-of-")[0] for name in NAMES} == {*STYLES}


@pytest.mark.parametrize("style", READERS)
def test_the_true_count_can_be_read_in_every_output(style: str) -> None:
    seen = [{READERS[style](y) for y in outputs_of(style, True, 400, n)} for n in (3, 2)]
    assert [len(answers) for answers in seen] == [1, 1]
    assert seen[0] != seen[1]


def test_the_narrow_peak_moves_with_the_true_count() -> None:
    share, inside = ODDS["narrow-peak"]
    assert inside is not None
    held = [sum(map(inside, outputs_of("narrow-peak", True, DRAWS, n))) for n in (3, 2)]
    assert abs(held[0] - share * DRAWS) < 6 * np.sqrt(DRAWS * share)
    assert held[1] < 6


def test_half_of_the_scattered_values_come_six_times_as_often() -> None:
    left, right = (outputs_of("scattered-values", True, 60_000, n) for n in (3, 2))
    counts = [np.bincount(np.array(side), minlength=100) for side in (left, right)]
    often = counts[0] > counts[1]
    assert often.sum() == 50
    share, _ = ODDS["scattered-values"]
    assert abs(counts[0][often].sum() - share * 60_000) < 6 * np.sqrt(60_000 * share)
    assert abs(counts[1][~often].sum() - share * 60_000) < 6 * np.sqrt(60_000 * share)


@pytest.mark.slow
@pytest.mark.parametrize("style", READERS)
def test_what_twins_show_keeps_the_claim(style: str) -> None:
    """No answer of the reader has odds beyond e, at an error of 1e-9 for each of them."""
    sides = [[READERS[style](y) for y in outputs_of(style, False, DRAWS, n)] for n in (3, 2)]
    for one, other in (sides, sides[::-1]):
        for answer in set(one):
            times = one.count(answer), other.count(answer)
            # Given their sum, the first is binomial with odds of at most e to 1.
            tail = stats.binom.sf(times[0] - 1, sum(times), math.e / (1.0 + math.e))
            assert tail > BUDGET


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_auditor_tells_the_twins_apart(name: str) -> None:
    entry = CATALOG[name]
    result = audit.run(
        entry.mechanism,
        data=entry.data,
        neighbors=entry.neighbors,
        max_samples=40_000,
        search=False,
        until="violation",
    )
    wanted = Verdict.NOT_REFUTED if entry.truth.keeps else Verdict.VIOLATION
    assert result.verdict is wanted
    assert (result.witness is None) == entry.truth.keeps
