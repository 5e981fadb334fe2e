"""Libraries that are loaded when they are first used, since many an audit ends without them.

pandas takes a fifth of a second of processor time. Who holds a data frame has loaded it; so
whether something is a frame can be asked without doing so:

    from audit.lazy_modules import loaded_pandas as pd
    isinstance(value, pd.DataFrame)

Who makes a frame out of something else imports pandas where that is done. scipy's special
functions take a fifth to a third of a second; they and asyncio are loaded with their first call.
"""

from __future__ import annotations

import importlib
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["asyncio", "loaded_pandas", "special"]


class _Absent:
    """Stands for whatever pandas would have: nothing is one of these, and nothing is this."""


class _LoadedPandas(ModuleType):
    """Attributes of pandas once it is loaded; before, a class without instances for each class."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(sys.modules.get("pandas"), name, None)
        if found is not None:
            setattr(self, name, found)  # so that it is asked for once
            return found
        if name[0].isupper():  # not loaded yet, or just being loaded by another thread
            return _Absent
        raise AttributeError(name)


class _Lazy(ModuleType):
    """Names of a module, which is loaded with the first of them."""

    def __getattr__(self, name: str) -> Any:
        found = getattr(importlib.import_module(self.__name__), name)
        setattr(self, name, found)
        return found


if TYPE_CHECKING:
    import asyncio

    import pandas as loaded_pandas
    from scipy import special
else:
    loaded_pandas = _LoadedPandas("pandas")
    special, asyncio = _Lazy("scipy.special"), _Lazy("asyncio")
