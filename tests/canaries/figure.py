"""Bounds of every mechanism beside its true epsilon, ours and the peer's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from audit.report.formatting import number
from audit.report.svg import Axes, Drawing, Drawn, Linear, legend, text
from tests.canaries.bounds import GAUSSIAN_ONLY, Bounds, best_of

_HALF, _APART, _WIDE = 0.38, 0.2, 0.06
_KEYS = (
    ("claimed", "true ε"),
    ("p", "audit canaries"),
    ("q", "jax_privacy, its best"),
    ("beyond", "jax_privacy, as if Gaussian"),
)


class _Columns(Linear):
    """One column for each mechanism, named elsewhere."""

    def ticks(self) -> Iterator[tuple[float, str]]:
        return iter(())


def bounds_figure(found: Sequence[Bounds]) -> Drawing:
    """A column for each mechanism: its truth as a line, bounds from least to most, medians."""
    bounds = [value for each in found for _, _, values in _columns(each) for value in values]
    highest = max([*(each.row.epsilon for each in found), *bounds])
    axes = Axes(_Columns(-0.5, len(found) - 0.5), Linear(0.0, 1.05 * highest), 44.0, 304.0)
    parts = [*axes.frame("", "lower bound on ε"), *legend(_KEYS, 60.0, 8.0)]
    for place, each in enumerate(found):
        parts += _column(axes, place, each)
    return Drawing("lower bounds beside true epsilons", 720.0, 362.0, tuple(parts))


def _column(axes: Axes, place: int, bounds: Bounds) -> Iterator[Drawn]:
    truth = bounds.row.epsilon
    yield axes.trace("claimed", [(place - _HALF, truth), (place + _HALF, truth)])
    for shift, look, values in _columns(bounds):
        across, middle = place + shift * _APART, median(values)
        yield axes.trace(look, [(across, min(values)), (across, max(values))])
        yield axes.trace(look, [(across - _WIDE, middle), (across + _WIDE, middle)])
    x, _ = axes.place(place, 0.0)
    for row, words in enumerate((*bounds.row.name.split(), f"ε = {number(truth)}")):
        yield text(words, x, axes.bottom + 16.0 + 14.0 * row, "faint", "middle")


def _columns(bounds: Bounds) -> list[tuple[int, str, list[float]]]:
    columns = [(-1, "p", bounds.own)]
    if bounds.others:
        columns.append((0, "q", bounds.others[best_of(bounds)[0]]))
        columns.append((1, "beyond", bounds.others[GAUSSIAN_ONLY]))
    return columns
