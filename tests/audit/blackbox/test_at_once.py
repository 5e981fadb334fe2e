"""Runs that wait are waited for together, and give what they give alone.

What is counted are runs that go on at the same time, and no seconds: programs and
services wait at a gate that opens when eight of them stand before it. Were there only
seven, the time-outs of all of them would be outputs.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import numpy as np
import pytest

import audit
from audit.blackbox.http import HttpBlackBox
from audit.blackbox.interface import RunTimeout
from audit.errors import BlackBoxError
from audit.outcomes.encoding import Outcomes
from audit.sampling.grouped_calls import SLOW, Answer, AtOnce
from audit.sampling.sampler import Sampler
from audit.sampling.source import Address, Source, Stage
from tests.audit.blackbox.gate import PASS, Gate, gate
from tests.audit.blackbox.services import Service, serving

TOGETHER, PAIRS = 8, 32
STARTED = """
exec 3<>/dev/tcp/127.0.0.1/$1
read -r -n 1 -u 3
mapfile -t records < "$2"
echo $(( ${#records[@]} + $3 % 1000 ))
"""
"""A program that is quick to start: its noise is what its seed leaves."""


@pytest.fixture
def place() -> Iterator[Gate]:
    with gate() as found:
        yield found


@pytest.fixture(params=["started", "service"])
def slow(
    request: pytest.FixtureRequest, place: Gate, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[], Any]]:
    """A black box each of whose runs waits at the gate; a new one each time it is called."""
    with ExitStack() as stack:
        if request.param == "service":
            pytest.importorskip("urllib3", reason="the extra http is not installed")
            names: dict[str, Any] = {}
            exec(PASS, names)

            def do_gate(self: Service, asked: dict[str, Any]) -> None:
                names["wait_at"](place.port)
                self.do_count(asked, "1")

            monkeypatch.setattr(Service, "do_gate", do_gate, raising=False)
            server = stack.enter_context(serving())
            yield lambda: HttpBlackBox(server.url("gate"), timeout=60.0)
        else:
            words = ["bash", "-c", STARTED, "bash", str(place.port), "{data}", "{seed}"]
            yield lambda: audit.boxes.CommandBlackBox(words, timeout=60.0)


def drawn(box: Any, batch: int, at_once: AtOnce) -> list[Outcomes]:
    """A batch of pairs, and one of a single side."""
    sampler = Sampler.of(box, 7)
    sampler.runs.at_once = at_once
    left, right = Source(box, [1.0]), Source(box, [1.0, 0.0])
    pairs = sampler.pairs(Address(Stage.BET, 0, batch), left, right, PAIRS)
    return [*pairs, sampler.side(Address(Stage.TABLE, 0, batch), left, PAIRS, 0)]


def told(outcomes: list[Outcomes]) -> list[Any]:
    return [part.values.tolist() for side in outcomes for part in side.columns.values()]


@pytest.mark.slow
def test_eight_runs_wait_at_once_and_give_what_they_give_alone(
    slow: Callable[[], Any], place: Gate
) -> None:
    alone = told(drawn(slow(), 1, AtOnce()))
    box, at_once = slow(), AtOnce(TOGETHER)
    # The gate is open: a black box shows first that it follows the seed, one run after the other.
    at_once.seconds = 0.5 * SLOW
    drawn(box, 0, at_once)
    assert set(place.passed) == {1}
    at_once.seconds = SLOW
    while not box.at_once:
        continue
    place.passed.clear()
    place.together = TOGETHER
    together = drawn(box, 1, at_once)
    assert place.passed == [TOGETHER] * (3 * PAIRS // TOGETHER)
    assert told(together) == alone


@pytest.mark.slow
def test_an_audit_says_the_same_however_many_runs_go_on_at_once(
    slow: Callable[[], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {"data": [1, 0], "neighbors": [[1]], "max_samples": 80}
    results = []
    for workers, seconds in ((1, SLOW), (8, 0.0)):
        monkeypatch.setattr("audit.sampling.grouped_calls.SLOW", seconds)
        results.append(audit.run(slow(), epsilon=1.0, workers=workers, **given))
    one, many = results
    assert (one.epsilon_lower, one.log_evalue) == (many.epsilon_lower, many.log_evalue)
    assert (one.samples, one.effort, one.notes) == (many.samples, many.effort, many.notes)


class Waits:
    """A black box whose runs fail by their seed, and which says when it may be asked at once."""

    name, seeded, many, at_once = "waits", True, False, True

    def __init__(self, error: type[Exception] = ValueError) -> None:
        self.error, self.threads = error, set[str]()

    def bind(self, data: Any) -> Waits:
        return self

    def later(self, rng: np.random.Generator) -> Callable[[], Any]:
        number = int(rng.integers(1000))
        return lambda: self._given(number)

    def draw(self, rng: np.random.Generator, size: int) -> Any:
        return self.later(rng)()

    def _given(self, number: int) -> float:
        self.threads.add(threading.current_thread().name)
        if number % 5 == 0:
            raise self.error(f"{number}")
        return float(number)


def test_failures_are_outputs_and_the_first_one_is_told() -> None:
    sides, first = [], []
    for at_once in (AtOnce(), AtOnce(4, SLOW)):
        box = Waits()
        sampler = Sampler.of(box, 3)
        sampler.runs.at_once = at_once
        pair = Source(box, [1]), Source(box, [])
        drawn = sampler.pairs(Address(Stage.BET, 0, 0), *pair, 40)
        assert sampler.first is not None
        sides.append((told([*drawn]), [side.kinds for side in drawn], sampler.runs.lost))
        assert ("MainThread" in box.threads) is (at_once.most == 1)
        first.append((sampler.first.kind, sampler.first.message, sampler.first.call))
    assert sides[0] == sides[1]
    assert first[0] == first[1]
    assert sum(sides[0][2]) > 4


def test_what_ends_an_audit_ends_it_from_any_thread() -> None:
    box = Waits(BlackBoxError)
    sampler = Sampler.of(box, 3)
    sampler.runs.at_once = AtOnce(4, SLOW)
    pair = Source(box, [1]), Source(box, [])
    with pytest.raises(BlackBoxError):
        sampler.pairs(Address(Stage.BET, 0, 0), *pair, 40)


def test_quick_runs_are_made_one_after_the_other() -> None:
    box = Waits()
    at_once = AtOnce(4)
    calls = [box.later(np.random.default_rng(seed)) for seed in range(20)]
    assert len(list(at_once.answers(box, calls))) == 20
    assert box.threads == {"MainThread"}
    at_once.seconds, box.at_once = SLOW, False
    list(at_once.answers(box, calls))
    assert box.threads == {"MainThread"}


def test_after_an_interrupt_nobody_begins_what_was_not_begun() -> None:
    begun: list[int] = []
    waiting = threading.Event()

    def call(number: int) -> int:
        begun.append(number)
        if number:
            waiting.wait(60.0)
        return number

    at_once = AtOnce(2, SLOW)
    answers = at_once.answers(Waits(), [lambda k=k: call(k) for k in range(50)])  # type: ignore[misc]
    assert next(answers) == Answer(0)
    answers.close()  # type: ignore[attr-defined]
    waiting.set()
    assert at_once.executor is not None
    at_once.executor.shutdown()
    assert len(begun) <= 4


@pytest.mark.slow
@pytest.mark.parametrize("path", ["drips", "slow/60"])
def test_a_late_service_is_cut_short_in_any_thread(path: str) -> None:
    pytest.importorskip("urllib3", reason="the extra http is not installed")
    with serving() as server:
        later = HttpBlackBox(server.url(path), timeout=0.3).bind([1, 2]).later
        assert later is not None
        caught: list[Any] = []

        def ask() -> None:
            for seed in range(2):
                caught.append(Answer.of(later(np.random.default_rng(seed))).error)

        thread = threading.Thread(target=ask)
        thread.start()
        thread.join(60.0)
        server.over.set()
    assert [type(error) for error in caught] == [RunTimeout, RunTimeout]
