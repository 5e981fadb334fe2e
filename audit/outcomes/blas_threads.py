"""Single-threaded linear algebra.

The matrices of an audit are small. Threads that share them wait for each other
far longer than they work, on a busy machine a hundred times as long. And what a
black box calculates should not depend on the number of threads of a machine, not
even in the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread(*, learners: bool = False) -> Iterator[None]:
    """While it lasts, or in a function that it decorates, matrix products have one thread.

    Args:
        learners: the threads of scikit-learn are limited too, which must be loaded.
    """
    with _controller(learners).limit(limits=1, user_api=None if learners else "blas"):
        yield


@cache
def _controller(learners: bool) -> ThreadpoolController:
    """One for each, as a controller knows only the libraries that were loaded before it."""
    return ThreadpoolController()
