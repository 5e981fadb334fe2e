"""OpenDP: measurements and transformations, with the loss their own maps report.

The claim of an entry is what `measurement.map(d_in)` returns, so an audit asks
whether that map is right. Its randomness cannot be seeded.
"""

from __future__ import annotations

import importlib
from typing import Any

from audit.claims import ZCDP, Claim, PureDP
from audit.declaration import Entry
from mechanisms.external.call import imported, invoked, many, one
from mechanisms.external.opendp import aggregates
from mechanisms.external.shelf import Shelf

REQUIREMENT = "opendp==0.16.0"
_MAP = "measurement.map(d_in) bounds the privacy loss"


def entries() -> tuple[Entry, ...]:
    """Calls of OpenDP.

    Raises:
        InputError: it is not installed.
    """
    _, version = imported("opendp", "opendp", REQUIREMENT)
    library = importlib.import_module("opendp.prelude")
    library.enable_features("contrib")
    shelf = Shelf("opendp", version, "docs.opendp.org")
    return (
        *_additive(shelf, library),
        *_choices(shelf, library),
        *aggregates.entries(shelf, library),
    )


def _additive(shelf: Shelf, dp: Any) -> tuple[Entry, ...]:
    whole = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    real = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)

    def noisy(name: str, call: str, made: Any, kind: type, zero: bool = True) -> Entry:
        level = float(made.map(kind(1)))
        claims: Claim = PureDP(level) if zero else ZCDP(level)
        left, right = [0], [1]
        return shelf.entry(
            name,
            f"{call}, d_in = 1: {claims}",
            invoked(made, one(kind)),
            left,
            right,
            claims=claims,
            documented=_MAP,
        )

    return (
        noisy("laplace-int", "make_laplace(int, scale=1)", dp.m.make_laplace(*whole, 1.0), int),
        noisy(
            "laplace-float", "make_laplace(float, scale=1)", dp.m.make_laplace(*real, 1.0), float
        ),
        noisy(
            "geometric",
            "make_geometric(int, scale=1, bounds=(0, 5))",
            dp.m.make_geometric(*whole, 1.0, bounds=(0, 5)),
            int,
        ),
        noisy(
            "gaussian-int",
            "make_gaussian(int, scale=1)",
            dp.m.make_gaussian(*whole, 1.0),
            int,
            False,
        ),
        noisy(
            "gaussian-float",
            "make_gaussian(float, scale=1)",
            dp.m.make_gaussian(*real, 1.0),
            float,
            False,
        ),
    )


def _choices(shelf: Shelf, dp: Any) -> tuple[Entry, ...]:
    scores = dp.vector_domain(dp.atom_domain(T=int)), dp.linf_distance(T=int)
    pure, concentrated = dp.max_divergence(), dp.zero_concentrated_divergence()
    bits = dp.m.make_randomized_response_bool(0.75)
    letters = dp.m.make_randomized_response(["a", "b", "c"], 0.5)
    best = dp.m.make_noisy_max(*scores, pure, 1.0)
    ranked = dp.m.make_noisy_top_k(*scores, pure, 2, 1.0)
    rho = dp.m.make_noisy_max(*scores, concentrated, 1.0)

    def chosen(name: str, call: str, made: Any, claims: Claim, *data: Any) -> Entry:
        return shelf.entry(
            name, f"{call}, d_in = 1: {claims}", made, *data, claims=claims, documented=_MAP
        )

    def loss(made: Any) -> Claim:
        return PureDP(float(made.map(1)))

    ties, split = [0, 0, 0], [1, -1, -1]
    return (
        chosen(
            "randomized-response-bool",
            "make_randomized_response_bool(prob=0.75)",
            invoked(bits, one(bool)),
            loss(bits),
            [0],
            [1],
        ),
        chosen(
            "randomized-response",
            "make_randomized_response(['a', 'b', 'c'], prob=0.5)",
            invoked(letters, lambda data: "abc"[int(data[0])]),
            loss(letters),
            [0],
            [1],
        ),
        chosen(
            "noisy-max",
            "make_noisy_max(max_divergence, scale=1)",
            invoked(best, many(int)),
            loss(best),
            ties,
            split,
        ),
        chosen(
            "noisy-top-k",
            "make_noisy_top_k(max_divergence, k=2, scale=1)",
            invoked(ranked, many(int)),
            loss(ranked),
            ties,
            split,
        ),
        chosen(
            "noisy-max-zcdp",
            "make_noisy_max(zero_concentrated_divergence, scale=1)",
            invoked(rho, many(int)),
            ZCDP(float(rho.map(1))),
            [0, 0],
            [1, -1],
        ),
    )
