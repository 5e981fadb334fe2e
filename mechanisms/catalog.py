"""Every mechanism there is, by name."""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from audit.declaration import Catalog, Entry
from audit.errors import InputError
from mechanisms import systems
from mechanisms.families import critical_records, rendering, right, traps, wrong
from mechanisms.peers import dp_sniper, statdp


def catalog_of(families: Iterable[tuple[Entry, ...]]) -> Catalog:
    """The entries of all families by name, in their order.

    Raises:
        InputError: two entries share a name.
    """
    entries: dict[str, Entry] = {}
    for entry in (entry for family in families for entry in family):
        if entry.name in entries:
            raise InputError(f"two mechanisms are called {entry.name!r}; rename one", entry.name)
        entries[entry.name] = entry
    return MappingProxyType(entries)


CATALOG: Catalog = catalog_of(
    (
        systems.ENTRIES,
        right.ENTRIES,
        traps.ENTRIES,
        wrong.ENTRIES,
        wrong.OUT_OF_REACH,
        rendering.ENTRIES,
        critical_records.ENTRIES,
        dp_sniper.ENTRIES,
        statdp.ENTRIES,
    )
)
