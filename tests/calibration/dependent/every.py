"""All dependent kinds, by the modules that make them."""

from __future__ import annotations

from itertools import chain

from tests.calibration.dependent import (
    as_shown,
    as_written,
    between_calls,
    by_a_clock,
    kept_beside,
    own_randomness,
    within_calls,
)
from tests.calibration.kind import Kind

BY_MODULE: dict[str, tuple[Kind, ...]] = {
    module.__name__: module.KINDS
    for module in (
        own_randomness,
        within_calls,
        between_calls,
        kept_beside,
        by_a_clock,
        as_written,
        as_shown,
    )
}
DEPENDENT = tuple(chain.from_iterable(BY_MODULE.values()))
MODULE_OF = {kind.name: module for module, kinds in BY_MODULE.items() for kind in kinds}
"""The module of each kind, by name."""
