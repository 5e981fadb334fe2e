"""Generators that a function keeps are set for every call where they are all of its noise."""

from __future__ import annotations

import copy
import pickle
import random
import string
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.random import PCG64, PCG64DXSM, Generator, Philox, RandomState
from scipy import stats

import audit
from audit.blackbox.carried import generators_of
from audit.blackbox.own_generator import place_of
from audit.blackbox.python import PythonBlackBox
from audit.blackbox.state import carried
from audit.errors import BlackBoxError
from audit.sampling.sampler import Sampler
from audit.sampling.set_anew import own_generator_set
from audit.sampling.workers.pickled import Parcel
from tests.timeless import timeless

ONE, TWO = np.ones(1), np.ones(2)
OF_THE_MODULE = np.random.default_rng(3)
Release = Callable[..., Any]


class Own:
    """A Laplace count with a generator that the object keeps."""

    def __init__(self, rng: Any = None, scale: float = 1.0) -> None:
        self.rng: Any = rng or np.random.default_rng(5)
        self.scale = scale

    def __call__(self, data: Any) -> float:
        return float(len(data) + self.noise())

    def noise(self) -> float:
        return float(self.rng.laplace(0.0, self.scale))


class OwnMany(Own):
    def __call__(self, data: Any, size: int = 1) -> Any:
        return len(data) + self.rng.laplace(0.0, self.scale, size)


class OfRandom(Own):
    def noise(self) -> float:
        return float(self.rng.choice((-1, 1)) * self.rng.expovariate(1.0 / self.scale))


class OfTwo(Own):
    """The difference of exponential noise from two generators: a Laplace law of its own."""

    def __init__(self, scale: float = 1.0) -> None:
        super().__init__(np.random.default_rng(6), scale)
        self.other = np.random.default_rng(7)

    def noise(self) -> float:
        return float(self.rng.exponential(self.scale) - self.other.exponential(self.scale))


def enclosed() -> Release:
    rng = np.random.default_rng(8)
    return lambda data: float(len(data) + rng.laplace())


def of_the_module(data: Any) -> float:
    return float(len(data) + OF_THE_MODULE.laplace())


def refusing_nothing() -> Release:
    own = Own()

    def release(data: Any) -> float:
        if not len(data):
            raise ValueError("nothing to count")
        return own(data)

    return release


class WithAnother(Own):
    """A second generator is carried and never used."""

    def __init__(self) -> None:
        super().__init__()
        self.other = np.random.default_rng(7)


class Twins(OfTwo):
    """Two generators that begin alike: their difference is no noise at all."""

    def __init__(self) -> None:
        super().__init__()
        self.other = np.random.default_rng(6)


class Derived(Generator):
    """A generator of somebody's own kind."""


class DerivedBits(PCG64DXSM):
    """Bits of somebody's own kind."""

    def __init__(self) -> None:
        super().__init__(5)


class BesideALock(Own):
    def __init__(self) -> None:
        super().__init__()
        self.lock = threading.Lock()


class KeptUnseen(Own):
    """Noise that is kept for some calls, where no look at the object finds it."""

    def __init__(self, seed: int, calls: int) -> None:
        super().__init__(np.random.default_rng(seed))
        self.calls, self.made, self.common = calls, 0, 0.0
        self.hidden = np.random.default_rng([seed, 1])

    def noise(self) -> float:
        if self.made % self.calls == 0:
            self.common = float(self.hidden.laplace())
        self.made += 1
        return self.common + float(self.rng.normal())

    def __getstate__(self) -> dict[str, Any]:
        return {"rng": self.rng}


class KeptLater(Own):
    """Noise beside that of its own generator, from where nobody looks, once it is there."""

    def noise(self) -> float:
        return super().noise() + float(getattr(string, "kept", 0.0))


class Telling(random.SystemRandom):
    """The system's, which has no place: a kind of its own."""


class BesideTheSystem(Own):
    def __init__(self) -> None:
        super().__init__()
        self.other = Telling()


class AnotherElsewhere(Own):
    """A second generator gives noise where there is more than a record."""

    def __init__(self) -> None:
        super().__init__()
        self.other = np.random.default_rng(6)

    def __call__(self, data: Any) -> float:
        beside = self.other.laplace() if len(data) > 1 else 0.0
        return float(super().__call__(data) + beside)


class FromACopy(Own):
    """The generator itself never moves, so that every call has the same noise."""

    def noise(self) -> float:
        return float(copy.deepcopy(self.rng).laplace())


class MadeAnew(Own):
    def noise(self) -> float:
        self.rng = np.random.default_rng(self.rng.integers(2**63))
        return super().noise()


class Counting(Own):
    calls = 0

    def noise(self) -> float:
        self.calls += 1
        return super().noise()


class Ahead(Own):
    """Noise is drawn ahead, where a look at the object finds it or does not."""

    def __init__(self, hidden: bool) -> None:
        super().__init__()
        self.hidden, self.left = hidden, np.empty(0)

    def noise(self) -> float:
        if not len(self.left):
            self.left = self.rng.laplace(size=3)
        first, self.left = float(self.left[0]), self.left[1:]
        return first + 0.0 * float(self.rng.random())

    def __getstate__(self) -> dict[str, Any]:
        return {name: held for name, held in vars(self).items() if not self.hidden or name == "rng"}


class OfADistribution(Own):
    """The distribution holds the generator that all of the process share."""

    def __init__(self) -> None:
        super().__init__()
        self.law = stats.laplace

    def noise(self) -> float:
        return float(self.law.rvs())


class WithADistribution(OfADistribution):
    def noise(self) -> float:
        return float(self.law.ppf(self.rng.random()))


class OfTheSystem(Own):
    def noise(self) -> float:
        return super().noise() + float(np.random.default_rng().laplace())


class OfAChild(Own):
    def noise(self) -> float:
        self.rng.random()
        return float(self.rng.spawn(1)[0].laplace())


class Unused(Own):
    def noise(self) -> float:
        return 1.0


def given() -> Release:
    own = Own()
    return lambda data, rng: own(data) + float(rng.random())


SET: dict[str, Callable[[], Release]] = {
    "PCG64": Own,
    "its method": lambda: Own().__call__,
    "many outputs a call": OwnMany,
    "closure": enclosed,
    "module": lambda: of_the_module,
    "RandomState": lambda: Own(RandomState(5)),
    "PCG64DXSM": lambda: Own(Generator(PCG64DXSM(5))),
    "Philox": lambda: Own(Generator(Philox(5))),
    "Random": lambda: OfRandom(random.Random(5)),
    "beside that of all": WithADistribution,
    "not on every dataset": refusing_nothing,
}
LEFT: dict[str, Callable[[], Release]] = {
    "from a copy": FromACopy,
    "made anew": MadeAnew,
    "counts its calls": Counting,
    "noise drawn ahead": lambda: Ahead(hidden=False),
    "noise drawn ahead, unseen": lambda: Ahead(hidden=True),
    "noise of the system beside": OfTheSystem,
    "that of all": OfADistribution,
    "two of them": OfTwo,
    "one of somebody's own kind": lambda: Own(Derived(PCG64(5))),
    "bits of somebody's own kind": lambda: Own(Generator(DerivedBits())),
    "beside what cannot be looked at": BesideALock,
    "children": OfAChild,
    "unused": Unused,
    "given one": given,
    "many outputs of a RandomState": lambda: OwnMany(RandomState(5)),
    "many outputs of another kind": lambda: OwnMany(Generator(Philox(5))),
    "a RandomState on other bits": lambda: Own(RandomState(PCG64(5))),
    "beside one without a place": BesideTheSystem,
    "system": lambda: OfRandom(random.SystemRandom()),
    "none": lambda: lambda data: float(len(data)),
}


@pytest.fixture(params=[*SET.values()], ids=[*SET])
def drawn_from(request: pytest.FixtureRequest) -> Iterator[Sampler]:
    """A sampler of a black box whose generators are set."""
    sampler = Sampler.of(PythonBlackBox(request.param(), timeout=None), 1)
    with own_generator_set(sampler, lambda: [ONE[:0], ONE], 2_000, coupled=True) as trial:
        assert trial is not None
        assert "keeps a generator of its own" in trial.note
        yield sampler


def test_generators_that_are_all_of_the_noise_are_set(drawn_from: Sampler) -> None:
    assert drawn_from.box.seeded
    assert drawn_from.coupled
    size = 2 if drawn_from.box.many else 1
    assert drawn_from.samples == 21 * size


def test_a_call_follows_from_the_generator_of_that_call(drawn_from: Sampler) -> None:
    bound = drawn_from.box.bind(ONE)
    first, other, again = (
        np.ravel(bound.draw(np.random.default_rng(seed), 1)).tolist() for seed in (1, 2, 1)
    )
    assert first == again != other


def test_legacy_noise_follows_from_the_generator_of_a_call() -> None:
    box = PythonBlackBox(Own(RandomState(5)), timeout=None)
    with own_generator_set(Sampler.of(box, 1), lambda: [ONE], 2_000, coupled=True):
        bound = box.bind(ONE)
        outputs = {bound.draw(np.random.default_rng(seed), 1) for seed in range(20)}
    assert len(outputs) == 20


def test_it_does_so_wherever_the_box_arrives(drawn_from: Sampler) -> None:
    there = Parcel.of(drawn_from.box).opened()
    arrived = carried(there)
    outputs = [
        np.ravel(box.bind(ONE).draw(np.random.default_rng(1), 1)).tolist()
        for box in (drawn_from.box, there)
    ]
    assert outputs[0] == outputs[1]
    assert carried(there) == arrived


def test_how_far_they_have_come_is_no_state(drawn_from: Sampler) -> None:
    before = carried(drawn_from.box)
    drawn_from.box.bind(ONE).draw(np.random.default_rng(1), 1)
    assert carried(drawn_from.box) == before is not None


@pytest.mark.parametrize("make", LEFT.values(), ids=[*LEFT])
def test_others_are_left_alone(make: Callable[[], Release]) -> None:
    box = PythonBlackBox(make(), timeout=None)
    seeded = box.seeded
    sampler = Sampler.of(box, 1)
    with own_generator_set(sampler, lambda: [ONE], 2_000, coupled=True) as trial:
        assert trial is None
        assert box.own.place is None
        assert box.seeded == sampler.coupled == seeded


@pytest.mark.parametrize("datasets", [[ONE, TWO], [TWO, ONE]])
def test_what_other_datasets_draw_from_counts(datasets: list[Any]) -> None:
    sampler = Sampler.of(PythonBlackBox(AnotherElsewhere(), timeout=None), 1)
    with own_generator_set(sampler, lambda: datasets, 2_000, coupled=True) as trial:
        assert trial is None


@pytest.mark.parametrize(("seconds", "is_set"), [(0.5, False), (5.0, True), (None, True)])
def test_these_calls_take_a_small_part_of_the_time(seconds: float | None, is_set: bool) -> None:
    def release(data: Any) -> float:
        time.sleep(0.005)
        return own(data)

    own = Own()
    sampler = Sampler.of(PythonBlackBox(release, timeout=None), 1)
    with own_generator_set(sampler, lambda: [ONE], 2_000, coupled=True, seconds=seconds) as trial:
        assert (trial is not None) == is_set
        assert is_set or sampler.samples == 3


def test_behind_an_audit_noise_goes_on_where_it_was() -> None:
    """As if there had been the first five calls alone: nothing of it comes twice."""
    box, other = Own(), Own()
    audited(box)
    for _ in range(5):
        other(ONE)
    assert box(ONE) == other(ONE)


@pytest.mark.parametrize("kind", [OfTwo, Counting, FromACopy])
def test_what_is_left_alone_is_moved_by_calls_alone(kind: type[Own]) -> None:
    box = kind()
    result = audited(box, max_samples=2_000)
    other = kind()
    # Some of the runs were made by copies of what counts its calls.
    for _ in range(getattr(box, "calls", result.samples)):
        other(ONE)
    assert place_of(generators_of(box)[0]) == place_of(generators_of(other)[0])


def test_who_arrives_with_other_generators_is_refused() -> None:
    box = PythonBlackBox(WithAnother(), timeout=None)
    with own_generator_set(Sampler.of(box, 1), lambda: [ONE], 2_000, coupled=True):
        packed = pickle.dumps(box)
    there = pickle.loads(packed)
    there.function.other = None
    with pytest.raises(BlackBoxError, match="other generators"):
        there.bind(ONE).draw(np.random.default_rng(1), 1)


def test_generators_made_meanwhile_are_no_reason_to_refuse() -> None:
    box = PythonBlackBox(Own(), timeout=None)
    with own_generator_set(Sampler.of(box, 1), lambda: [ONE], 2_000, coupled=True):
        box.function.also = np.random.default_rng(9)
        there = Parcel.of(box).opened()
        rng = np.random.default_rng
        assert there.bind(ONE).draw(rng(1), 1) == box.bind(ONE).draw(rng(1), 1)


def audited(box: Release, **more: Any) -> audit.AuditResult:
    usual: dict[str, Any] = {"epsilon": 1.0, "alpha": 0.05, "max_samples": 10_000, **more}
    return audit.run(box, name="box", data=[1.0, 2.0], neighbors=[[1.0]], **usual)


@pytest.mark.parametrize("kind", [Own, OwnMany])
def test_both_sides_share_their_random_numbers(kind: type[Own]) -> None:
    result = audited(kind())
    assert result.verdict == "not-refuted"
    assert result.coupled
    assert 0.75 < result.epsilon_lower <= 1.0
    assert sum(result.effort.values()) == result.samples <= 10_000


@pytest.mark.parametrize("kind", [Own, OwnMany])
def test_too_little_noise_is_caught(kind: type[Own]) -> None:
    assert audited(kind(scale=0.8)).verdict == "violation"


@pytest.mark.parametrize("kind", [Own, WithAnother])
def test_any_number_of_workers_and_a_store_find_the_same(kind: type[Own], tmp_path: Any) -> None:
    ways: list[dict[str, Any]] = [{}, {"workers": 2}, *[{"store": tmp_path / "store"}] * 2]
    found = [timeless(audited(kind(), **way)) for way in ways]
    assert found[0] == found[1] == found[2] == found[3]


@pytest.mark.parametrize("calls", [40, 256])
@pytest.mark.parametrize("seed", range(4))
def test_noise_that_is_kept_unseen_is_seen_at_the_end(calls: int, seed: int) -> None:
    result = audited(KeptUnseen(seed, calls), max_samples=3_000, seed=seed)
    assert result.verdict == "inconclusive"
    assert result.epsilon_lower == 0.0


def test_what_gives_something_else_at_the_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    sampler = Sampler.of(PythonBlackBox(KeptLater(), timeout=None), 1)
    with own_generator_set(sampler, lambda: [ONE], 2_000, coupled=True) as trial:
        assert trial is not None
        assert trial.changed() == ""
        monkeypatch.setattr(string, "kept", 0.5, raising=False)
        assert "at the end of the audit" in trial.changed()


def test_also_where_a_store_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = {"store": tmp_path / "store", "seed": 3}
    assert audited(KeptLater(), max_samples=1_000, **store).verdict == "not-refuted"
    monkeypatch.setattr(string, "kept", 0.5, raising=False)
    later = audited(KeptLater(), max_samples=6_000, **store)
    assert later.verdict == "inconclusive"
    assert "at the end of the audit" in later.reason


def test_generators_that_begin_alike_give_no_noise() -> None:
    assert audited(Twins(), max_samples=2_000).verdict == "violation"


def test_a_budget_of_a_few_runs_is_kept_to() -> None:
    for budget in (6, 60, 199, 200, 300):
        assert audited(Own(), max_samples=budget).samples <= budget


def test_noise_that_every_call_copies_is_no_noise() -> None:
    assert audited(FromACopy(), max_samples=2_000).verdict == "violation"


@pytest.mark.slow
def test_a_fifth_too_much_is_refuted_within_2400_runs() -> None:
    wrong = [audited(Own(scale=1 / 1.2), seed=s, max_samples=2_400).verdict for s in range(20)]
    right = [audited(Own(), seed=s, max_samples=2_400).verdict for s in range(20)]
    assert sum(verdict == "violation" for verdict in wrong) >= 8
    assert sum(verdict == "violation" for verdict in right) <= 1
