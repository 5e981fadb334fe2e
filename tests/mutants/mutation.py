"""Changing one expression of a function for a while, and running a test on it."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import sys
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest
from hypothesis import Phase, settings

TESTS = Path(__file__).parents[1]


@dataclass(frozen=True, slots=True)
class Mutant:
    """A wrong version of a function, and a test that must not pass with it.

    Attributes:
        error: what is wrong, in words.
        function: the function to change; a class and the name of a property as a pair.
        old: a piece of its source, found there exactly once.
        new: what stands there instead.
        test: the file and the name of the test.
        arguments: what the test is called with.
    """

    error: str
    function: Any
    old: str
    new: str
    test: str
    arguments: dict[str, Any] = field(default_factory=dict)


@contextmanager
def mutated(mutant: Mutant) -> Iterator[None]:
    """The program with one function changed, wherever it was imported."""
    function = _plain(mutant.function)
    forget = getattr(mutant.function, "cache_clear", lambda: None)
    original = function.__code__
    function.__code__ = _changed(function, mutant.old, mutant.new)
    forget()
    try:
        yield
    finally:
        function.__code__ = original
        forget()


def _plain(function: Any) -> FunctionType:
    """The function itself, behind its decorators."""
    if isinstance(function, property):
        function = function.fget
    plain = inspect.unwrap(getattr(function, "__func__", function))
    assert isinstance(plain, FunctionType)
    return plain


def _changed(function: FunctionType, old: str, new: str) -> CodeType:
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(old) == 1, f"{old!r} does not stand exactly once in {function.__name__}"
    (definition,) = ast.parse(source.replace(old, new)).body
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list, definition.returns = [], None
    names = dict(function.__globals__)
    module = ast.fix_missing_locations(ast.Module([definition], []))
    exec(compile(module, f"<mutant of {function.__name__}>", "exec"), names)
    code: CodeType = names[function.__name__].__code__
    return code


def _found(file: str) -> Path:
    """The test file of that name, in whatever room."""
    (path,) = TESTS.rglob(file)
    return path


@contextmanager
def loaded(file: str) -> Iterator[ModuleType]:
    """A test module, loaded anew; failing properties are not shrunk."""
    settings.register_profile("mutants", phases=(Phase.explicit, Phase.generate))
    before = settings.get_current_profile_name()
    settings.load_profile("mutants")
    name = f"mutated_{Path(file).stem}"
    spec = importlib.util.spec_from_file_location(name, _found(file))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
        yield module
    finally:
        del sys.modules[name]
        settings.load_profile(before)


def run_test(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the mutant's test as pytest would."""
    file, name = mutant.test.split("::")
    with loaded(file) as module:
        test: Callable[..., None] = getattr(module, name)
        arguments = dict(mutant.arguments)
        if "monkeypatch" in inspect.signature(test).parameters:
            arguments["monkeypatch"] = monkeypatch
        if "tiny" in inspect.signature(test).parameters:
            module.tiny_rules(monkeypatch)
            arguments["tiny"] = None
        test(**arguments)
