"""multi-freq-ldpy: clients of local differential privacy, one value each.

The neighbors of a value are all other values. Its randomness is numpy's global
state inside compiled functions, which the caller cannot seed.
"""

from __future__ import annotations

import importlib
from typing import Any

from audit.claims import PureDP
from audit.declaration import Entry
from mechanisms.external.call import Release, imported
from mechanisms.external.shelf import Finding, Shelf

REQUIREMENT = "multi-freq-ldpy==0.2.5"
_ONE = "README, pure_frequency_oracles; epsilon: privacy guarantee"
_LONG = "README, long_freq_est; eps_1: privacy guarantee of a single report"
_MANY = "README, mdim_freq_est; epsilon: privacy guarantee"
_ORDER = (
    "the true value, when it is in the subset, always comes first: a subset with v in a later "
    "place cannot come from v"
)
_FAKE = (
    "one attribute, chosen at random, gets ln(d(e^ε - 1) + 1) by amplification from sampling; "
    "but neighbors differ in every attribute, so the chosen one always differs: e^ε becomes "
    "d(e^ε - 1) + 1"
)


def entries() -> tuple[Entry, ...]:
    """Calls of multi-freq-ldpy.

    Raises:
        InputError: it is not installed.
    """
    _, version = imported("multi_freq_ldpy", "multi-freq-ldpy", REQUIREMENT)
    shelf = Shelf("multi-freq-ldpy", version, "github.com/hharcolezi/multi-freq-ldpy")
    return (*_oracles(shelf), *_longitudinal(shelf), *_tuples(shelf))


def _client(path: str, *options: Any) -> Release:
    module, name = path.rsplit(".", 1)
    function = getattr(importlib.import_module(f"multi_freq_ldpy.{module}"), name)

    def release(data: Any) -> Any:
        value = int(data[0]) if len(data) == 1 else tuple(int(part) for part in data)
        return function(value, *options)

    return release


def _hashed(optimal: bool) -> Release:
    """Values among 0 and 3 that a report of local hashing supports, as the server computes them."""
    client = _client("pure_frequency_oracles.LH.LH_Client", 4, 1.0, optimal)
    digest = importlib.import_module("xxhash").xxh32
    hashes = 4 if optimal else 2

    def release(data: Any) -> Any:
        report, seed = client(data)
        return [digest(str(v), seed=int(seed)).intdigest() % hashes == report for v in (0, 3)]

    return release


def _oracles(shelf: Shelf) -> tuple[Entry, ...]:
    def one(name: str, module: str, *options: Any, why: Finding | None = None) -> Entry:
        size = 8 if name == "subset" else 4
        return shelf.entry(
            name,
            f"{module}_Client(value, {', '.join(map(str, (size, 1.0, *options)))})",
            _client(f"pure_frequency_oracles.{module}.{module}_Client", size, 1.0, *options),
            [0],
            [3],
            documented=_ONE,
            broken=why,
        )

    return (
        one("randomized-response", "GRR"),
        one("unary-optimal", "UE", True),
        one("unary-symmetric", "UE", False),
        one("histogram-encoding", "HE"),
        *(
            shelf.entry(
                name,
                f"LH_Client(value, 4, 1.0, optimal={optimal}), the values its report supports",
                _hashed(optimal),
                [0],
                [3],
                documented=_ONE,
            )
            for name, optimal in (("local-hashing", True), ("binary-local-hashing", False))
        ),
        one("adaptive", "ADP"),
        one("subset", "SS", why=Finding(_ORDER)),
    )


def _longitudinal(shelf: Shelf) -> tuple[Entry, ...]:
    """Two rounds of randomization; one report is claimed to cost eps_1 = 1 of eps_perm = 2."""
    return (
        *(
            shelf.entry(
                f"longitudinal-{module.lower()}",
                f"L_{module}_Client(value, 4, eps_perm=2, eps_1=1)",
                _client(f"long_freq_est.L_{module}.L_{module}_Client", 4, 2.0, 1.0),
                [0],
                [3],
                documented=_LONG,
            )
            for module in ("GRR", "OUE", "SUE", "OSUE", "SOUE")
        ),
        shelf.entry(
            "d-bit-flip",
            "dBitFlipPM_Client(value, 8, b=4, d_bits=2, eps_perm=1)",
            _client("long_freq_est.dBitFlipPM.dBitFlipPM_Client", 8, 4, 2, 1.0),
            [0],
            [7],
            documented=_LONG,
        ),
    )


def _tuples(shelf: Shelf) -> tuple[Entry, ...]:
    sizes, options = [3, 3], ([3, 3], 2, 1.0)

    def pair(name: str, path: str, why: Finding | None = None) -> Entry:
        return shelf.entry(
            name,
            f"{path.rsplit('.', 1)[1]}(values, {sizes}, 2, 1)",
            _client(f"mdim_freq_est.{path}", *options),
            [0, 0],
            [1, 1],
            claims=PureDP(1.0),
            documented=_MANY,
            broken=why,
        )

    return (
        pair("split", "SPL_solution.SPL_GRR_Client"),
        pair("sample", "SMP_solution.SMP_GRR_Client"),
        pair("fake-data", "RSpFD_solution.RSpFD_GRR_Client", Finding(_FAKE, 1.491)),
        pair("fake-data-unary", "RSpFD_solution.RSpFD_UE_zero_Client", Finding(_FAKE, None)),
    )
