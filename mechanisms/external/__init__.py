"""Libraries of other people, each behind one thin adapter that is imported when asked for.

An adapter states the claim as the library's documentation does and makes the
call as its documentation shows it; nothing is mended on the way.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from audit.declaration import Entry
from audit.errors import InputError


@dataclass(frozen=True, slots=True)
class Library:
    """A library that can be audited.

    Attributes:
        module: the adapter.
        requirement: what pip installs, the version that the reports are about.
        needs: what else must be said about its environment.
    """

    module: str
    requirement: str
    needs: str = ""

    def entries(self) -> tuple[Entry, ...]:
        """Its mechanisms.

        Raises:
            InputError: the library is not installed.
        """
        found: tuple[Entry, ...] = importlib.import_module(self.module).entries()
        return found


_HERE = "mechanisms.external"
_OWN = "an environment of its own"
LIBRARIES: Mapping[str, Library] = MappingProxyType(
    {
        "opendp": Library(f"{_HERE}.opendp.entries", "opendp==0.16.0"),
        "diffprivlib": Library(
            f"{_HERE}.diffprivlib.entries", "diffprivlib==0.6.6", f"{_OWN} with scikit-learn<1.6"
        ),
        "pydp": Library(f"{_HERE}.pydp", "python-dp==1.1.5"),
        "smartnoise-sql": Library(
            f"{_HERE}.smartnoise_sql", "smartnoise-sql==1.0.10", f"{_OWN} with opendp<0.15"
        ),
        "inf-tda": Library(f"{_HERE}.inf_tda", "inf-tda==0.1", f"{_OWN} with opendp==0.12.1"),
        "pure-ldp": Library(f"{_HERE}.pure_ldp", "pure-ldp==1.2.0"),
        "multi-freq-ldpy": Library(f"{_HERE}.multi_freq_ldpy", "multi-freq-ldpy==0.2.5"),
        "diffpriv-pure": Library(f"{_HERE}.diffpriv_pure", "diffpriv-pure==0.1.0"),
        "eeprivacy": Library(f"{_HERE}.eeprivacy", "eeprivacy==0.0.5"),
        "hll-py": Library(f"{_HERE}.hll_py", "hll-py==0.1.13"),
        "trasgodp": Library(f"{_HERE}.trasgodp", "trasgodp==2.1.0"),
    }
)


def entries_of(library: str) -> tuple[Entry, ...]:
    """The mechanisms of one library.

    Raises:
        InputError: the library is not known, or not installed.
    """
    if library not in LIBRARIES:
        raise InputError(
            f"library {library!r} is not known; use one of {', '.join(LIBRARIES)}", library
        )
    return LIBRARIES[library].entries()
