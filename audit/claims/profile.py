"""A claim that is a curve: privacy profiles of many (epsilon, delta), given by their rows.

All rows hold together, and nothing is promised between them but what follows from
them. A fine curve is bet on at a dozen of its rows, chosen by the curve alone. It has
no parameter that its lower bound could be of, so that is of a shift: with (epsilon_i,
delta_i) the rows, the claim moved by s has the rows (max(0, epsilon_i + s), delta_i).
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from audit.claims.interface import LARGEST_EPSILON, Claim, Lines, register_claim, two_point_delta
from audit.errors import ClaimError, reason_of, shown
from audit.source_code import file_module
from audit.validation import is_number, native, number_in

MOST_ROWS = 12
"""Rows of a fine curve that are bet on."""
_BOTH, _DIRECTIONS = "both", ("add", "remove")
_FINE = 256
"""Points at which a function is read."""
_NEGLIGIBLE = 1e-9
"""Deltas from here on tell no audit anything."""
_FARTHEST = 64.0
_FORM = "give a CSV with the columns epsilon and delta, or FILE.py:NAME of a function or PLD"

Rows = tuple[tuple[float, float], ...]
"""Epsilon and delta of each row, by growing epsilon."""


@register_claim
@dataclass(frozen=True, slots=True)
class ProfileDP(Claim):
    """Many (epsilon, delta) at once: a privacy profile, as an accountant gives it.

    Attributes:
        rows: epsilon and delta of each row, epsilons growing and deltas not.
        shift: by how much all epsilons are moved.
    """

    rows: Rows
    shift: float = 0.0
    kind: ClassVar[str] = "profile"
    symbol: ClassVar[str] = "shift"
    bound: ClassVar[str] = "shift_lower"

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", tuple((float(e), float(d)) for e, d in self.rows))
        check_rows(self.rows)

    @property
    def _origin(self) -> float:
        """The level at which nothing is moved: above 0, and all rows are at 0 at level 1."""
        return self.rows[-1][0] + 1.0

    @property
    def level(self) -> float:
        return self._origin + self.shift

    def at(self, level: float) -> ProfileDP:
        return ProfileDP(self.rows, level - self._origin)

    def stated(self, level: float) -> float:
        return max(level - self._origin, -self.rows[-1][0])

    def delta(self, epsilon: float) -> float:
        points = self.lines(self.level).tolist()
        return min(two_point_delta(math.log(slope), offset, epsilon) for slope, offset in points)

    def lines(self, level: float) -> Lines:
        epsilons, deltas = np.array(self.rows).T
        moved = np.clip(epsilons + (level - self._origin), 0.0, LARGEST_EPSILON)
        return np.column_stack([np.exp(moved), deltas])

    def as_json(self) -> dict[str, Any]:
        return {"kind": self.kind, "rows": [list(row) for row in self.rows]}

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> ProfileDP:
        return cls(_checked_pairs(document["rows"]))

    def __str__(self) -> str:
        (first, most), (last, least) = self.rows[0], self.rows[-1]
        if len(self.rows) == 1:
            return f"δ({first:.3g}) = {most:.3g} (a curve of one row)"
        ends = f"δ({first:.3g}) = {most:.3g} to δ({last:.3g}) = {least:.3g}"
        return f"a curve of {len(self.rows)} rows, {ends}"


def _check_row(epsilon: float, delta: float, where: str) -> None:
    if not (is_number(epsilon) and 0.0 <= epsilon <= LARGEST_EPSILON):
        raise ClaimError(
            f"epsilon {shown(epsilon)} in {where} is not between 0 and {LARGEST_EPSILON:g}", epsilon
        )
    if not (is_number(delta) and 0.0 <= delta <= 1.0):
        raise ClaimError(
            f"delta {shown(delta)} in {where} is not between 0 and 1; give a probability", delta
        )


def check_rows(rows: Sequence[tuple[float, float]]) -> None:
    """Refuse rows that are no curve, naming the first that is wrong.

    Raises:
        ClaimError: there are none, one is out of its range, or they are not in order.
    """
    if not rows:
        raise ClaimError("a curve without rows promises nothing; give epsilon and delta of some")
    before: tuple[float, float] | None = None
    for place, (epsilon, delta) in enumerate(rows, 1):
        where = f"row {place} of the curve"
        _check_row(epsilon, delta, where)
        if before is not None and epsilon <= before[0]:
            raise ClaimError(
                f"epsilon {epsilon:g} in {where} does not exceed that of the row before; give "
                "each epsilon once, in growing order",
                epsilon,
            )
        if before is not None and delta > before[1]:
            raise ClaimError(
                f"delta {delta:g} in {where} exceeds the {before[1]:g} of a smaller epsilon; a "
                "privacy profile never rises",
                delta,
            )
        before = epsilon, delta
    if rows[-1][1] >= 1.0:
        raise ClaimError("every row of the curve has delta 1, which promises nothing", rows)


def chosen_rows(rows: Sequence[tuple[float, float]]) -> Rows:
    """At most a dozen rows to bet on, by a rule that knows nothing but the curve.

    Those of a fine curve are the ones nearest to evenly spaced deltas, half of them
    spaced by differences and half by ratios, down to what an audit could ever see.
    """
    telling = [row for row in rows if row[1] < 1.0]
    if len(telling) <= MOST_ROWS:
        return tuple(telling)
    deltas = np.array([delta for _, delta in telling])
    low, high = max(float(deltas[-1]), _NEGLIGIBLE), max(float(deltas[0]), _NEGLIGIBLE)
    half = MOST_ROWS // 2
    wanted = [*np.linspace(high, low, half + 1), *np.geomspace(high, low, half + 1)]
    places = {int(np.abs(deltas - delta).argmin()) for delta in wanted}
    return tuple(telling[place] for place in sorted(places))


def profile_claim(given: Any) -> ProfileDP:
    """The claim that a curve states, however it is given.

    Args:
        given: a `ProfileDP`; rows of epsilon and delta; a function from epsilon to delta; a
            privacy-loss distribution of dp_accounting, or whatever else has its
            `get_delta_for_epsilon`; or the path of a CSV, or FILE.py:NAME.

    Returns:
        The claim, with a dozen of its rows at most.

    Raises:
        ClaimError: it is none of these, or no curve.
        InputError: a file cannot be read.
    """
    if isinstance(given, ProfileDP):
        return given
    if isinstance(given, str | Path):
        return profile_claim(_from_file(str(given)))
    if hasattr(given, "get_delta_for_epsilon"):
        return profile_claim(given.get_delta_for_epsilon)
    rows = _sampled(given) if callable(given) else _checked_pairs(given)
    check_rows(rows)
    return ProfileDP(chosen_rows(rows))


def _checked_pairs(given: Any) -> Rows:
    try:
        rows = [(native(epsilon), native(delta)) for epsilon, delta in given]
    except (TypeError, ValueError):
        raise ClaimError(f"{shown(given)} is no curve; {_FORM}", given) from None
    check_rows(rows)
    return tuple(rows)


def _sampled(profile: Any) -> list[tuple[float, float]]:
    """A function at points from 0 on to where its delta is negligible."""

    def at(epsilon: float) -> float:
        try:
            delta = native(profile(epsilon))
        except Exception as error:
            raise ClaimError(
                f"the curve fails at epsilon {epsilon:g}: {reason_of(error)}; give a function from "
                "epsilon to delta",
                profile,
            ) from error
        if not (is_number(delta) and 0.0 <= delta <= 1.0):
            raise ClaimError(
                f"the curve is {shown(delta)} at epsilon {epsilon:g}; a delta is a number between "
                "0 and 1",
                delta,
            )
        return float(delta)

    farthest = 1.0 / 16.0
    while farthest < _FARTHEST and at(farthest) > _NEGLIGIBLE:
        farthest *= 2.0
    return [(epsilon, at(epsilon)) for epsilon in np.linspace(0.0, farthest, _FINE + 1).tolist()]


def _from_file(address: str) -> Any:
    path, found, name = address.rpartition(":")
    if found and path.endswith(".py"):
        module = file_module(Path(path))
        if not hasattr(module, name):
            raise ClaimError(f"{path} has no {name!r}; {_FORM}", address)
        return getattr(module, name)
    try:
        with open(address, encoding="utf-8-sig", newline="") as file:
            return _of_both_directions(list(_csv_rows(csv.DictReader(file), address)), address)
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ClaimError(
            f"curve {address!r} cannot be read ({reason_of(error)}); {_FORM}", address
        ) from None


def _csv_rows(table: csv.DictReader[str], address: str) -> Iterator[tuple[str, float, float]]:
    names = [name.strip().lower() for name in table.fieldnames or ()]
    if not {"epsilon", "delta"} <= set(names):
        raise ClaimError(f"{address} has no columns epsilon and delta; {_FORM}", address)
    table.fieldnames = names
    for line in table:
        where = f"line {table.line_num} of {address}"
        numbers = [_number(line[name], name, where) for name in ("epsilon", "delta")]
        direction = (line.get("direction") or _BOTH).strip().lower()
        if direction not in (_BOTH, *_DIRECTIONS):
            raise ClaimError(
                f"direction {shown(direction)} in {where} is none of add, remove and both",
                direction,
            )
        yield direction, numbers[0], numbers[1]


def _number(text: str | None, name: str, where: str) -> float:
    found = None if text is None else number_in(text.strip())
    if found is None or math.isnan(found):
        raise ClaimError(f"{name} {shown(text)} in {where} is not a number", text)
    return float(found)


def _of_both_directions(rows: Sequence[tuple[str, float, float]], address: str) -> Rows:
    """Rows of a curve in either order of two neighbors: at each epsilon the larger delta."""
    if not rows:
        raise ClaimError(f"{address} has no rows; {_FORM}", address)
    curves = []
    for direction in _DIRECTIONS:
        own = [(epsilon, delta) for name, epsilon, delta in rows if name in (direction, _BOTH)]
        if not own:
            raise ClaimError(
                f"{address} has no rows of direction {direction}; an audit bets in both directions",
                address,
            )
        check_rows(own)
        curves.append(own)
    epsilons = sorted({epsilon for curve in curves for epsilon, _ in curve})
    found = [(epsilon, max(_at(curve, epsilon) for curve in curves)) for epsilon in epsilons]
    return tuple(found)


def _at(curve: Sequence[tuple[float, float]], epsilon: float) -> float:
    """Delta of a curve at an epsilon by its rows up to there."""
    return min((delta for own, delta in curve if own <= epsilon), default=1.0)
