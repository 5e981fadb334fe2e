"""Outputs that have yet to come: a coroutine is awaited, a generator is listed.

They are while the time of a run is counted: a function that returns one of them
has not done anything yet.
"""

from __future__ import annotations

import atexit
import threading
from collections.abc import AsyncIterable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from itertools import islice
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any
from weakref import WeakSet

from audit.blackbox.output_copy import taken
from audit.lazy_modules import asyncio

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
    """The loop of this thread."""
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


def _cancel(tasks: Iterable[asyncio.Task[Any]], loop: asyncio.AbstractEventLoop) -> None:
    """End tasks; a loop in which they do not end is given up."""
    left = list(tasks)
    if not left:
        return
    for task in left:
        task.cancel()
    try:
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
    except BaseException:
        loop.close()
        raise
