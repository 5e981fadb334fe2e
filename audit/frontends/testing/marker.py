"""The marker `private`: a test that returns a mechanism."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

import pytest

from audit.frontends.testing.assertion import assert_private


def asserting(function: Callable[..., Any], marker: pytest.Mark) -> Callable[..., None]:
    """The test as a function that returns nothing and asserts the claim."""

    @functools.wraps(function)
    def audited_test(**arguments: Any) -> None:
        __tracebackhide__ = True
        mechanism = function(**arguments)
        if mechanism is None:
            pytest.fail(f"{function.__qualname__} returned None; {_RETURN}", pytrace=False)
        assert_private(mechanism, **marker.kwargs)

    return audited_test


_RETURN = "a test marked private returns the mechanism to be audited"


def misplaced(item: pytest.Item, marker: pytest.Mark) -> str | None:
    """Why the marker would do nothing on this test, None when it would."""
    function = getattr(item, "obj", None)
    hypothesis = sys.modules.get("hypothesis")
    if marker.args:
        return f"the marker private takes names only, not {marker.args[0]!r}; write epsilon=..."
    if not isinstance(item, pytest.Function) or _of_unittest(item):
        return f"the marker private does nothing on a {type(item).__name__}; {_RETURN}"
    if hypothesis is not None and hypothesis.is_hypothesis_test(function):
        return "a Hypothesis test returns nothing; call assert_private in it instead"
    return None


def _of_unittest(item: pytest.Function) -> bool:
    # Where nothing has loaded unittest, no test can be of its kind.
    unittest = sys.modules.get("unittest")
    return bool(unittest and item.cls and issubclass(item.cls, unittest.TestCase))
