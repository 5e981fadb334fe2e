"""Numbers that bytes hold side by side, as `struct`, `array` and `numpy` pack them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

import numpy as np
from numpy.typing import NDArray

KINDS = {
    "float64": "<f8",
    "float32": "<f4",
    "int64": "<i8",
    "int32": "<i4",
    "big-endian float64": ">f8",
    "big-endian float32": ">f4",
}
"""Kinds of numbers, the likelier first, and what numpy calls them."""
_NPY, _HEADER = b"\x93NUMPY", 10
"""How a file of numpy begins; behind its version and the length of its header that header is."""
_SMALLEST, _LARGEST, _LARGEST_INTEGER = 1e-12, 1e12, 2.0**24
_MOSTLY = 0.9


@lru_cache(maxsize=4096)
def packed_numbers(raw: bytes, kind: str) -> NDArray[np.float64]:
    """The numbers of a kind that some bytes hold; none where they hold no whole number of them."""
    if raw.startswith(_NPY) and len(raw) > _HEADER:
        raw = raw[_HEADER + int.from_bytes(raw[8:_HEADER], "little") :]
    dtype = np.dtype(KINDS[kind])
    if not raw or len(raw) % dtype.itemsize:
        return np.empty(0)
    with np.errstate(invalid="ignore"):  # some NaN of other bytes
        return np.frombuffer(raw, dtype).astype(np.float64)


def kinds_of(held: Sequence[bytes]) -> list[str]:
    """The kinds of numbers that some outputs seem to be packed with: two at most, as two numbers
    of half the length may look like one."""
    return list(islice((kind for kind in KINDS if _packed_so(held, kind)), 2))


def _packed_so(held: Sequence[bytes], kind: str) -> bool:
    found = [packed_numbers(raw, kind) for raw in held]
    whole = bool(found) and all(part.size for part in found)
    return whole and _plausible(np.concatenate(found), kind)


def _plausible(numbers: NDArray[np.float64], kind: str) -> bool:
    """True if numbers are of a usual size; other bytes would seldom make such."""
    sizes = np.abs(numbers)
    if "int" in kind:
        good = sizes < _LARGEST_INTEGER
    else:
        good = (sizes == 0) | ~np.isfinite(sizes) | ((sizes > _SMALLEST) & (sizes < _LARGEST))
    return bool(good.mean() >= _MOSTLY) and bool(np.any(sizes[np.isfinite(sizes)] > 0))
