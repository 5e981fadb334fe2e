"""Callables by their address, FILE.py:FUNCTION or package.module:function, and how to call them.

A session is called as a black box: what is asked is part of the data, the transcript the output.
"""

from __future__ import annotations

import copy
import difflib
import functools
import importlib.util
import inspect
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from numpy.random import Generator

from audit.errors import AuditError, InputError
from audit.source_code import failures_named, importing_from, load_file

_FORM = "write FILE.py:FUNCTION or package.module:function"


def load_callable(address: str) -> Any:
    """The function, class or object at an address.

    What stands before the last colon is a file where one of that name exists or
    it ends in .py, else a module; what stands behind it may be a dotted path
    (Class.method). While the file runs, its folder is searched first for
    imports, as if it was run as a script; later on it is searched last. What it
    prints goes to standard error.

    Raises:
        InputError: no such file, module or attribute, code that fails while it
            is loaded, or something that cannot be called, such as a method of no object.
    """
    place, colon, path = address.rpartition(":")
    if not (colon and place and path):
        raise InputError(f"{address!r} does not name a function; {_FORM}", address)
    is_file = place.endswith(".py") or os.sep in place or os.path.isfile(place)
    module = load_file(Path(place)) if is_file else _load_module(place)
    found = _attribute(module, path, place)
    owner, _, method = path.rpartition(".")
    kind = _attribute(module, owner, place) if owner else module
    if inspect.isclass(kind) and method in methods_of(kind):
        raise InputError(
            f"{path} in {place} is a method without an object; {function_with(kind, method)}",
            address,
        )
    if not callable(found) and not callable(getattr(found, "release", None)):
        own = methods_of(type(found))
        other = f"give its method, {address}.{own[0]}" if own else _callables_in(module)
        raise InputError(
            f"{path} in {place} is of type {type(found).__name__} and cannot be called; {other}",
            address,
        )
    return found


def methods_of(kind: type) -> list[str]:
    """Public methods of an object that its class defines itself."""
    return [name for name, one in vars(kind).items() if inspect.isfunction(one) and name[0] != "_"]


def function_with(kind: type, method: str) -> str:
    """Advice to audit a function that makes an object of a class and calls its method."""
    given = ", ".join(list(inspect.signature(getattr(kind, method)).parameters)[1:])
    return f"give a function: def mechanism({given}): return {kind.__name__}(...).{method}({given})"


def _load_module(name: str) -> ModuleType:
    with importing_from(Path.cwd()):
        try:
            known = importlib.util.find_spec(name) is not None
        except (ImportError, ValueError):
            known = False
        if not known:
            raise InputError(
                f"module {name!r} is neither installed nor in this folder; {_FORM}", name
            )
        with failures_named(Path(name), None):
            return importlib.import_module(name)


def _attribute(module: ModuleType, path: str, place: str) -> Any:
    found: Any = module
    for part in path.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            near = difflib.get_close_matches(part, _public(found), n=3)
            advice = f"did you mean {' or '.join(near)}?" if near else _callables_in(module)
            raise InputError(f"{place} has no {path!r}; {advice}", path) from None
    return found


def _public(owner: Any) -> list[str]:
    return [name for name in dir(owner) if not name.startswith("_")]


def _callables_in(module: ModuleType) -> str:
    held = {name: getattr(module, name) for name in _public(module)}
    called = [name for name, one in held.items() if callable(one)]
    own = [name for name in called if inspect.getmodule(held[name]) in (module, None)]
    if not own:
        return "it defines no functions"
    return f"it defines {', '.join(own[:8])}{' and more' if len(own) > 8 else ''}"


def place_of(box: Any) -> str:
    """The file and line of the function in a black box, as "release.py:12"; empty without code.

    Files below the working directory are named from there.
    """
    function = getattr(box, "function", None)
    while isinstance(function, functools.partial):
        function = function.func
    function = inspect.unwrap(function) if callable(function) else function
    for candidate in (function, vars(type(function)).get("__call__")):
        code = getattr(candidate, "__code__", None)
        # Code that is in no file was typed in, or made by a program.
        if code is not None and (file := Path(code.co_filename)).is_file():
            shown = file.relative_to(Path.cwd()) if file.is_relative_to(Path.cwd()) else file
            return f"{shown.as_posix()}:{code.co_firstlineno}"
    return ""


SHAPES = "f(data), f(data, rng), f(data, rng, size) or f(data, size)"
_SIZES = ("size", "num_samples")
"""Names of the number of outputs wanted."""
_OWN_PARAMETERS = {"epsilon", "eps", "delta", "sensitivity", "scale", "sigma", "bound", "seed"}


@dataclass(frozen=True, slots=True)
class Shape:
    """Calling convention of a callable.

    Attributes:
        rng: its parameter that takes the generator, None when there is none.
        size: its parameter that takes the number of outputs, None when there is none.
        positional: whether data, rng and size, as far as it takes them, are its first
            parameters in this order.
    """

    rng: str | None = None
    size: str | None = None
    positional: bool = True

    def named(self, rng: Any, size: Any) -> dict[str, Any]:
        """The generator and the size by the names of the parameters that take them."""
        given = ((self.rng, rng), (self.size, size))
        return {name: value for name, value in given if name is not None}


def shape_of(function: Callable[..., Any], name: str) -> Shape:
    """Find which of the four calling conventions a callable has.

    Parameters called `rng` and `size` take the generator and the size wherever
    they stand; so does `num_samples`, unless its default is a number of its own,
    larger than 1. Else the second and third without default take them. A callable
    without a signature, as some builtins are, takes data alone.

    Raises:
        InputError: it takes no data, or needs what an audit does not give.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        return Shape()
    rest = _after_data(parameters, name)
    rng, size = _generator_and_size(rest, name)
    wanted = [p for p in (rng, size) if p is not None]
    standing = [p.name for p in rest[: len(wanted)] if p.kind is not p.KEYWORD_ONLY]
    return Shape(rng, size, positional=standing == wanted)


def _generator_and_size(rest: list[inspect.Parameter], name: str) -> tuple[str | None, str | None]:
    """Names of the parameters that take the generator and the size, by name or by position."""
    required = [p for p in rest if p.default is p.empty]
    rng = next((p.name for p in rest if p.name == "rng"), None)
    size = next((p.name for p in rest if _is_size(p)), None)
    if not {p.name for p in required} <= {rng, size}:
        _check_positions(required, name)
        rng = required[0].name
        size = required[1].name if len(required) > 1 else size
    return rng, size


def _is_size(parameter: inspect.Parameter) -> bool:
    """True if a parameter asks for the number of outputs, and is no parameter of the mechanism."""
    one = parameter.default is None or isinstance(parameter.default, int)
    usual = parameter.default is parameter.empty or (one and parameter.default in (None, 0, 1))
    return parameter.name == "size" or (parameter.name in _SIZES and usual)


def _check_positions(required: list[inspect.Parameter], name: str) -> None:
    """Raises InputError unless these are a generator and perhaps a size: all runs would fail."""
    for place, parameter in enumerate(required):
        own = parameter.name in _OWN_PARAMETERS or parameter.kind is parameter.KEYWORD_ONLY
        if own or place > 1 or parameter.name in (_SIZES, ("rng",))[place]:
            raise InputError(
                f"{name} needs a value for its parameter {parameter.name!r}, and an audit calls "
                f"{SHAPES}; give it a default, or bind it with functools.partial",
                parameter.name,
            )


def _after_data(parameters: list[inspect.Parameter], name: str) -> list[inspect.Parameter]:
    """The parameters behind the dataset; *args and **kwargs are given nothing."""
    named = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
    if not parameters or parameters[0].kind in named:
        raise InputError(f"{name} takes no dataset; an audit calls {SHAPES}", name)
    first = parameters[0]
    if first.name in ("rng", *_SIZES):
        raise InputError(
            f"{name} has {first.name!r} as its first parameter; the dataset comes first: {SHAPES}",
            name,
        )
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p for p in parameters[1:] if p.kind not in variable]


def name_of(function: Any) -> str:
    """The name that people know a callable by."""
    while isinstance(function, functools.partial):
        function = function.func
    if getattr(function, "__name__", None) == "release" and hasattr(function, "__self__"):
        function = function.__self__
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    return str(name).replace("<locals>.", "")


OPENER = "__opener__"
"""Attribute of a function that gives transcripts: what opens its sessions."""
DATA, QUESTIONS = "data", "questions"
"""Keys of a dataset with what is asked about it."""
_MUTABLE = (list, dict, set)


def transcripts_of(factory: Any) -> Callable[..., list[Any]]:
    """The function that opens a session, asks one question after the other, and keeps the answers.

    Args:
        factory: f(data) or f(data, rng), or a class, that opens a session: an object whose
            `ask(question)` answers, or a function that does.

    Returns:
        f(data) or f(data, rng), where data is {"data": ..., "questions": [...]}. It gives one
        answer for each question; of a question that ended in an exception "raised" and its
        type, and the session goes on.

    Raises:
        InputError: the factory takes something else.
    """
    shape = shape_of(factory, name_of(factory))
    if shape.size is not None:
        raise InputError(
            f"{name_of(factory)} takes a size, but a session is one draw; give f(data) or "
            "f(data, rng)",
            factory,
        )
    names = () if shape.rng is None else (shape.rng,)

    def transcript(data: Any, *rng: Generator) -> list[Any]:
        ask = answering(factory(data[DATA], **dict(zip(names, rng, strict=True))))
        return [_answer(ask, question) for question in data[QUESTIONS]]

    # With name, module and place of the factory, so that its code is what is looked at.
    functools.update_wrapper(transcript, factory, updated=())
    setattr(transcript, OPENER, factory)
    given = ("data", "rng")[: 1 + len(names)]
    parameters = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in given]
    transcript.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return transcript


def answering(session: Any) -> Callable[[Any], Any]:
    """Callable that answers a question; InputError where nothing can be asked."""
    ask = getattr(session, "ask", session)
    if not callable(ask):
        raise InputError(
            f"a session of type {type(session).__name__} has no method ask; let the factory give "
            "an object with ask(question), or a function",
            session,
        )
    return ask  # type: ignore[no-any-return]


def _answer(ask: Callable[[Any], Any], question: Any) -> Any:
    try:
        found = ask(question)
    except AuditError:
        raise
    except Exception as error:
        return f"raised {type(error).__name__}"
    # The session may go on changing what it has given.
    return copy.copy(found) if isinstance(found, _MUTABLE) else found
