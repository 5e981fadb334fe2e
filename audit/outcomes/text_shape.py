"""Equality pattern of the characters and the words of a text, whatever they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise


def _different(text: str, words: Sequence[str]) -> int:
    return len(set(text))


def _commonest(text: str, words: Sequence[str]) -> int:
    return max(Counter(text).values(), default=0)


def _doubled(text: str, words: Sequence[str]) -> int:
    return sum(one == other for one, other in pairwise(text))


def _mirrored(text: str, words: Sequence[str]) -> int:
    return sum(one == other for one, other in zip(text, reversed(text), strict=True))


def _different_words(text: str, words: Sequence[str]) -> int:
    return len(set(words))


def _ascending(text: str, words: Sequence[str]) -> int:
    return sum(one <= other for one, other in pairwise(words))


SHAPES: Mapping[str, Callable[[str, Sequence[str]], int]] = {
    "different characters": _different,
    "times of the commonest character": _commonest,
    "characters like the one before": _doubled,
    "characters like the one as far from the end": _mirrored,
    "different words": _different_words,
    "words not before the last one in the alphabet": _ascending,
}
"""What is counted, given a text and its words."""
