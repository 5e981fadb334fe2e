"""Noise that is kept beside noise drawn anew is no evidence; what copies do as well, is."""

from __future__ import annotations

import os
import random
import sys
import threading
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import audit
from audit.blackbox.python import PythonBlackBox
from audit.sampling.uneven import chance_of
from audit.sampling.workers.pickled import Parcel

Release = Callable[..., Any]
_FLIP = 0.75
"""A permanent randomized response keeps ln(1.25 / .75) = .51 of epsilon."""


def permanent(seed: int) -> Release:
    """A bit that is randomized once for each value and kept, and again in every report."""
    kept: dict[int, int] = {}

    def report(data: Any, rng: np.random.Generator) -> int:
        value = int(data[0])
        if value not in kept:
            drawn = rng.random()
            kept[value] = 1 if drawn < _FLIP / 2 else 0 if drawn < _FLIP else value
        return int(rng.random() < (0.9 if kept[value] else 0.1))

    return report


class Sticky:
    """Most of the noise is drawn once for each number of records, from its own generator."""

    def __init__(self, seed: int) -> None:
        self.rng, self.kept = np.random.default_rng([17, seed]), dict[int, float]()

    def __call__(self, data: Any) -> float:
        count = len(data)
        if count not in self.kept:
            self.kept[count] = self.rng.laplace()
        return float(count + self.kept[count] + self.rng.laplace(0.0, 0.05))


def cached(seed: int) -> Release:
    """The same behind a cache, with noise that the audit does not give."""

    @lru_cache
    def kept(count: int) -> float:
        return random.gauss(0.0, 1.0)

    return lambda data: len(data) + kept(len(data)) + random.gauss(0.0, 0.05)


def given(seed: int) -> Release:
    """Too little noise on a sum that is cached."""

    @lru_cache
    def summed(records: tuple[float, ...]) -> float:
        return sum(records)

    return lambda data, rng: float(summed(tuple(data)) + rng.laplace(0.0, 0.3))


def of_the_system(seed: int) -> Release:
    """Too little noise, of the system."""
    return lambda data: len(data) + random.SystemRandom().gauss(0.0, 0.3)


def partly_given(seed: int) -> Release:
    """Too little noise, some of it from elsewhere; and the number of the process beside."""

    def release(data: Any, rng: np.random.Generator) -> tuple[float, int]:
        jitter = random.SystemRandom().choice((0.0, 0.0, 0.01))
        return float(len(data) + rng.laplace(0.0, 0.3) + jitter), os.getpid()

    return release


class Own:
    """Too little noise, from its own generator."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng([18, seed])

    def __call__(self, data: Any) -> float:
        return float(len(data) + self.rng.laplace(0.0, 0.3))


class Locked:
    """Noise that is kept, behind a lock, which cannot be sent to another process.

    Attributes:
        kept: noise for each number of records; all of it is known where the claim is broken.
    """

    def __init__(self, seed: int, kept: dict[int, float] | None = None) -> None:
        self.kept, self.lock = dict(kept or {}), threading.Lock()

    def noise(self, data: Any) -> float:
        with self.lock:
            return self.kept.setdefault(len(data), random.gauss(0.0, 1.0))

    def __call__(self, data: Any) -> float:
        return len(data) + self.noise(data) + random.gauss(0.0, 0.05)


class LockedGiven(Locked):
    """The same where the other part of the noise is given."""

    def __call__(self, data: Any, rng: np.random.Generator) -> float:  # type: ignore[override]
        return float(len(data) + self.noise(data) + rng.normal(0.0, 0.05))


class LockedBeside(Locked):
    """The same where a third part is the system's, so that copies never do the same again."""

    def __call__(self, data: Any, rng: np.random.Generator) -> float:  # type: ignore[override]
        coin = random.SystemRandom().choice((0.0, 0.5))
        return float(len(data) + self.noise(data) + rng.normal(0.0, 0.05) + coin)


LOCKED = [Locked, LockedGiven, LockedBeside]


def audited(release: Any, epsilon: float, seed: int, **more: Any) -> audit.AuditResult:
    asked: dict[str, Any] = {"data": [1], "neighbors": [[]], "alpha": 0.05, "max_samples": 4_000}
    return audit.run(release, epsilon=epsilon, seed=seed, **asked | more)


@pytest.mark.parametrize("make", [Sticky, cached])
@pytest.mark.parametrize("seed", range(3))
def test_noise_that_is_kept_is_no_evidence(make: Callable[[int], Release], seed: int) -> None:
    result = audited(make(seed), 1.0, seed)
    assert result.verdict != "violation"
    assert result.epsilon_lower == 0.0


@pytest.mark.parametrize("seed", range(3))
def test_nor_for_a_bound_where_nothing_is_refuted(seed: int) -> None:
    result = audited(Sticky(seed), 8.0, seed)
    assert result.verdict != "violation"
    assert result.epsilon_lower <= 1.0


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
@pytest.mark.parametrize(("epsilon", "runs"), [(0.51, 400), (0.51, 8_000), (2.5, 8_000)])
def test_nor_is_a_permanent_randomized_response(seed: int, epsilon: float, runs: int) -> None:
    asked: dict[str, Any] = {"neighbors": [[0]], "relation": "substitute", "max_samples": runs}
    result = audited(permanent(seed), epsilon, seed, **asked)
    assert result.verdict != "violation"
    assert result.epsilon_lower <= 0.51


@pytest.mark.parametrize("make", [Sticky, cached])
def test_what_was_seen_is_said(make: Callable[[int], Release]) -> None:
    result = audited(make(0), 1.0, 0)
    assert result.verdict == "inconclusive"
    assert "keeps a part of its noise" in result.reason


@pytest.mark.parametrize("make", [given, of_the_system, partly_given, Own])
@pytest.mark.parametrize("seed", range(2))
def test_what_copies_do_as_well_is(make: Callable[[int], Release], seed: int) -> None:
    assert audited(make(seed), 1.0, seed).verdict == "violation"


@pytest.mark.parametrize("make", LOCKED)
@pytest.mark.parametrize("seed", range(3))
def test_nor_is_noise_kept_by_what_cannot_travel(make: type[Locked], seed: int) -> None:
    for epsilon in (1.0, 8.0):
        result = audited(make(seed), epsilon, seed)
        assert result.verdict != "violation"
        assert result.epsilon_lower == 0.0


@pytest.mark.parametrize("make", LOCKED)
@pytest.mark.parametrize("seed", range(2))
def test_what_cannot_travel_and_keeps_no_noise_is_refuted(make: type[Locked], seed: int) -> None:
    assert audited(make(seed, {0: 0.0, 1: 0.0}), 1.0, seed).verdict == "violation"


SERVED = """
import json, random, sys
kept = {}
for line in sys.stdin:
    asked = json.loads(line)
    count = len(asked["data"])
    noise = random.Random(asked["seed"]) if GIVEN else random
    kept.setdefault(count, random.gauss(0, 1) if KEEPS else 0.0)
    print(json.dumps([count + kept[count] + noise.gauss(0, 0.05)]), flush=True)
"""


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("keeps", [True, False])
def test_programs_that_stay_are_started_anew(tmp_path: Path, given: bool, keeps: bool) -> None:
    file = tmp_path / "serve.py"
    file.write_text(SERVED.replace("GIVEN", str(given)).replace("KEEPS", str(keeps)))
    for seed in range(2):
        box = audit.ServedBlackBox([sys.executable, str(file)])
        result = audited(box, 1.0, seed, max_samples=3_000)
        assert (result.verdict == "violation") is not keeps
        if keeps:
            assert audited(box, 8.0, seed, max_samples=3_000).epsilon_lower == 0.0


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="there is no /proc")
def test_copies_of_a_program_that_never_ends_by_itself_are_ended(tmp_path: Path) -> None:
    file, pids = tmp_path / "serve.py", tmp_path / "pids"
    before = f"import os\nopen({str(pids)!r}, 'a').write(f'{{os.getpid()}}\\n')\n"
    after = "import time\nwhile True:\n    time.sleep(1)\n"
    file.write_text(before + SERVED.replace("GIVEN", "True").replace("KEEPS", "False") + after)
    box = audit.ServedBlackBox([sys.executable, str(file)])
    assert audited(box, 1.0, 0, max_samples=3_000).verdict == "violation"
    started = pids.read_text().split()
    assert len(started) > 20
    # Those of this process and of the other one, which end with them.
    assert sum(Path(f"/proc/{pid}").exists() for pid in started) <= 4


@pytest.mark.parametrize("noise", ["random.gauss(0, 1)", "0.0"])
def test_files_are_run_again_for_every_copy(tmp_path: Path, noise: str) -> None:
    file = tmp_path / "release.py"
    file.write_text(
        "import random\nfrom functools import lru_cache\n"
        "@lru_cache\ndef kept(count):\n"
        f"    return {noise}\n"
        "def release(data, rng):\n"
        "    return len(data) + kept(len(data)) + rng.normal(0.0, 0.05)\n"
    )
    box = PythonBlackBox.at(f"{file}:release")
    result = audited(box, 1.0, 5)
    assert result.verdict == ("violation" if noise == "0.0" else "inconclusive")


def test_a_function_behind_a_cache_travels_without_what_it_holds() -> None:
    calls = []

    @lru_cache(maxsize=7)
    def twice(value: int) -> int:
        calls.append(value)
        return 2 * value

    assert twice(3) == 6
    copied = Parcel.of(partial(twice, 3)).opened()
    assert copied() == 6
    assert copied.func.cache_parameters() == {"maxsize": 7, "typed": False}
    assert copied.func.cache_info().misses == 1


def test_an_even_share_is_likely_and_an_uneven_one_is_not() -> None:
    assert chance_of([50, 50], [10, 10]) == 1.0
    assert chance_of([50, 50], [0, 0]) == 1.0
    # Of 20 of 100 all among the first 50: C(50, 20) / C(100, 20), in both directions.
    assert chance_of([50, 50], [20, 0]) == pytest.approx(2 * 8.8e-8, rel=0.01)
