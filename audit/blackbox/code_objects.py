"""The code of a function and of those inside it; loads nothing that a test run would wait for."""

from __future__ import annotations

from collections.abc import Iterator
from types import CodeType


def code_objects(code: CodeType) -> Iterator[CodeType]:
    """A piece of code and, after it, those of functions and classes inside it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from code_objects(constant)


def names_in(code: CodeType) -> Iterator[str]:
    """Names of variables and attributes that code looks up, those of functions inside it too."""
    for part in code_objects(code):
        yield from part.co_names
