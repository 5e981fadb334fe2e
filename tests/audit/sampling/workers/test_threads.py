"""Linear algebra is limited to one thread in one place."""

from __future__ import annotations

import pytest
from threadpoolctl import threadpool_info

from audit.outcomes.column import one_thread

pytestmark = pytest.mark.lowest


def threads(api: str) -> set[int]:
    """Threads that libraries of this kind may use now."""
    return {library["num_threads"] for library in threadpool_info() if library["user_api"] == api}


def test_matrix_products_have_one_thread() -> None:
    before = threads("blas")
    with one_thread():
        assert threads("blas") == {1}
    assert threads("blas") == before


def test_a_function_has_one_thread() -> None:
    assert one_thread()(threads)("blas") == {1}
