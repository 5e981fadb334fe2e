"""Single-threaded linear algebra.

The matrices of an audit are small. Threads that share them wait for each other
far longer than they work, on a busy machine a hundred times as long. And what a
black box calculates should not depend on the number of threads of a machine, not
even in the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import cache, wraps
from typing import Any, ParamSpec, TypeVar

from threadpoolctl import ThreadpoolController

P = ParamSpec("P")
R = TypeVar("R")


def one_thread(*, learners: bool = False) -> AbstractContextManager[Any]:
    """While it lasts, matrix products are calculated in one thread.

    Args:
        learners: the threads of scikit-learn are limited too, which must be loaded.
    """
    api = None if learners else "blas"
    limited: AbstractContextManager[Any] = _controller(learners).limit(limits=1, user_api=api)
    return limited


@cache
def _controller(learners: bool) -> ThreadpoolController:
    """One for each, as a controller knows only the libraries that were loaded before it."""
    return ThreadpoolController()


def in_one_thread(function: Callable[P, R]) -> Callable[P, R]:
    """The same function, its matrix products calculated in one thread."""

    @wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        with one_thread():
            return function(*args, **kwargs)

    return limited
