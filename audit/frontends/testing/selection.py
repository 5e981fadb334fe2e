"""The marker `audits`, which tests have that use `assert_private`: to run them apart."""

from __future__ import annotations

import inspect
from types import FunctionType
from typing import Any, TypeGuard

import pytest

from audit.source_code import names_in

MARKER = (
    "audits: the test audits a mechanism; set where a test, or a function of its module that it "
    "calls, uses assert_private, and beside the marker private"
)
NAME = "audits"
_ASSERTION = "assert_private"


def audits(item: pytest.Item) -> bool:
    """True if a test audits something, by its code."""
    if item.get_closest_marker("private") is not None:
        return True
    function: Any = getattr(item, "obj", None)
    held = getattr(function, "hypothesis", None)
    function = getattr(held, "inner_test", function)
    if callable(function):
        function = inspect.unwrap(function)
    function = getattr(function, "__func__", function)
    return isinstance(function, FunctionType) and _asserts(function, set())


def _asserts(function: FunctionType, seen: set[int]) -> bool:
    """True if a function uses the assertion, or another of its module that does."""
    if id(function) in seen:
        return False
    seen.add(id(function))
    names = set(names_in(function.__code__))
    if _ASSERTION in names:
        return True
    called = (function.__globals__.get(name) for name in names)
    return any(_asserts(other, seen) for other in called if _beside(other, function))


def _beside(other: Any, function: FunctionType) -> TypeGuard[FunctionType]:
    return isinstance(other, FunctionType) and other.__module__ == function.__module__
