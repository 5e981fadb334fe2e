"""Right mechanisms whose calls depend on each other, or may; audited by fresh instances."""

from __future__ import annotations

from tests.calibration.dependent.as_written import AS_WRITTEN
from tests.calibration.dependent.between_calls import BETWEEN_CALLS
from tests.calibration.dependent.by_a_clock import BY_A_CLOCK
from tests.calibration.dependent.kept_beside import KEPT_BESIDE
from tests.calibration.dependent.own_randomness import OWN_RANDOMNESS
from tests.calibration.dependent.within_calls import WITHIN_CALLS
from tests.calibration.kind import Kind

DEPENDENT: tuple[Kind, ...] = (
    *OWN_RANDOMNESS,
    *WITHIN_CALLS,
    *BETWEEN_CALLS,
    *KEPT_BESIDE,
    *BY_A_CLOCK,
    *AS_WRITTEN,
)
