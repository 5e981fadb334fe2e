"""An output as it leaves a run: awaited, of bearable size, and copied.

The limits are what an audit can keep apart: it learns from at least eight outputs
on each side of a pair, and remembers about two million numbers of each side.

Coroutines and generators are awaited while the time of a run is counted: a function that
returns one of them has not done anything yet.
"""

from __future__ import annotations

import atexit
import copy
import pickle
import threading
from collections.abc import AsyncIterable, Callable, Coroutine, Iterable
from contextvars import copy_context
from itertools import islice
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any
from weakref import WeakSet

import numpy as np

from audit.errors import AuditError, OutcomeError, reason_of
from audit.lazy_modules import asyncio
from audit.lazy_modules import loaded_pandas as pd

MOST_NUMBERS = 250_000
"""Numbers in an output that is an array of numbers."""
MOST_PARTS = 4096
"""Numbers, texts and lengths in an output of any other kind."""
MOST_NAMES = 20_000
"""Differently named parts of all outputs of a batch together."""
LONGEST_TEXT = 1_000_000
"""Characters, or bytes, of one text."""
DEEPEST = 5
"""Levels of lists, dicts and the like inside of each other."""


def check_numbers(count: int, owner: Any = None) -> None:
    """Raises OutcomeError where an array has more numbers than an audit can keep apart."""
    if count > MOST_NUMBERS:
        raise OutcomeError(
            f"one output has more than {MOST_NUMBERS:,} numbers (at least {count:,}); return a "
            "part of them, or a summary such as sums of blocks",
            owner,
        )


def check_parts(count: int, owner: Any = None) -> None:
    """Raises OutcomeError where an output has more parts than an audit can keep apart."""
    if count > MOST_PARTS:
        raise OutcomeError(
            f"one output has more than {MOST_PARTS} parts (at least {count:,}); return an "
            f"array of numbers (up to {MOST_NUMBERS:,}), or a summary",
            owner,
        )


def check_names(count: int) -> None:
    """Raises OutcomeError where keys hardly ever repeat, so that each says next to nothing."""
    if count > MOST_NAMES:
        raise OutcomeError(
            f"the outputs have parts of {count:,} different names, more than {MOST_NAMES:,}, as "
            "keys of dicts or members of sets that hardly repeat; return a summary, such as how "
            "many there are"
        )


def check_text(text: str | bytes) -> None:
    """Raises OutcomeError where a text is too long to be told apart from others."""
    if len(text) > LONGEST_TEXT:
        raise OutcomeError(
            f"one output holds a text of {len(text):,} characters, more than {LONGEST_TEXT:,}; "
            "return a part of it, its length, or a checksum"
        )


def illegible(error: BaseException) -> OutcomeError:
    """The refusal of an output whose own methods failed while it was looked at."""
    return OutcomeError(
        f"an output cannot be read, since looking at it raises {reason_of(error)}; return plain "
        "numbers, text, None, or lists, dicts, sets, arrays, Series or DataFrames of them"
    )


def length_of(outputs: Any) -> int:
    """Number of outputs that a call for many returned; OutcomeError if nobody can tell."""
    try:
        return len(outputs)
    except Exception as error:
        raise illegible(error) from error


_UNCHANGING = frozenset(
    {type(None), bool, int, float, complex, np.bool_, np.float64, np.float32, np.int64, np.int32}
)
_TEXTS = (str, bytes)


def taken(output: Any) -> Any:
    """A copy of one output; OutcomeError if it is too large, or looking at it fails.

    A black box may return the same list, or arrays that share one buffer, from
    every run. Sizes are looked at before anything is copied.
    """
    kind = type(output)
    if kind in _UNCHANGING:
        return output
    # Most containers hold numbers alone; they pass without further ado.
    if kind is dict and len(output) < MOST_PARTS and _unchanging(output.values()):
        return output.copy()
    try:
        return _Taking().copy(output, 0)
    except (AuditError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise illegible(error) from error


def _unchanging(values: Iterable[Any]) -> bool:
    return _UNCHANGING.issuperset(map(type, values))


class _Taking:
    """One output on its way, and how many parts it was seen to have so far."""

    __slots__ = ("parts",)

    def __init__(self) -> None:
        self.parts = 0

    def copy(self, value: Any, depth: int) -> Any:
        kind = type(value)
        if kind in _UNCHANGING or depth > DEEPEST:
            return value
        if kind is dict:
            self._count(len(value))
            if _unchanging(value.values()):
                return value.copy()
            return dict(zip(value, self._copies(value.values(), depth), strict=True))
        if kind is list or kind is tuple:
            self._count(len(value))
            if _unchanging(value):
                return value.copy() if kind is list else value
            return kind(self._copies(value, depth))
        return self._other(value, depth)

    def _copies(self, values: Iterable[Any], depth: int) -> Iterable[Any]:
        return [self.copy(value, depth + 1) for value in values]

    def _other(self, value: Any, depth: int) -> Any:
        if isinstance(value, _TEXTS):
            check_text(value)
            return value
        if isinstance(value, np.ndarray):
            if depth == 0 and value.dtype.kind in "fiub":
                check_numbers(value.size, value)
            else:
                self._count(value.size)
            return copy.deepcopy(value) if value.dtype.hasobject else value.copy("K")
        if isinstance(value, (pd.Series, pd.DataFrame)):
            self._count(value.size)
            return value.copy(deep=True)
        if isinstance(value, (list, tuple, dict, set, frozenset)):
            self._count(len(value))
            return copy.deepcopy(value)
        return value

    def _count(self, parts: int) -> None:
        self.parts += parts
        check_parts(self.parts)


def _table_copier(data: pd.DataFrame | pd.Series) -> Callable[[], Any]:
    """Pandas never copies the lists and dicts that its cells may hold."""
    cells = data.to_frame() if isinstance(data, pd.Series) else data
    objects = cells.loc[:, [str(kind) == "object" for kind in cells.dtypes]].to_numpy().ravel()
    if all(isinstance(cell, (str, int, float, bool, type(None))) for cell in objects):
        return lambda: data.copy(deep=True)
    pickled = pickle.dumps(data, protocol=pickle.HIGHEST_PROTOCOL)
    return lambda: pickle.loads(pickled)


def copier(data: Any) -> Callable[[], Any]:
    """A function giving a fresh copy of the dataset for each run.

    To find out how to copy it, every record may have to be looked at: once is enough.
    """
    if isinstance(data, np.ndarray) and data.dtype != object:
        return data.copy
    if isinstance(data, (pd.DataFrame, pd.Series)):
        return _table_copier(data)
    if data is None or isinstance(data, (int, float, str, bool)):
        return lambda: data
    if type(data) is list and all(isinstance(x, (int, float, str, bool)) for x in data):
        return data.copy
    return lambda: copy.deepcopy(data)


UNSETTLED = frozenset({CoroutineType, AsyncGeneratorType, GeneratorType, map, filter, zip})
"""Kinds of outputs that have yet to come."""


def settled(output: Any, most: int) -> Any:
    """Output of a future or coroutine.

    Args:
        output: of one of the kinds in `UNSETTLED`.
        most: entries of a generator that are of use; one more is listed, no others.
    """
    while type(output) in UNSETTLED:
        if isinstance(output, CoroutineType):
            output = awaited(output)
        elif isinstance(output, AsyncGeneratorType):
            output = awaited(_listed(output, most))
        else:
            # A generator may fill one and the same object anew for each entry.
            output = [taken(entry) for entry in islice(output, most + 1)]
    return output


async def _listed(entries: AsyncIterable[Any], most: int) -> list[Any]:
    found: list[Any] = []
    async for entry in entries:
        found.append(taken(entry))
        if len(found) > most:
            break
    return found


_here = threading.local()
_loops: WeakSet[asyncio.AbstractEventLoop] = WeakSet()


def awaited(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """Result of a coroutine.

    All of a thread share one event loop, as what a mechanism keeps from one run to
    the next, such as a connection, belongs to a loop. What a run leaves behind in
    it is cancelled.
    """
    if _is_looping():
        # As in a notebook. A loop cannot be entered from within another one.
        from concurrent.futures import ThreadPoolExecutor

        with ThreadPoolExecutor(1) as another:
            return another.submit(copy_context().run, asyncio.run, coroutine).result()
    loop = _loop()
    try:
        return loop.run_until_complete(coroutine)
    finally:
        _cancel(asyncio.all_tasks(loop), loop)


def _is_looping() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _loop() -> asyncio.AbstractEventLoop:
    loop: asyncio.AbstractEventLoop | None = getattr(_here, "loop", None)
    if loop is None or loop.is_closed():
        loop = _here.loop = asyncio.new_event_loop()
        _loops.add(loop)
    return loop


@atexit.register
def _close() -> None:
    """Left to the end of the interpreter, loops would complain of what is gone by then."""
    for loop in list(_loops):
        loop.close()


def _cancel(tasks: set[asyncio.Task[Any]], loop: asyncio.AbstractEventLoop) -> None:
    """End tasks; a loop in which they do not end is given up."""
    for task in tasks:
        task.cancel()
    try:
        if tasks:
            loop.run_until_complete(asyncio.gather(*tasks, return_exceptions=True))
    except BaseException:
        loop.close()
        raise
