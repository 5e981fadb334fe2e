"""Whether a loss grows towards the tail of the outputs, as it does under Gaussian noise.

The log-ratio of two Laplace densities is constant beyond both of their centres;
that of two Gaussian densities goes on growing, so that no epsilon holds without
a delta. Beyond the median of the side on which the event is likelier, the ratio
of frequencies in the far half is compared with that in the near half.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from audit.report.witness_sides import WitnessSides
from audit.verdict.pair_table import Bin, PairTable
from audit.verdict.result import AuditResult, Witness

_SURE = 2.0
"""Standard errors."""
_FEWEST = 20
"""Draws of the likelier side in either half."""


def grows(result: AuditResult, witness: Witness) -> bool:
    """Whether the table of the witness shows a loss that grows; False where it shows nothing."""
    tables = [pair for pair in result.pairs if pair.name == witness.pair]
    end = _end(witness)
    if not tables or not end or tables[0].feature != witness.event.parameters.get("feature"):
        return False
    cells = [cell for cell in tables[0].bins if cell.low is not None]
    shares = _shares(tables[0], cells, WitnessSides.of(witness).more.symbol == "p")
    return _grows(shares if end > 0 else shares[::-1])


def _end(witness: Witness) -> int:
    """To which side the event, a threshold, reaches: 1 up, -1 down, 0 for other events."""
    intervals = witness.event.parameters.get("intervals", [])
    if len(intervals) != 1 or witness.event.parameters.get("symbols"):
        return 0
    low, high = map(float, intervals[0])
    return int(math.isinf(high)) - int(math.isinf(low))


def _shares(table: PairTable, cells: Sequence[Bin], forward: bool) -> list[tuple[float, float]]:
    """How often each bin was seen on the likelier side and on the other."""
    draws = table.draws if forward else table.draws[::-1]
    sides = [(c.p, c.q) if forward else (c.q, c.p) for c in cells]
    return [(draws[0] * a.estimate, draws[1] * b.estimate) for a, b in sides]


def _grows(shares: Sequence[tuple[float, float]]) -> bool:
    tail = _beyond(shares, 0.5)
    far = _beyond(tail, 0.5)
    near = tail[: len(tail) - len(far)]
    if min((sum(more for more, _ in half) for half in (near, far)), default=0) < _FEWEST:
        return False
    (near_log, near_error), (far_log, far_error) = map(_log_ratio, (near, far))
    return far_log - near_log > _SURE * math.sqrt(near_error + far_error)


def _beyond(shares: Sequence[tuple[float, float]], part: float) -> Sequence[tuple[float, float]]:
    """The bins above so much of the likelier side's draws."""
    whole, below = sum(more for more, _ in shares), 0.0
    for place, (more, _) in enumerate(shares):
        if below >= part * whole:
            return shares[place:]
        below += more
    return shares[len(shares) :]


def _log_ratio(half: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Logarithm of the ratio of counts, and its variance; half a draw is added to each."""
    more, less = (sum(part) + 0.5 for part in zip(*half, strict=True))
    return math.log(more / less), 1.0 / more + 1.0 / less
