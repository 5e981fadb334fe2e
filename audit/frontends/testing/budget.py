"""What an audit inside a test may spend, and where a project says so."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from audit.errors import InputError, shown
from audit.frontends.project import settings_in, where
from audit.validation import is_number, is_whole, native


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The budget of every test that does not ask for another one.

    Attributes:
        alpha: chance that a test fails although its mechanism keeps its claim;
            a thousand tests at 1e-6 raise any false alarm once in a thousand runs.
        max_samples: runs of the mechanism at most, for one audit.
        max_samples_per_example: the same for one example of a Hypothesis test,
            of which there are many.
        seed: every number of an audit follows from it.
        timeout: seconds for one run of the mechanism.
        max_seconds: time at most for one audit, None for no limit; how far it gets then
            does not follow from the seed.
        ledger: the file that remembers every audit of every test, None for none.
    """

    alpha: float = 1e-6
    max_samples: int = 50_000
    max_samples_per_example: int = 5_000
    seed: int = 0
    timeout: float = 10.0
    max_seconds: float | None = None
    ledger: Path | None = None

    def but(self, **given: Any) -> Budget:
        """The same budget with those values that are not None replaced.

        Raises:
            InputError: one of them makes no sense.
        """
        changed = {name: value for name, value in given.items() if value is not None}
        return replace(self, **{name: checked(name, value) for name, value in changed.items()})


@dataclass(frozen=True, slots=True)
class _Range:
    """What values a setting may have, and the words for that."""

    contains: Callable[[Any], bool]
    words: str


_SECONDS = _Range(lambda value: _real(value) and 0 < value < 1e8, "a number of seconds above 0")
_COUNT = _Range(lambda value: is_whole(value) and value >= 1, "a whole number of at least 1")
_RANGES = {
    "alpha": _Range(lambda value: _real(value) and 0 < value < 1, "a number between 0 and 1"),
    "max_samples": _COUNT,
    "max_samples_per_example": _COUNT,
    "seed": _Range(lambda value: is_whole(value) and value >= 0, "a whole number of at least 0"),
    "timeout": _SECONDS,
    "max_seconds": _SECONDS,
    "ledger": _Range(lambda value: isinstance(value, Path), "the name of a file"),
}


def checked(name: str, value: Any) -> Any:
    """The value of a setting as it is; numbers of numpy as Python's own.

    Raises:
        InputError: it is not in the setting's range.
    """
    if not _RANGES[name].contains(value):
        raise InputError(f"{name} {shown(value)} is not {_RANGES[name].words}", value)
    return native(value)


def number_for(name: str) -> Callable[[str], Any]:
    """How the command line reads a setting."""

    def read(text: str) -> Any:
        for kind in (int, float):
            try:
                return checked(name, kind(text))
            except (ValueError, InputError):
                continue
        raise InputError(f"{text!r} is not {_RANGES[name].words}", text)

    return read


def budget_in(file: Path) -> Budget:
    """The budget in the table [tool.audit] of a project's pyproject.toml.

    What the table says of other flags of the command line is for the command line alone.

    Raises:
        InputError: the file cannot be read, a key is not known, or a value is
            out of its range.
    """
    known = {field.name.replace("_", "-"): field.name for field in fields(Budget)}
    table = {known[key]: value for key, value in settings_in(file).items() if key in known}
    if isinstance(table.get("ledger"), str):
        table["ledger"] = file.parent / table["ledger"]
    try:
        return Budget().but(**table)
    except InputError as error:
        raise InputError(f"{where(file)}: {error}", error.offender) from None


def _real(value: Any) -> bool:
    return is_whole(value) or (is_number(value) and math.isfinite(value))
