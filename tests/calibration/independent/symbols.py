"""Outputs that are no numbers: words, nothing, exceptions, time-outs."""

from __future__ import annotations

import math
import time
from enum import Enum
from typing import Any

from numpy.random import Generator

from tests.calibration.kind import Kind, always, pure

KEEP = math.exp(1.0) / (1.0 + math.exp(1.0))


class Answer(Enum):
    """An output that is an enum member."""

    YES = "yes"
    NO = "no"


def truth(data: Any, rng: Generator) -> bool:
    """Randomized response at epsilon 1."""
    return bool((rng.random() < KEEP) == bool(data[0]))


def text(data: Any, rng: Generator) -> Any:
    return "yes" if truth(data, rng) else "no"


def binary(data: Any, rng: Generator) -> Any:
    return b"\x00\xff" if truth(data, rng) else b"\x00"


def member(data: Any, rng: Generator) -> Any:
    return Answer.YES if truth(data, rng) else Answer.NO


def long_text(data: Any, rng: Generator) -> Any:
    """Alike but for the last character."""
    return "x" * 10_000 + ("y" if truth(data, rng) else "z")


def long_texts(data: Any, rng: Generator) -> Any:
    """No two are the same."""
    return ("y" if truth(data, rng) else "z") + rng.bytes(500).hex()


def none_or_number(data: Any, rng: Generator) -> Any:
    return rng.normal() if truth(data, rng) else None


def raising(data: Any, rng: Generator) -> Any:
    if truth(data, rng):
        raise ValueError(f"a message that always differs: {rng.random()}")
    return 0.0


def raising_either(data: Any, rng: Generator) -> Any:
    if rng.random() < 0.5:
        return rng.laplace()
    raise (KeyError if truth(data, rng) else TypeError)("one of two")


def rarely_raising(data: Any, rng: Generator) -> Any:
    """Fails with chance 0.02 against 0.02 e."""
    if rng.random() < (0.02 * math.e if data[0] else 0.02):
        raise ArithmeticError("seldom")
    return rng.normal()


def late(data: Any, rng: Generator) -> Any:
    """Is too late with the odds of randomized response."""
    if truth(data, rng):
        time.sleep(5.0)
    return 0.0


SYMBOLS: tuple[Kind, ...] = (
    pure("randomized response", truth, samples=1500),
    pure("randomized response in words", text, samples=1500),
    pure("bytes", binary, samples=1500),
    pure("enum members", member, samples=1500),
    pure("long strings", long_text, samples=1500),
    pure("long strings, all different", long_texts, samples=1500),
    pure("number or nothing", none_or_number, samples=1500),
    pure("exception or 0", raising, samples=1500),
    pure("two exceptions", raising_either, samples=1500),
    pure("rare exception", rarely_raising),
    Kind(name="time-outs", make=always(late), samples=160, timeout=0.02, rounds=0.25),
)
