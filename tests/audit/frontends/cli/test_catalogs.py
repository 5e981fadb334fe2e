"""Catalogues come from whatever packages are installed."""

from __future__ import annotations

from importlib.metadata import EntryPoint, EntryPoints

import pytest

import audit.frontends.cli.listing as catalogs
from audit.errors import InputError
from audit.frontends.cli.listing import catalog, entry_named

OURS = EntryPoint("ours", "mechanisms:CATALOG", catalogs.CATALOGS)
BROKEN = EntryPoint("theirs", "no_such_module:CATALOG", catalogs.CATALOGS)


def offering(monkeypatch: pytest.MonkeyPatch, *points: EntryPoint) -> None:
    monkeypatch.setattr(catalogs, "entry_points", lambda group: EntryPoints(points))


def test_without_a_package_it_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    offering(monkeypatch)
    with pytest.raises(InputError, match="no catalogue of mechanisms is installed"):
        catalog()


def test_two_packages_must_not_offer_the_same_name(monkeypatch: pytest.MonkeyPatch) -> None:
    offering(monkeypatch, OURS, OURS)
    with pytest.raises(InputError, match="two catalogues offer 'noisy-average'"):
        catalog()


def test_a_broken_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    offering(monkeypatch, OURS, BROKEN)
    with pytest.raises(InputError, match=r"'no_such_module:CATALOG' cannot be loaded"):
        catalog()


def test_near_names_are_suggested() -> None:
    with pytest.raises(InputError, match="did you mean laplace"):
        entry_named("laplac")
