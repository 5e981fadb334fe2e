"""scipy's special functions, loaded when the first of them is called.

Loading them takes a fifth to a third of a second of processor time, most of it for parts of numpy
that nothing here uses, and many an audit ends before it needs one. They are named by where they
come from, so that each use reads as what it is:

    from audit.special import special
    special.ndtr(score)
"""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["special"]


class _Special(ModuleType):
    """Functions of `scipy.special`, each loaded once."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(importlib.import_module("scipy.special"), name)
        setattr(self, name, found)
        return found


if TYPE_CHECKING:
    from scipy import special
else:
    special = _Special("scipy.special")
