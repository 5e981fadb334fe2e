"""Figures: the same bytes each time, nothing covered, nothing cut off."""

from __future__ import annotations

import dataclasses
import math

import matplotlib
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from audit.betting.events import Event
from audit.claims import ApproxDP, PureDP, ZeroConcentratedDP
from audit.report.figures import EdgedScale, Point, bound_figure, image, short, style
from audit.report.pair_figure import pair_figure
from audit.report.picture_data import BinAxis
from audit.report.witness_sides import largest_allowed
from audit.verdict.result import AuditResult, Verdict

from .sample_results import all_samples, exception_violation, not_refuted, violation

WITH_PAIRS = sorted(name for name, result in all_samples().items() if result.pairs)
POINTS = [
    Point(1.0, 0.97, Verdict.NOT_REFUTED),
    Point(2.0, 1.9, Verdict.VIOLATION),
    Point(math.inf, 5.1, Verdict.VIOLATION),
    Point(math.inf, 5.1, Verdict.VIOLATION),
    Point(10.0, 0.0, Verdict.INCONCLUSIVE),
]


def _drawn(figure: Figure) -> Figure:
    with style():
        FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
    return figure


def _renderer(figure: Figure) -> RendererAgg:
    assert isinstance(figure.canvas, FigureCanvasAgg)
    renderer = figure.canvas.get_renderer()  # type: ignore[no-untyped-call]
    assert isinstance(renderer, RendererAgg)
    return renderer


def _first(result: AuditResult) -> Figure:
    return _drawn(pair_figure(result, result.pairs[0]))


@pytest.mark.slow
@pytest.mark.parametrize("name", WITH_PAIRS)
def test_the_same_figure_has_the_same_bytes(name: str) -> None:
    result = all_samples()[name]
    first = image(pair_figure(result, result.pairs[0]), "svg")
    with matplotlib.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.hashsalt": "x"}):
        second = image(pair_figure(result, result.pairs[0]), "svg")
    assert first == second
    assert b"<dc:date>" not in first


def test_figures_come_as_svg_and_png() -> None:
    figure = bound_figure(POINTS)
    assert image(figure, "svg").startswith(b"<?xml")
    assert image(figure, "png").startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "figure", [_first(violation()), _first(exception_violation()), _drawn(bound_figure(POINTS))]
)
def test_legends_cover_no_data_and_nothing_is_cut_off(figure: Figure) -> None:
    renderer = _renderer(figure)
    page = figure.bbox
    for axes in figure.axes:
        legend = axes.get_legend()
        assert legend is not None
        covered = legend.get_window_extent(renderer)
        assert covered.y0 >= axes.bbox.y1 - 0.5
        assert covered.x1 <= page.x1
        assert axes.title.get_window_extent(renderer).y1 <= page.y1
        whole = axes.get_tightbbox(renderer)
        assert whole is not None
        assert whole.x0 >= page.x0 - 1 and whole.x1 <= page.x1 + 1
        assert whole.y0 >= page.y0 - 1 and whole.y1 <= page.y1 + 1


def test_an_upper_title_stands_above_its_legend() -> None:
    figure = _first(violation())
    renderer = _renderer(figure)
    above = figure.axes[0]
    legend = above.get_legend()
    assert legend is not None
    title = above._left_title.get_window_extent(renderer)  # type: ignore[attr-defined]
    assert title.y0 >= legend.get_window_extent(renderer).y1 - 1.0


def _markers(figure: Figure) -> list[str]:
    lines = [
        line for line in figure.axes[1].get_lines() if len(np.atleast_1d(line.get_xdata())) == 1
    ]
    return [str(line.get_marker()) for line in lines]


def test_infinite_and_zero_ratios_are_arrows_inside_the_axes() -> None:
    table = exception_violation().pairs[0]
    swapped = [
        dataclasses.replace(b, ratio=b.reverse, reverse=b.ratio, p=b.q, q=b.p) for b in table.bins
    ]
    result = dataclasses.replace(exception_violation(), witness=None)
    turned = _drawn(pair_figure(result, dataclasses.replace(table, bins=tuple(swapped))))
    assert _markers(_first(exception_violation())).count("v") == 2
    assert _markers(turned).count("^") == 2
    low, high = turned.axes[1].get_ylim()
    for line in turned.axes[1].get_lines():
        assert isinstance(line, Line2D)
        values = np.asarray(line.get_ydata(), float)
        assert np.all((low * 0.999 <= values) & (values <= high * 1.001))


def test_bins_nothing_fell_into_have_no_ratio() -> None:
    table = not_refuted().pairs[0]
    nothing = dataclasses.replace(
        table.bins[0],
        p=dataclasses.replace(table.bins[0].p, estimate=0.0),
        q=dataclasses.replace(table.bins[0].q, estimate=0.0),
    )
    changed = dataclasses.replace(table, bins=(nothing, *table.bins[1:]))
    assert len(_markers(_drawn(pair_figure(not_refuted(), changed)))) == len(table.bins) - 1


@pytest.mark.parametrize("probability", [0.02, 0.3, 1.0])
def test_the_band_is_what_the_claim_allows(probability: float) -> None:
    assert largest_allowed(PureDP(0.5).lines(0.5), probability) == pytest.approx(math.exp(0.5))
    approximate = ApproxDP(0.5, 0.01)
    ratio = largest_allowed(approximate.lines(0.5), probability)
    assert probability == pytest.approx(math.exp(0.5) * (probability / ratio) + 0.01)
    weak = largest_allowed(ZeroConcentratedDP(0.5).lines(0.5), probability)
    strong = largest_allowed(ZeroConcentratedDP(0.1).lines(0.1), probability)
    assert 1.0 < strong < weak


def test_events_rarer_than_delta_have_no_limit() -> None:
    assert math.isinf(largest_allowed(ApproxDP(1.0, 0.1).lines(1.0), 0.05))
    assert largest_allowed(PureDP(1.0).lines(1.0), 0.0) == pytest.approx(math.e)


def test_the_event_is_shaded_where_it_lies() -> None:
    result = violation()
    assert result.witness is not None
    axis = BinAxis.of(result.pairs[0])
    assert axis.spans(result.witness.event)[0] == pytest.approx((10.0, 16.0))
    low_end = Event("", {"feature": "output", "intervals": [["-inf", 41.25]], "symbols": []})
    assert axis.spans(low_end)[0] == pytest.approx((0.0, 1.5))
    elsewhere = Event("", {"feature": "sum of the output", "intervals": [[0.0, "inf"]]})
    assert axis.spans(elsewhere) == []


def test_symbols_of_the_event_are_shaded() -> None:
    result = exception_violation()
    assert result.witness is not None
    assert BinAxis.of(result.pairs[0]).spans(result.witness.event) == [(0.0, 1.0)]


def test_labels_are_ones_the_font_can_draw() -> None:
    assert short("ε ≥ 1", 10) == "ε ≥ 1"
    assert short("日本", 20) == "\\u65e5\\u672c"
    assert short("a" * 30, 10) == "a" * 9 + "…"
    assert short("a\nb", 10) == "a\\nb"


def test_formulas_in_labels_are_not_typeset() -> None:
    result = dataclasses.replace(violation(), mechanism="price $x_1$ $\\frac$")
    assert image(pair_figure(result, result.pairs[0]), "svg")


def test_every_bound_has_a_place_in_its_order() -> None:
    values = [0.0, 0.01, 0.5, 3.0, 700.0, math.inf]
    scale = EdgedScale.over(values)
    places = [scale.place(value) for value in values]
    assert places == sorted(set(places))
    assert scale.limits[0] < places[0] and places[-1] < scale.limits[1]
    assert scale.place(scale.low) == 0.0
    assert scale.place(scale.high) == pytest.approx(1.0)


@pytest.mark.parametrize("points", [[Point(math.inf, 0.0, Verdict.INCONCLUSIVE)], POINTS[:1]])
def test_a_few_points_are_enough(points: list[Point]) -> None:
    assert image(bound_figure(points), "svg")


def test_points_that_share_a_place_in_the_strip_stand_side_by_side() -> None:
    figure = bound_figure([Point(math.inf, 5.0, Verdict.VIOLATION)] * 5)
    (line,) = [line for line in figure.axes[0].get_lines() if line.get_label() == "violation"]
    assert len(set(np.asarray(line.get_xdata()).tolist())) == 5


def test_the_users_settings_are_left_alone() -> None:
    before = dict(matplotlib.rcParams)
    with style():
        pass
    assert dict(matplotlib.rcParams) == before
