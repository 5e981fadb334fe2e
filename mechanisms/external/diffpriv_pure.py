"""diffpriv-pure: sums, means, and counts of plain Python, drawn from its global state."""

from __future__ import annotations

from typing import Any

from audit.claims import ApproxDP, PureDP
from audit.declaration import Entry
from mechanisms.external.call import Release, imported
from mechanisms.external.shelf import SUBSTITUTE, Finding, Shelf

REQUIREMENT = "diffpriv-pure==0.1.0"
_README = "README: pure ε-DP; docstrings"
_BOUNDS = (0.0, 1.0)
_SIDE = "geometric noise on one side only: a noisy count is never below the count"
_TINY = "at ε of 1e-15 or less geometric_noise returns 0"


def entries() -> tuple[Entry, ...]:
    """Calls of diffpriv-pure.

    Raises:
        InputError: it is not installed.
    """
    library, version = imported("diffpriv_pure", "diffpriv-pure", REQUIREMENT)
    shelf = Shelf("diffpriv-pure", version, "pypi: diffpriv-pure")
    return (*_numbers(shelf, library), *_counts(shelf, library))


def _numbers(shelf: Shelf, library: Any) -> tuple[Entry, ...]:
    def number(name: str, statistic: str, delta: float) -> Entry:
        function = getattr(library, f"private_{statistic}")
        return shelf.entry(
            name,
            f"private_{statistic}(x, (0, 1), epsilon=1, delta={delta:g})",
            _listed(lambda values: function(values, _BOUNDS, 1.0, delta)),
            [0.0, 0.0, 1.0],
            [1.0, 0.0, 1.0],
            claims=ApproxDP(1.0, delta) if delta else PureDP(1.0),
            relation=SUBSTITUTE,
            documented=_README,
        )

    return (
        number("sum", "sum", 0.0),
        number("mean", "mean", 0.0),
        number("sum-gaussian", "sum", 0.01),
        number("mean-gaussian", "mean", 0.01),
    )


def _counts(shelf: Shelf, library: Any) -> tuple[Entry, ...]:
    def count(name: str, epsilon: float, why: Finding) -> Entry:
        return shelf.entry(
            name,
            f"private_count(n, epsilon={epsilon:g})",
            lambda data: library.private_count(int(data[0]), epsilon),
            [1],
            [0],
            claims=PureDP(epsilon),
            documented=_README,
            broken=why,
        )

    noise = library.laplace_noise
    return (
        count("count", 1.0, Finding(_SIDE)),
        count("count-tiny-epsilon", 1e-16, Finding(_TINY)),
        shelf.entry(
            "laplace",
            "x + laplace_noise(scale=1, epsilon=1)",
            lambda data: float(data[0]) + noise(1.0, 1.0),
            [0],
            [1],
            documented=_README,
        ),
    )


def _listed(function: Any) -> Release:
    return lambda data: function([float(value) for value in data])
