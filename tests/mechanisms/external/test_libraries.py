"""The libraries of other people: named, pinned, imported only when asked for."""

from __future__ import annotations

import importlib.util
import sys

import pytest

from audit.claims import PureDP
from audit.engine.run import run
from audit.errors import InputError
from audit.relation import Relation
from mechanisms.external import LIBRARIES, library_named
from mechanisms.external.__main__ import main
from mechanisms.external.call import imported
from mechanisms.external.shelf import Finding, Shelf

_PACKAGES = {
    "opendp": "opendp",
    "diffprivlib": "diffprivlib",
    "pydp": "pydp",
    "smartnoise-sql": "snsql",
    "pipeline-dp": "pipeline_dp",
    "inf-tda": "InfTDA",
    "pure-ldp": "pure_ldp",
    "multi-freq-ldpy": "multi_freq_ldpy",
    "diffpriv-pure": "diffpriv_pure",
    "eeprivacy": "eeprivacy",
    "hll-py": "hll_py",
    "trasgodp": "trasgodp",
    "dwork": "dwork",
    "diff-priv-laplace-python": "diffpriv_laplace",
    "insurance-fairness-ldp": "insurance_fairness_ldp",
    "dp-epidemiology": "DP_epidemiology",
    "isage-privacy": "sage_privacy",
    "ldp-toolbox": "ldp_toolbox",
    "opacus": "opacus",
    "jax-privacy": "jax_privacy",
}
_MISSING = sorted(name for name in _PACKAGES if not importlib.util.find_spec(_PACKAGES[name]))


def test_every_library_has_an_adapter_and_an_exact_version() -> None:
    for name, library in LIBRARIES.items():
        assert "==" in library.requirement, name
        assert importlib.util.find_spec(library.module), name
        assert not library.walk or importlib.util.find_spec(library.walk), name


def test_naming_the_libraries_imports_none_of_them() -> None:
    assert not {module for module in _PACKAGES.values() if module in sys.modules}


def test_an_unknown_library_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="'chorus' is not known; use one of opendp"):
        library_named("chorus")


def test_a_missing_module_says_what_to_install() -> None:
    with pytest.raises(InputError, match=r"pip install 'nowhere==1\.0'"):
        imported("nowhere_to_be_found", "nowhere", "nowhere==1.0")


@pytest.mark.parametrize("library", sorted(_PACKAGES))
def test_a_library_has_complete_entries_or_says_what_to_install(library: str) -> None:
    if library in _MISSING:
        with pytest.raises(InputError, match="pip install"):
            library_named(library).entries()
        return
    entries = library_named(library).entries()
    assert len({entry.name for entry in entries}) == len(entries) >= 2
    for entry in entries:
        removed = entry.data is not None and entry.relation is Relation.ADD_REMOVE
        assert entry.neighbors or entry.domain or removed, entry.name
        assert entry.truth.keeps or entry.mechanism.cause, entry.name  # type: ignore[attr-defined]


def test_the_command_line_ends_with_2_where_a_library_is_missing(
    capsys: pytest.CaptureFixture[str],
) -> None:
    if not _MISSING:
        pytest.skip("all libraries are installed")
    assert main([_MISSING[0], "--list"]) == 2
    assert "pip install" in capsys.readouterr().err


def test_an_entry_carries_what_its_report_must_say() -> None:
    shelf = Shelf("library", "1.2", "docs")
    finding = Finding("the scale is squared", 2.0, "thread 7", "unsafe")
    entry = shelf.entry("sum", "sum(x)", lambda data: 0, [0], [1], broken=finding, independent=True)
    assert entry.name == "library-sum"
    assert entry.relation is Relation.DECLARED
    assert entry.independent_calls
    assert entry.mechanism.claim == PureDP(1.0)
    assert (entry.truth.keeps, entry.truth.epsilon, entry.truth.source) == (False, 2.0, "thread 7")
    parameters = run(entry, max_samples=200).parameters
    assert parameters["cause"] == "the scale is squared"
    assert parameters["warned"] == "unsafe"
    assert "release" not in parameters
