"""One documented call of a library: the claim, where it is stated, and what does it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Any

from audit.claims import Claim
from audit.errors import InputError

Release = Callable[..., Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of a library as its documentation makes it.

    Attributes:
        library: name of the package.
        version: the version that is installed.
        call: the call in words of the library.
        documented: where the claim and the call are documented.
        cause: why the claim does not hold, empty when it does or nobody knows.
        warned: what the library itself says about it.
        thread: where its maintainers know of it.
        claims: what the library claims.
        does: makes the call; one of the shapes of a black box.
    """

    library: str
    version: str
    call: str
    documented: str
    cause: str = ""
    warned: str = ""
    thread: str = ""
    claims: InitVar[Claim]
    does: InitVar[Release]
    claim: Claim = field(init=False)
    release: Release = field(init=False)

    def __post_init__(self, claims: Claim, does: Release) -> None:
        object.__setattr__(self, "claim", claims)
        object.__setattr__(self, "release", does)


def imported(module: str, package: str, requirement: str) -> tuple[ModuleType, str]:
    """A module of a library, and the version of its package.

    Raises:
        InputError: it is not installed.
    """
    try:
        return importlib.import_module(module), version(package)
    except (ImportError, PackageNotFoundError) as error:
        raise InputError(
            f"{package} cannot be imported ({error}); run: pip install '{requirement}'", module
        ) from None


def invoked(function: Release, cast: Callable[[Any], Any]) -> Release:
    """Calls a function that wants its data in another form."""

    def release(data: Any) -> Any:
        return function(cast(data))

    return release


def one(kind: type) -> Callable[[Any], Any]:
    """The first record, as a Python value of some type."""
    return lambda data: kind(data[0])


def many(kind: type) -> Callable[[Any], Any]:
    """All records, as a list of Python values of some type."""
    return lambda data: [kind(record) for record in data]
