"""Mechanisms under audit: five real systems, right ones, wrong ones and traps."""

from mechanisms.catalog import CATALOG

__all__ = ["CATALOG"]
