"""What is read off texts: each reading of one text alone, in its batch and in any other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.outcomes.encoding import encode, joined
from audit.outcomes.outcomes import (
    Outcomes,
    characters_apart,
    moments_in,
    numbers_in,
    others_in,
    words_apart,
)

exactly = settings(derandomize=True, database=None, deadline=None, max_examples=60)
LINE = "2026-11-21T10:00:00Z run 7f3a9c21b4d8e: sum = -12.50 over 3 records, p=1e-3"


def read(outcomes: Outcomes, name: str) -> list[float | str]:
    column = outcomes.column(name)
    held = np.zeros(outcomes.size, int) if column.symbols is None else column.symbols
    pairs = zip(column.values.tolist(), held.tolist(), strict=True)
    return [value if symbol == 0 else column.names[symbol] for value, symbol in pairs]


def of(text: Any, name: str) -> float | str:
    return read(encode([text], 1), name)[0]


@pytest.mark.parametrize(
    ("text", "name", "leaf"),
    [
        (LINE, "numbers in output", 3.0),
        (LINE, "number 1 of output", -12.5),
        (LINE, "number 2 of output", 3.0),
        (LINE, "number 3 of output", 0.001),
        (LINE, "number 4 of output", "missing"),
        (LINE, "decimals of number 1 of output", 2.0),
        ("1.25e-07 and -3.E2", "last digit of number 1 of output", 5.0),
        ("1.25e-07 and -3.E2", "last digit of number 2 of output", 3.0),
        ("1.25e-07 and -3.E2", "exponent of number 1 of output", -7.0),
        ("1.25e-07 and -3.E2", "exponent of number 2 of output", 2.0),
        ("1.25 and 3", "exponent of number 1 of output", "missing"),
        (LINE, "weekday of time stamp 1 of output", 5.0),
        (LINE, "day of month of time stamp 1 of output", 21.0),
        (LINE, "seconds of time stamp 1 of output", 1795255200.0),
        (LINE, "weekday of time stamp 2 of output", "missing"),
        ("2026-02-31", "weekday of time stamp 1 of output", "missing"),
        ("banana", "vowels in output", 3.0),
        ("banana", "characters among 'an' in output", 5.0),
        ("abcabb", "different characters in output", 3.0),
        ("abcabb", "times of the commonest character in output", 3.0),
        ("abcabb", "characters like the one before in output", 1.0),
        ("abxcba", "characters like the one as far from the end in output", 4.0),
        ("", "times of the commonest character in output", 0.0),
        ("to be or not to be", "different words in output", 4.0),
        ("a c b d", "words not before the last one in the alphabet in output", 2.0),
        (b"\xc3\xa9", "code of character 2 of output", 169.0),
        ("it's", 'characters among "\'" in output', 1.0),
        (LINE, "'sum' among the words of output", 1.0),
        (LINE, "'sums' among the words of output", 0.0),
        (LINE, "pattern of output", "'~ run ~: sum = # over # records, p=#'"),
        ("ab\ncd", "lines in output", 2.0),
        ("ab\ncd", "characters in output", 5.0),
        ("", "characters in output", 0.0),
        ('it\'s "so"', "words in output", 3.0),
        ("aBé 1!", "digits in output", 1.0),
        ("aBé 1!", "capital letters in output", 1.0),
        ("aBé 1!", "characters beyond ASCII in output", 1.0),
        ("abc", "character 2 of output", "'b'"),
        ("abc", "character -1 of output", "'c'"),
        ("abc", "character 4 of output", "missing"),
        ("abc", "first 2 characters of output", "'ab'"),
        ("a b", "word 2 of output", "'b'"),
        (b"a\xff\x00", "characters in output", 3.0),
        (b"12 bytes", "number 1 of output", 12.0),
        (["x 3"], "number 1 of output[0]", 3.0),
        ('{"n": [1, 2.5], "s": null}', "output as JSON['n'][1]", 2.5),
        ('{"n": [1, 2.5], "s": null}', "output as JSON['s']", "None"),
        ('{"n": [1, 2.5], "s": null}', "length of output as JSON", 2.0),
        ('{"n": [1, 2.5], "s": null}', "kind of output as JSON", "dict"),
        ("{no JSON", "output as JSON['n']", "missing"),
        (3.0, "number 1 of output", "missing"),
        (None, "words in output", "missing"),
        ("x" * 50_000 + " 7", "characters in output", 16_384.0),
    ],
)
def test_readings(text: Any, name: str, leaf: float | str) -> None:
    assert of(text, name) == leaf


@pytest.mark.slow
@exactly
@given(
    st.lists(
        st.one_of(st.text(max_size=12), st.binary(max_size=6), st.floats(0, 1), st.just(LINE)),
        min_size=1,
        max_size=5,
    )
)
def test_a_reading_depends_on_its_text_alone(outputs: list[Any]) -> None:
    whole = encode(outputs, len(outputs))
    column = whole.column("output")
    names = [*numbers_in(column, "output"), *others_in(column, "output")]
    assert len(names) == len(set(names))
    for name in names:
        alone = [read(encode([output], 1), name)[0] for output in outputs]
        assert read(whole, name) == alone
        assert read(joined([encode([output], 1) for output in outputs]), name) == alone


def test_words_that_one_side_has_oftener_come_first() -> None:
    left, right = encode(["a b"] * 3, 3), encode(["a c", "a d", "a e"], 3)
    found = words_apart(left.column("output"), right.column("output"), "output", 2)
    assert found[0] == "'b' among the words of output"
    assert "'a' among the words of output" not in found


def test_characters_that_one_side_has_oftener_are_counted_alone_and_together() -> None:
    left, right = (
        encode([f"{part}xyz" for part in parts], 200).column("output")
        for parts in (["ab", "cb"] * 100, ["db", "db"] * 100)
    )
    found = characters_apart(left, right, "output", 2)
    assert found[:2] == [f"characters among {held!r} in output" for held in ("ac", "d")]
    assert len(found) == 3
    assert characters_apart(left, left, "output", 0) == []


def test_time_stamps_that_go_on_as_the_time_does_are_left_out() -> None:
    days = [f"2026-11-{1 + day % 28:02}" for day in range(60)]
    mixed, clock = (encode(texts, 60).column("output") for texts in (days, sorted(days)))
    assert moments_in(mixed, clock, "output") == []
    assert "weekday of time stamp 1 of output" in moments_in(mixed, mixed, "output")


def test_eight_letters_of_texts_that_differ_count_as_a_number() -> None:
    texts = [f"{place:02}" + "a" * 798 for place in range(50)]
    assert encode(texts, 50).width == pytest.approx(1 + 800 / 8, abs=1)
