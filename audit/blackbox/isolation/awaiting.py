"""Coroutines of a black box, run to their end."""

from __future__ import annotations

import asyncio
import atexit
import threading
from collections.abc import Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any
from weakref import WeakSet

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
