"""ldp-toolbox: frequency protocols of local differential privacy, one value each.

Most draws come from numpy's state inside compiled functions, which the caller cannot seed.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from audit.declaration import Entry
from mechanisms.external.call import imported
from mechanisms.external.shelf import Shelf

REQUIREMENT = "ldp-toolbox==0.1.3"
_README = "README: Local Differential Privacy Toolbox; epsilon of each protocol, docstring"


def entries() -> tuple[Entry, ...]:
    """Calls of ldp-toolbox.

    Raises:
        InputError: it is not installed.
    """
    _, version = imported("ldp_toolbox", "ldp-toolbox", REQUIREMENT)
    shelf = Shelf("ldp-toolbox", version, "pypi: ldp-toolbox")

    def one(
        name: str,
        path: str,
        size: int,
        read: Callable[[Any, Any], Any] | None = None,
        **options: Any,
    ) -> Entry:
        module, kind = path.split(".")
        library = importlib.import_module(f"ldp_toolbox.protocols.frequency.{module}")
        made = getattr(library, kind)(size, 1.0, **options)
        said = "".join(f", {key}={value}" for key, value in options.items())

        def release(data: Any) -> Any:
            report = made.obfuscate(int(data[0]))
            return report if read is None else read(made, report)

        return shelf.entry(
            name,
            f"{kind}({size}, 1{said}).obfuscate(value)",
            release,
            [0],
            [size - 1],
            documented=_README,
        )

    protocols: tuple[tuple[Any, ...], ...] = (
        ("direct", "grr.GeneralizedRandomizedResponse", 4, None, {}),
        ("subset", "ss.SubsetSelection", 8, None, {}),
        ("unary-optimal", "ue.UnaryEncoding", 4, None, {"optimal": True}),
        ("unary-symmetric", "ue.UnaryEncoding", 4, None, {"optimal": False}),
        ("local-hashing", "lh.LocalHashing", 4, _supported, {"optimal": True}),
        ("binary-local-hashing", "lh.LocalHashing", 4, _supported, {"optimal": False}),
        ("histogram", "he.HistogramEncoding", 4, None, {"thresholding": False}),
        ("histogram-threshold", "he.HistogramEncoding", 4, _bits, {"thresholding": True}),
    )
    return tuple(
        one(name, path, size, read, **options) for name, path, size, read, options in protocols
    )


def _supported(made: Any, report: Any) -> list[bool]:
    """Values among 0 and 3 that a report of local hashing supports, as the server computes them."""
    digest = importlib.import_module("xxhash").xxh32
    hashed, seed = report
    return [digest(str(v), seed=seed).intdigest() % made.g == hashed for v in (0, 3)]


def _bits(made: Any, report: Any) -> list[bool]:
    """Values above the threshold, as booleans."""
    return [value in report for value in range(made.k)]
