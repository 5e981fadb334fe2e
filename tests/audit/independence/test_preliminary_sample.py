from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from audit.blackbox.python import PythonBlackBox
from audit.sampling.independence.instances import Instances
from audit.sampling.independence.life import Answered, Life, Sightings
from audit.sampling.independence.preliminary_sample import (
    PreliminarySample,
    are_clones,
    clock_p_value,
)

BOXES = Path(__file__).with_name("boxes.py")
QUESTIONS = ((0, 1), (1, 1)) * 4


class Clock:
    """A clock that waiting moves, and lives that take a while."""

    def __init__(self, life: float = 0.0) -> None:
        self.now, self.life = 100.25, life

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def sample(
    answers: Callable[[np.random.Generator, float], Any],
    clock: Clock,
    alone: Any = None,
    seen: Sightings | None = None,
) -> PreliminarySample:
    """A sample of lives whose answers follow from their own generator and the clock."""

    def run(lives: Sequence[Life]) -> list[Answered]:
        found = [answers(np.random.default_rng(life.entropy), clock()) for life in lives]
        clock.now += clock.life * len(lives)
        pairs = zip(lives, found, strict=True)
        return [Answered(life.number, [output], None, 0.0, 0.0) for life, output in pairs]

    held = seen or Sightings()
    return PreliminarySample(
        run, alone, lambda: held, QUESTIONS, (5,), clock=clock, sleep=clock.sleep
    )


def seconds(_: np.random.Generator, now: float) -> float:
    return float(np.random.default_rng(int(now)).laplace())


def fresh(rng: np.random.Generator, _: float) -> float:
    return float(rng.laplace())


def coin(rng: np.random.Generator, _: float) -> float:
    return float(rng.random() < 0.7)


def coin_by_second(_: np.random.Generator, now: float) -> float:
    return float(np.random.default_rng(int(now)).random() < 0.6)


@pytest.mark.parametrize(
    ("answers", "doubts"),
    [(seconds, ("clock",)), (fresh, ()), (coin, ()), (coin_by_second, ("clock",))],
)
def test_time_seeded_noise_is_seen_and_other_noise_is_not(
    answers: Callable[[np.random.Generator, float], Any], doubts: tuple[str, ...]
) -> None:
    assert sample(answers, Clock()).result().doubts == doubts


def test_bursts_are_made_when_they_are_due_and_waited_for_at_the_end() -> None:
    clock = Clock()
    made = sample(fresh, clock)
    assert made._made == 0
    made.advance()
    assert made._made == 6
    clock.now += 1.0
    made.advance()
    assert made._made == 12
    clock.now += 5.0
    made.advance()
    assert made._made == 18
    before = clock.now
    assert made.result().doubts == ()
    assert clock.now == before


def test_slow_lives_leave_time_for_others_between_two_of_them() -> None:
    clock = Clock(life=2.0)
    made = sample(fresh, clock)
    for expected in (1, 2, 3):
        made.advance()
        assert made._made == expected
    assert made.result().doubts == ()
    assert made._made == 18


def test_few_values_are_looked_at_in_eight_more_seconds() -> None:
    clock = Clock()
    sample(coin, clock).result()
    assert clock.now == pytest.approx(100.25 + 3.0 + 7.0)


@pytest.mark.slow
def test_p_values_of_the_clock_are_valid() -> None:
    """Under exchangeability P[p ≤ t] ≤ t; small where bursts agree with themselves alone."""
    rng = np.random.default_rng(1)
    found = []
    for k in range(200):
        values = [[b"%d" % v for v in burst] for burst in rng.integers(0, 3, (3, 6))]
        found.append(clock_p_value(values, (k,)))
    for level in (0.05, 0.2, 0.5):
        assert np.mean(np.array(found) <= level) <= level + 3 * np.sqrt(level / 200)
    assert clock_p_value([[b"%d" % burst] * 6 for burst in range(3)], (0,)) <= 1e-4
    assert clock_p_value([[b"a"] * 6] * 3, (0,)) == 1.0


def test_clones_agree_with_each_other_and_with_no_interpreter() -> None:
    def parts(answers: bytes, **more: bytes) -> list[dict[str, bytes]]:
        return [{"count": bytes([a]), "id": bytes([k]), **more} for k, a in enumerate(answers)]

    same, others = parts(b"a" * 18), parts(b"bcde")
    assert are_clones(same, others), "in a part of what they answer"
    assert not are_clones(same, parts(b"acde"))
    assert not are_clones(parts(b"a" * 17 + b"b"), others)
    assert not are_clones(same, [])
    assert not are_clones(parts(bytes(range(18)), unit=b"m"), parts(b"bcde", unit=b"m"))


def test_interpreters_are_started_where_forks_agree_and_not_where_they_differ() -> None:
    started = []

    def alone() -> Callable[[], list[Answered]]:
        started.append(True)
        return lambda: [Answered(-1, [float(k)], None, 0.0, 0.0) for k in range(1, 5)]

    assert sample(fresh, Clock(), alone).result().doubts == ()
    assert not started
    assert sample(lambda rng, now: 0.0, Clock(), alone).result().doubts == ("clones",)
    assert started == [True]


def test_traces_outside_are_a_doubt_where_they_are_shared() -> None:
    logs = Sightings(written=frozenset({"/tmp/log"}))
    assert sample(fresh, Clock(), seen=logs).result().doubts == ()
    back = logs | Sightings(read=frozenset({"/tmp/log"}))
    found = sample(fresh, Clock(), seen=back).result()
    assert (found.doubts, found.traces) == (("outside-process",), ("/tmp/log",))
    socket = Sightings(events=frozenset({"socket"}))
    assert sample(fresh, Clock(), seen=socket).result().doubts == ("outside-process",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "doubt"),
    [
        ("OnDisk", "outside-process"),
        ("in_file", "outside-process"),
        ("appends", None),
        ("SystemSource", None),
        ("SeededInC", "clock"),
        ("by_minute", "clock"),
        ("by_day", "clock"),
        ("in_c", None),
    ],
)
def test_mechanisms_that_share_something_are_doubted(
    name: str, doubt: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMO", str(tmp_path / "memo"))
    box = PythonBlackBox.at(f"{BOXES}:{name}")
    with Instances(box, [np.array([0.0]), np.array([1.0])]) as instances:
        made = instances.preliminary(QUESTIONS, (9,))
        lives = [Life(number, (3, number), QUESTIONS) for number in range(4)]
        assert len(instances.answered(lives)) == 4
        assert made.result().doubts == (() if doubt is None else (doubt,))


SEEDED = """\
import os
state = [int.from_bytes(os.urandom(4), "big")]
def drawn():
    state[0] = state[0] * 69069 % 2**32
    return state[0]
"""
WITH_AN_ID = f"""\
import uuid
{SEEDED.replace("def drawn", "def number")}
def drawn():
    return {{"id": str(uuid.uuid4()), "count": number()}}
"""
GENERATOR = """\
import random
import numpy as np
class Noise:
    rng, other = np.random.default_rng(), random.Random()
def drawn():
    return Noise.rng.laplace() + Noise.other.random()
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "code", "doubts"),
    [
        ("clone", SEEDED, ("clones",)),
        ("clone_with_an_id", WITH_AN_ID, ("clones",)),
        ("with_a_generator", GENERATOR, ()),
    ],
)
def test_a_library_that_seeds_itself_when_it_is_loaded_makes_clones(
    name: str,
    code: str,
    doubts: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Also beside an answer that differs from one instance to the next; generators are set."""
    library = tmp_path / "site-packages" / f"{name}.py"
    library.parent.mkdir()
    library.write_text(code)
    monkeypatch.syspath_prepend(str(library.parent))
    release = tmp_path / "release.py"
    release.write_text(f"import {name}\ndef report(data): return {name}.drawn()\n")
    with Instances(PythonBlackBox.at(f"{release}:report"), [np.array([0.0])]) as instances:
        made = instances.preliminary(((0, 1),) * 4, (9,))
        lives = [Life(number, (3, number), QUESTIONS[:1]) for number in range(8)]
        answers = [life.outputs for life in instances.answered(lives)]
        assert made.result().doubts == doubts
    if not doubts:
        assert len({str(answer) for answer in answers}) == 8
