"""Budget of an audit inside a test, and its settings in a project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from audit.errors import InputError, shown
from audit.frontends.project import settings_in, where
from audit.validation import AMOUNTS, check_amounts, native


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

    def but(self, naming: Callable[[str], str] = str, **given: Any) -> Budget:
        """The same budget with those values that are not None replaced.

        Args:
            naming: how the caller calls them.
            given: the values by their names here.

        Raises:
            InputError: one of them makes no sense.
        """
        changed = {name: value for name, value in given.items() if value is not None}
        return replace(self, **{key: checked(key, value, naming) for key, value in changed.items()})


def checked(name: str, value: Any, naming: Callable[[str], str] = str) -> Any:
    """The value of a setting as it is; numbers of numpy as Python's own.

    Args:
        name: of the setting.
        value: given for it.
        naming: how the caller calls the setting.

    Raises:
        InputError: it is not in the setting's range.
    """
    if name in AMOUNTS:
        check_amounts(naming, **{name: value})
    elif not isinstance(value, Path):
        raise InputError(f"{naming(name)} {shown(value)} is not the name of a file", value)
    return native(value)


def number_for(name: str) -> Callable[[str], Any]:
    """Parser of a setting, as on the command line."""

    def read(text: str) -> Any:
        for kind in (int, float):
            try:
                return checked(name, kind(text))
            except (ValueError, InputError):
                continue
        amount = AMOUNTS[name]
        raise InputError(f"{text!r} is not {amount.words}; give for example {amount.example}", text)

    return read


def budget_in(file: Path) -> Budget:
    """The budget in the table [tool.audit] of a project's pyproject.toml.

    What the table says of other flags of the command line is for the command line alone.

    Raises:
        InputError: the file cannot be read, a key is not known, or a value is
            out of its range.
    """
    known = {_key(field.name): field.name for field in fields(Budget)}
    table = {known[key]: value for key, value in settings_in(file).items() if key in known}
    if isinstance(table.get("ledger"), str):
        table["ledger"] = file.parent / table["ledger"]
    try:
        return Budget().but(_key, **table)
    except InputError as error:
        raise InputError(f"{where(file)}: {error}", error.offender) from None


def _key(name: str) -> str:
    """Name of a field in the table."""
    return name.replace("_", "-")
