"""What calls elsewhere change is seen where they are made."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

from audit.blackbox.python import PythonBlackBox
from audit.blackbox.state import carried
from audit.sampling.workers.passage import Passage


class Kept:
    """Carries what its calls have done."""

    def __init__(self, done: str = "") -> None:
        self.done = done

    def release(self, data: Any, rng: Generator) -> float:
        self.done = "prepared"
        return len(data) + rng.laplace()


def arrived(done: str, sent: str) -> tuple[Passage, Kept, PythonBlackBox]:
    """A black box that carries one thing, and carried another one where it came from."""
    here = carried(PythonBlackBox(Kept(sent).release))
    there = Kept(done)
    box = PythonBlackBox(there.release)
    return Passage.of(box, here), there, box


@pytest.mark.parametrize(
    ("done", "sent", "changed"),
    [
        ("", "", True),  # nobody has prepared it before it was sent
        ("", "prepared", False),  # once more, what had not travelled
        ("prepared", "prepared", False),  # nothing
        ("used", "used", True),
    ],
)
def test_a_call_may_prepare_again_what_was_prepared_where_it_came_from(
    done: str, sent: str, changed: bool
) -> None:
    passage, kept, box = arrived(done, sent)
    assert not passage.changed(box)
    kept.release([1], np.random.default_rng(0))
    assert passage.changed(box) == changed


def test_of_what_nobody_can_tell_nothing_changes() -> None:
    passage = Passage.of(object(), None)  # type: ignore[arg-type]  # a program carries nothing
    assert not passage.changed(object())  # type: ignore[arg-type]
