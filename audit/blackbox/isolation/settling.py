"""Outputs that have yet to come: a coroutine is awaited, a generator is listed.

They are while the time of a run is counted: a function that returns one of them
has not done anything yet.
"""

from __future__ import annotations

from collections.abc import AsyncIterable
from itertools import islice
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any

from audit.blackbox.output_copy import taken

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
            output = _awaited(output)
        elif isinstance(output, AsyncGeneratorType):
            output = _awaited(_listed(output, most))
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


def _awaited(coroutine: Any) -> Any:
    # Loops take a while to load, and few functions ask for one.
    from audit.blackbox.isolation.awaiting import awaited

    return awaited(coroutine)
