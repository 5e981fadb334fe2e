"""Calls of Opacus: a step with all records, or steps on batches that are drawn."""

from __future__ import annotations

from functools import cache
from typing import Any

from audit.claims import Claim
from audit.declaration import Entry, Later
from mechanisms.external.call import Release, imported
from mechanisms.external.opacus.rows import alone
from mechanisms.external.opacus.training import Rows, Training, noisy, sampled, without_most
from mechanisms.external.shelf import ADD_REMOVE, Shelf

REQUIREMENT = "opacus==1.6.0"
CLIPPED = "make_private, max_grad_norm: any gradient with a higher norm will be clipped to it"
ACCOUNTED = "PrivacyEngine.get_epsilon: the privacy budget spent so far"


def shelf() -> Shelf:
    """All calls of Opacus share it.

    Raises:
        InputError: it is not installed.
    """
    _, version = imported("opacus", "opacus", REQUIREMENT)
    return Shelf("opacus", version, "opacus.ai/api")


def whole(
    shelf: Shelf,
    name: str,
    call: str,
    training: Training,
    rows: Rows,
    **options: Any,
) -> Entry:
    """A step that has all records, and without the one that moves the clipped sum most.

    Args:
        shelf: of the library.
        name: that of the entry.
        call: the call in words of the library.
        training: one batch has all records.
        rows: the records.
        options: whatever `Shelf.entry` takes besides.
    """
    return shelf.entry(name, call, *differing(training, rows), **{**held(training), **options})


def differing(training: Training, rows: Rows) -> tuple[Release, Rows, Later]:
    """What a step releases, the records, and those without one of them."""

    @cache
    def rest() -> Rows:
        return without_most(training, rows)

    return noisy(training, lambda: (rows, rest())), rows, Later(rest)


def held(training: Training) -> dict[str, Any]:
    """What a step that has all records is held to."""
    return {
        "claims": training.claim,
        "relation": ADD_REMOVE,
        "documented": CLIPPED,
        "independent": True,
    }


def drawn(
    shelf: Shelf,
    name: str,
    call: str,
    training: Training,
    steps: int = 1,
    claims: Claim | None = None,
    **options: Any,
) -> Entry:
    """Steps on batches that are drawn, with a record and without it; all others are zeros."""
    rows = alone(2 * training.batches)
    pair = rows, rows[1:]
    return shelf.entry(
        name,
        call,
        sampled(training, pair, steps),
        *pair,
        claims=claims or training.curve(steps),
        relation=ADD_REMOVE,
        independent=True,
        **{"documented": ACCOUNTED, **options},
    )
