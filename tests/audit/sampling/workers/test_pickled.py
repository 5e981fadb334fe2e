"""Objects on their way to another process."""

from __future__ import annotations

import threading
from functools import lru_cache, partial

import pytest

from audit.errors import BlackBoxError
from audit.sampling.workers import Parcel


def test_a_function_behind_a_cache_is_sent_without_what_the_cache_holds() -> None:
    @lru_cache(maxsize=7)
    def twice(value: int) -> int:
        return 2 * value

    assert twice(3) == 6
    copied = Parcel.of(partial(twice, 3)).opened()
    assert copied() == 6
    assert copied.func.cache_parameters() == {"maxsize": 7, "typed": False}
    assert copied.func.cache_info().misses == 1


def test_what_cannot_be_sent_is_said_in_one_line() -> None:
    with pytest.raises(BlackBoxError, match="cannot be sent to another process") as refusal:
        Parcel.of(threading.Lock())
    assert "\n" not in str(refusal.value)
