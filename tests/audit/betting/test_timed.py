"""Bets on times, with a clock that the tests move themselves."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator
from scipy.stats import binom, ttest_ind

import audit
from audit.claims import ApproxDP, PureDP
from audit.report.restore import restore
from audit.report.text import render_text
from audit.sampling.source import Source
from audit.sampling.timed_runs import Stopwatch
from audit.verdict.side_channels import TimedBets, bet_on_times, log_wealth_of

Takes = Callable[["Clocked", Any, Generator, Any], float]
"""Seconds of a run: of the box, the data, a generator of the test's own, and the output."""


@dataclass
class Clocked:
    """A black box that answers with a noisy count in a time that the test decides.

    Attributes:
        takes: seconds of a run.
        scale: of the noise.
        now: what the clock shows.
        last: the dataset of the last call.
        calls: so far.
    """

    takes: Takes
    scale: float = 1.0
    name: str = "clocked"
    seeded: bool = True
    many: bool = False
    now: float = 0.0
    last: Any = None
    calls: int = 0
    jitter: Generator = field(default_factory=lambda: np.random.default_rng(5))

    def bind(self, data: Any) -> Any:
        return _Bound(self, data)

    def clock(self) -> float:
        return self.now


@dataclass
class _Bound:
    box: Clocked
    data: Any

    def draw(self, rng: Generator, size: int) -> Any:
        success = 1.0 - math.exp(-1.0 / self.box.scale)
        output = len(self.data) + int(rng.geometric(success) - rng.geometric(success))
        self.box.now += self.box.takes(self.box, self.data, self.box.jitter, output)
        self.box.calls += 1
        self.box.last = len(self.data)
        return output


def _constant(box: Clocked, data: Any, rng: Generator, output: Any) -> float:
    return 1e-5 * float(rng.lognormal(0.0, 0.2))


def _by_size(box: Clocked, data: Any, rng: Generator, output: Any) -> float:
    return _constant(box, data, rng, output) + 1e-5 * len(data)


def _padded(box: Clocked, data: Any, rng: Generator, output: Any) -> float:
    return max(5e-5, _by_size(box, data, rng, output))


def _loops(box: Clocked, data: Any, rng: Generator, output: Any) -> float:
    """A sampler that loops until it has its noise."""
    return 1e-6 * float(abs(output - len(data))) + 1e-5 + 2e-7 * float(rng.standard_normal())


def _cached(box: Clocked, data: Any, rng: Generator, output: Any) -> float:
    """Slow where the last call was on another dataset."""
    return _constant(box, data, rng, output) * (1.0 if box.last == len(data) else 50.0)


def _drifting(box: Clocked, data: Any, rng: Generator, output: Any) -> float:
    """Slower and slower, in waves."""
    load = 1.0 + box.calls / 2000.0 + math.sin(box.calls / 50.0)
    return (1.5 + load) * _constant(box, data, rng, output)


def _by_output(box: Clocked, data: Any, rng: Generator, output: Any) -> float:
    """What only the answer decides gives away no more than the answer."""
    return 1e-6 * float(50 + output) + _constant(box, data, rng, output)


def _bet(
    takes: Takes, *, scale: float = 1.0, runs: int = 8000, seed: int = 0, alpha: float = 0.001
) -> TimedBets:
    box = Clocked(takes, scale, jitter=np.random.default_rng(1000 + seed))
    sources = Source(box, [1.0]), Source(box, [])
    watch = Stopwatch(sources, 0, seed, box.clock)
    found = bet_on_times(PureDP(1.0 / scale), alpha, [watch], runs)
    assert found is not None
    assert found.made == box.calls <= runs
    return found


@pytest.mark.parametrize("takes", [_by_size, _loops])
def test_times_that_depend_on_the_data_leak(takes: Takes) -> None:
    found = _bet(takes, scale=10.0 if takes is _loops else 1.0)
    assert found.leaking
    assert found.log_wealth >= math.log(1000.0)


RIGHT = [_constant, _padded, _cached, _drifting, _by_output]


@pytest.mark.slow
@pytest.mark.parametrize("takes", RIGHT)
def test_harmless_times_do_not(takes: Takes) -> None:
    assert not _bet(takes).leaking


@pytest.mark.slow
@pytest.mark.parametrize("takes", RIGHT)
def test_the_level_holds(takes: Takes) -> None:
    alarms = sum(_bet(takes, runs=1500, seed=seed, alpha=0.05).leaking for seed in range(40))
    assert alarms <= binom.isf(1e-6, 40, 0.05)


def test_a_sampler_that_loops_is_seen_where_times_alone_say_nothing() -> None:
    """Welch's test of the times, which wants |t| > 4.5, sees the same law on both sides."""
    box = Clocked(_loops, 10.0)
    watch = Stopwatch((Source(box, [1.0]), Source(box, [])), 0, 3, box.clock)
    runs = watch.draw(0, 4000)
    t = ttest_ind(runs.seconds[runs.right], runs.seconds[~runs.right], equal_var=False).statistic
    assert abs(t) < 4.5
    assert _bet(_loops, scale=10.0, seed=3).leaking


def test_a_plain_time_is_named() -> None:
    found = _bet(_by_size)
    assert found.event.startswith("a run takes ")
    assert found.event.endswith("µs")


def test_too_few_runs_are_none() -> None:
    box = Clocked(_constant)
    watch = Stopwatch((Source(box, [1.0]), Source(box, [])), 0, 0, box.clock)
    assert bet_on_times(PureDP(1.0), 0.001, [watch], 100) is None
    assert box.calls == 0


def test_the_worst_pair_is_bet_on() -> None:
    boxes = [Clocked(_constant), Clocked(_by_size), Clocked(_constant)]
    watches = [
        Stopwatch((Source(box, [1.0]), Source(box, [])), k, 0, box.clock)
        for k, box in enumerate(boxes)
    ]
    found = bet_on_times(PureDP(1.0), 0.001, watches, 4000)
    assert found is not None
    assert (found.pair, found.leaking) == (1, True)
    assert found.made == sum(box.calls for box in boxes)


@pytest.mark.parametrize("claim", [PureDP(1.0), ApproxDP(0.5, 0.1)])
def test_a_factor_has_no_mean_above_one_where_the_claim_holds_with_equality(claim: Any) -> None:
    """Exact, over the coin and the event: the proof of the module, in numbers."""
    lines = claim.lines(claim.level)
    stakes = np.array([0.98, 0.5, 0.01]) / (2.0 * lines[:, :1] + lines[:, 1:])
    events = np.array([[True, False]])
    for q in (0.0, 0.1, 0.3):
        p = lines[0, 0] * q + lines[0, 1]
        chances = np.array([[p, 1.0 - p], [q, 1.0 - q]]) / 2.0
        mean = sum(
            chances[side, cell] * np.exp(log_wealth_of(_one(side, cell), events, lines, stakes))
            for side in range(2)
            for cell in range(2)
        )
        assert np.allclose(mean[0], 1.0)
        wrong = chances + np.array([[0.05, -0.05], [0.0, 0.0]])
        more = sum(
            wrong[side, cell] * np.exp(log_wealth_of(_one(side, cell), events, lines, stakes))
            for side in range(2)
            for cell in range(2)
        )
        assert (more[0] > 1.0).all()


def _one(side: int, cell: int) -> Any:
    counts = np.zeros((2, 2))
    counts[side, cell] = 1.0
    return counts


def _sleeps(data: Any, rng: Generator) -> float:
    time.sleep(0.001 * len(data))
    return len(data) + float(rng.laplace())


@pytest.mark.slow
def test_a_leak_of_time_is_beside_the_verdict() -> None:
    result = audit.run(
        _sleeps, epsilon=1.0, data=[1.0], neighbors=[[]], max_samples=3000, timing=True
    )
    assert result.verdict is audit.Verdict.NOT_REFUTED
    assert "timing" in [leak.kind for leak in result.leaks]
    assert sum(result.effort.values()) == result.samples <= 3000
    assert result.times is not None
    # Who sleeps takes a millisecond at least, however busy the machine.
    assert result.times.right[1] < 0.001 <= result.times.left[0]
    said = " ".join(render_text(result).split())
    assert "Timing: the verdict holds for outputs; the time of a run releases more" in said
    assert restore(result.to_json()).times == result.times


@pytest.mark.slow
def test_nobody_looks_at_times_unasked() -> None:
    result = audit.run(_sleeps, epsilon=1.0, data=[], neighbors=[[1.0]], max_samples=300)
    assert result.times is None
    assert "times" not in result.to_json()
