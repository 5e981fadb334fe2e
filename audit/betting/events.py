"""Events: sets of bins of one feature, to be bet on and said in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from audit.betting.event_words import Contents, present, sentence, weights
from audit.jsonable import Record, jsonable
from audit.outcomes.binning import Binning
from audit.outcomes.features import Feature
from audit.outcomes.label_features import NumberWith
from audit.outcomes.pair_counts import Masks

Places = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Bets:
    """The events on which one table of counts is bet.

    Every event is a span of an order of the bins, so that cumulative sums count
    it at its ends alone.

    Attributes:
        orders: shape (orders, bins), permutations of the bins.
        spans: shape (events, 3), single events: order, start, stop.
        joined: shape (doubles, 5), double bets: order, start and stop of the event
            bet D over D', start and stop of a disjoint one bet D' over D.
        weight: base weight of each single event, then of each double; sums to 1.
        ranked: which of them were chosen by looking at past frequencies.
        cells: where the table's cells stand in every order, shape (orders, bins, bins).
        places: where the cumulative sums are read, for singles and doubles.
    """

    orders: Places
    spans: Places
    joined: Places
    weight: NDArray[np.float64]
    ranked: Masks
    cells: Places
    places: tuple[Places, Places]

    @classmethod
    def of(
        cls,
        orders: Places,
        spans: Places,
        joined: Places,
        weight: NDArray[np.float64],
        ranked: Masks,
    ) -> Bets:
        """Bets on these spans."""
        bins = orders.shape[1]
        places = _places(spans, bins), _places(joined, bins)
        cells = orders[:, :, None] * bins + orders[:, None, :]
        return cls(orders, spans, joined, weight, ranked, cells, places)

    @property
    def size(self) -> int:
        """Events of both kinds."""
        return len(self.spans) + len(self.joined)

    def mask(self, order: int, start: int, stop: int) -> Masks:
        """Mask of the bins that a span holds."""
        held = np.zeros(self.orders.shape[1], np.bool_)
        held[self.orders[order, start:stop]] = True
        return held

    def masks(self, event: int) -> tuple[Masks, Masks]:
        """Bins of an event and of the second one; of a single one the second is empty."""
        if event < len(self.spans):
            plus = self.mask(*self.spans[event])
            return plus, np.zeros_like(plus)
        order, *ends = self.joined[event - len(self.spans)].tolist()
        return self.mask(order, *ends[:2]), self.mask(order, *ends[2:])

    def sums(self, joint: NDArray[Any]) -> NDArray[np.float64]:
        """Cumulative sums of a table along every order, shape (orders * (bins + 1)**2,)."""
        orders, bins = self.orders.shape
        cells = joint.take(self.cells)
        sums = np.zeros((orders, bins + 1, bins + 1))
        sums[:, 1:, 1:] = cells.cumsum(axis=2).cumsum(axis=1)
        return sums.ravel()


def _places(spans: Places, bins: int) -> Places:
    """All pairs of a span's ends and the end of the order, in cumulative sums."""
    ends = np.column_stack([spans[:, 1:], np.full(len(spans), bins)])
    flat = (spans[:, :1, None] * (bins + 1) + ends[:, :, None]) * (bins + 1) + ends[:, None, :]
    return np.ascontiguousarray(flat.reshape(len(spans), ends.shape[1] ** 2))


def describe(feature: Feature, binning: Binning, mask: Masks) -> Event:
    """One event in words and in plain values.

    Args:
        feature: what is read off an output.
        binning: its bins.
        mask: the bins of the event.
    """
    intervals = _intervals(binning, mask)
    symbols = [s for i, s in enumerate(binning.symbols) if mask[binning.numeric + i]]
    rest = bool(mask[-1])
    contents = Contents(feature, binning, intervals, symbols, rest)
    parameters: dict[str, Any] = {
        "feature": feature.words,
        "intervals": [[_end(low), _end(high)] for low, high in intervals],
        "symbols": symbols,
        "other_symbols": rest,
    }
    if present(contents):
        parameters["presence"] = True
    if isinstance(feature, NumberWith):
        parameters["parts"] = [feature.label, feature.number]
    learned = weights(feature)
    return Event(sentence(contents), {**parameters, "weights": learned} if learned else parameters)


def _end(value: float) -> float | str:
    return value if np.isfinite(value) else ("inf" if value > 0 else "-inf")


def _intervals(binning: Binning, mask: Masks) -> list[tuple[float, float]]:
    """The event's numbers as half-open intervals, neighbors merged."""
    ends = np.concatenate([[-np.inf], binning.edges, [np.inf]])
    held = np.concatenate([[False], mask[: binning.numeric], [False]]).astype(int)
    starts, stops = np.flatnonzero(np.diff(held) == 1), np.flatnonzero(np.diff(held) == -1)
    return [(float(ends[a]), float(ends[b])) for a, b in zip(starts, stops, strict=True)]


@dataclass(frozen=True, slots=True)
class Event(Record):
    """A set of outputs, in words that an engineer can check by hand.

    Attributes:
        description: the words, for example "the output is at least 1.25".
        parameters: the same as plain values.
    """

    description: str
    parameters: dict[str, Any]

    def as_json(self) -> dict[str, Any]:
        return {"description": self.description, **jsonable(self.parameters)}
