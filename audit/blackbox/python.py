"""A Python callable as a black box."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

from audit.blackbox.callables import (
    SHAPES,
    Shape,
    function_with,
    load_callable,
    methods_of,
    name_of,
    shape_of,
)
from audit.blackbox.environment import contained
from audit.blackbox.exchange import DICTS, check_records, dicts_of
from audit.blackbox.interface import BlackBox
from audit.blackbox.output import MOST_PARTS, UNSETTLED, copier, settled, taken
from audit.blackbox.time_limit import Patience, TimeLimit
from audit.errors import AuditError, BlackBoxError, InputError, reason_of
from audit.lazy_modules import loaded_pandas as pd
from audit.source_code import NO_CONSTANTS, Constants, constants_of

_OUTPUTS_IN_TIME = 1 << 14
"""Outputs of one call that the time for one run is enough for."""


class PythonBlackBox:
    """A function, bound method, partial, callable object, or mechanism with `release`.

    Attributes:
        name: how results call it.
        seeded: whether the callable is given a generator.
        many: whether the callable takes a size.
        records: how the callable wants its records.
        takes_seed: what takes no generator may draw from the global ones, which are seeded.
        mechanism: the callable, object or class as it was given or made.
        function: what is called in the end.
        shape: how it is called.
        factory: makes the callable anew in every fresh instance; None to copy it or read it again.
    """

    takes_seed = True

    def __init__(
        self,
        function: Any,
        name: str | None = None,
        timeout: float | None = 10.0,
        records: str | None = None,
        factory: Callable[[], Any] | None = None,
        shape: Shape | None = None,
    ) -> None:
        """Tell the shape of `function` apart by its parameters.

        Args:
            function: a callable of one of the shapes f(data), f(data, rng),
                f(data, rng, size) and f(data, size), also a coroutine function; an
                object with a method `release` of such a shape; or a class, whose objects are
                made without arguments, anew in every fresh instance.
            name: its name in results, by default its own.
            timeout: seconds for one call, None for no limit (see `TimeLimit`).
            records: "dict" for a list of dicts instead of a DataFrame.
            factory: makes such a callable.
            shape: of the callable, if it is known.

        Raises:
            InputError: it cannot be called, its parameters fit no shape, or it
                cannot be given such records.
        """
        self.name = name or name_of(function)
        if inspect.isclass(function):
            function, factory = _instance_of(function), function
        self.mechanism = function
        self.function = released_by(function)
        shape = self.shape = shape or shape_of(self.function, self.name)
        self.seeded = shape.rng is not None
        self.many = shape.size is not None
        self._limit = TimeLimit(timeout)
        self._patience = Patience(self.name, timeout)
        self.factory = factory
        self._source: str | None = None
        self.records = check_records(records, DICTS, "a function")

    @classmethod
    def at(
        cls,
        address: str,
        timeout: float | None = 10.0,
        records: str | None = None,
        name: str | None = None,
    ) -> PythonBlackBox:
        """The callable at FILE.py:FUNCTION or package.module:function.

        Args:
            address: of the callable.
            timeout: seconds for one call, None for no limit.
            records: "dict" for a list of dicts instead of a DataFrame.
            name: its name in results, by default that of the callable.

        Returns:
            The black box; other processes load the callable from there as well.

        Raises:
            InputError: it cannot be loaded or called (see `load_callable`).
        """
        box = cls(load_callable(address), name, timeout, records)
        place, _, path = address.rpartition(":")
        box._source = f"{Path(place).resolve() if os.path.isfile(place) else place}:{path}"
        return box

    @classmethod
    def made_by(
        cls,
        factory: Callable[[], Any],
        name: str | None = None,
        timeout: float | None = 10.0,
        records: str | None = None,
    ) -> PythonBlackBox:
        """The callable that a factory makes, here and anew in every fresh instance.

        Args:
            factory: makes it, without arguments.
            name: its name in results, by default that of the factory.
            timeout: seconds for one call, None for no limit.
            records: "dict" for a list of dicts instead of a DataFrame.

        Returns:
            The black box.

        Raises:
            InputError: the factory cannot be called without arguments or fails, or makes what
                cannot be called.
        """
        try:
            made = factory()
        except Exception as error:  # of somebody's own
            raise InputError(
                f"factory={name_of(factory)} failed ({reason_of(error)}); give a function without "
                "arguments that makes the mechanism",
                factory,
            ) from error
        return cls(made, name or name_of(factory), timeout, records, factory)

    @property
    def identity(self) -> tuple[Any, ...]:
        """Everything but data and randomness that outputs depend on."""
        return self._limit.seconds, self.function, self.records

    @property
    def elsewhere(self) -> bool:
        """True if calls may by now be made in other processes at the same time.

        Before anything came in time, time-outs are counted here (see `Patience`).
        """
        return self._patience.hopeful

    def __reduce__(self) -> tuple[Any, ...]:
        """Load it again in another process if it was loaded from a file."""
        held = {"_patience": self._patience}
        if self._source is not None:
            at = self._source, self._limit.seconds, self.records, self.name
            return PythonBlackBox.at, at, held
        given = self.function, self.name, self._limit.seconds, self.records, self.factory
        return PythonBlackBox, given, held

    def bind(self, data: Any) -> BoundFunction:
        """See `BlackBox.bind`."""
        return BoundFunction(self, copier(data))

    def in_a_row(self, work: Callable[[], None], times: float) -> None:
        """Make many quick calls under one time limit; what they do to this process is undone.

        Args:
            work: makes them by `output`.
            times: of the time for one run.

        Raises:
            RunTimeout: they took longer; calls have to be made one by one.
            Exited: one ended by an exception that is not an `Exception`.
        """
        contained(self._limit.run, work, times=times)

    def output(self, data: Any, rng: Generator, size: int) -> Any:
        """One call without a limit of time.

        Args:
            data: a copy that the call may change.
            rng: given to the function if it asks for one.
            size: outputs that the call gives; 1 unless the function makes many at once.

        Returns:
            The output, or all of them if the function makes many at once.
        """
        function, shape = self.function, self.shape
        if self.records is not None and isinstance(data, pd.DataFrame):
            data = dicts_of(data)
        if not shape.positional:
            output = function(data, **shape.named(rng, size))
        elif shape.rng is None:
            output = function(data) if shape.size is None else function(data, size)
        else:
            output = function(data, rng) if shape.size is None else function(data, rng, size)
        return self._taken(output, size)

    def _taken(self, output: Any, size: int) -> Any:
        """What a call gave, awaited and as a copy."""
        kind = type(output)
        if kind in UNSETTLED:
            output = settled(output, size if self.many else MOST_PARTS)
            kind = type(output)
        if not self.many or (size == 1 and kind is np.ndarray):
            return taken(output)
        # Many outputs are read before the next call, single ones wait for each other.
        alone = size == 1 and kind in (list, tuple) and len(output) == 1
        return [taken(output[0])] if alone else output


class BoundFunction:
    """A function and the dataset of which every call gets a fresh copy."""

    __slots__ = ("box", "fresh")

    def __init__(self, box: PythonBlackBox, fresh: Callable[[], Any]) -> None:
        self.box, self.fresh = box, fresh

    def draw(self, rng: Generator, size: int) -> Any:
        """See `BoundBox.draw`; side effects of the call on this process are undone after it.

        A KeyboardInterrupt passes through and ends the audit, whoever raised it:
        somebody's Ctrl-C must not be taken for an output.

        Raises:
            Exited: it ended by an exception that is not an `Exception`.
        """
        data, box = self._copied(), self.box
        # Many at once get more time, but a call that never ends must not take days.
        times = max(1.0, size / _OUTPUTS_IN_TIME)
        with box._patience:
            return contained(box._limit.run, box.output, data, rng, size, times=times)

    def ready(self) -> Callable[[Generator, int], Any]:
        """The same with the copy of the dataset already made, for one run."""
        data = self._copied()
        return BoundFunction(self.box, lambda: data).draw

    def _copied(self) -> Any:
        try:
            return self.fresh()
        except Exception as error:
            raise BlackBoxError(
                f"the dataset cannot be copied for a call of its own ({reason_of(error)}); give "
                "records that copy.deepcopy can copy"
            ) from error


def released_by(function: Any) -> Any:
    """Callable to audit: `release` if there is one, else the object itself.

    Raises:
        InputError: there is nothing to call.
    """
    release = getattr(function, "release", None)
    called = release if callable(release) else function
    if not callable(called):
        own = methods_of(type(called))
        method = f"its method {own[0]}, or " if own else ""
        raise InputError(
            f"{called!r} is of type {type(called).__name__}, not a function; give {method}one of "
            f"{SHAPES}",
            called,
        )
    return called


def check_class(kind: type) -> None:
    """Raises InputError at a class whose objects have nothing to call."""
    if not (callable(getattr(kind, "release", None)) or "__call__" in dir(kind)):
        own = methods_of(kind)
        other = function_with(kind, own[0]) if own else "add one"
        raise InputError(f"class {kind.__name__} has neither release nor __call__; {other}", kind)


def _instance_of(kind: type) -> Any:
    check_class(kind)
    try:
        return kind()
    except AuditError:
        raise
    except Exception as error:
        raise InputError(
            f"class {kind.__name__} cannot be made without arguments "
            f"({reason_of(error)}); give its fields defaults, or give an instance",
            kind,
        ) from error


def constants_in(box: BlackBox) -> Constants:
    """The constants of a black box; none where its code cannot be read."""
    return constants_of(box.function) if isinstance(box, PythonBlackBox) else NO_CONSTANTS
