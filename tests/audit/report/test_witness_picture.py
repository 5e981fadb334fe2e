"""The witness as a picture of characters: true to scale, its sides in their places."""

from __future__ import annotations

import dataclasses
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.report.numerals import read
from audit.report.text import render_text
from audit.report.witness_picture import picture, scale
from audit.report.witness_sides import WitnessSides
from audit.verdict.estimate import Estimate
from audit.verdict.result import AuditResult, Witness

from .known_truth import MECHANISMS, VIOLATORS, audited
from .sample_results import exception_violation, violation

_SHARES = st.floats(0.0, 1.0)


def _witness(result: AuditResult) -> Witness:
    assert result.witness is not None
    return result.witness


def test_p_is_of_d_and_q_of_its_neighbor_whichever_is_larger() -> None:
    forward = WitnessSides.of(_witness(violation()))
    assert (forward.left.name, forward.right.name) == ("D", "D1")
    assert (forward.left.symbol, forward.more.symbol) == ("p", "p")
    assert forward.line == "p ≤ e^0.5 q = 1.65 q"
    backward = WitnessSides.of(_witness(exception_violation()))
    assert (backward.left.name, backward.left.estimate.estimate) == ("D", 0.0)
    assert (backward.right.name, backward.right.symbol) == ("D1", "q")
    assert backward.more is backward.right
    assert backward.left.dataset == [1]
    assert backward.line == "q ≤ e^1 p + 1e-05 = 2.72 p + 1e-05"


@pytest.mark.parametrize("name", [*VIOLATORS, "exact", "raises", "keyed"])
def test_p_and_q_keep_their_sides_in_the_whole_text(name: str) -> None:
    """What is called p is of D, in the picture and in the tables."""
    result = audited(name)
    shown = render_text(result, tables=True)
    assert re.search(r"\n  D +\[1\.0\]\n  D1 +\[\]\n", shown)
    assert re.search(r"\n  p on D  ", shown)
    assert re.search(r"\n  q on D1 ", shown)
    assert bool(re.search(r"  p on D +q on D1", shown)) == bool(result.pairs)
    witness = _witness(result)
    found = WitnessSides.of(witness)
    assert found.more.estimate == witness.p
    for table in result.pairs:
        total = sum(cell.p.estimate for cell in table.bins)
        assert 0.9 < total <= 1.0 + 1e-9
    assert MECHANISMS[name].claim


@pytest.mark.slow
@given(_SHARES, _SHARES, _SHARES, st.floats(1.0, 1e6), st.integers(10, 60))
def test_bars_are_true_to_scale(
    p: float, q: float, spread: float, slope: float, width: int
) -> None:
    low, high = p * (1 - spread), p + (1 - p) * spread
    witness = dataclasses.replace(
        _witness(violation()),
        p=Estimate(p, low, high),
        q=Estimate(q, q, q),
        slope=slope,
    )
    found = WitnessSides.of(witness)
    bars = picture(found, width)
    whole = scale(max(high, q, found.allowed))
    assert whole >= max(high, q, found.allowed) * 0.999
    for bar, ends in zip(bars, ((low, high), (q, q)), strict=False):
        assert abs(bar.drawn.count("█") - ends[0] / whole * width) <= 0.5 + 1e-9
        assert abs(len(bar.drawn) - max(1, ends[1] / whole * width)) <= 0.5 + 1e-9
        assert bar.drawn == "█" * bar.drawn.count("█") + "░" * bar.drawn.count("░")
    mark = bars[2].drawn.index("│")
    assert abs(mark - found.allowed / whole * width) <= 1.0


@pytest.mark.parametrize("name", VIOLATORS)
def test_the_mark_stands_left_of_the_bar_where_the_intervals_exclude_the_claim(name: str) -> None:
    witness = _witness(audited(name))
    bars = picture(WitnessSides.of(witness))
    longest = max(bar.drawn.count("█") for bar in bars[:2])
    if witness.separated:
        assert bars[2].drawn.index("│") <= longest
        assert read(bars[2].words.removeprefix("p up to ").removeprefix("q up to ")) >= (
            witness.slope * witness.q.high + witness.offset
        )


@pytest.mark.parametrize(
    ("largest", "whole"), [(1.0, 1.0), (0.5, 1.0), (0.3, 0.5), (0.011, 0.02), (0.0, None)]
)
def test_scales_are_round(largest: float, whole: float | None) -> None:
    found = scale(largest)
    if whole is None:
        assert 0.0 < found < 1e-9
    else:
        assert math.isclose(found, whole)


def test_a_small_scale_is_named() -> None:
    rare = dataclasses.replace(
        _witness(violation()), p=Estimate(0.03, 0.02, 0.04), q=Estimate(0.001, 0.0, 0.002)
    )
    bars = picture(WitnessSides.of(rare))
    assert bars[2].drawn.endswith("(bars reach to 0.05)")
