"""Identity of an audit: everything on which its draws depend, and short names for values."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field, fields, is_dataclass
from functools import partial
from importlib import metadata
from pathlib import Path
from types import CodeType
from typing import Any

import numpy as np

from audit import __version__ as VERSION
from audit.case import Case, Settings
from audit.lazy_modules import loaded_pandas as pd

_BYTES = 12


def digest_of(value: Any) -> str:
    """A checksum of a value, the same in every process.

    Numbers, text, containers, arrays, tables and dataclasses are told apart by
    what they hold; functions and objects by their code and what they carry;
    files, given as paths, by their contents.
    """
    hashed = hashlib.blake2b(digest_size=_BYTES)
    for part in _Visit().parts(value):
        hashed.update(len(part).to_bytes(8, "little"))
        hashed.update(part)
    return hashed.hexdigest()


@dataclass(slots=True)
class _Visit:
    """Takes one value apart.

    Attributes:
        seen: objects being taken apart, as objects may hold each other.
    """

    seen: dict[int, Any] = field(default_factory=dict)

    def parts(self, value: Any) -> Iterator[bytes]:
        """What tells this value from others."""
        yield type(value).__qualname__.encode()
        if value is None or isinstance(value, (int, float, complex, str, bytes, np.generic)):
            yield value if isinstance(value, bytes) else repr(value).encode("utf-8", "replace")
        elif id(value) in self.seen:
            yield b"again"
        else:
            self.seen[id(value)] = value
            yield from self._held(value)
            del self.seen[id(value)]

    def _held(self, value: Any) -> Iterator[bytes]:
        if isinstance(value, np.ndarray) and value.dtype != object:
            yield repr((value.dtype.str, value.shape)).encode()
            yield value.tobytes()
        elif isinstance(value, (pd.DataFrame, pd.Series)):
            # Through lists, which all kinds of columns can become.
            yield from self.parts(value.reset_index().to_dict("split"))
        elif isinstance(value, Mapping):
            yield from self._all(part for item in value.items() for part in item)
        elif isinstance(value, (list, tuple, np.ndarray)):
            yield from self._all(value)
        elif isinstance(value, Set):
            yield from sorted(digest_of(entry).encode() for entry in value)
        elif isinstance(value, Path):
            yield from _contents(value)
        elif is_dataclass(value) and not isinstance(value, type):
            yield from self._all(getattr(value, known.name) for known in fields(value))
        else:
            yield from self._code(value)

    def _all(self, values: Iterable[Any]) -> Iterator[bytes]:
        count = 0
        for value in values:
            yield from self.parts(value)
            count += 1
        yield str(count).encode()

    def _code(self, value: Any) -> Iterator[bytes]:
        """What a function or an object does, as far as its source or its code tells."""
        if isinstance(value, partial):
            yield from self._all([value.func, value.args, value.keywords])
            return
        owner = getattr(value, "__self__", None)
        if owner is not None and not inspect.ismodule(owner):
            yield from self.parts(owner)
        function = inspect.unwrap(getattr(value, "__func__", value))
        code = getattr(function, "__code__", None)
        source = _source_of(function)
        if source is not None:
            yield from _contents(source)
        if isinstance(code, CodeType):
            yield from _of_code(code)
            cells = getattr(function, "__closure__", None) or ()
            yield from self._all(getattr(cell, "cell_contents", None) for cell in cells)
            yield from self._all([function.__defaults__, function.__kwdefaults__])
        elif hasattr(value, "__dict__"):
            yield from self._all(vars(value).items())
        elif " at 0x" not in repr(value):
            yield repr(value).encode()


def _contents(path: Path) -> Iterator[bytes]:
    hashed = hashlib.blake2b(digest_size=_BYTES)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            hashed.update(block)
    yield hashed.digest()


def _of_code(code: CodeType) -> Iterator[bytes]:
    yield code.co_code
    yield repr(code.co_names).encode()
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _of_code(constant)
        else:
            yield repr(constant).encode()


def _source_of(function: Any) -> Path | None:
    """The file that a function or the class of an object comes from."""
    described = function if hasattr(function, "__code__") else type(function)
    try:
        source = inspect.getsourcefile(described)
    except TypeError:
        return None
    return Path(source) if source is not None and Path(source).is_file() else None


_LIBRARIES = ("numpy", "scipy", "pandas")
"""Their random numbers and their last bits decide what is bet on."""


def identity_of(case: Case, settings: Settings) -> dict[str, Any]:
    """Plain values by names that people understand; two audits are the same when all agree.

    The budget is not among them, as an audit may go on with a larger one.
    """
    return {
        "version": VERSION,
        **{f"version of {name}": _installed(name) for name in _LIBRARIES},
        "mechanism": case.name,
        **{f"parameter {name}": repr(value) for name, value in case.parameters.items()},
        "claim": str(case.claim),
        "relation": str(case.relation),
        "seed": settings.seed,
        "alpha": settings.alpha,
        "--null": settings.null,
        "--assume": ", ".join(settings.assume),
        "code": digest_of(getattr(case.box, "identity", case.box)),
        "datasets": digest_of([[pair.dataset, pair.neighbor] for pair in case.pairs]),
        "domain": None if case.domain is None else str(case.domain),
        **_asked(case),
        "rule of stopping": str(settings.budget.until),
    }


def _asked(case: Case) -> dict[str, Any]:
    """What the search may ask sessions, where there are any."""
    if case.questions is None:
        return {}
    known = digest_of([[pair.dataset, pair.neighbor] for pair in case.known])
    return {"questions": str(case.questions), "known datasets": known}


def _installed(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
