"""Opacus: steps of private training, as `PrivacyEngine.make_private` sets them up.

A step that has all records is held to the Gaussian mechanism, mu = 1 / noise_multiplier; steps
on batches that are drawn are held to the curve of an accountant. Neighbors are a record more or
less: the accountants' sampling has no other relation. The documentation says "that differ in a
single example".
"""

from __future__ import annotations

from typing import Any

from audit.declaration import Entry
from mechanisms.external.opacus import broken, nets
from mechanisms.external.opacus.calls import CLIPPED, drawn, shelf, whole
from mechanisms.external.opacus.rows import records
from mechanisms.external.opacus.training import Training, noisy
from mechanisms.external.shelf import SUBSTITUTE, Finding, Shelf

_GDP = "GaussianAccountant warns that it can underestimate privacy expenditure"
_SHUFFLED = "make_private, poisson_sampling: False does not fit the assumptions of accounting"


def entries() -> tuple[Entry, ...]:
    """Calls of Opacus.

    Raises:
        InputError: it is not installed.
    """
    found = shelf()
    return (*_plain(found), *_accounted(found), *_related(found), *broken.entries(found))


def _secure(optimizer: Any) -> None:
    optimizer.secure_mode = True


def _plain(shelf: Shelf) -> tuple[Entry, ...]:
    ways: tuple[tuple[str, dict[str, Any]], ...] = (
        ("hooks", {}),
        ("functorch", {"mode": "functorch"}),
        ("ghost", {"mode": "ghost"}),
        ("per-layer", {"clipping": "per_layer"}),
        ("mean", {"reduction": "mean"}),
        ("secure-noise", {"scheduled": _secure}),
    )
    return tuple(
        whole(
            shelf,
            f"linear-{name}",
            f"make_private(Linear(3, 1), {name}), one step with all records",
            Training(net=nets.linear, shape=(3,), **given),
            records(3),
        )
        for name, given in ways
    )


def _accounted(shelf: Shelf) -> tuple[Entry, ...]:
    def one(name: str, batches: int = 2, told: dict[str, Any] | None = None, **given: Any) -> Entry:
        training = Training(net=nets.no_bias, shape=(3,), batches=batches, **given)
        call = f"two steps at sampling rate 1/{batches}, {name}"
        return drawn(shelf, name, call, training, 2, **(told or {}))

    gdp = Finding("a limit for many steps, taken of two", None, warned=_GDP)
    return (
        one("rdp", accountant="rdp"),
        one("prv", accountant="prv"),
        one("gdp", 3, {"broken": gdp}, accountant="gdp"),
        one(
            "shuffled",
            told={"warned": _SHUFFLED},
            accountant="prv",
            options={"poisson_sampling": False},
        ),
    )


def _related(shelf: Shelf) -> tuple[Entry, ...]:
    """What the relation leaves out: a record that is replaced, and the number of records."""
    rows = records(3)
    moved = rows.copy()
    moved[0, -1] = -rows[0, -1]
    training = Training(net=nets.linear, shape=(3,))
    return (
        shelf.entry(
            "linear-replaced",
            "make_private(Linear(3, 1)), one step, a record replaced by another one",
            noisy(training, lambda: (rows, moved)),
            rows,
            moved,
            claims=training.claim,
            relation=SUBSTITUTE,
            documented=CLIPPED,
            broken=Finding("sampling and accounting are for records added or removed", 2.0),
            independent=True,
        ),
    )
