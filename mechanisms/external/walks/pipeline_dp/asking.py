"""A call of PipelineDP that the library does not refuse, on its pair."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from audit.declaration import Entry
from mechanisms.external.call import Release
from mechanisms.external.pipeline_dp import DELTA, WORDS, Asked, Row, released, words
from mechanisms.external.shelf import Shelf
from mechanisms.external.walks.steps import step

NOISES = {"laplace": 0.0, "gaussian": DELTA}
"""What noise costs of delta."""


def asking(
    shelf: Shelf, asked: Asked, rest: Sequence[Row], more: Sequence[Row], told: str = ""
) -> Iterator[Entry]:
    """The call, with and without the rows of one privacy id; nothing where it is refused."""
    does = released(asked)
    pair = [*rest, *more], [*rest]
    if refused(does, pair):
        return
    call = f"{words(asked)}{', ' if told else ''}{told}"
    yield step(shelf, call, does, pair, claims=asked.claim, documented=WORDS)


def refused(does: Release, pair: tuple[Any, Any]) -> bool:
    """True when neither dataset has an answer."""
    return all(_fails(does, data) for data in pair)


def _fails(does: Callable[[Any], Any], data: Any) -> bool:
    try:
        does(data)
    except (ValueError, TypeError, NotImplementedError):
        return True
    return False
