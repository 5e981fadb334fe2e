"""Noise that is drawn when the module is read, beside texts and numbers that are drawn then too."""

from __future__ import annotations

import secrets
import time
import uuid
from collections.abc import Callable
from typing import Any

KEY, BEGUN, ONE_OF_TWO = uuid.uuid4().hex, time.time(), bool(secrets.randbits(1))
NOISE = {user: secrets.SystemRandom().random() for user in range(4)}
SCALE = 1.0


def released(data: Any, user: int = 0) -> float:
    return float(data[0]) + SCALE * NOISE[user]


def opened(data: Any, user: int) -> Callable[[str], float]:
    """Opens a session whose answers are noise that was drawn when the module was read."""
    return lambda question: len(data) + NOISE[user]


class Session:
    """The same, as a class."""

    def __init__(self, data: Any) -> None:
        self.ask = opened(data, 0)
