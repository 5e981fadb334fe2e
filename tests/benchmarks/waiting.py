"""How long audits of black boxes take that wait rather than compute.

python -m tests.benchmarks.waiting
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.random import Generator

import audit
from audit.blackbox.served import ServedBlackBox
from tests.audit.blackbox.postgres import PostgresServer
from tests.audit.blackbox.services import Service, serving

PAGE = Path(__file__).parents[2] / "reports" / "studies" / "waiting.md"
_WAITS = 0.3
_RUNS = 3000
_AT_ONCE = 8
_NOISE = "draw.expovariate(1) - draw.expovariate(1)"
_SERVED = f"""
import json, random, sys, time
time.sleep(float(sys.argv[1]))
for line in sys.stdin:
    asked = json.loads(line)
    draw = random.Random(asked["seed"])
    time.sleep(float(sys.argv[2]))
    print([len(asked["data"]) + float(sys.argv[3]) * ({_NOISE})], flush=True)
"""
_STARTED = """
sleep $1
mapfile -t records < "$2"
echo $(( ${#records[@]} + $3 % 8 ))
"""
"""Starting Python a thousand times would be no waiting."""
_ADDRESS = "AUDITED_DATABASE"
_QUERY = f"""
SELECT c + ln(1 - random()) - ln(1 - random())
FROM (SELECT count(*) AS c, pg_sleep({_WAITS}) FROM data) AS counted
"""


_PAGE = """\
# Black boxes that wait

Reproduce: `python -m tests.benchmarks.waiting`. Seconds are wall time of whole audits, on a machine
with 2 cores. Each run of these waits {waits:g} s, as for a database or a model elsewhere.

## Runs that go on at the same time

*One by one* is what the runs wait all together, *times as many* that by the seconds of the audit
with {at_once} at once, whatever else the audit did meanwhile. What it says is the same to the last
bit.

{together}

The first runs are made one after the other, until it is known that they take long, that a
program follows its seed and that a function keeps no state; a function is called in eight
processes, which take some seconds to start meanwhile; and what is drawn up to a look at the
evidence is awaited before it: few pairs at the first looks, a fourth of all that were drawn before
at later ones.

## Programs that take long to start

A program that needs {waits:g} s to start and 20 µs for an output, with `--serve`, claimed to keep
ε = 1.

{starting}
"""


@dataclass(frozen=True)
class Measured:
    """One audit.

    Attributes:
        verdict: what it said.
        runs: how many.
        seconds: wall time.
    """

    verdict: str
    runs: int
    seconds: float

    @property
    def times(self) -> float:
        """How many runs go on at the same time, on average of all of the audit."""
        return self.runs * _WAITS / self.seconds


def measured(box: Any, **more: Any) -> Measured:
    """What an audit of two small datasets takes, all of it."""
    given: dict[str, Any] = {"data": [1, 0], "neighbors": [[1]], "epsilon": 1.0}
    begun = time.perf_counter()
    result = audit.run(box, **given | more)
    return Measured(result.verdict.value, result.samples, time.perf_counter() - begun)


def noisy_count(data: Any, rng: Generator) -> float:
    """A Python function that waits."""
    time.sleep(_WAITS)
    return len(data) + float(rng.laplace())


def _waits(self: Service, asked: dict[str, Any]) -> None:
    time.sleep(_WAITS)
    self.do_count(asked, "1")


def served(folder: Path, start: float, wait: float, scale: float) -> ServedBlackBox:
    """A program that stays, with Laplace noise of a scale."""
    program = folder / "served.py"
    program.write_text(_SERVED)
    words = [sys.executable, "-SEs", str(program), *(f"{value}" for value in (start, wait, scale))]
    return ServedBlackBox(words)


@contextmanager
def boxes() -> Iterator[dict[str, Callable[[], Any]]]:
    """Black boxes that wait as long in every run."""
    started = ["bash", "-c", _STARTED, "bash", str(_WAITS), "{data}", "{seed}"]
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory())
        server, database = stack.enter_context(serving()), PostgresServer()
        stack.callback(database.end)
        os.environ[_ADDRESS] = database.url
        server.RequestHandlerClass.do_waits = _waits  # type: ignore[attr-defined]
        yield {
            "a Python function": lambda: noisy_count,
            "a program that stays": lambda: served(Path(folder), 0.0, _WAITS, 1.0),
            "a program that is started for each run": lambda: audit.CommandBlackBox(started),
            "a web service": lambda: audit.HttpBlackBox(server.url("waits")),
            "a query of PostgreSQL": lambda: audit.PostgresBlackBox(_QUERY, f"${_ADDRESS}"),
        }


def together() -> Iterator[str]:
    """The table of runs that go on at the same time."""
    yield "| black box | verdict | runs | one by one, s | `--workers 8`, s | times as many |"
    yield "|---|---|--:|--:|--:|--:|"
    with boxes() as found:
        for name, box in found.items():
            one = measured(box(), workers=_AT_ONCE, max_samples=_RUNS, until="budget")
            alone = one.runs * _WAITS
            yield (
                f"| {name} | {one.verdict} | {one.runs:,} | {alone:,.0f} | {one.seconds:,.0f} | "
                f"{one.times:.1f} |"
            )


def starting() -> Iterator[str]:
    """The table of programs that take long to start."""
    yield "| noise of scale | verdict | runs | seconds | started anew for each run, s at least |"
    yield "|--:|---|--:|--:|--:|"
    with tempfile.TemporaryDirectory() as folder:
        for scale in (1.0, 0.5):
            box = served(Path(folder), _WAITS, 2e-5, scale)
            found = measured(box, max_samples=20_000)
            anew, told = found.runs * _WAITS, f"{found.verdict} | {found.runs:,}"
            yield f"| {scale} | {told} | {found.seconds:.1f} | {anew:,.0f} |"


def page() -> str:
    """The page."""
    return _PAGE.format(
        waits=_WAITS,
        at_once=_AT_ONCE,
        together="\n".join(together()),
        starting="\n".join(starting()),
    )


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
