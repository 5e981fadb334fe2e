"""A Python callable as a black box."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from audit.blackbox.interface import Exited
from audit.blackbox.limits import TimeLimit
from audit.errors import AuditError, BlackBoxError, InputError

_SHAPES = "f(data), f(data, rng) or f(data, rng, size)"
_NEVER_RNG = {"epsilon", "eps", "delta", "sensitivity", "scale", "sigma", "seed"}


@dataclass(frozen=True, slots=True)
class Shape:
    """How a callable wants to be called.

    Attributes:
        rng: its parameter that takes the generator, None when there is none.
        size: its parameter that takes the number of outputs, None when there is none.
        positional: whether data, rng and size are its first parameters in this order.
    """

    rng: str | None = None
    size: str | None = None
    positional: bool = True


class PythonBlackBox:
    """A function, bound method, partial, callable object, or mechanism with `release`.

    Attributes:
        name: how results call it.
        seeded: whether the callable takes a generator.
        many: whether the callable takes a size.
        function: what is called in the end.
    """

    def __init__(
        self, function: Any, name: str | None = None, timeout: float | None = 10.0
    ) -> None:
        """Tell the shape of `function` apart by its parameters.

        Args:
            function: a callable of one of the shapes f(data), f(data, rng) and
                f(data, rng, size), an object with a method `release` of such a
                shape, or a class, which is instantiated without arguments.
            name: its name in results, by default its own.
            timeout: seconds for one call, None for no limit (see `TimeLimit`).

        Raises:
            InputError: it cannot be called, or its parameters fit no shape.
        """
        self.name = name or name_of(function)
        self.function = released_by(function)
        shape = shape_of(self.function, self.name)
        self.seeded = shape.rng is not None
        self.many = shape.size is not None
        self._limit = TimeLimit(timeout)
        self._caller = caller_of(self.function, shape)

    def call(self, data: Any, rng: Generator, size: int) -> Any:
        """See `BlackBox.call`; a KeyboardInterrupt passes through and ends the audit."""
        try:
            output = self._limit.run(self._caller, data, rng, size)
        except (Exception, KeyboardInterrupt):
            raise
        except BaseException as cause:
            raise Exited(cause) from cause
        if self.many:
            _check_size(output, size, self.name)
        return output


def name_of(function: Any) -> str:
    """The name that people know a callable by."""
    while isinstance(function, functools.partial):
        function = function.func
    if getattr(function, "__name__", None) == "release" and hasattr(function, "__self__"):
        function = function.__self__
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    return str(name).replace("<locals>.", "")


def released_by(function: Any) -> Any:
    """What to call: `release` where there is one, else the object itself.

    Raises:
        InputError: there is nothing to call, or a class needs arguments.
    """
    if inspect.isclass(function):
        function = _instance_of(function)
    release = getattr(function, "release", None)
    called = release if callable(release) else function
    if not callable(called):
        raise InputError(
            f"{called!r} is a {type(called).__name__}, not a function; give one of {_SHAPES}",
            called,
        )
    if inspect.iscoroutinefunction(called) or inspect.isasyncgenfunction(called):
        raise InputError(
            f"{name_of(called)} is an async function; give one that returns its output", called
        )
    return called


def _instance_of(kind: type) -> Any:
    if not (callable(getattr(kind, "release", None)) or "__call__" in dir(kind)):
        raise InputError(f"class {kind.__name__} has neither release nor __call__; add one", kind)
    try:
        return kind()
    except AuditError:
        raise
    except Exception as error:
        raise InputError(
            f"class {kind.__name__} cannot be made without arguments "
            f"({type(error).__name__}: {error}); give its fields defaults, or give an instance",
            kind,
        ) from error


def shape_of(function: Callable[..., Any], name: str) -> Shape:
    """Which of the three shapes a callable has.

    Parameters called `rng` and `size` take the generator and the size wherever
    they stand; else the second and third without default take them. A callable
    without a signature, as some builtins are, takes data alone.

    Raises:
        InputError: it takes no data, or needs what an audit does not give.
    """
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (ValueError, TypeError):
        return Shape()
    rest = _after_data(parameters, name)
    rng = "rng" if any(p.name == "rng" for p in rest) else None
    size = "size" if any(p.name == "size" for p in rest) else None
    for parameter in rest:
        if parameter.name in ("rng", "size") or not _required(parameter):
            continue
        if rng is None and _may_be_rng(parameter):
            rng = parameter.name
        elif rng is not None and size is None and parameter.kind is not parameter.KEYWORD_ONLY:
            size = parameter.name
        else:
            raise InputError(
                f"{name} needs a value for its parameter {parameter.name!r}, and an audit calls "
                f"{_SHAPES}; give it a default, or bind it with functools.partial",
                function,
            )
    wanted = [p for p in (rng, size) if p is not None]
    standing = [p.name for p in rest[: len(wanted)] if p.kind is not p.KEYWORD_ONLY]
    return Shape(rng, size, positional=standing == wanted and (rng is not None or size is None))


def _after_data(parameters: list[inspect.Parameter], name: str) -> list[inspect.Parameter]:
    """The parameters behind the dataset; *args and **kwargs are given nothing."""
    if not parameters or parameters[0].kind in (
        inspect.Parameter.KEYWORD_ONLY,
        inspect.Parameter.VAR_KEYWORD,
    ):
        raise InputError(f"{name} takes no dataset; an audit calls {_SHAPES}", name)
    first = parameters[0]
    if first.name in ("rng", "size"):
        raise InputError(
            f"{name} has {first.name!r} as its first parameter; the dataset comes first: {_SHAPES}",
            name,
        )
    variable = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    return [p for p in parameters[1:] if p.kind not in variable]


def _required(parameter: inspect.Parameter) -> bool:
    return parameter.default is inspect.Parameter.empty


def _may_be_rng(parameter: inspect.Parameter) -> bool:
    return parameter.kind is not parameter.KEYWORD_ONLY and parameter.name not in _NEVER_RNG


def caller_of(function: Callable[..., Any], shape: Shape) -> Callable[[Any, Any, Any], Any]:
    """A function of data, rng and size that hands `function` what its shape takes."""
    if not shape.positional:
        given = ((shape.rng, 1), (shape.size, 2))

        def by_name(*arguments: Any) -> Any:
            named = {name: arguments[i] for name, i in given if name is not None}
            return function(arguments[0], **named)

        return by_name
    if shape.size is not None:
        return function
    if shape.rng is not None:
        return lambda data, rng, _size: function(data, rng)
    return lambda data, _rng, _size: function(data)


def _check_size(output: Any, size: int, name: str) -> None:
    """Raises BlackBoxError unless `output` holds `size` outputs along its first axis."""
    if isinstance(output, np.ndarray):
        found = output.shape[0] if output.ndim else None
    elif isinstance(output, (str, bytes, Mapping, AbstractSet)) or not hasattr(output, "__len__"):
        found = None
    else:
        found = len(output)
    if found != size:
        got = f"a {type(output).__name__}" if found is None else f"{found} of them"
        raise BlackBoxError(
            f"{name} was asked for {size} outputs and returned {got}; "
            f"return an array or list of {size} independent outputs, or take no size",
            output,
        )
