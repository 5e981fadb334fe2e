"""A Dask cluster that draws for an audit."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager

from audit.errors import InputError, reason_of

_PATIENCE = 5
"""Seconds to wait for a scheduler."""


@contextmanager
def executor_at(address: str | None, workers: int) -> Iterator[tuple[Executor | None, int]]:
    """The workers of a scheduler as an executor, and how many there are.

    Where no address is given there is none, and as many workers as were asked for.

    Raises:
        InputError: Dask is not installed, or nothing answers there.
    """
    if address is None:
        yield None, workers
        return
    try:
        distributed = importlib.import_module("distributed")
    except ImportError:
        raise InputError(
            f"--cluster {address!r} needs Dask; install it with: pip install 'dp-audit[cluster]'",
            address,
        ) from None
    try:
        client = distributed.Client(address, timeout=_PATIENCE)
    except (OSError, ValueError, TypeError) as error:
        raise InputError(
            f"--cluster {address!r} does not answer ({reason_of(error)}); give the address of a "
            "running scheduler, as tcp://host:8786",
            address,
        ) from error
    with client:
        yield client.get_executor(), max(1, sum(client.nthreads().values()))
