"""The time of programs that stay and of services: what gives the data away, and what does not.

Real clocks: each leak is many times as long as what the machine adds, so that load can
hide it for a while only; and whatever load there is hits both datasets alike, by a coin.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.blackbox.http import HttpBlackBox
from audit.blackbox.served import ServedBlackBox
from audit.claims import PureDP
from audit.frontends.cli.main import main
from audit.sampling.source import Source
from audit.sampling.timed_runs import Stopwatch
from audit.verdict.side_channels import TimedBets, bet_on_times
from tests.audit.blackbox.services import Service, serving

WORK = """
import random, time
def noise(draw, scale):
    return int(draw.expovariate(1 / scale)) - int(draw.expovariate(1 / scale))
def answer(kind, data, seed):
    draw, begun = random.Random(seed), time.perf_counter()
    found = noise(draw, 10.0 if kind == "loop" else 1.0)
    if kind in ("size", "padded"):
        time.sleep(0.001 * len(data))
    elif kind == "early":
        for record in data:
            if record == 0:
                break
            time.sleep(0.002)
    elif kind == "loop":
        time.sleep(0.0003 * abs(found))
    if kind == "padded":
        time.sleep(max(0.0, 0.004 - (time.perf_counter() - begun)))
    return len(data) + found
"""
"""A noisy count: it sleeps by size, ends early, or loops until it has its noise.

The floors of two exponential numbers are geometric, and their difference is discrete
Laplace noise, which keeps ε = 1/scale.
"""
SERVED = f"""
import json, sys
{WORK}
for line in sys.stdin:
    asked = json.loads(line)
    print([answer(sys.argv[1], asked["data"], asked["seed"])], flush=True)
"""
Pair = tuple[list[int], list[int]]
BY_SIZE: Pair = ([1, 1], [])
BY_CONTENT: Pair = ([1, 1, 1], [0, 1, 1])
LEAKS: dict[str, tuple[Pair, float]] = {
    "size": (BY_SIZE, 1.0),
    "early": (BY_CONTENT, 1.0),
    "loop": (([1], []), 0.1),
}


@pytest.fixture(params=["served", "service"])
def boxes(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Any]:
    """A function that makes a black box of a kind."""
    if request.param == "served":
        program = tmp_path / "timed.py"
        program.write_text(SERVED)
        yield lambda kind: ServedBlackBox([sys.executable, "-SEs", str(program), kind])
        return
    pytest.importorskip("urllib3", reason="the extra http is not installed")
    names: dict[str, Any] = {}
    exec(WORK, names)

    def do_timed(self: Service, asked: dict[str, Any], kind: str) -> None:
        self.reply([names["answer"](kind, asked["data"], asked["seed"])])

    monkeypatch.setattr(Service, "do_timed", do_timed, raising=False)
    with ExitStack() as stack:
        server = stack.enter_context(serving())
        yield lambda kind: HttpBlackBox(server.url(f"timed/{kind}"))


def bet(box: Any, pair: Any, epsilon: float, runs: int) -> TimedBets:
    watch = Stopwatch((Source(box, pair[0]), Source(box, pair[1])), 0, 1)
    found = bet_on_times(PureDP(epsilon), 0.001, [watch], runs)
    assert found is not None
    return found


@pytest.mark.slow
@pytest.mark.parametrize("kind", LEAKS)
def test_what_gives_the_data_away_is_caught(boxes: Any, kind: str) -> None:
    pair, epsilon = LEAKS[kind]
    assert bet(boxes(kind), pair, epsilon, 6000).leaking


@pytest.mark.slow
def test_a_padded_twin_is_not(boxes: Any) -> None:
    """It does the work that leaks, and then waits until everybody would be done."""
    assert not bet(boxes("padded"), BY_SIZE, 1.0, 800).leaking


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "code"), [("padded", 0), ("size", 1)])
def test_the_command_line_tells_a_leak_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, code: int
) -> None:
    program = tmp_path / "timed.py"
    program.write_text(SERVED)
    given = ("--epsilon", "1", "--data", "[1]", "--neighbor", "[]")
    budget = ("--max-samples", "1600", "--timing", "--fail-on", "leak", "--until", "violation")
    words = ["command", "--serve", *given, *budget, "--", sys.executable, str(program), kind]
    assert main(words) == code
    told = " ".join(capsys.readouterr().out.split())
    assert told.startswith("NOT REFUTED")
    assert ("Timing: the verdict holds for outputs; the time of a run" in told) is (code == 1)


class Turns:
    """A rate of requests that notes when its turns are taken."""

    def __init__(self) -> None:
        self.taken: list[float] = []

    def wait(self) -> None:
        self.taken.append(time.perf_counter())


def test_the_wait_for_a_turn_is_not_timed() -> None:
    pytest.importorskip("urllib3", reason="the extra http is not installed")
    with serving() as server:
        box = HttpBlackBox(server.url("count/1"))
        turns = Turns()
        box._service._rate = turns  # type: ignore[assignment]
        begun: list[float] = []

        def clock() -> float:
            begun.append(time.perf_counter())
            return begun[-1]

        watch = Stopwatch((Source(box, [1]), Source(box, [])), 0, 1, clock)
        watch.draw(0, 8)
        # One turn for each run, before its clock starts.
        assert len(_runs(begun)) == len(turns.taken) == 16
        assert not any(a < turn < b for turn in turns.taken for a, b in _runs(begun))


def _runs(clock: list[float]) -> list[tuple[float, float]]:
    return list(zip(clock[::2], clock[1::2], strict=True))


@pytest.mark.slow
def test_what_an_audit_says_of_the_time_of_a_service() -> None:
    pytest.importorskip("urllib3", reason="the extra http is not installed")
    with serving() as server:
        box = HttpBlackBox(server.url("count/1"))
        given: dict[str, Any] = {"data": [1], "neighbors": [[]], "max_samples": 1200}
        result = audit.run(box, epsilon=1.0, timing=True, **given)
    assert result.times is not None
    assert result.times.left[1] > 0.0
    assert sum(result.effort.values()) == result.samples <= 1200
