"""The version of the package, also part of every result."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version


def _installed() -> str:
    try:
        return version("dp-audit")
    except PackageNotFoundError:
        return "0 (not installed)"


VERSION = _installed()
