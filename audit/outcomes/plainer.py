"""Values of kinds that are not taken apart themselves, as values of kinds that are."""

from __future__ import annotations

import math
from array import array
from collections import deque
from collections.abc import Mapping, Sequence, Set
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network
from pathlib import PurePath
from typing import Any
from uuid import UUID

from audit.blackbox.output_size import check_parts
from audit.frames import loaded_pandas as pd

_ADDRESSES = (IPv4Address, IPv4Network, IPv6Address, IPv6Network)
_NAMED = (UUID, PurePath, *_ADDRESSES)
"""What a text says all of."""
_READ = (str, bytes, list, tuple, dict, set, frozenset)


def plainer(value: Any) -> Any:
    """The same as bytes, a text, a list, a dict or a set; itself where it is none of these.

    Raises:
        OutcomeError: it is too long for that.
    """
    if isinstance(value, _READ):
        return value
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, (*_NAMED, pd.Interval, pd.Period)):
        return str(value)
    if type(value).__module__.startswith("scipy.sparse"):
        check_parts(math.prod(value.shape), value)
        return value.toarray()
    if isinstance(value, slice):
        return value.start, value.stop, value.step
    if isinstance(value, (Sequence, Mapping, Set, array, deque)):
        check_parts(len(value), value)
        return _unpacked(value)
    return value


def _unpacked(value: Sequence[Any] | Mapping[Any, Any] | Set[Any]) -> Any:
    if isinstance(value, Mapping):
        return dict(value)
    return set(value) if isinstance(value, Set) else list(value)
