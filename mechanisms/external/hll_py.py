"""hll-py: sketches that count words, with local reports drawn from Python's global state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from audit.declaration import Entry
from mechanisms.external.call import Release, imported
from mechanisms.external.shelf import Finding, Shelf

REQUIREMENT = "hll-py==0.1.13"
_SUMMARY = "summary of the package: local differentially private counting; SketchConfig.epsilon"
_CLEAR = "sketch_map is keyed by the word itself, whatever hash is reported"
_ALONE = "a false report is a random number and no other word's hash, so a true one is recognized"


def entries() -> tuple[Entry, ...]:
    """Calls of hll-py.

    Raises:
        InputError: it is not installed.
    """
    library, version = imported("hll_py", "hll-py", REQUIREMENT)
    shelf = Shelf("hll-py", version, "pypi: hll-py")

    def entry(name: str, shown: str, read: Callable[[Any], Any], why: str) -> Entry:
        return shelf.entry(
            name,
            f"HyperLogLogLDP(SketchConfig(epsilon=1)).insert_segments([word]): {shown}",
            _inserted(library, read),
            ["apple"],
            ["plum"],
            documented=_SUMMARY,
            broken=Finding(why),
        )

    return (
        entry("keys", "the words of sketch_map", lambda made: sorted(made.sketch_map), _CLEAR),
        entry(
            "registers",
            "the registers of its only sketch",
            lambda made: next(iter(made.sketch_map.values())).registers,
            _ALONE,
        ),
    )


def _inserted(library: Any, read: Callable[[Any], Any]) -> Release:
    def release(data: Any) -> Any:
        made = library.HyperLogLogLDP(library.SketchConfig(epsilon=1.0))
        made.insert_segments([str(word) for word in data])
        return read(made)

    return release
