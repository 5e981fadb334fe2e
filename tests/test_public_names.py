"""What is public is documented: what it takes, gives and refuses; and it loads when it is used."""

from __future__ import annotations

import ast
import importlib
import inspect
import operator
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from enum import Enum
from pathlib import Path
from typing import Any

import pytest

import audit
import audit.testing
from audit.case import Budget, Execution, More, Options

ROOT = Path(__file__).parents[1]
PROTOCOLS: tuple[Any, ...] = (audit.boxes.BlackBox, audit.claims.Claim, audit.domains.Domain)
"""What says once what the methods of many classes do."""

_ROOM = re.compile(r"^::: (audit\.\w+)\n(?: +options:\n +members: \[(.*)\]\n)?", re.MULTILINE)


def in_reference() -> Iterator[str]:
    """Names that the reference shows of the other public modules."""
    for room, members in _ROOM.findall((ROOT / "docs/reference/python.md").read_text("utf-8")):
        names = members.split(", ") if members else importlib.import_module(room).__all__
        yield from (f"{room}.{name}" for name in names)


PUBLIC = {
    **{f"audit.{name}": getattr(audit, name) for name in audit.__all__ if name[0] != "_"},
    **{name: operator.attrgetter(name.removeprefix("audit."))(audit) for name in in_reference()},
}
CLASSES = {name: thing for name, thing in PUBLIC.items() if inspect.isclass(thing)}


def members(kind: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties that the class or one of the package's above it has."""
    for name in dir(kind):
        held = inspect.getattr_static(kind, name)
        home = next((c for c in kind.__mro__ if name in vars(c)), type)
        callable_or_property = isinstance(held, (property, classmethod, staticmethod)) or (
            inspect.isfunction(held)
        )
        if name[0] != "_" and callable_or_property and home.__module__.startswith("audit"):
            yield name, held


def functions() -> Iterator[tuple[str, Any, str]]:
    """Every public function and method with its docstring."""
    for name, thing in PUBLIC.items():
        if inspect.isfunction(thing):
            yield name, thing, inspect.getdoc(thing) or ""
    for name, kind in CLASSES.items():
        for member, held in members(kind):
            if not isinstance(held, property):
                function = getattr(held, "__func__", held)
                yield f"{name}.{member}", function, documented(kind, member)


def documented(kind: type, member: str) -> str:
    """What is said of a member: its own docstring, and that of the protocol the class keeps."""
    held = inspect.getattr_static(kind, member)
    own = held.__doc__ if isinstance(held, property) else getattr(held, "__func__", held).__doc__
    kept = [p for p in PROTOCOLS if member in vars(p) and all(hasattr(kind, m) for m in asked(p))]
    docs = [own, *(getattr(vars(p)[member], "__func__", vars(p)[member]).__doc__ for p in kept)]
    return "\n\n".join(inspect.cleandoc(doc) for doc in docs if doc)


def asked(protocol: Any) -> set[str]:
    """The methods and properties of a protocol."""
    return {name for name, _ in members(protocol)}


def section(doc: str, head: str) -> str:
    found = re.search(rf"^{head}:\n((?:[ ]+.*\n?|\n)+)", doc, re.MULTILINE)
    return found[1] if found else ""


def raises(function: Any) -> bool:
    """Whether its own code raises anything but what it caught."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    return any(isinstance(node, ast.Raise) and node.exc is not None for node in ast.walk(tree))


FUNCTIONS = {name: (function, doc) for name, function, doc in functions()}


def missing_in(name: str, function: Any, doc: str) -> list[str]:
    """What the docstring of a function does not say."""
    if not doc:
        return [f"{name} has no docstring"]
    signature = inspect.signature(function)
    taken = [p for p in signature.parameters if p not in ("self", "cls")]
    told = section(doc, "Args")
    problems = [f"{name}: {p}" for p in taken if not re.search(rf"^ +{p}: ", told, re.MULTILINE)]
    if signature.return_annotation not in (None, "None") and not section(doc, "Returns"):
        problems.append(f"{name}: Returns")
    if raises(function) and not section(doc, "Raises"):
        problems.append(f"{name}: Raises")
    return problems


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_has_a_docstring(name: str) -> None:
    assert inspect.getdoc(PUBLIC[name])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_says_what_it_takes_gives_and_raises(name: str) -> None:
    assert missing_in(name, *FUNCTIONS[name]) == []


@pytest.mark.parametrize("name", CLASSES)
def test_every_property_and_field_is_told(name: str) -> None:
    kind = CLASSES[name]
    doc = inspect.getdoc(kind) or ""
    told = section(doc, "Attributes")
    own = [f.name for f in fields(kind)] if is_dataclass(kind) else []
    if issubclass(kind, Enum):
        own = []
    assert [f for f in own if not re.search(rf"^ +{f}: ", told, re.MULTILINE)] == []
    silent = [m for m, held in members(kind) if not documented(kind, m)]
    assert silent == []


def test_a_docstring_that_says_too_little_is_found() -> None:
    def quiet(one: int, two: int) -> int:
        """Adds."""
        if one > two:
            raise ValueError(one)
        return one

    def told(one: int) -> int:
        """Adds.

        Args:
            one: a number.

        Returns:
            Another one.
        """
        return one

    doc = inspect.getdoc(quiet) or ""
    assert missing_in("q", quiet, doc) == ["q: one", "q: two", "q: Returns", "q: Raises"]
    assert missing_in("t", told, inspect.getdoc(told) or "") == []


def test_names_are_listed_once_and_all_of_them_are_there() -> None:
    assert len(set(audit.__all__)) == len(audit.__all__)
    listed = {name for names in audit._HOMES.values() for name in names}
    assert {*audit.__all__} == listed | {"__version__"}
    assert {*audit.__all__} <= {*dir(audit)}
    with pytest.raises(AttributeError, match="no attribute 'privacy'"):
        getattr(audit, "privacy")  # noqa: B009


def test_the_package_itself_loads_nothing_heavy() -> None:
    heavy = "{'numpy', 'scipy', 'pandas', 'hypothesis', 'duckdb'}"
    program = f"import sys, audit, audit.testing; print({heavy} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "set()\n"


def test_an_audit_has_sixteen_named_arguments_and_the_rest_in_a_record_each() -> None:
    named = inspect.signature(audit.run).parameters
    groups = {field.name for group in (Budget, Execution, Options) for field in fields(group)}
    assert len(named) <= 16
    assert {*More.__annotations__} == groups | {"ledger"}
    assert not groups & named.keys()
