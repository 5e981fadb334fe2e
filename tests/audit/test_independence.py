"""Right mechanisms whose runs are not independent draws are not accused; wrong ones still are."""

from __future__ import annotations

import cProfile
import math
import time
from collections.abc import Iterator
from itertools import repeat
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.random import Generator

import audit
from audit.audit_session import AuditSession
from tests import noise_elsewhere
from tests.calls import called, here
from tests.timeless import timeless

__all__ = ["here"]

PAIR: dict[str, Any] = {"relation": "declared", "data": [1.0], "neighbors": [[0.0]]}


def audited(box: Any, **more: Any) -> audit.AuditResult:
    """An audit of epsilon 1 on the datasets [1.0] and [0.0]."""
    claim: dict[str, Any] = {} if {"mu", "epsilon"} & set(more) else {"epsilon": 1.0}
    return audit.run(box, name="box", **PAIR, **claim, **more)


class Own:
    """Laplace noise from a generator that the object keeps."""

    def __init__(self, seed: int, scale: float = 1.0) -> None:
        self.rng, self.scale = np.random.default_rng(seed), scale

    def __call__(self, data: Any, size: int) -> Any:
        return data[0] + self.rng.laplace(0.0, self.scale, size)


class TestGeneratorOfItsOwn:
    """Sent to two processes, it would draw the same noise in both."""

    @pytest.fixture(autouse=True)
    def _all_is_sent(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("audit.sampling.workers.remote.WORTH_SENDING", 0.0)
        monkeypatch.setattr("audit.sampling.workers.interface._QUICK", 0.0)

    @pytest.mark.parametrize("seed", range(4))
    def test_two_workers_find_what_one_finds(self, seed: int) -> None:
        found = [audited(Own(seed), max_samples=20_000, workers=workers) for workers in (1, 2)]
        assert timeless(found[0]) == timeless(found[1])
        assert found[1].verdict == "not-refuted"
        assert found[1].epsilon_lower <= 1.0

    def test_too_little_noise_is_caught(self) -> None:
        assert audited(Own(0, 0.5), max_samples=60_000, workers=2).verdict == "violation"


class OfALibrary:
    """Laplace noise from a generator that a library keeps, and the object knows nothing of."""

    def __init__(self, scale: float = 1.0) -> None:
        self.scale = scale

    def __call__(self, data: Any, size: int) -> Any:
        return data[0] + noise_elsewhere.seeded(self.scale, size)


def bound(result: audit.AuditResult) -> tuple[list[str], dict[str, Any]]:
    """Notes that one process draws everything, and the result without them."""
    found = timeless(result)
    said = [note for note in found["notes"] if "one process draws everything" in note]
    found["notes"] = [note for note in found["notes"] if note not in said]
    return said, found


@pytest.mark.slow
class TestGeneratorOfALibrary:
    """Every process that imports the library would draw the same noise."""

    @pytest.fixture(autouse=True)
    def _all_is_sent(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("audit.sampling.workers.remote.WORTH_SENDING", 0.0)
        monkeypatch.setattr("audit.sampling.workers.interface._QUICK", 0.0)

    @pytest.mark.parametrize("seed", range(2))
    def test_many_workers_find_what_one_finds(self, seed: int) -> None:
        found = []
        for workers in (1, 4):
            noise_elsewhere.begin(seed)
            found.append(bound(audited(OfALibrary(), max_samples=20_000, workers=workers)))
        (not_said, one), (said, many) = found
        assert one == many
        assert not not_said
        assert len(said) == 1
        assert many["verdict"] == "not-refuted"
        assert many["epsilon_lower"] <= 1.0

    def test_too_little_noise_is_caught(self) -> None:
        noise_elsewhere.begin(0)
        result = audited(OfALibrary(0.5), max_samples=60_000, workers=2)
        assert result.verdict == "violation"
        assert bound(result)[0]

    def test_noise_of_the_operating_system_is_drawn_by_all(self) -> None:
        def release(data: Any, size: int) -> Any:
            return data[0] + noise_elsewhere.unseeded(1.0, size)

        result = audited(release, max_samples=20_000, workers=2)
        assert result.verdict == "not-refuted"
        assert not bound(result)[0]


class Shared:
    """Gaussian noise, a part of whose variance is common to all outputs of a call."""

    def __init__(self, seed: int, part: float, sigma: float = 1.0) -> None:
        self.rng, self.part, self.sigma = np.random.default_rng(seed), part, sigma

    def __call__(self, data: Any, size: int) -> Any:
        common = math.sqrt(self.part) * self.rng.normal()
        noise = common + math.sqrt(1.0 - self.part) * self.rng.normal(size=size)
        return data[0] + self.sigma * noise


@pytest.mark.parametrize(("part", "seed"), [(0.01, 1), (0.5, 0), (0.5, 1), (0.5, 2)])
def test_noise_shared_within_calls_is_not_blamed_on_the_data(part: float, seed: int) -> None:
    result = audited(Shared(seed, part), mu=1.0, max_samples=100_000 if part < 0.1 else 20_000)
    assert result.verdict != "violation"
    assert result.levels["mu_lower"] <= 1.0


@pytest.mark.parametrize("until", ["violation", "bound"])
@pytest.mark.parametrize("part", [0.01, 0.5])
def test_too_little_noise_is_caught_although_it_is_shared(part: float, until: str) -> None:
    """Also where bets on a dataset against itself win, as they do for half of the variance."""
    result = audited(Shared(0, part, 0.5), mu=1.0, until=until, max_samples=60_000)
    assert result.verdict == "violation"
    assert 1.0 <= result.levels["mu_lower"] <= 2.0
    told = any("draws of one call depend on each other" in note for note in result.notes)
    assert told == (part == 0.5)


class Counted(Shared):
    """The same, and the calls are counted."""

    calls = 0

    def __call__(self, data: Any, size: int) -> Any:
        self.calls += 1
        return super().__call__(data, size)


@pytest.mark.parametrize("until", ["violation", "bound"])
def test_calls_of_which_the_order_matters_prove_nothing(
    monkeypatch: pytest.MonkeyPatch, until: str
) -> None:
    """Not even what was won on whole calls; how that is seen is tested beside `serial`."""
    looked: list[int] = []

    def matters(payoffs: Any, seed: int) -> bool:
        looked.append(len(payoffs))
        return True

    monkeypatch.setattr("audit.verdict.checks.order_matters", matters)
    result = audited(Counted(0, 0.5, 0.5), mu=1.0, until=until, max_samples=60_000)
    assert result.verdict == "inconclusive"
    assert result.levels["mu_lower"] == 0.0
    assert "calls made one after the other are more alike" in result.reason
    assert looked[0] > 20


class Kept(Shared):
    """Noise of which half of the variance is common to some calls in a row."""

    common, calls, together = 0.0, 0, 8

    def __call__(self, data: Any, size: int) -> Any:
        if self.calls % self.together == 0:
            self.common = math.sqrt(self.part) * self.rng.normal()
        self.calls += 1
        noise = self.common + math.sqrt(1.0 - self.part) * self.rng.normal(size=size)
        return data[0] + self.sigma * noise


@pytest.mark.parametrize("together", [8, 256, 1024])
@pytest.mark.parametrize("until", ["violation", "bound"])
def test_noise_kept_for_some_calls_is_not_blamed_on_the_data(until: str, together: int) -> None:
    """While it is kept the rest is too little; calls made later show that it is not kept on."""
    box = Kept(0, 0.5)
    box.together = together
    result = audited(box, mu=1.0, until=until, max_samples=60_000)
    assert result.verdict == "inconclusive"
    assert result.levels["mu_lower"] == 0.0


def mirrored(data: Any, rng: Generator, size: int) -> Any:
    """Equal laws; on one side the draws of a call are mirrored at their mean."""
    noise = rng.normal(size=size)
    return 2.0 * noise.mean() - noise if data[0] else noise


def opposed(data: Any, rng: Generator, size: int) -> Any:
    """Equal laws; on one side draws that share a hundredth of their variance change sign."""
    noise = 0.1 * rng.normal() + math.sqrt(0.99) * rng.normal(size=size)
    return -noise if data[0] else noise


@pytest.mark.parametrize("release", [mirrored, opposed])
@pytest.mark.parametrize("seed", range(2))
def test_mirrored_draws_are_no_difference(release: Any, seed: int) -> None:
    """Both sides leave the generator in the same state, and are not paired independently."""
    result = audited(release, epsilon=0.001, max_samples=100_000, seed=seed)
    assert result.verdict != "violation"
    assert result.epsilon_lower == 0.0


@pytest.mark.parametrize("release", [mirrored, opposed])
def test_mirrored_draws_that_are_moved_are_one(release: Any) -> None:
    def moved(data: Any, rng: Generator, size: int) -> Any:
        return release(data, rng, size) + data[0]

    assert audited(moved, epsilon=0.5, until="violation").verdict == "violation"


def spawning(data: Any, rng: Generator, size: int) -> Any:
    child = rng.spawn(1)[0]
    child.random(int(data[0]))
    return data[0] + child.laplace(size=size)


def reseeding(data: Any, rng: Generator, size: int) -> Any:
    child = np.random.default_rng(int(rng.integers(2**63)))
    child.random(int(data[0]))
    return data[0] + child.laplace(size=size)


@pytest.mark.parametrize("release", [spawning, reseeding])
def test_sides_are_not_coupled_where_a_child_draws(release: Any) -> None:
    result = audited(release, max_samples=20_000)
    assert not result.coupled
    assert result.verdict == "not-refuted"
    assert result.epsilon_lower <= 1.0


@pytest.mark.parametrize("release", [spawning, reseeding])
def test_too_little_noise_of_a_child_is_caught(release: Any) -> None:
    assert audited(release, epsilon=0.5, max_samples=60_000).verdict == "violation"


class Sticky:
    """Noise drawn once for every dataset and kept."""

    def __init__(self, seed: int | None) -> None:
        self.rng, self.kept = np.random.default_rng(seed), dict[float, float]()

    def __call__(self, data: Any) -> float:
        if data[0] not in self.kept:
            self.kept[data[0]] = float(self.rng.laplace())
        return float(data[0] + self.kept[data[0]])


def kept_unseen(seed: int, calls: int) -> Any:
    """Noise from the given generator, and some that an iterator keeps for so many calls."""

    def kept() -> Iterator[float]:
        hidden = np.random.default_rng(seed)
        while True:
            yield from repeat(float(hidden.laplace()), calls)

    noise = kept()
    return lambda data, rng: float(len(data) + next(noise) + rng.normal())


@pytest.mark.parametrize(("calls", "seed"), [(64, 13), (256, 2), (256, 9), (256, 11), (256, 15)])
def test_noise_that_is_kept_where_nobody_looks_is_no_answer(
    monkeypatch: pytest.MonkeyPatch, calls: int, seed: int
) -> None:
    """These are seeds at which bets win, and at which nothing but the first runs shows why.

    Where no process can be forked: copies would show it as well.
    """
    monkeypatch.setattr(AuditSession, "may_hold_noise", False)
    release = kept_unseen(seed + 900, calls)
    given: dict[str, Any] = {"epsilon": 1.0, "data": [1.0, 2.0], "neighbors": [[1.0]]}
    result = audit.run(release, alpha=0.05, seed=seed, max_samples=3_000, **given)
    assert result.verdict == "inconclusive"
    assert result.epsilon_lower == 0.0
    assert "the first runs that were bet on" in result.reason


@pytest.mark.parametrize("part", [0.0, 0.5])
def test_noise_that_nobody_can_repeat_hides_no_violation(part: float) -> None:
    """First runs are others later, and others again at once."""

    def release(data: Any, rng: Generator) -> float:
        other = np.random.default_rng().laplace(0.0, 0.5)
        return float(data[0] + part * rng.laplace(0.0, 0.5) + (1.0 - part) * other)

    assert audited(release, alpha=0.05, max_samples=10_000).verdict == "violation"


def clocked(kept: int, *, many: bool) -> Any:
    """Right for one question, with a seed from a clock that ticks every so many calls.

    The clock is in a module, where no look at what the function carries finds it.
    """
    clock: Any = ModuleType("clock")
    clock.now = 0

    def noisy(data: Any, rng: np.random.Generator, size: int) -> Any:
        clock.now += 1
        return data[0] + np.random.default_rng(clock.now // kept).laplace(size=size)

    def noisy_once(data: Any) -> float:
        return float(noisy(data, np.random.default_rng(), 1)[0])

    return noisy if many else noisy_once


@pytest.mark.parametrize(
    ("kept", "many"), [(3, False), (50, False), (90, False), (3, True), (80, True)]
)
def test_a_seed_from_a_clock_is_no_reason_to_accuse(kept: int, many: bool) -> None:
    result = audited(clocked(kept, many=many), alpha=0.05, max_samples=4_000)
    assert result.verdict != "violation"
    assert result.epsilon_lower <= 1.0


def test_what_a_clock_keeps_for_a_while_is_named() -> None:
    result = audited(clocked(20, many=False), alpha=0.05, max_samples=4_000)
    assert result.verdict == "inconclusive"
    assert "a seed is taken from a clock" in result.reason


def of_the_second(data: Any) -> float:
    return float(data[0] + np.random.default_rng(int(time.time())).normal())


def partly_of_the_second(data: Any, rng: Generator, size: int) -> Any:
    common = np.random.default_rng(int(time.time())).normal()
    return data[0] + math.sqrt(0.5) * (common + rng.normal(size=size))


def partly_of_a_tenth(data: Any, rng: Generator) -> Any:
    common = np.random.default_rng(int(10.0 * time.time())).normal()
    return data[0] + math.sqrt(0.5) * (common + rng.normal())


@pytest.mark.parametrize("box", [of_the_second, partly_of_the_second, partly_of_a_tenth])
def test_a_seed_of_the_second_is_no_reason_to_accuse(box: Any) -> None:
    result = audited(box, mu=1.0, alpha=0.05, max_samples=6_000)
    assert result.verdict != "violation"


def test_a_clock_is_looked_at_beside_a_profiler() -> None:
    with cProfile.Profile():
        result = audited(partly_of_the_second, mu=1.0, alpha=0.05, max_samples=6_000)
    assert result.verdict != "violation"


def test_what_was_found_about_a_clock_is_said_again_by_a_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    more: dict[str, Any] = {"store": tmp_path / "store", "epsilon": 0.25, "max_samples": 20_000}
    first = audited(dated, **more)
    monkeypatch.setattr("audit.verdict.by_the_clock._clock_of", None)
    again = audited(dated, **more)
    assert first.verdict == "violation"
    assert timeless(again) == timeless(first)


def test_where_no_runs_are_left_for_the_clock_more_are_asked_for() -> None:
    result = audited(of_the_second, alpha=0.05, max_samples=100)
    assert result.verdict == "inconclusive"


def dated(data: Any, rng: Generator, size: int) -> Any:
    """Asks for the time, and has noise of its own for half of what is claimed."""
    assert time.time() > 0
    return data[0] + rng.laplace(0.0, 2.0, size)


def test_asking_for_the_time_hides_no_violation() -> None:
    assert audited(dated, epsilon=0.25, max_samples=40_000).verdict == "violation"


@pytest.mark.parametrize("many", [False, True])
def test_a_seed_of_every_call_hides_no_violation(many: bool) -> None:
    result = audited(clocked(1, many=many), epsilon=0.3, alpha=0.05, max_samples=10_000)
    assert result.verdict == "violation"


class Seldom(Own):
    """Noise drawn in the constructor, and again where a coin says so."""

    def __init__(self, seed: int, chance: float) -> None:
        super().__init__(seed)
        self.chance, self.noise = chance, float(self.rng.laplace())

    def __call__(self, data: Any, size: int) -> Any:
        if self.rng.random() < self.chance:
            self.noise = float(self.rng.laplace())
        return np.full(size, data[0] + self.noise)

    def one(self, data: Any) -> float:
        return float(self(data, 1)[0])


@pytest.mark.parametrize("chance", [0.02, 0.003])
@pytest.mark.parametrize("many", [False, True])
def test_noise_that_is_seldom_drawn_anew_is_no_answer(chance: float, many: bool) -> None:
    for seed in range(4):
        box = Seldom(seed, chance)
        result = audited(box if many else box.one, alpha=0.05, max_samples=8_000)
        assert result.verdict == "inconclusive"
        assert result.epsilon_lower == 0.0


@pytest.mark.parametrize("many", [False, True])
def test_noise_that_is_drawn_and_not_added_is_a_violation(many: bool) -> None:
    box = Seldom(0, 0.0)
    result = audited(box if many else box.one, alpha=0.05, max_samples=8_000)
    assert result.verdict == "violation"


def test_an_answer_that_is_another_one_now_and_then_is_a_violation() -> None:
    generator = np.random.default_rng(0)

    def seldom_right(data: Any) -> float:
        return float(data[0]) if generator.random() > 0.001 else 7.0

    assert audited(seldom_right, alpha=0.05, max_samples=8_000).verdict == "violation"


def exact(data: Any) -> float:
    return float(data[0])


@pytest.mark.parametrize("seed", [7, None])
def test_noise_that_is_kept_is_no_answer(seed: int | None) -> None:
    result = audited(Sticky(seed), max_samples=2_000)
    assert result.verdict == "inconclusive"
    assert "keeps its noise" in result.reason
    assert result.epsilon_lower == 0.0
    assert result.witness is None


def test_an_answer_without_noise_is_a_violation() -> None:
    assert audited(exact, max_samples=2_000).verdict == "violation"


def exact_many(data: Any, size: int) -> Any:
    return np.full(size, data[0])


def test_no_noise_is_not_called_not_refuted_where_the_budget_cannot_refute_it() -> None:
    result = audited(exact_many, epsilon=10.0)
    assert result.verdict == "inconclusive"
    assert result.wanted > 400_000
    assert audited(exact_many, epsilon=3.0).verdict == "violation"


DYING = """
import numpy as np

LEFT, RNG = [500], np.random.default_rng(0)


def dying(data):
    LEFT[0] -= 1
    if LEFT[0] < 0:
        raise RuntimeError("the privacy budget is spent")
    return len(data) + RNG.laplace()


def lasting(data, rng):
    return len(data) + rng.laplace()
"""


@pytest.mark.parametrize(
    ("name", "code", "verdict"), [("dying", 3, "INCONCLUSIVE"), ("lasting", 0, "NOT REFUTED")]
)
def test_a_box_that_dies_at_call_500_is_no_answer(
    capfd: pytest.CaptureFixture[str], here: Path, name: str, code: int, verdict: str
) -> None:
    (here / "box.py").write_text(DYING)
    run = called(
        capfd, "python", f"box.py:{name}", "--epsilon", "1", "--data", "[1, 1]",
        "--max-samples", "3000",
    )  # fmt: skip
    assert run.code == code
    assert verdict in run.out
    assert ("number 501" in run.out) == (name == "dying")
    assert ("the privacy budget is spent" in run.out) == (name == "dying")
