"""Parts of outputs, and what is read off them, in words."""

from __future__ import annotations

import pytest

from audit.outcomes.outcomes import KIND
from audit.outcomes.part_words import derived, failure, has_word, named, presence, symbol
from audit.outcomes.text import COUNTED, PLACED, SUMS
from audit.sampling.independence.missing_outcome import Missing


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("output", "the output"),
        ("output[1]", "output[1]"),
        ("length of output", "the length of the output"),
        ("number 3 of output", "number 3 of the output"),
        ("character -1 of output", "character 1 from the end of the output"),
        ("decimals of number 2 of output", "the number of decimals of number 2 of the output"),
        ("capital letters in output", "the number of capital letters in the output"),
        ("first 4 characters of output['a']", "the first 4 characters of output['a']"),
        ("pattern of output", "the pattern of the output without its numbers"),
        ("types in output", "the types of entries in the output"),
        ("order of keys in output", "the order of keys in the output"),
        ("words in message of the failure", "the number of words in the message of the failure"),
        ("sum of digits in output", "the sum of digits in the output"),
        ("code of character 3 of output", "code of character 3 of the output"),
        ("entry 803 of output", "entry 803 of the output"),
        ("output modulo 720720000000", "the output modulo 720720000000"),
    ],
)
def test_parts(part: str, words: str) -> None:
    assert named(part) == words


@pytest.mark.parametrize("base", ["output", "output['a']"])
def test_whatever_is_read_off_a_text_has_a_name(base: str) -> None:
    whole = named(base)
    counted = (*COUNTED, "characters among 'ab'")
    found = {f"{what} in {base}": f"the number of {what} in {whole}" for what in counted}
    found |= {f"{what} in {base}": f"the {what} in {whole}" for what in SUMS}
    for what in PLACED:
        first = f"{what} 1 of {whole}"
        found[f"{what} 1 of {base}"] = f"the number of {first}" if "decimals" in what else first
    assert {part: named(part) for part in found} == found
    assert all(map(derived, found))
    assert not derived(base) and derived(f"length of {base}")


@pytest.mark.parametrize(
    ("part", "present", "absent"),
    [
        (
            "types in output",
            "the output has entries of unusual types",
            "the output has no entries of unusual types",
        ),
        (
            "order of keys in output",
            "the keys of the output are in no ascending order",
            "the keys of the output are in ascending order",
        ),
        (
            "index of output",
            "the index of the output does not count from 0",
            "the index of the output counts from 0",
        ),
        ("'a' in output", "'a' is in the output", "'a' is not in the output"),
    ],
)
def test_presence(part: str, present: str, absent: str) -> None:
    assert (presence(part, True), presence(part, False)) == (present, absent)


def test_words_of_texts() -> None:
    part = "'odd' among the words of output"
    assert has_word(part, True) == "the word 'odd' is in the output"
    assert has_word(part, False) == "the word 'odd' is not in the output"
    assert has_word("output", True) == ""


@pytest.mark.parametrize("reason", list(Missing))
def test_what_a_fresh_instance_does_not_answer_is_a_failure(reason: Missing) -> None:
    assert failure(str(reason)) == symbol(KIND, str(reason)) != ""
    assert failure("float") == ""
