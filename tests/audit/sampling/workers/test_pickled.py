"""Objects on their way to another process."""

from __future__ import annotations

from functools import lru_cache, partial

from audit.sampling.independence.pickled import Pickled


def test_a_function_behind_a_cache_is_sent_without_what_the_cache_holds() -> None:
    @lru_cache(maxsize=7)
    def twice(value: int) -> int:
        return 2 * value

    assert twice(3) == 6
    copied = Pickled.of(partial(twice, 3)).made()
    assert copied() == 6
    assert copied.func.cache_parameters() == {"maxsize": 7, "typed": False}
    assert copied.func.cache_info().misses == 1
