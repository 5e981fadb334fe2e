"""Adapters of libraries, one each, imported on first use.

An adapter states the claim as the library's documentation does and makes the
call as its documentation does; nothing is corrected.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from audit.declaration import Entry
from audit.errors import InputError
from mechanisms.external.walks.steps import walked


@dataclass(frozen=True, slots=True)
class Library:
    """A library that can be audited.

    Attributes:
        module: the adapter.
        requirement: what pip installs, the version that the reports are about.
        needs: what else must be said about its environment.
        walk: what enumerates further calls of it, where something does.
    """

    module: str
    requirement: str
    needs: str = ""
    walk: str = ""

    def entries(self) -> tuple[Entry, ...]:
        """Its mechanisms.

        Raises:
            InputError: the library is not installed.
        """
        found: tuple[Entry, ...] = importlib.import_module(self.module).entries()
        return found

    def enumerated(self) -> tuple[Entry, ...]:
        """Its enumerated mechanisms, none where nothing enumerates them.

        Raises:
            InputError: the library is not installed.
        """
        return walked(importlib.import_module(self.walk).entries()) if self.walk else ()


_HERE = "mechanisms.external"
_OWN = "an environment of its own"
_WALKS = f"{_HERE}.walks"
LIBRARIES: Mapping[str, Library] = MappingProxyType(
    {
        "opendp": Library(f"{_HERE}.opendp", "opendp==0.16.0", walk=f"{_WALKS}.opendp"),
        "diffprivlib": Library(
            f"{_HERE}.diffprivlib",
            "diffprivlib==0.6.6",
            f"{_OWN} with scikit-learn<1.6",
            f"{_WALKS}.diffprivlib",
        ),
        "pydp": Library(f"{_HERE}.pydp", "python-dp==1.1.5"),
        "smartnoise-sql": Library(
            f"{_HERE}.smartnoise_sql",
            "smartnoise-sql==1.0.10",
            f"{_OWN} with opendp<0.15",
            f"{_WALKS}.smartnoise_sql",
        ),
        "pipeline-dp": Library(
            f"{_HERE}.pipeline_dp",
            "pipeline-dp==0.3.1",
            walk=f"{_WALKS}.pipeline_dp",
        ),
        "inf-tda": Library(f"{_HERE}.inf_tda", "inf-tda==0.1", f"{_OWN} with opendp==0.12.1"),
        "pure-ldp": Library(f"{_HERE}.pure_ldp", "pure-ldp==1.2.0"),
        "multi-freq-ldpy": Library(f"{_HERE}.multi_freq_ldpy", "multi-freq-ldpy==0.2.5"),
        "diffpriv-pure": Library(f"{_HERE}.diffpriv_pure", "diffpriv-pure==0.1.0"),
        "eeprivacy": Library(f"{_HERE}.eeprivacy", "eeprivacy==0.0.5"),
        "hll-py": Library(f"{_HERE}.hll_py", "hll-py==0.1.13"),
        "trasgodp": Library(f"{_HERE}.trasgodp", "trasgodp==2.1.0"),
        "dwork": Library(f"{_HERE}.dwork", "dwork==0.0.13"),
        "diff-priv-laplace-python": Library(
            f"{_HERE}.diff_priv_laplace_python", "diff-priv-laplace-python==1.0.5"
        ),
        "dp-epidemiology": Library(
            f"{_HERE}.dp_epidemiology", "dp-epidemiology==0.1.1", f"{_OWN} with opendp==0.11.1"
        ),
        "isage-privacy": Library(
            f"{_HERE}.isage_privacy", "isage-privacy==0.1.0.2", f"{_OWN} with isage-common==0.2.5.0"
        ),
        "ldp-toolbox": Library(
            f"{_HERE}.ldp_toolbox", "ldp-toolbox==0.1.3", f"{_OWN} with xxhash<4"
        ),
        "insurance-fairness-ldp": Library(
            f"{_HERE}.insurance_fairness_ldp", "insurance-fairness-ldp==0.1.1"
        ),
        "opacus": Library(
            f"{_HERE}.opacus",
            "opacus==1.6.0",
            f"{_OWN} with torch==2.13.0",
            f"{_WALKS}.opacus",
        ),
        "jax-privacy": Library(
            f"{_HERE}.jax_privacy",
            "jax_privacy==2.0.0",
            walk=f"{_WALKS}.jax_privacy",
        ),
    }
)


def library_named(library: str) -> Library:
    """A library by its name.

    Raises:
        InputError: the library is not known.
    """
    if library not in LIBRARIES:
        raise InputError(
            f"library {library!r} is not known; use one of {', '.join(LIBRARIES)}", library
        )
    return LIBRARIES[library]
