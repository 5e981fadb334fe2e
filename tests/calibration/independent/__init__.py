"""Right mechanisms whose runs are independent draws."""

from __future__ import annotations

from dataclasses import replace

from tests.calibration.independent.atoms import ATOMS
from tests.calibration.independent.collections import COLLECTIONS
from tests.calibration.independent.extremes import EXTREMES
from tests.calibration.independent.gaussians import GAUSSIANS
from tests.calibration.independent.large import LARGE
from tests.calibration.independent.numbers import NUMBERS
from tests.calibration.independent.shapes import SHAPES
from tests.calibration.independent.symbols import SYMBOLS
from tests.calibration.kind import Kind

_KINDS = (
    *NUMBERS,
    *GAUSSIANS,
    *ATOMS,
    *EXTREMES,
    *SYMBOLS,
    *COLLECTIONS,
    *SHAPES,
    *LARGE,
)
INDEPENDENT: tuple[Kind, ...] = tuple(
    replace(kind, assume=("independent-calls",)) for kind in _KINDS
)
