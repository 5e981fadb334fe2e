"""Pictures of a page: what they show is where the numbers are."""

from __future__ import annotations

import dataclasses
import math
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.claims import PureDP
from audit.report.counterexample import WitnessSides, example
from audit.report.curve_chart import gauge
from audit.report.document import Example
from audit.report.html import render_fragment, witness_bars
from audit.report.tables import pair_chart
from audit.verdict.intervals import Estimate
from audit.verdict.result import AuditResult, Verdict, Witness

from ..sample_results import all_samples, exception_violation, inconclusive, not_refuted, violation
from .markup import Found, drawn, parsed

_CLOSE = 0.11
"""Places are rounded to a tenth."""


def _right(box: Found) -> float:
    return box.number("x") + box.number("width")


@pytest.mark.slow
@given(
    st.floats(0.02, 50.0),
    st.floats(0.02, 50.0),
    st.sampled_from([Verdict.VIOLATION, Verdict.NOT_REFUTED]),
)
def test_the_gauge_ends_at_the_bound_and_marks_the_claim(
    claimed: float, bound: float, verdict: Verdict
) -> None:
    violated = verdict is Verdict.VIOLATION
    bound = max(bound, claimed * 1.01) if violated else min(bound, claimed)
    result = dataclasses.replace(
        violation(), claim=PureDP(claimed), levels={"epsilon_lower": bound}, verdict=verdict
    )
    picture = drawn(gauge(result))
    (track,), (mark,) = picture.all("rect", "track"), picture.all("line", "mark")
    ticks = {t.text: t.number("x") for t in picture.all("text", "small") if _is_number(t.text)}
    place = _logarithmic(ticks)
    assert mark.number("x1") == pytest.approx(place(claimed), abs=1.0)
    shown = picture.all("rect", "shown") + picture.all("rect", "beyond")
    ends = [_right(part) for part in shown]
    assert min(part.number("x") for part in shown) == track.number("x")
    assert max(ends) == pytest.approx(place(bound), abs=2.5)
    beyond = picture.all("rect", "beyond")
    assert bool(beyond) == (verdict is Verdict.VIOLATION)
    if beyond:
        assert beyond[0].number("x") == pytest.approx(mark.number("x1"), abs=_CLOSE)
    assert max(ends) <= _right(track) + 2.0


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[\d.,e+-]+", text) is not None


def _logarithmic(ticks: dict[str, float]) -> Callable[[float], float]:
    values = sorted((float(text.replace(",", "")), place) for text, place in ticks.items())
    (low, start), (high, end) = values[0], values[-1]

    def place(value: float) -> float:
        return start + (end - start) * math.log(value / low) / math.log(high / low)

    return place


def test_a_gauge_without_a_bound_shows_none() -> None:
    picture = drawn(gauge(inconclusive()))
    assert not picture.all("rect", "shown") + picture.all("rect", "beyond")
    assert "claimed ε = 10" in picture.whole_text
    failed = dataclasses.replace(not_refuted(), verdict=Verdict.INCONCLUSIVE, reason="dependent")
    assert not drawn(gauge(failed)).all("rect", "shown")
    assert drawn(gauge(not_refuted())).all("rect", "shown")


@pytest.mark.parametrize("claimed", [0.01, 0.1, 1.0, 5.0, 10.0, 14.0, 20.0, 100.0])
def test_factors_of_a_gauge_stay_apart_and_inside_on_a_phone(claimed: float) -> None:
    picture = drawn(gauge(dataclasses.replace(inconclusive(), claim=PureDP(claimed))))
    factors = [found for found in picture.all("text", "faint") if found.text.startswith("×")]
    assert factors
    ends = [(f.number("x"), 3.8 * len(f.text)) for f in factors]
    spans = [0.0, *(x + side * half for x, half in ends for side in (-1, 1)), 480.0]
    assert spans == sorted(spans)


def _witness(result: AuditResult) -> Witness:
    assert result.witness is not None
    return result.witness


def _example(result: AuditResult) -> Example:
    return example(_witness(result), result)


@pytest.mark.slow
@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0.0, 0.2), st.floats(1.0, 20.0))
def test_bars_and_limit_are_true_to_scale(p: float, q: float, wide: float, slope: float) -> None:
    witness = dataclasses.replace(
        _witness(violation()),
        p=Estimate(p, max(0.0, p - wide), min(1.0, p + wide)),
        q=Estimate(q, max(0.0, q - wide), min(1.0, q + wide)),
        slope=slope,
    )
    found = WitnessSides.of(witness)
    picture = drawn(witness_bars(example(witness, violation())))
    track = picture.all("rect", "track")[0]
    left, width = track.number("x"), track.number("width")
    named = [t.text.removesuffix("%") for t in picture.all("text", "small")]
    whole = max(float(text.replace(",", "")) for text in named) / 100.0
    for look, estimate in (("p", witness.p), ("q", witness.q)):
        bars = picture.all("rect", look)
        drawn_share = bars[0].number("width") / width * whole if bars else 0.0
        assert drawn_share == pytest.approx(min(whole, estimate.estimate), abs=0.002 * whole)
    limits, tracks = picture.all("line", "limit"), picture.all("rect", "track")
    names = picture.all("text", "strong")
    for limit, crossed in zip(limits, tracks, strict=True):
        shown = (limit.number("x1") - left) / width * whole
        assert shown == pytest.approx(found.allowed, abs=0.002 * whole)
        top, bottom = limit.number("y1"), limit.number("y2")
        assert top < crossed.number("y") < crossed.number("y") + crossed.number("height") < bottom
        assert not any(top <= name.number("y") <= bottom for name in names)
    assert len(picture.all("line", "whisker")) == 6


def test_the_neighbor_has_the_second_bar_also_where_it_is_the_larger_one() -> None:
    picture = drawn(witness_bars(_example(exception_violation())))
    names = [t.text for t in picture.all("text", "strong")]
    assert [name.partition(" ")[0] for name in names] == ["P[D]", "P[D']"]
    assert not picture.all("rect", "p")
    assert picture.all("rect", "q")


@pytest.mark.parametrize("name", sorted(all_samples()))
def test_frequencies_have_the_height_of_their_share(name: str) -> None:
    result = all_samples()[name]
    for table in result.pairs:
        picture = drawn(pair_chart(result, table))
        grid = [line.number("y1") for line in picture.all("line", "grid")][:3]
        numbers = [t.text for t in picture.all("text", "small") if _is_number(t.text)]
        top = float(numbers[2].replace(",", ""))
        for look, estimates in (
            ("p", [b.p.estimate for b in table.bins]),
            ("q", [b.q.estimate for b in table.bins]),
        ):
            heights = [box.number("height") for box in picture.marks(look)]
            shares = [height / (grid[0] - grid[2]) * top for height in heights]
            expected = [value for value in estimates if value > 0]
            assert shares == pytest.approx(expected[: len(shares)], abs=0.01 * top)
        marks = picture.all("rect", "flagged") + picture.all("polygon", "flagged")
        assert len(marks) == sum(b.flagged for b in table.bins)
        assert len(picture.marks("band")) == len(table.bins)


@pytest.mark.parametrize("name", sorted(all_samples()))
def test_axes_have_names_and_flagged_ratios_show_their_certain_end(name: str) -> None:
    result = all_samples()[name]
    for table in result.pairs:
        picture = drawn(pair_chart(result, table))
        for stem in picture.all("line", "flagged"):
            assert abs(stem.number("y1") - stem.number("y2")) >= 1.0
        words = {t.text for t in picture.all("text", "faint")}
        assert words == {f"share of runs, by {table.feature}", f"P[D]/P[{table.name}]"}


@pytest.mark.parametrize("most", [0.011, 0.16, 0.21, 0.31, 0.41, 0.52, 0.61, 0.81, 1.0])
def test_frequencies_fill_their_axis(most: float) -> None:
    result = violation()
    cell = dataclasses.replace(result.pairs[0].bins[0], p=Estimate(most, most, most))
    cell = dataclasses.replace(cell, q=Estimate(0.01, 0.01, 0.01))
    picture = drawn(pair_chart(result, dataclasses.replace(result.pairs[0], bins=(cell,))))
    top = [t.text for t in picture.all("text", "small") if _is_number(t.text)][2]
    assert most <= float(top) <= 1.51 * most


@pytest.mark.parametrize("place", [0.0, 0.2, 0.33, 0.34, 0.5, 0.66, 0.67, 0.9, 1.0])
def test_the_words_of_the_limit_stay_in_the_picture(place: float) -> None:
    found = _example(violation())
    limit = dataclasses.replace(found.limit, value=place * found.scale, estimate="x" * 26)
    picture = drawn(witness_bars(dataclasses.replace(found, limit=limit)))
    (words,) = picture.all("text", "allowed")
    wide = 7.0 * len(words.text)
    before = {"start": 0.0, "middle": wide / 2.0, "end": wide}[words.attributes["text-anchor"]]
    left = words.number("x") - before
    width = float(picture.attributes["viewbox"].split()[2])
    assert 0.0 <= left <= left + wide <= width


def test_the_event_of_the_witness_is_shaded() -> None:
    result = violation()
    (shade,) = drawn(pair_chart(result, result.pairs[0])).marks("event")
    assert shade.number("width") > 0
    other = dataclasses.replace(result.pairs[0], name="D7")
    assert not drawn(pair_chart(result, other)).marks("event")


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(one: str, other: str) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_words_can_be_read_in_light_in_dark_and_on_paper() -> None:
    """WCAG 2.2 asks for 4.5 to 1 for text and 3 to 1 for what pictures show."""
    (style,) = parsed(render_fragment(violation())).all("style")
    schemes = re.findall(r"\{([^{}]*--paper: #[^{}]*)\}", style.text)
    assert len(schemes) == 5
    for scheme in schemes:
        colours = dict(re.findall(r"--(\w+): (#\w{6})", scheme))
        for ground in (colours["paper"], colours["soft"]):
            for words in ("ink", "muted", "bad", "good"):
                assert _contrast(colours[words], ground) >= 4.5, (words, scheme)
            for shape in ("p", "q", "bad"):
                assert _contrast(colours[shape], ground) >= 3.0, (shape, scheme)
