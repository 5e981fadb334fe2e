"""What tables are made of: draws of each dataset, for the ends of the bins and for the counts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from audit.audit_session import AuditSession
from audit.errors import BlackBoxError
from audit.neighbors import Pair
from audit.outcomes.encoding import Outcomes, joined
from audit.sampling.stream import Address, Stage
from audit.verdict.fresh_draws import drawn_afresh

FEWEST = 20
"""Draws of a dataset, for either purpose."""
_RANGE_SHARE = 4
_TURNS = 16
"""In which a black box that changes with its calls is asked for each dataset."""

Drawn = tuple[Outcomes, Outcomes]
"""Draws of one dataset: for the ends of the bins, and for the counts."""
_Place = tuple[int, bool, bool]
"""What is drawn once: a dataset, on either side, asked for one by one or not."""


@dataclass(slots=True)
class TableDraws:
    """Draws each dataset once for the ends of the bins and once for the counts.

    Attributes:
        session: where draws come from.
        draws: how many for the counts.
        parts: what was drawn, part by part.
        lost: why nothing could be.
    """

    session: AuditSession
    draws: int
    parts: dict[_Place, list[Drawn]] = field(default_factory=dict)
    lost: dict[_Place, BlackBoxError] = field(default_factory=dict)

    def draw(self, pairs: Sequence[Pair]) -> None:
        """Draw all of it, dataset after dataset.

        Where the black box changes with its calls, in many small turns: what its outputs drift
        by is no difference between datasets then.
        """
        turns = _TURNS if self.session.sampler.lasting else 1
        sides = [(pair, right) for pair in pairs for right in (False, True)]
        asked = {self._place(*one): one[0].neighbor if one[1] else one[0].dataset for one in sides}
        few = max(FEWEST, self.draws // _RANGE_SHARE)
        for turn in range(turns):
            ends, counts = (n * (turn + 1) // turns - n * turn // turns for n in (few, self.draws))
            for side, (place, data) in enumerate(asked.items()):
                self._draw(place, data, side, (ends, counts), turn)

    def both(self, pair: Pair) -> tuple[Drawn, Drawn]:
        """Draws of both datasets; a dataset beside itself is drawn twice.

        Raises:
            BlackBoxError: one of them could not be drawn.
        """
        left, right = (self._place(pair, side) for side in (False, True))
        return self._whole(left), self._whole(right)

    def _place(self, pair: Pair, right: bool) -> _Place:
        data, again = (
            (pair.neighbor, pair.neighbor is pair.dataset) if right else (pair.dataset, False)
        )
        return id(data), again, self.session.asks_singly(pair)

    def _draw(self, place: _Place, data: Any, side: int, sizes: tuple[int, int], turn: int) -> None:
        sampler, source = self.session.sampler, self.session.source(data)
        if place in self.lost:
            return
        if place[2]:
            sampler.singly.add((Stage.TABLE, side))
        addresses = (Address(Stage.TABLE, side, 2 * turn + part) for part in (0, 1))
        asked = zip(addresses, sizes, strict=True)
        try:
            ends, counts = (drawn_afresh(sampler, a, source, size, 0) for a, size in asked)
        except BlackBoxError as error:
            self.lost[place] = error
        else:
            self.parts.setdefault(place, []).append((ends, counts))

    def _whole(self, place: _Place) -> Drawn:
        if place in self.lost:
            raise self.lost[place]
        ends, counts = zip(*self.parts[place], strict=True)
        return joined(ends), joined(counts)
