"""Texts are read back as Python would read them, whichever thread does it."""

from __future__ import annotations

import ast
import gc
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.outcomes import text
from audit.outcomes.text import unquoted

TEXTS = st.text() | st.text("'\"\\nrtxuUb0aé \n\t\r\0\ud800\U0001f600") | st.binary()


@given(TEXTS)
def test_what_python_writes_is_read_as_python_reads_it(value: str | bytes) -> None:
    assert unquoted(repr(value)) == value == ast.literal_eval(repr(value))


@given(TEXTS, st.integers(0, 20), st.text(max_size=3))
def test_what_was_cut_or_changed_is_refused_or_read_alike(
    value: str | bytes, place: int, other: str
) -> None:
    """Python knows more ways of writing a text than it uses; nothing is read in another way."""
    written = repr(value)[:place] + other + repr(value)[place + 1 :]
    try:
        found = unquoted(written)
    except ValueError:
        return
    try:
        assert found == ast.literal_eval(written)
    except (SyntaxError, ValueError):  # a line break, a zero: they are never written so
        assert any(not one.isprintable() for one in written)


@pytest.mark.parametrize("written", ["", "'", "b'", "'a", "'a\"", "'a'b'", "'\\'", "1", "'a', 'b'"])
@pytest.mark.parametrize("packed", ["", "b"])
def test_what_is_no_text_is_refused(written: str, packed: str) -> None:
    with pytest.raises(ValueError, match="Python"):
        unquoted(packed + written)


@pytest.mark.parametrize(
    "written", ["b'é'", "b'\\u0041'", "b'\\xe9é\\u1234'", "'\\q'", "'\\x4'", "'\\U80000000'"]
)
def test_what_python_never_writes_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match="Python"):
        unquoted(written)


@pytest.fixture
def changing_threads() -> Iterator[None]:
    """Other threads get their turn whenever garbage is looked for, which is all the time."""
    before, interval = gc.get_threshold(), sys.getswitchinterval()

    def turn(phase: str, info: Any) -> None:
        time.sleep(0)

    gc.callbacks.append(turn)
    gc.set_threshold(1)
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*before)
        gc.callbacks.remove(turn)


@pytest.mark.slow
def test_threads_read_texts_beside_each_other(changing_threads: None) -> None:
    """In Python 3.11 syntax trees of several threads disturb each other."""
    symbols = [f"'{number}\\n'" for number in range(200)]
    with ThreadPoolExecutor(4) as threads:
        found = list(threads.map(text._text, symbols * 4))
    assert [one and one.text for one in found[:200]] == [f"{n}\n" for n in range(200)]
