"""Right mechanisms that are no functions: programs, a query, a service, sessions.

Each is audited by the units of its own kind, and without an assumption that it does not need.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from threading import Thread
from typing import Any

from numpy.random import Generator

from audit.boxes import CommandBlackBox, HttpBlackBox, ServedBlackBox, SqlBlackBox
from tests.audit.blackbox.services import Server
from tests.calibration.kind import Kind

_NOISE = "log(1 - rand()) - log(1 - rand())"
_SERVED = """\
import json, random, sys
draw, kept = random.Random(), {{}}
for line in sys.stdin:
    asked = json.loads(line)
    count = int(asked["data"][0])
    noise = draw.expovariate(1.0) - draw.expovariate(1.0)
    print(json.dumps([{answer}]), flush=True)
"""
"""A program whose noise is seeded by the system."""
_KEPT_IN_A_FILE = """\
kept="$TMPDIR/$(cat "$1")"
[ -e "$kept" ] || awk -v seed="$2" 'BEGIN {{ srand(seed) }} {{ print $1 + {noise} }}' "$1" > "$kept"
cat "$kept"
"""
"""A permanent answer, which starts share through a file."""


def awk(seed: str) -> Callable[[int], CommandBlackBox]:
    """A noisy number from awk, seeded by these words."""
    script = f"BEGIN {{ srand({seed}) }} {{ print $1 + {_NOISE} }}"
    return lambda number: CommandBlackBox(["awk", "-v", "seed={seed}", script, "{data}"])


def kept_in_a_file(number: int) -> CommandBlackBox:
    """A shell script of the permanent answer."""
    script = _KEPT_IN_A_FILE.format(noise=_NOISE)
    return CommandBlackBox(["sh", "-c", script, "sh", "{data}", "{seed}"])


def served(answer: str) -> Callable[[int], ServedBlackBox]:
    """A program in Python that stays and answers so."""
    text = _SERVED.format(answer=answer)
    return lambda number: ServedBlackBox([sys.executable, "-S", "-c", text])


def query(noise: str) -> Callable[[int], SqlBlackBox]:
    """A query of a noisy sum."""
    return lambda number: SqlBlackBox(f"SELECT sum(value) + {noise} FROM data")


@cache
def _server() -> Server:
    server = Server()
    Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    return server


def service(source: str) -> Callable[[int], HttpBlackBox]:
    """A noisy number by POST, its noise from the seed or from the service's own generator."""
    return lambda number: HttpBlackBox(_server().url(f"number/1/{source}"))


class Session:
    """Half of ε = 1 for each of two questions; further ones are refused."""

    def __init__(self, data: Any, rng: Generator) -> None:
        self.data, self.rng, self.left = data, rng, 2

    def ask(self, question: Any) -> float:
        if not self.left:
            raise LookupError("no more")
        self.left -= 1
        return float(self.data[0]) + self.rng.laplace(0.0, 2.0)


class Permanent(Session):
    """Answers the first question with all of ε = 1 and repeats that for ever."""

    def __init__(self, data: Any, rng: Generator) -> None:
        self.answer = float(data[0]) + rng.laplace(0.0, 1.0)

    def ask(self, question: Any) -> float:
        return self.answer


_LADDER = "floor(ln(random()) / -1.0) - floor(ln(random()) / -1.0)"
_FEW: dict[str, Any] = {"samples": 600, "rounds": 0.5}

BOXES: tuple[Kind, ...] = (
    Kind(name="awk, seeded by {seed}", make=awk("seed"), **_FEW),
    Kind(name="awk, seeded by the clock", make=awk(""), **_FEW),
    Kind(name="a program's permanent answer in a file", make=kept_in_a_file, **_FEW),
    Kind(name="a program that stays", make=served("count + noise"), **_FEW),
    Kind(
        name="a program that stays and keeps its answers",
        make=served("kept.setdefault(count, count + noise)"),
        **_FEW,
    ),
    Kind(name="DuckDB, Laplace", make=query("ln(random()) - ln(random())")),
    Kind(name="DuckDB, geometric", make=query(_LADDER)),
    Kind(name="HTTP, noise from the seed", make=service("seed"), samples=1500),
    Kind(name="HTTP, noise of the service", make=service("own"), samples=1500),
    *(
        replace(kind, questions=[1, 2, 3])
        for kind in (
            Kind(name="a session of two answers", make=lambda number: Session),
            Kind(name="a session of a permanent answer", make=lambda number: Permanent),
        )
    ),
)
"""All satisfy ε = 1 on the datasets [1] and [0]."""
