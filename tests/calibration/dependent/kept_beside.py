"""Right mechanisms that keep a part of their noise and draw another part anew.

The first part keeps the claim by itself, so that whatever is drawn beside it does, too. Within one
process it is a number like any other. Few runs are as dangerous as many: there is little left for
what looks at it.
"""

from __future__ import annotations

import math
import secrets
import threading
from collections.abc import Generator
from typing import Any

import numpy as np

from tests.calibration.kind import Kind

_STOPS = 1.0 - math.exp(-1.0)
_BUDGETS = (300, 1_000, 3_000)


def of_the_system() -> int:
    """Geometric noise that keeps epsilon = 1, from the system's generator."""
    one, other = (secrets.SystemRandom().random() for _ in range(2))
    return int(-math.log(1.0 - one)) - int(-math.log(1.0 - other))


def drawn_from(rng: np.random.Generator) -> int:
    """The same from a generator of numpy."""
    return int(rng.geometric(_STOPS) - rng.geometric(_STOPS))


class Beside:
    """Noise kept for each dataset, and as much again in every run; all of it the system's."""

    def __init__(self, number: int) -> None:
        self.kept = dict[float, int]()

    def permanent(self, data: Any) -> int:
        if data[0] not in self.kept:
            self.kept[data[0]] = int(data[0]) + self.drawn()
        return self.kept[data[0]]

    def drawn(self) -> int:
        return of_the_system()

    def __call__(self, data: Any) -> int:
        return self.permanent(data) + self.drawn()


class Locked(Beside):
    """The same behind a lock, so that nobody can send it or look into all of it."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.lock = threading.Lock()

    def __call__(self, data: Any) -> int:
        with self.lock:
            return super().__call__(data)


class Given(Locked):
    """The same where what is drawn in every run comes from the generator that is given."""

    def __call__(self, data: Any, rng: np.random.Generator) -> int:  # type: ignore[override]
        with self.lock:
            return self.permanent(data) + drawn_from(rng)


class Own(Locked):
    """The same with a generator of its own, which lies beside a lock."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.rng = np.random.default_rng([23, number])

    def drawn(self) -> int:
        return drawn_from(self.rng)


def for_a_while(number: int) -> Any:
    """Kept for 150 calls by an iterator under way, which nobody can look into."""

    def stream() -> Generator[Any, Any, None]:
        kept, made = dict[tuple[int, float], int](), 0
        data = yield
        while True:
            made += 1
            key = made // 150, float(data[0])
            if key not in kept:
                kept[key] = int(data[0]) + of_the_system()
            data = yield kept[key]

    held = stream()
    next(held)
    return lambda data: held.send(data) + of_the_system()


_MADE = {
    "kept beside drawn anew": Beside,
    "kept behind a lock": Locked,
    "kept beside the given generator": Given,
    "kept from an own generator": Own,
    "kept for 150 calls, unseen": for_a_while,
}

KINDS = tuple(
    Kind(name=f"noise {name}, {runs:,} runs", make=make, samples=runs)
    for name, make in _MADE.items()
    for runs in _BUDGETS
)
