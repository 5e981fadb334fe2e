"""A step of Opacus that has all records, as it is walked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from audit.declaration import Entry
from mechanisms.external.opacus.calls import differing, held
from mechanisms.external.opacus.training import Private, Rows, Training, total
from mechanisms.external.shelf import Shelf
from mechanisms.external.walks.steps import step


@dataclass(frozen=True, slots=True)
class Asked:
    """One step with all records and without one of them.

    Attributes:
        call: the call in words of the library.
        training: one batch has all records.
        rows: the records; the one whose absence moves the clipped sum most is left out.
        options: whatever `Shelf.entry` takes besides.
    """

    call: str
    training: Training
    rows: Rows
    options: Mapping[str, Any] = field(default_factory=dict)

    def entry(self, shelf: Shelf) -> Entry:
        """The call as an entry of the shelf."""
        does, rows, rest = differing(self.training, self.rows)
        options = {**held(self.training), **self.options}
        return step(shelf, self.call, does, (rows, rest), **options)

    @property
    def refused(self) -> bool:
        """True when the library does not train this model in this way."""
        try:
            total(self.training, self.rows)
        except (RuntimeError, ValueError, NotImplementedError, AttributeError, TypeError):
            return True
        return False

    def moved(self) -> float:
        """How far a record moves the clipped sum at most, where noise is for 1."""
        training, rows = self.training, self.rows
        whole = total(training, rows)
        rests = [total(training, np.delete(rows, place, axis=0)) for place in range(len(rows))]
        norm = float(Private(training, rows).optimizer.max_grad_norm)
        return float(np.max([np.linalg.norm(whole - rest) for rest in rests])) / norm
