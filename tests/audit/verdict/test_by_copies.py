"""What may keep noise has to be refuted by copies: whatever it keeps, each of them is one draw."""

from __future__ import annotations

import math
import random
import threading
from collections.abc import Callable, Generator
from contextlib import nullcontext
from functools import lru_cache, partial
from typing import Any

import numpy as np
import pytest

import audit
from audit.blackbox.own_generator import begin_elsewhere, place_of

Release = Callable[..., Any]
_STOPS = 1.0 - math.exp(-1.0)


def noise(epsilon: float = 1.0) -> int:
    """Geometric, from the generator that the whole process shares."""
    down, up = (int(math.log(1.0 - random.random()) / -epsilon) for _ in range(2))
    return up - down


class Keeps:
    """Noise drawn once for each dataset, which keeps the claim, and noise in every report.

    Attributes:
        kept: sums with their noise, by the dataset.
        times: what is multiplied by 2 where the claim is broken.
    """

    def __init__(self, times: int = 1) -> None:
        self.kept, self.times = dict[bytes, int](), times

    def permanent(self, data: Any) -> int:
        count = self.times * int(sum(data))
        return self.kept.setdefault(bytes(data), count + self.drawn())

    def drawn(self) -> int:
        return noise()

    def __call__(self, data: Any) -> int:
        return self.permanent(data) + noise(3.0)


class Locked(Keeps):
    """The same behind a lock, which cannot be sent to another process."""

    def __init__(self, times: int = 1) -> None:
        super().__init__(times)
        self.lock = threading.Lock()

    def __call__(self, data: Any) -> int:
        with self.lock:
            return self.permanent(data) + noise(3.0)


class Own(Keeps):
    """The same from a generator of its own, which copies would carry with them."""

    def __init__(self, seed: int) -> None:
        super().__init__()
        self.rng, self.other = (np.random.default_rng([k, seed]) for k in range(2))

    def drawn(self) -> int:
        return int(self.rng.geometric(_STOPS) - self.rng.geometric(_STOPS))

    def __call__(self, data: Any) -> int:
        return self.permanent(data) + int(self.other.random() < 0.05)


def for_a_while(calls: int) -> Release:
    """Kept for so many calls by what nobody can look into."""

    def stream() -> Generator[Any, Any, None]:
        kept, made = dict[tuple[int, bytes], int](), 0
        data = yield
        while True:
            key = made // calls, bytes(data)
            made += 1
            data = yield kept.setdefault(key, int(sum(data)) + noise())

    held = stream()
    next(held)  # as far as to where it is asked
    return lambda data: held.send(data) + noise(3.0)


class Counts:
    """A noisy count that counts its calls: it holds more than before, and keeps no noise."""

    def __init__(self, epsilon: float) -> None:
        self.epsilon, self.calls = epsilon, 0

    def __call__(self, data: Any) -> int:
        self.calls += 1
        return int(sum(data)) + noise(self.epsilon)


def audited(release: Any, seed: int, **more: Any) -> audit.AuditResult:
    asked: dict[str, Any] = {"data": [1, 0, 1], "neighbors": [[1, 0]], "epsilon": 1.0}
    return audit.run(release, seed=seed, **asked | {"max_samples": 600} | more)


RIGHT: dict[str, Callable[[int], Release]] = {
    "travels": lambda seed: Keeps(),
    "cannot travel": lambda seed: Locked(),
    "own generators": Own,
    "for a while": lambda seed: for_a_while(150),
}


@pytest.mark.parametrize("runs", [300, 600, 1_200, 2_400])
@pytest.mark.parametrize("kind", RIGHT)
def test_kept_noise_is_no_evidence_however_few_runs_there_are(kind: str, runs: int) -> None:
    # Before copies had to win, one in three of these was accused.
    for seed in range(4):
        result = audited(RIGHT[kind](seed), seed, max_samples=runs)
        assert result.verdict != "violation"
        assert result.epsilon_lower <= 1.0


@pytest.mark.parametrize("make", [Keeps, Locked])
def test_copies_refute_kept_noise_that_is_too_small(make: type[Keeps]) -> None:
    verdicts = [audited(make(6), seed, max_samples=1_200).verdict for seed in range(3)]
    assert "violation" in verdicts


class Remembers:
    """A noisy count whose sums are remembered: they hold no noise, but who could tell?"""

    def __init__(self, epsilon: float) -> None:
        self.epsilon, self.sums = epsilon, dict[bytes, int]()

    def __call__(self, data: Any) -> int:
        return self.sums.setdefault(bytes(data), int(sum(data))) + noise(self.epsilon)


@pytest.mark.parametrize("make", [Counts, Remembers])
def test_what_holds_no_noise_is_refuted(make: Callable[[float], Release]) -> None:
    for seed in range(2):
        assert audited(make(2.5), seed, max_samples=8_000).verdict == "violation"


def test_no_bound_is_told_that_copies_did_not_win() -> None:
    few, many = (audited(Remembers(1.0), 1, max_samples=runs) for runs in (500, 60_000))
    assert few.verdict == many.verdict == "not-refuted"
    assert few.epsilon_lower == 0.0
    assert 0.3 < many.epsilon_lower <= 1.0


def test_the_bound_of_what_holds_no_noise_is_that_of_calls() -> None:
    result = audited(Counts(1.0), 1, max_samples=20_000)
    assert 0.6 < result.epsilon_lower <= 1.0


def kept_bit(epsilon: float, behind: str) -> Release:
    """A permanent randomized response that keeps epsilon tightly, and hardly any noise beside."""
    kept, lock = dict[int, int](), threading.Lock()
    flips = 1.0 / (1.0 + math.exp(epsilon))

    def permanent(value: int) -> int:
        return kept.setdefault(value, value ^ (random.random() < flips))

    def given(data: Any, rng: np.random.Generator) -> int:
        return permanent(int(data[0])) ^ int(rng.random() < 0.002)

    def alone(data: Any) -> int:
        with lock if behind == "a lock" else nullcontext():
            return permanent(int(data[0])) ^ (random.random() < 0.002)

    cached = lru_cache(lambda value: value ^ (random.random() < flips))
    made: dict[str, Release] = {
        "a generator": given,
        "a cache": lambda data: cached(int(data[0])) ^ (random.random() < 0.002),
    }
    return made.get(behind, alone)


@pytest.mark.parametrize("behind", ["nothing", "a lock", "a generator", "a cache"])
@pytest.mark.parametrize("epsilon", [1.5, 3.0, 6.0])
def test_a_kept_bit_that_copies_mostly_agree_on_is_no_evidence(behind: str, epsilon: float) -> None:
    """Four copies in five have the same one, and bets in one of them win what it hides."""
    asked: dict[str, Any] = {"data": [1], "neighbors": [[0]], "relation": "substitute"}
    for seed in range(3):
        result = audited(
            kept_bit(epsilon, behind), seed, epsilon=epsilon, max_samples=5_000, **asked
        )
        assert result.verdict != "violation"
        assert result.epsilon_lower <= epsilon


def stored(before: bool) -> Release:
    """Too little noise, drawn before the first call or with it, and kept for the sums."""
    later, kept = iter([noise() for _ in range(4_000)] if before else ()), dict[bytes, int]()

    def drawn() -> int:
        return next(later) if before else noise()

    def release(data: Any) -> int:
        kept.setdefault(bytes(data), 8 * int(sum(data)) + drawn())
        return kept[bytes(data)] + drawn()

    return release


@pytest.mark.parametrize("before", [False, True])
def test_copies_that_begin_alike_are_no_evidence(before: bool) -> None:
    results = [audited(stored(before), seed, max_samples=3_000) for seed in range(3)]
    assert any(result.verdict == "violation" for result in results) is not before
    told = [result.reason for result in results if "same outputs" in result.reason]
    assert bool(told) is before


def beginning_at(number: int, *generators: Any) -> tuple[bytes, ...]:
    """Where generators of a function stand once they begin elsewhere."""
    begin_elsewhere(partial(print, generators), np.random.SeedSequence(number))
    return tuple(map(place_of, generators))


def test_generators_of_copies_begin_apart_and_those_that_stand_alike_stay_alike() -> None:
    def made() -> tuple[Any, ...]:
        first, second = np.random.default_rng(7), np.random.default_rng(7)
        return first, second, np.random.default_rng(8), random.Random(7), np.random.RandomState(7)

    one, again, other = (beginning_at(number, *made()) for number in (1, 1, 2))
    assert one == again
    assert one[0] == one[1]
    assert len(set(one)) == 4
    assert not set(one) & set(other)


def test_generators_that_cannot_be_set_are_left_as_they_are() -> None:
    class Counted(random.Random):
        pass

    counted = Counted(3)
    before = place_of(counted)
    assert beginning_at(1, counted) == (before,)
