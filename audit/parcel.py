"""Objects on their way to another process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cloudpickle

from audit.errors import BlackBoxError, reason_of
from audit.module_file import load_files, loaded_files


@dataclass(frozen=True, slots=True)
class Parcel:
    """Objects as bytes, and the files whose code they need.

    Attributes:
        files: Python files that were loaded by their path; they must exist where
            the parcel is opened.
        content: the objects.
    """

    files: tuple[str, ...]
    content: bytes

    @classmethod
    def of(cls, value: Any) -> Parcel:
        """Pack objects.

        Raises:
            BlackBoxError: they cannot travel.
        """
        try:
            return cls(loaded_files(), cloudpickle.dumps(value))
        except Exception as error:
            raise BlackBoxError(
                f"the black box cannot be sent to another process ({reason_of(error)}); give "
                "--workers 1, or let it hold nothing like locks, open files and connections",
                error,
            ) from error

    def opened(self) -> Any:
        """The objects again, as copies.

        Raises:
            BlackBoxError: what they need is not there.
        """
        try:
            load_files(self.files)
            return cloudpickle.loads(self.content)
        except Exception as error:
            raise BlackBoxError(
                f"the black box cannot be loaded in another process ({reason_of(error)}); install "
                "there what it imports, or give --workers 1",
                error,
            ) from error
