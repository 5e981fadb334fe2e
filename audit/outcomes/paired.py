"""Past draws of one pair of datasets, output beside output."""

from __future__ import annotations

from dataclasses import dataclass

from audit.outcomes.encoding import Outcomes


@dataclass(frozen=True, slots=True)
class PairedOutcomes:
    """Past draws of one pair.

    Attributes:
        left: outputs on D.
        right: outputs on D', paired with `left`.
    """

    left: Outcomes
    right: Outcomes

    @property
    def chooser(self) -> tuple[Outcomes, Outcomes]:
        """The half of the pairs on which choices may be made that the other half judges."""
        return self.left.take(slice(0, None, 2)), self.right.take(slice(0, None, 2))
