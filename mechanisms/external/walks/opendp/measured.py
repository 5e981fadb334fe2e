"""Shared parts of the walks of OpenDP: prelude, domains, and claims from privacy maps."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from audit.claims import ZCDP, ApproxDP, Claim, PureDP
from audit.declaration import Entry
from audit.relation import Relation
from mechanisms.external.call import invoked
from mechanisms.external.shelf import DECLARED, Shelf
from mechanisms.external.walks.steps import step

_MAP = "measurement.map(d_in) bounds the privacy loss"
_DELTA = 1e-3
WHOLE = ("i32", "i64", "u32", "u64")
"""Types of integers that the library's wheel was built for."""
REAL = ("f32", "f64")


@dataclass(frozen=True, slots=True)
class Measured:
    """Calls of OpenDP at the loss that their own map reports.

    Attributes:
        shelf: of the library.
        dp: its prelude.
        refused: what it raises where a combination is not supported.
    """

    shelf: Shelf
    dp: Any
    refused: type[Exception]

    def kind(self, name: str) -> Any:
        """A type of the library by its name."""
        return getattr(self.dp, name)

    def atoms(self, name: str) -> Any:
        """The domain of one value of a type, without NaN."""
        return self.dp.atom_domain(T=self.kind(name), **({"nan": False} if name in REAL else {}))

    def made(self, make: Callable[..., Any], *arguments: Any, **options: Any) -> Any:
        """Result of a constructor, None when the library refuses this combination."""
        try:
            return make(*arguments, **options)
        except (self.refused, TypeError):
            return None

    def entry(
        self,
        call: str,
        made: Any,
        cast: Callable[[Any], Any],
        pair: tuple[Any, Any],
        distance: Any,
        relation: Relation = DECLARED,
        told: Callable[[Any], Any] | None = None,
    ) -> Entry:
        """One call, with the claim that its map makes at a distance between neighbors.

        Args:
            call: in words of the library.
            made: the measurement.
            cast: gives it a dataset in the form that it wants.
            pair: two datasets.
            distance: between them, in the metric of the measurement.
            relation: what makes them neighbors.
            told: what of an output is told, all of it where nothing is said.
        """
        does = invoked(made, cast)
        return step(
            self.shelf,
            f"{call}, d_in = {distance}",
            does if told is None else lambda data: told(does(data)),
            pair,
            claims=claim_of(self.dp, made, distance),
            relation=relation,
            documented=_MAP,
        )


def cast_of(name: str) -> type:
    """The type of Python that a type of the library takes."""
    return float if name in REAL else int


def claim_of(dp: Any, made: Any, distance: Any) -> Claim:
    """Claim from a privacy map of any output measure.

    Args:
        dp: the prelude of the library.
        made: a measurement.
        distance: between two datasets that are neighbors.
    """
    measure = str(made.output_measure)
    if "Approximate" in measure and "ZeroConcentrated" in measure:
        _, delta = made.map(distance)
        curve = dp.c.make_zCDP_to_approxDP(made)
        fixed = dp.c.make_fix_delta(curve, float(delta) + _DELTA)
        epsilon, delta = fixed.map(distance)
        return ApproxDP(float(epsilon), float(delta))
    loss = made.map(distance)
    if isinstance(loss, tuple):
        return ApproxDP(float(loss[0]), float(loss[1]))
    if "ZeroConcentrated" in measure:
        return ZCDP(float(loss))
    return PureDP(float(loss))
