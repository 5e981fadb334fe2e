"""pure-LDP: clients of local differential privacy, one value each.

The neighbors of a value are all other values. The clients draw from the global
states of `random` and numpy; an audit leaves them alone and draws independently.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from audit.declaration import Entry
from mechanisms.external.call import Release, imported
from mechanisms.external.shelf import Finding, Shelf

REQUIREMENT = "pure-ldp==1.2.0"
_README = "README, Outline; epsilon: privacy budget"
_TYPE = (
    "a truthful report is a list, a false one a zip object: the kind of the object returned says "
    "which coefficients are true"
)
_STAYS = "a true bit stays 1: _perturb sets bits to 1 and none to 0, so a 0 rules values out"
_FORGETS = "the bit of the true value is never set to 0, so it is 1 with p + (1 - p) q"


def entries() -> tuple[Entry, ...]:
    """Calls of pure-LDP.

    Raises:
        InputError: it is not installed.
    """
    _, version = imported("pure_ldp", "pure-ldp", REQUIREMENT)
    shelf = Shelf("pure-ldp", version, "github.com/Samuel-Maddock/pure-LDP")
    return (*_oracles(shelf, version), *_sketches(shelf), *_edges(shelf))


def _kind(package: str, name: str) -> Any:
    return getattr(importlib.import_module(f"pure_ldp.frequency_oracles.{package}"), name)


def _client(made: Any, shown: Callable[[Any], Any] = lambda report: report) -> Release:
    def release(data: Any) -> Any:
        return shown(made.privatise(int(data[0])))

    return release


def _hashed(made: Any, report: Any) -> list[bool]:
    """Values among 1 and 4 that a report of local hashing supports, as the server computes them."""
    digest = importlib.import_module("xxhash").xxh32
    value, seed = report
    return [digest(str(v - 1), seed=seed).intdigest() % made.g == value for v in (1, 4)]


def _oracles(shelf: Shelf, version: str) -> tuple[Entry, ...]:
    unary = _kind("unary_encoding", "UEClient")
    hashing = _kind("local_hashing", "LHClient")(1.0, 4, use_olh=True)
    response = _kind("hadamard_response", "HadamardResponseClient")
    forgets = None
    if version.startswith("1.1"):
        thread = "github.com/Samuel-Maddock/pure-LDP/issues/11 (open), repaired in 1.2.0"
        forgets = Finding(_FORGETS, None, thread)

    def one(name: str, call: str, made: Any, broken: Finding | None = None) -> Entry:
        return shelf.entry(name, call, _client(made), [1], [4], documented=_README, broken=broken)

    return (
        one("unary", "UEClient(1, d=4)", unary(1.0, 4), forgets),
        one(
            "unary-optimal", "UEClient(1, d=4, use_oue=True)", unary(1.0, 4, use_oue=True), forgets
        ),
        shelf.entry(
            "local-hashing",
            "LHClient(1, d=4, use_olh=True), the values its report supports",
            _client(hashing, lambda report: _hashed(hashing, report)),
            [1],
            [4],
            documented=_README,
        ),
        one(
            "fast-local-hashing",
            "FastLHClient(1, d=4, k=2, use_olh=True)",
            _kind("local_hashing", "FastLHClient")(1.0, 4, 2, use_olh=True),
        ),
        one("direct", "DEClient(1, d=4)", _kind("direct_encoding", "DEClient")(1.0, 4)),
        one("histogram", "HEClient(1, d=4)", _kind("histogram_encoding", "HEClient")(1.0, 4)),
        one("hadamard-response", "HadamardResponseClient(1, d=4)", response(1.0, 4, None)),
    )


def _sketches(shelf: Shelf) -> tuple[Entry, ...]:
    """Public hash functions from the caller; two of them, so that reports stay short."""
    hashes = [lambda value, add=add: (int(value) + add) % 4 for add in (0, 2)]
    signed = [(lambda value: int(value) % 4, lambda value: int(value) % 2)]
    apple = _kind("apple_cms", "CMSClient")

    def one(name: str, call: str, made: Any) -> Entry:
        return shelf.entry(name, call, _client(made), [1], [4], documented=_README)

    return (
        one("count-mean-sketch", "CMSClient(1, two hashes, m=4)", apple(1.0, hashes, 4)),
        one(
            "hadamard-count-mean-sketch",
            "CMSClient(1, two hashes, m=4, is_hadamard=True)",
            apple(1.0, hashes, 4, is_hadamard=True),
        ),
        one(
            "count-sketch",
            "PCSClient(1, l=1, w=4, one pair of hashes)",
            _kind("priv_count_sketch", "PCSClient")(1.0, 1, 4, signed),
        ),
    )


def _edges(shelf: Shelf) -> tuple[Entry, ...]:
    hadamard = _kind("hadamard_mechanism", "HadamardMechClient")
    rappor = _kind("rappor", "RAPPORClient")
    hashes = [[lambda value: int(value) % 4]]
    f = rappor(0.5, 4, hashes, 1).convert_eps_to_f(1.0)

    def named(report: Any) -> Any:
        kind = type(report).__name__
        return kind, *(np.ravel(list(report)).tolist())

    return (
        shelf.entry(
            "hadamard-mechanism",
            "HadamardMechClient(1, d=4, t=1).privatise(value), what it holds",
            _client(hadamard(1.0, 4, 1), lambda report: np.ravel(list(report)).tolist()),
            [1],
            [4],
            documented=_README,
        ),
        shelf.entry(
            "hadamard-mechanism-object",
            "HadamardMechClient(1, d=4, t=1).privatise(value), the object with its type",
            _client(hadamard(1.0, 4, 1), named),
            [1],
            [4],
            documented=_README,
            broken=Finding(_TYPE),
        ),
        shelf.entry(
            "rappor",
            "RAPPORClient(convert_eps_to_f(1), m=4, one hash in one cohort)",
            _client(rappor(f, 4, hashes, 1)),
            [1],
            [4],
            documented="convert_eps_to_f: the privacy parameter f equivalent to a privacy budget",
            broken=Finding(_STAYS),
        ),
    )
