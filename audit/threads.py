"""How many threads linear algebra may use: one.

The matrices of an audit are small. Threads that share them wait for each other
far longer than they work, on a busy machine a hundred times as long. And what a
black box calculates should not depend on the number of threads of a machine, not
even in the last bit.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from typing import ParamSpec, TypeVar

from threadpoolctl import ThreadpoolController

P = ParamSpec("P")
R = TypeVar("R")


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


def in_one_thread(function: Callable[P, R]) -> Callable[P, R]:
    """The same function, its matrix products calculated in one thread."""

    @wraps(function)
    def limited(*args: P.args, **kwargs: P.kwargs) -> R:
        with _controller().limit(limits=1, user_api="blas"):
            return function(*args, **kwargs)

    return limited
