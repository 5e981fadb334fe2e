"""A cheap first look at a few coupled draws of one pair.

Everything is compared at once with thresholds at a few quantiles: each number,
its distance from the middle, the sum and the largest of several, two of which one gives
the other away on D, each symbol.
What comes out is the log-wealth that the luckiest single bet would have had on
these very draws: good for ranking pairs, no evidence of anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from audit.betting.bet import STAKES
from audit.betting.sameness import certain
from audit.claims import Claim, Lines
from audit.neighbors.search.oracle import Law
from audit.outcomes.column import Floats, Masks
from audit.outcomes.encoding import KIND, Column, Outcomes, joined
from audit.outcomes.outcomes import PairedOutcomes
from audit.sampling.source import Address, Sources, Stage

_MOST_PARTS = 256
_QUARTILES = (0.25, 0.5, 0.75)
_STRONGER = 2.0 ** np.arange(-3, 6)
"""Parts and multiples of a claim's level at which a loss is measured."""
_LARGEST_LEVEL = 250.0
_CERTAIN = np.array([[[0.0, 1.0, 0.0, 0.0]]])
"""One pair that speaks for an event."""
_LEVELS = np.arange(1, 16) / 16
_ROWS, _RELATIONS = 4, 16
"""Runs on D from which it is seen that two numbers belong together, and how many such two."""
_ROUNDED = 1e-9
"""Part of a number that rounding changes at most."""
_ENDLESS = {"nan", "inf", "-inf"}
_MIRRORED = [0, 2, 1, 3]
_OPPOSITE = [3, 2, 1, 0]


def glance(past: PairedOutcomes, claim: Claim) -> float:
    """Log-wealth of the best single bet chosen with hindsight, at least 0."""
    return _best_growth(_tallies(past), claim.lines(claim.level))


def extent(past: PairedOutcomes, claim: Claim) -> float:
    """Estimated size of the loss on these draws, allowed by the claim or not.

    At levels from an eighth of the claim's to some thirty times as much: the part of what
    a certain event would earn there that the luckiest bet would have earned. Added up, that
    is the larger the more levels are broken, and the more clearly.

    Returns:
        Between 0 and `widest(claim)`.
    """
    tallies = _tallies(past) / past.left.size
    return sum(_best_growth(tallies, lines) / most for lines, most in _levels(claim))


def widest(claim: Claim) -> float:
    """The extent of an event that is certain on one side and impossible on the other."""
    return float(sum(1 for _ in _levels(claim)))


def _levels(claim: Claim) -> Iterator[tuple[Lines, float]]:
    """Lines at levels around the claim's, and what a certain event earns there with one pair."""
    for level in np.minimum(_STRONGER * claim.level, _LARGEST_LEVEL):
        lines = claim.lines(float(level))
        most = _best_growth(_CERTAIN, lines)
        if most > 0.0:
            yield lines, most


def _tallies(past: PairedOutcomes) -> Floats:
    """Of every event in both directions, the pairs that speak for it; shape (2, events, 4)."""
    values = _numbers(joined([past.left, past.right]), past.left.size)
    thresholds = np.quantile(values, _LEVELS, axis=0, method="inverted_cdf")[:, None, :]
    left, right = values[: past.left.size], values[past.left.size :]
    above = _tally(left >= thresholds, right >= thresholds)
    equal = _tally(left == thresholds, right == thresholds)
    events = np.concatenate([above, equal])
    events = np.concatenate([events, events[:, _OPPOSITE]])
    return np.stack([events, events[:, _MIRRORED]])


def best_possible(pairs: int, claim: Claim) -> float:
    """Score of an event that is certain on one side and impossible on the other."""
    return _best_growth(pairs * _CERTAIN, claim.lines(claim.level))


def _best_growth(tally: Floats, lines: Lines) -> float:
    return max(0.0, float((tally @ _log_factors(lines.tobytes())).max()))


def _tally(left: Masks, right: Masks) -> Floats:
    """Pairs by whether each side is in the event: both, D only, D' only, none.

    Args:
        left: shape (thresholds, pairs, columns).
        right: the same on D'.

    Returns:
        Shape (thresholds * columns, 4).
    """
    inside = (left & right).sum(axis=1).ravel()
    on_left, on_right = left.sum(axis=1).ravel(), right.sum(axis=1).ravel()
    outside = left.shape[1] - on_left - on_right + inside
    parts = [inside, on_left - inside, on_right - inside, outside]
    return np.stack(parts, axis=-1).astype(np.float64)


def _numbers(outcomes: Outcomes, size: int) -> Floats:
    """Everything to compare, shape (n, columns).

    Args:
        outcomes: of both sides.
        size: how many of them, the first, are of D.
    """
    # What failed runs say is read where bets are placed; a search goes by values.
    parts = [outcomes.columns[name] for name in outcomes.parts[:_MOST_PARTS]]
    marked = [c.symbols for c in (outcomes.column(KIND), *parts) if c.symbols is not None]
    shown = [symbols[:, None].astype(np.float64) for symbols in marked]
    if parts:
        values = np.stack([_with_gaps(column) for column in parts], axis=1)
        middle = np.quantile(values, 0.5, axis=0, method="inverted_cdf")
        with np.errstate(invalid="ignore"):
            shown += [values, np.abs(values - middle)]
            shown += [values.sum(axis=1, keepdims=True), values.max(axis=1, keepdims=True)]
            shown.append(_without_common_noise(values, min(size, _ROWS)))
    return np.nan_to_num(np.concatenate(shown, axis=1), nan=np.inf)


def _without_common_noise(values: Floats, rows: int) -> Floats:
    """Combinations of two columns from which noise is gone that both of them hold.

    In these two columns all differences to the first run are multiples of one.

    Args:
        values: shape (n, columns).
        rows: the first of them, on D, that show it.

    Returns:
        Shape (n, combinations).
    """
    if rows < _ROWS:
        return values[:, :0]
    with np.errstate(all="ignore"):
        moved = values[1:rows] - values[0]
        product = moved[0][:, None] * moved[1:, None, :]
        mirrored = product.swapaxes(1, 2)
        size = np.minimum(np.abs(product), np.abs(mirrored))
        alike = ((np.abs(product - mirrored) <= _ROUNDED * size) & (size > 0.0)).all(axis=0)
        one, other = (places[:_RELATIONS] for places in np.nonzero(np.triu(alike, 1)))
        left, right = values[:, one] * moved[0][other], values[:, other] * moved[0][one]
        grain = _ROUNDED * np.abs(left[:rows]).max(axis=0)
        return np.asarray(np.round((left - right) / grain))


def _with_gaps(column: Column) -> Floats:
    """The numbers of a column, infinite where it holds a symbol."""
    if column.symbols is None:
        return column.values
    return np.where(column.symbols == 0, column.values, np.inf)


def law_of(outcomes: Outcomes) -> Law:
    """Law of the outputs on one dataset: their kinds, and where their numbers lie.

    Numbers of which none is finite are a kind of their own.
    """
    columns = {name: outcomes.columns[name] for name in outcomes.parts[:_MOST_PARTS]}
    quartiles = _quartiles(columns, outcomes.size)
    endless = [name for name, column in columns.items() if _endless(column)]
    kinds = (" ".join((kind, *endless)) for kind in outcomes.kinds)
    middles = {name: float(middle) for name, (_, middle, _) in quartiles.items()}
    spreads = {name: float(high - low) for name, (low, _, high) in quartiles.items()}
    return Law(frozenset(kinds), middles, spreads)


def _quartiles(columns: Mapping[str, Column], size: int) -> dict[str, Floats]:
    """Quartiles of the numbers in each column that has any, by its name."""
    plain = [name for name, column in columns.items() if column.symbols is None]
    quartiles: dict[str, Floats] = {}
    if plain and size:
        values = np.stack([columns[name].values for name in plain])
        quartiles = dict(zip(plain, np.quantile(values, _QUARTILES, axis=1).T, strict=True))
    for name, column in columns.items():
        if column.symbols is not None and (column.symbols == 0).any():
            quartiles[name] = np.quantile(column.values[column.symbols == 0], _QUARTILES)
    return quartiles


def _endless(column: Column) -> bool:
    """True if all entries are infinite or NaN."""
    if column.symbols is None:
        return False
    return {column.names[code] for code in np.unique(column.symbols).tolist()} <= _ENDLESS


@lru_cache(maxsize=256)
def _log_factors(lines: bytes) -> Floats:
    """Log of the factor that a pair of runs multiplies each stake on each line by.

    Args:
        lines: slopes and offsets, shape (lines, 2), as bytes.

    Returns:
        Shape (4, lines * stakes), for pairs in the event on both sides, on D only, on D' only and
        on none.
    """
    slope, offset = np.frombuffer(lines).reshape(-1, 2, 1).swapaxes(0, 1)
    gain, cost = np.array([1.0, 1.0, 0.0, 0.0]), np.array([1.0, 0.0, 1.0, 0.0])
    payoffs = gain - slope * cost - offset
    stakes = STAKES / (slope + offset)
    factors = np.log1p(stakes[:, :, None] * payoffs[:, None, :]).reshape(-1, 4)
    return np.ascontiguousarray(factors.T)


def one_sided(past: PairedOutcomes) -> int:
    """Number of draws on one side that share a key, length, word or value the other side lacks.

    The most of any part of the output; numbers count only where they repeat.
    """
    pooled = joined([past.left, past.right])
    left = np.arange(pooled.size) < past.left.size
    return max((_of(column, left) for column in pooled.columns.values()), default=0)


def _of(column: Column, left: NDArray[np.bool_]) -> int:
    """The same of one part; values and symbols are told apart as pairs of numbers."""
    symbols = np.zeros(len(left)) if column.symbols is None else column.symbols
    values = np.where(symbols == 0, column.values, 0.0)
    _, codes = np.unique(values + 1j * symbols, return_inverse=True)
    most = codes.max() + 1
    counts = np.stack([np.bincount(codes[side], minlength=most) for side in (left, ~left)])
    return int(np.max(counts, where=counts[::-1] == 0, initial=0))


COMMON = 0
"""All pairs are looked at under the same randomness, which makes them comparable."""
_ANSWERED = 16
"""Pairs of runs after which outputs that have never varied are taken for answers."""


@dataclass(slots=True)
class PairLook:
    """Pilot runs of a pair so far, and their score.

    Attributes:
        place: its number, part of the address of its draws.
        sources: the black box on both datasets.
        past: its draws, None before the first.
        batches: how often it was drawn.
        score: log-wealth that the best bet would have had on these draws.
    """

    place: int
    sources: Sources
    past: PairedOutcomes | None = None
    batches: int = 0
    score: float = 0.0

    @property
    def drawn(self) -> int:
        """Pairs of runs so far."""
        return 0 if self.past is None else self.past.left.size

    def turn(self) -> Address:
        """The address of its next draws."""
        self.batches += 1
        return Address(Stage.SEARCH, self.place, self.batches - 1, twin=COMMON)

    @property
    def answered(self) -> bool:
        """True if outputs differ and have never varied, often enough to count as deterministic."""
        return self.past is not None and self.drawn >= _ANSWERED and certain(self.past)
