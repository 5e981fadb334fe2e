"""Ordinary mechanisms that keep something, read anew by every life."""

from __future__ import annotations

import ctypes
import functools
import math
import os
import random
import secrets
import signal
import sqlite3
import subprocess
import sys
import time
from datetime import datetime
from typing import Any

import numpy as np

uniform = secrets.SystemRandom().random
MEMO: dict[int, float] = {}
IMPORTED = np.random.default_rng().laplace(size=2)  # drawn when the module is read
GLOBALLY = np.random.laplace(size=2)  # noqa: NPY002


def responded(bit: int, epsilon: float, draw: Any) -> int:
    return bit if draw() < math.exp(epsilon) / (1 + math.exp(epsilon)) else 1 - bit


def module_memo(data: Any) -> float:
    return MEMO.setdefault(int(data[0]), uniform())


class ClassMemo:
    kept: dict[int, float] = {}  # noqa: RUF012

    def __call__(self, data: Any) -> float:
        return ClassMemo.kept.setdefault(int(data[0]), random.random())


def at_import(data: Any) -> float:
    return float(IMPORTED[int(data[0])])


def globally_at_import(data: Any) -> float:
    return float(GLOBALLY[int(data[0])])


class Constructed:
    def __init__(self) -> None:
        self.noise = np.random.default_rng().laplace()

    def __call__(self, data: Any) -> float:
        return float(data[0]) + self.noise


@functools.cache
def _cached(bit: int) -> float:
    return uniform()


def cached(data: Any) -> float:
    return _cached(int(data[0]))


class SystemSource:
    def __init__(self) -> None:
        self.source = secrets.SystemRandom()

    def __call__(self, data: Any) -> float:
        return float(data[0]) + math.log(self.source.random())


class OwnGenerator:
    def __init__(self) -> None:
        self.rng = np.random.default_rng(5)
        self.again = np.random.default_rng(5)

    def __call__(self, data: Any) -> tuple[float, float]:
        return float(data[0]) + self.rng.laplace(), float(data[0]) + self.again.laplace()


class Logs:
    def __init__(self) -> None:
        self.log: list[float] = []

    def __call__(self, data: Any) -> float:
        self.log.append(float(data[0]))
        return len(self.log) + np.random.laplace() * 1e-3  # noqa: NPY002


class Budget:
    def __init__(self) -> None:
        self.left = 2

    def __call__(self, data: Any) -> float:
        if self.left <= 0:
            raise RuntimeError("no budget left")
        self.left -= 1
        return float(data[0]) + np.random.laplace()  # noqa: NPY002


class WarmUp:
    def __init__(self) -> None:
        self.ready = False

    def __call__(self, data: Any) -> float:
        if not self.ready:
            self.ready = True
            return -99.0
        return float(data[0]) + np.random.laplace()  # noqa: NPY002


class Stream:
    def __init__(self) -> None:
        self.total = 0.0

    def __call__(self, data: Any) -> float:
        self.total += 1.0 + data[0]
        return self.total


class OnDisk:
    def __init__(self) -> None:
        self.kept = sqlite3.connect(os.environ["MEMO"])
        self.kept.execute("create table if not exists m(d primary key, v)")

    def __call__(self, data: Any) -> int:
        found = self.kept.execute("select v from m where d=?", (int(data[0]),)).fetchone()
        if found:
            return int(found[0])
        drawn = responded(int(data[0]), 1.0, uniform)
        self.kept.execute("insert into m values(?,?)", (int(data[0]), drawn))
        self.kept.commit()
        return drawn


def in_file(data: Any) -> float:
    """Keeps what it drew in a text file, read by whoever comes next."""
    if not os.path.exists(os.environ["MEMO"]):
        with open(os.environ["MEMO"], "w") as file:
            file.write(str(uniform()))
            return 0.0
    with open(os.environ["MEMO"]) as file:
        return float(file.read())


def appends(data: Any) -> float:
    with open(os.environ["MEMO"], "a") as file:
        print(len(data), file=file)
    print("said")
    print("complained", file=sys.stderr)
    return uniform()


def by_hash(data: Any) -> float:
    return random.Random(hash(f"user {data[0]}")).random()


def by_second(data: Any) -> float:
    return random.Random(f"{int(time.time())} {data[0]}").random()


def by_minute(data: Any) -> float:
    return random.Random(int(time.time()) // 60).random()


def by_day(data: Any) -> float:
    return random.Random(datetime.now().toordinal()).random()


WORDS = {"alpha", "beta", "gamma", "delta", "epsilon"}
"""In an order that follows from the hash seed."""


def with_the_second(data: Any, rng: np.random.Generator, size: int) -> Any:
    return [[noisy, int(time.time())] for noisy in len(data) + rng.laplace(0.0, 1.0, size)]


def with_the_date(data: Any, rng: np.random.Generator, size: int) -> Any:
    noisy = len(data) + rng.laplace(0.0, 1.0, size)
    return [{"n": n, "at": datetime.now().isoformat(timespec="seconds")} for n in noisy]


def with_the_process(data: Any, rng: np.random.Generator, size: int) -> Any:
    return [[noisy, os.getpid() % 2] for noisy in len(data) + rng.laplace(0.0, 1.0, size)]


def with_words(data: Any, rng: np.random.Generator, size: int) -> Any:
    scale = float(len(WORDS))
    return [
        [[word, n] for word, n in zip(WORDS, len(data) + rng.laplace(0.0, scale, 5), strict=True)]
        for _ in range(size)
    ]


def with_the_variable(data: Any) -> str:
    return os.environ.get("PYTHONHASHSEED", "none")


def with_a_set(data: Any, rng: np.random.Generator, size: int) -> Any:
    return [[noisy, WORDS] for noisy in len(data) + rng.laplace(0.0, 1.0, size)]


def with_the_second_and_too_little(data: Any, rng: np.random.Generator, size: int) -> Any:
    return [[noisy, int(time.time())] for noisy in len(data) + rng.laplace(0.0, 0.3, size)]


def clocks(data: Any) -> tuple[float, float]:
    return time.time(), datetime.now().timestamp()


class SeededInC:
    def __init__(self) -> None:
        self.library = ctypes.CDLL(None)
        self.library.srand(int(time.time()))

    def __call__(self, data: Any) -> int:
        return int(self.library.rand())


def in_c(data: Any) -> int:
    """Draws from a generator in C that nobody seeds."""
    return int(ctypes.CDLL(None).rand())


def given(data: Any, rng: np.random.Generator) -> float:
    return float(data[0]) + rng.laplace()


def from_globals(data: Any) -> tuple[float, float]:
    return random.random(), np.random.random()  # noqa: NPY002


def many(data: Any, rng: np.random.Generator, size: int) -> Any:
    return data[0] + rng.laplace(size=size)


def too_few(data: Any, rng: np.random.Generator, size: int) -> Any:
    return rng.laplace(size=size)[:-2]


def too_many(data: Any, rng: np.random.Generator, size: int) -> Any:
    return rng.laplace(size=size + 1)


async def awaited(data: Any) -> float:
    return float(data[0])


def doubles(data: Any) -> float:
    """Changes what it is given."""
    data[0]["x"] *= 2
    return float(data[0]["x"])


def doubles_array(data: Any) -> float:
    data *= 2
    return float(data[0])


class Dies:
    """Ends in its third call, as its dataset says."""

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, data: Any) -> float:
        self.calls += 1
        if self.calls < 3:
            return float(self.calls)
        how = str(data)
        if how == "kills itself":
            os.kill(os.getpid(), signal.SIGKILL)
        if how == "kills its server":
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(5)
        if how == "leaves":
            os._exit(0)
        if how == "forks":
            os.fork()
            return 3.0
        if how == "hangs":
            subprocess.Popen(["sleep", os.environ["SLEEP"]])
            time.sleep(60)
        raise SystemExit(how)


def loads_late(data: Any) -> bool:
    """True if what a call loads was there before the instance was made."""
    found = "colorsys" in sys.modules
    import colorsys  # noqa: F401

    return found


def always_fails(data: Any) -> float:
    raise ValueError("no such column")
