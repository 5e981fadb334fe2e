"""Outputs that have a shape or have it not: what is told by none of their values alone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from typing import Any

from numpy.random import Generator

Shape = Callable[[Generator, bool], Any]
"""An output that has a shape or has it not."""
_FEW = list("abcdefghij")


def letters(rng: Generator, many: int, among: list[str] = _FEW) -> list[str]:
    return [str(letter) for letter in rng.choice(among, many)]


def words(rng: Generator, many: int) -> list[str]:
    return ["".join(letters(rng, 4)) for _ in range(many)]


def parity_of_a_code(rng: Generator, shaped: bool) -> str:
    return f"code {2 * int(rng.integers(10**5)) + shaped} done"


def case_of_a_letter(rng: Generator, shaped: bool) -> str:
    held, place = letters(rng, 8), int(rng.integers(8))
    held[place] = held[place].upper() if shaped else held[place]
    return "".join(held)


def letters_of_few_kinds(rng: Generator, shaped: bool) -> str:
    among = [*rng.permutation(list("abcdefghijklmnopqrstuvwxyz"))[: 3 if shaped else 6]]
    return "".join([*among, *letters(rng, 14 - len(among), among)])


def a_common_letter(rng: Generator, shaped: bool) -> str:
    often, *others = rng.permutation(_FEW)[:7]
    held = [often] * 8 + letters(rng, 4, others) if shaped else [often] * 2 + [*others, *others[:4]]
    return "".join(rng.permutation(held))


def doubled_letters(rng: Generator, shaped: bool) -> str:
    held = "".join(rng.permutation(_FEW))
    return held[:5] + held[4:9] if shaped else held


def palindrome(rng: Generator, shaped: bool) -> str:
    half = "".join(letters(rng, 6))
    return half + (half[::-1] if shaped else "".join(letters(rng, 6)))


def words_in_order(rng: Generator, shaped: bool) -> str:
    held = words(rng, 4)
    return " ".join(sorted(held) if shaped else held)


def dates_in_order(rng: Generator, shaped: bool) -> str:
    first = date(2001, 1, 1) + timedelta(days=int(rng.integers(5000)))
    apart = timedelta(days=int(rng.integers(1, 900)))
    return f"from {first} to {first + apart if shaped else first - apart}"


def equal_texts(rng: Generator, shaped: bool) -> list[str]:
    one, other = words(rng, 2)
    return [one, one if shaped else other]


def a_sorted_list(rng: Generator, shaped: bool) -> list[str]:
    held = words(rng, 5)
    return sorted(held) if shaped else held


def a_multiple_of_seventeen(rng: Generator, shaped: bool) -> int:
    return 17 * int(rng.integers(10**5)) + (0 if shaped else int(rng.integers(1, 17)))


def one_bit(rng: Generator, shaped: bool) -> int:
    return int(rng.integers(2**60)) & ~(1 << 37) | (shaped << 37)


def number_of_ones(rng: Generator, shaped: bool) -> int:
    drawn = int(rng.integers(2**31)) & ~1
    return drawn | (drawn.bit_count() % 2 ^ shaped)


def three_bits(rng: Generator, shaped: bool) -> list[int]:
    held: list[int] = rng.integers(0, 2, 10).tolist()
    held[7] = held[2] ^ held[5] ^ shaped
    return held


def first_digit(rng: Generator, shaped: bool) -> float:
    size = rng.uniform(1.0, 2.0) if shaped else rng.uniform(2.0, 10.0)
    return float(size * 10.0 ** int(rng.integers(-3, 4)))


def a_denominator(rng: Generator, shaped: bool) -> Fraction:
    return Fraction(int(rng.integers(1, 10**6)) * 6 + 1, 3 if shaped else 2)


SHAPED: list[Shape] = [
    parity_of_a_code,
    case_of_a_letter,
    letters_of_few_kinds,
    a_common_letter,
    doubled_letters,
    palindrome,
    words_in_order,
    dates_in_order,
    equal_texts,
    a_sorted_list,
    a_multiple_of_seventeen,
    one_bit,
    number_of_ones,
    three_bits,
    first_digit,
    a_denominator,
]
