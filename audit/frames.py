"""pandas, as far as somebody has loaded it.

Loading it takes a fifth of a second of processor time, and most audits meet no data frame. Who
holds one has loaded pandas; so whether something is a frame can be asked without doing so:

    from audit.frames import loaded_pandas as pd
    isinstance(value, pd.DataFrame)

Who makes a frame out of something else imports pandas where that is done.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["loaded_pandas"]


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


if TYPE_CHECKING:
    import pandas as loaded_pandas
else:
    loaded_pandas = _LoadedPandas("pandas")
