from __future__ import annotations

import gc
import importlib
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.random import default_rng

import audit
from audit.blackbox.callables import transcripts_of
from audit.blackbox.python import PythonBlackBox
from audit.claims import Claim, PureDP
from audit.declaration import Entry
from audit.errors import BlackBoxError, InputError
from audit.outcomes.leaves import Failure
from audit.sampling.independence import choice, living, server_process
from audit.sampling.independence.instances import Instances
from audit.sampling.independence.life import Answered, Life, Making
from tests.audit.independence import boxes, keylib

HERE = Path(__file__).parent
DATA = [np.array([0.0]), np.array([1.0])]
TWICE = ((0, 1), (0, 1), (1, 1))


def box(name: str, **settings: Any) -> PythonBlackBox:
    return PythonBlackBox.at(f"{HERE / 'boxes.py'}:{name}", **settings)


def lives(count: int, questions: Any = TWICE) -> list[Life]:
    return [Life(number, (3, number), questions) for number in range(count)]


def outputs(given: Any, count: int = 12, questions: Any = TWICE, **settings: Any) -> list[Any]:
    with Instances(given, settings.pop("data", DATA), **settings) as instances:
        return [unit.outputs for unit in instances.answered(lives(count, questions))]


KEPT = ["module_memo", "ClassMemo", "at_import", "globally_at_import", "Constructed", "cached"]


@pytest.mark.parametrize("name", KEPT)
def test_noise_that_is_kept_ends_with_its_life(name: str) -> None:
    found = outputs(box(name))
    assert all(first == again for first, again, _ in found)
    assert len({first for first, _, _ in found}) == len(found)


@pytest.mark.parametrize("workers", [1, 2])
def test_each_life_has_a_clock_of_its_own(workers: int) -> None:
    more = lives(6, ((0, 1),))
    with Instances(box("clocks"), DATA, workers=workers) as first:
        found = [unit.outputs[0] for unit in (*first.answered(more), *first.answered(more))]
        shared = [unit.outputs[0] for unit in first._lived(more)]
    with Instances(box("clocks"), DATA, workers=workers, earlier=12) as later:
        found += [unit.outputs[0] for unit in later.answered(more)]
    clocks = [now for now, _ in found]
    assert np.diff(np.sort(clocks)).min() > 3600.0
    assert all(abs(now - other) < 1.0 for now, other in found)
    assert len({int(now) for now, _ in found}) == len(found) == 18
    assert max(now for now, _ in shared) - min(now for now, _ in shared) < 2.0


def test_a_memo_in_a_module_that_a_release_imports_ends_with_its_life(tmp_path: Path) -> None:
    (tmp_path / "permlib.py").write_text((HERE / "permlib.py").read_text())
    code = "import permlib\n\ndef report(data):\n    return permlib.permanent(data[0], 1.0)\n"
    (tmp_path / "release.py").write_text(code)
    found = outputs(PythonBlackBox.at(f"{tmp_path / 'release.py'}:report"), 40)
    assert all(first == again for first, again, _ in found)
    assert {first for first, _, _ in found} == {0, 1}


QUIET = """\
import random
import numpy as np

class Hidden:
    noise = random.SystemRandom().random()

RNG, TABLE = np.random.default_rng(), list(range(9))

def hidden(data):
    return Hidden.noise

def drawn(data):
    return RNG.random()
"""


def test_code_that_takes_long_to_read_is_read_once_if_that_draws_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Variables of the module tell; a class may hide what it drew, so that it is assumed."""
    monkeypatch.setattr(choice, "_DEAR", -1.0)
    with Instances(box("at_import"), DATA) as instances:
        assert len({unit.outputs[0] for unit in instances.answered(lives(8))}) == 8
        assert instances.assumptions == ()
    (tmp_path / "quiet.py").write_text(QUIET)
    for name, different in (("hidden", 1), ("drawn", 8)):
        with Instances(PythonBlackBox.at(f"{tmp_path / 'quiet.py'}:{name}"), DATA) as instances:
            assert len({unit.outputs[0] for unit in instances.answered(lives(8))}) == different
            assert instances.assumptions == ("shared-import",)


@pytest.mark.parametrize("name", ["SystemSource", "from_globals", "given"])
def test_answers_of_a_life_and_of_lives_differ(name: str) -> None:
    found = outputs(box(name), questions=((0, 1), (0, 1)))
    assert len({answer for life in found for answer in life}) == 24


def test_equal_generators_stay_equal_and_begin_anew_in_every_life() -> None:
    found = outputs(box("OwnGenerator"), questions=((0, 1), (0, 1)))
    assert all(first == second for life in found for first, second in life)
    assert len({pair for life in found for pair in life}) == 24


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Logs", [1, 2, 3]), ("WarmUp", [-99, None, None]), ("Stream", [1, 2, 4])],
)
def test_every_instance_starts_as_the_first_one_did(name: str, expected: list[Any]) -> None:
    for life in outputs(box(name), 4):
        wanted = [a if e is None else e for a, e in zip(life, expected, strict=True)]
        assert life == pytest.approx(wanted, abs=0.1)


def test_an_exception_is_an_outcome_and_the_life_goes_on() -> None:
    with Instances(box("Budget"), DATA) as instances:
        first, second = instances.answered(lives(2, ((0, 1),) * 4))
    failure = Failure("raised RuntimeError", "no budget left")
    assert first.outputs[2:] == second.outputs[2:] == [failure, failure]
    assert all(isinstance(answer, float) for answer in first.outputs[:2])
    assert first.first_failure is not None
    assert (first.first_failure.kind, first.first_failure.call) == ("RuntimeError", 3)
    assert "boxes.py" in (first.first_failure.where or "")


@pytest.mark.parametrize("given", [box("always_fails"), PythonBlackBox(boxes.always_fails)])
def test_a_failure_that_only_a_trial_described_is_kept(given: PythonBlackBox) -> None:
    with Instances(given, DATA) as instances:
        (life,) = instances.answered(lives(1))
        assert [answer.name for answer in life.outputs] == ["raised ValueError"] * 3
        assert life.first_failure is None
        assert instances.first_failure is not None
        assert instances.first_failure.message == "no such column"


def test_the_end_of_a_server_between_lives_ends_nothing() -> None:
    with Instances(box("Stream"), DATA) as instances:
        os.kill(instances.processes[0], signal.SIGKILL)
        os.waitid(os.P_PID, instances.processes[0], os.WEXITED | os.WNOWAIT)
        added = instances.add_dataset(np.array([4.0]))
        assert instances.answered(lives(1, ((added, 1), (0, 1))))[0].outputs == [5.0, 6.0]


def test_a_failure_that_only_the_preliminary_sample_described_is_kept() -> None:
    with Instances(box("Dies"), [["none"]]) as instances:
        instances.preliminary(((0, 1),) * 4, (1,)).advance()
        later = instances.answered(lives(2, ((0, 1),) * 4))
        assert [life.outputs[3].name for life in later] == ["raised SystemExit"] * 2
        assert [life.first_failure for life in later] == [None, None]
        assert instances.first_failure is not None
        assert instances.first_failure.kind == "raised SystemExit"


ENDS = {
    "kills itself": "crash",
    "leaves": "missing",
    "hangs": "timeout",
    "kills its server": "crash",
}


@pytest.mark.parametrize(("how", "outcome"), ENDS.items())
def test_answers_that_never_come_are_missing_outcomes(
    how: str, outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLEEP", "61.5")
    questions = ((0, 1), (0, 1), (1, 1), (0, 1))
    found = outputs(box("Dies"), 2, questions, data=["ends", how], timeout=1.0)
    missing = Failure(outcome)
    whole = how != "kills its server"  # the record of a life is lost with its server
    assert found == [[1.0, 2.0, missing, missing] if whole else [missing] * 4] * 2
    assert not running("61.5")


def test_a_life_without_an_end_of_its_own_goes_on() -> None:
    found = outputs(box("Dies"), 2, ((0, 1),) * 4, data=["none"])
    assert [life[:2] for life in found] == [[1.0, 2.0]] * 2
    assert {answer.name for life in found for answer in life[2:]} == {"raised SystemExit"}


def test_a_process_that_a_call_forks_gives_no_answers() -> None:
    assert outputs(box("Dies"), 2, ((0, 1),) * 3, data=["forks"]) == [[1.0, 2.0, 3.0]] * 2


def running(words: str) -> list[str]:
    """Processes with these words in their command line, after a moment to end in."""
    for _ in range(40):
        found = []
        for entry in Path("/proc").glob("[0-9]*/cmdline"):
            try:
                found.append(entry.read_bytes().decode(errors="replace"))
            except OSError:
                continue
        found = [line for line in found if words in line]
        if not found:
            break
        time.sleep(0.05)
    return found


@pytest.mark.slow
def test_equal_entropy_gives_equal_draws_whoever_serves() -> None:
    equal = [Life(number, (3, number // 2), ((0, 1), (0, 1))) for number in range(6)]
    for name in ("given", "from_globals", "OwnGenerator"):
        found = []
        for workers in (1, 2):
            with Instances(box(name), DATA, workers=workers) as instances:
                found.append([unit.outputs for unit in instances.answered(equal)])
        assert found[0] == found[1]
        assert found[0][0] == found[0][1] != found[0][2]


@pytest.mark.slow
def test_interpreters_give_what_forks_give(monkeypatch: pytest.MonkeyPatch) -> None:
    forks = [outputs(box(name), 3) for name in ("given", "from_globals", "Budget")]
    monkeypatch.setattr(choice, "FORKS", False)
    assert [outputs(box(name), 3) for name in ("given", "from_globals", "Budget")] == forks


def test_many_outputs_of_one_call_are_one_entry() -> None:
    first, second = outputs(box("many"), 1, ((0, 5), (1, 1)))[0]
    assert first.shape == (5,)
    assert isinstance(second, float)
    few = outputs(box("too_few"), 1, ((0, 5),))[0][0]
    assert [isinstance(answer, float) for answer in few] == [True] * 3 + [False] * 2
    assert few[3:] == [Failure("missing")] * 2
    with pytest.raises(BlackBoxError, match="array of 6"):
        outputs(box("too_many"), 1, ((0, 5),))
    with pytest.raises(BlackBoxError, match="ndarray of 6 where .* of 5 .*; return `size`"):
        outputs(box("too_many"), 1, ((0, 5),))


def test_coroutines_are_awaited() -> None:
    assert outputs(box("awaited"), 1) == [[0.0, 0.0, 1.0]]


def test_a_call_that_changes_its_dataset_does_not_change_the_next_ones() -> None:
    nested = [[{"x": 1.0, "name": "a"}], [{"x": 3.0, "name": "b"}]]
    questions = ((0, 1), (1, 1), (0, 1), (0, 1), (1, 1))
    assert outputs(box("doubles"), 2, questions, data=nested) == [[2.0, 6.0, 2.0, 2.0, 6.0]] * 2
    large = [np.full(100_000, 1.0), np.full(100_000, 3.0)]
    found = outputs(box("doubles_array"), 2, questions, data=large)
    assert found == [[2.0, 6.0, 2.0, 2.0, 6.0]] * 2


def test_prints_go_nowhere(
    capfd: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MEMO", str(tmp_path / "log"))
    outputs(box("appends"), 2)
    assert capfd.readouterr() == ("", "")
    assert len((tmp_path / "log").read_text().splitlines()) >= 6


def test_the_seed_of_hash_is_new_in_every_life() -> None:
    with Instances(box("by_hash"), DATA, workers=2) as instances:
        found = [unit.outputs for unit in instances.answered(lives(3))]
        late = instances.add_dataset(np.array([2.0]))
        assert isinstance(instances.answered(lives(1, ((late, 1),)))[0].outputs[0], float)
    assert all(first == again for first, again, _ in found)
    assert len({first for first, _, _ in found}) == 3


def test_datasets_may_be_added() -> None:
    with Instances(box("Stream"), DATA, workers=2) as instances:
        added = instances.add_dataset(np.array([4.0]))
        found = instances.answered(lives(4, ((added, 1), (0, 1))))
    assert [unit.outputs for unit in found] == [[5.0, 6.0]] * 4


def test_a_function_in_memory_is_served_by_a_lean_interpreter() -> None:
    kept: dict[float, float] = {}

    def permanent(data: Any, rng: np.random.Generator) -> float:
        return kept.setdefault(float(data[0]), rng.random())

    with Instances(PythonBlackBox(permanent), DATA) as instances:
        found = [unit.outputs for unit in instances.answered(lives(6))]
        assert instances.assumptions == ("shared-constructor",)
        assert instances.is_lean
    assert all(first == again for first, again, _ in found)
    assert len({first for first, _, _ in found}) == 6
    assert not kept


class Locked:
    """Holds what cannot be pickled, and noise of its constructor."""

    def __init__(self) -> None:
        self.lock, self.noise, self.calls = threading.Lock(), np.random.default_rng().laplace(), 0

    def __call__(self, data: Any) -> tuple[int, float]:
        with self.lock:
            self.calls += 1
            return self.calls, self.noise


def test_what_cannot_be_pickled_is_forked_as_it_is() -> None:
    with Instances(PythonBlackBox(Locked()), DATA, workers=2) as instances:
        found = [unit.outputs for unit in instances.answered(lives(4))]
        assert instances.assumptions == ("shared-constructor",)
        assert not instances.is_lean
    assert [[calls for calls, _ in life] for life in found] == [[1, 2, 3]] * 4
    assert len({noise for life in found for _, noise in life}) == 1


class Guard:
    """Garbage that ends any process but its own when it is collected."""

    def __init__(self) -> None:
        self.itself, self.owner = self, os.getpid()

    def __del__(self) -> None:
        if os.getpid() != self.owner:
            os._exit(1)


def test_a_fork_does_not_collect_garbage_of_the_process_it_comes_from() -> None:
    gc.disable()
    try:
        Guard()
        found = outputs(PythonBlackBox(Locked()), 3)
    finally:
        gc.enable()
    assert len(found) == 3


def test_a_factory_makes_the_object_in_every_life() -> None:
    with Instances(PythonBlackBox.made_by(Locked), DATA) as instances:
        found = [unit.outputs for unit in instances.answered(lives(4))]
        assert instances.assumptions == ()
    assert [[calls for calls, _ in life] for life in found] == [[1, 2, 3]] * 4
    assert len({noise for life in found for _, noise in life}) == 4


def marked(data: Any) -> int:
    return int(getattr(np, "marked_by_a_test", 0))


def test_a_function_that_acts_differently_elsewhere_is_forked_as_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with Instances(PythonBlackBox(marked), DATA) as instances:
        assert instances.is_lean
    monkeypatch.setattr(np, "marked_by_a_test", 1, raising=False)
    with Instances(PythonBlackBox(marked), DATA) as instances:
        assert not instances.is_lean
        assert instances.answered(lives(1))[0].outputs == [1, 1, 1]


def scaled(data: Any, rng: np.random.Generator) -> float:
    return len(data) + float(rng.laplace(0.0, getattr(np, "scale_of_a_test", 1.0)))


@pytest.mark.lives
@pytest.mark.parametrize("given", [{"data": [1], "neighbors": [[]]}, {"domain": "int:0:9"}])
def test_an_audit_is_of_the_function_as_it_is_here(
    given: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Modules are read anew elsewhere: one that was set at run time was audited as it had been."""
    monkeypatch.setattr(np, "scale_of_a_test", 0.1, raising=False)
    found = audit.run(scaled, 1.0, max_samples=4_000, until="violation", **given)
    assert found.verdict is audit.Verdict.VIOLATION
    assert "shared-constructor" in found.assumptions


@pytest.mark.parametrize("given", [keylib.released, partial(keylib.released, user=3)])
def test_what_reading_a_module_draws_is_no_setting_of_it(given: Any) -> None:
    """Keys and times differ whenever it is read, whoever reads it."""
    with Instances(PythonBlackBox(given), DATA) as instances:
        found = [unit.outputs for unit in instances.answered(lives(6))]
        assert instances.assumptions == ()
    assert len({life[0] for life in found}) == 6


@pytest.mark.parametrize("opener", [keylib.Session, partial(keylib.opened, user=3)])
def test_what_opens_sessions_is_read_anew_in_every_life(opener: Any) -> None:
    asked = {"data": [1], "questions": ["first", "second"]}
    with Instances(PythonBlackBox(transcripts_of(opener)), [asked]) as instances:
        found = [unit.outputs[0] for unit in instances.answered(lives(6, ((0, 1),)))]
        assert instances.assumptions == ()
    assert len({first for first, _ in found}) == 6
    assert all(first == second for first, second in found)


COUNTS = """\
import sys

def generators_to_set(data):
    frame = sys._getframe()
    while "start" not in frame.f_locals:
        frame = frame.f_back
    return len(frame.f_locals["start"].generators)
"""


def test_a_life_sets_no_generators_of_lives_before_it(tmp_path: Path) -> None:
    (tmp_path / "counts.py").write_text(COUNTS)
    with Instances(PythonBlackBox.at(f"{tmp_path / 'counts.py'}:generators_to_set"), DATA) as made:
        found = [made.answered(lives(5, ((0, 1),)))[-1].outputs for _ in range(3)]
    assert found[0] == found[1] == found[2]


def test_that_files_carry_no_noise_is_assumed_where_one_is_read(tmp_path: Path) -> None:
    (tmp_path / "noise").write_text("0.5")
    code = f"def report(data): return float(open({str(tmp_path / 'noise')!r}).read())\n"
    (tmp_path / "reads.py").write_text(code)
    with Instances(PythonBlackBox.at(f"{tmp_path / 'reads.py'}:report"), DATA) as instances:
        assert instances.assumptions == ("outside-process",)


@pytest.mark.parametrize(
    "code",
    [
        "from zoneinfo import ZoneInfo\ndef report(data): return ZoneInfo.no_cache('Etc/UTC').key",
        "import contextlib\ndef report(data):\n with contextlib.suppress(OSError): open('none')",
    ],
    ids=["a time zone", "a file that is missing"],
)
def test_these_are_no_files_of_noise(code: str, tmp_path: Path) -> None:
    (tmp_path / "reads.py").write_text(code)
    with Instances(PythonBlackBox.at(f"{tmp_path / 'reads.py'}:report"), DATA) as instances:
        assert instances.assumptions == ()


def test_a_module_with_a_key_that_was_set_at_run_time_is_copied(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keylib, "SCALE", 0.0)
    with Instances(PythonBlackBox(keylib.released), DATA) as instances:
        found = [unit.outputs for unit in instances.answered(lives(2))]
        assert instances.assumptions == ("shared-constructor",)
    assert found == [[0.0, 0.0, 1.0]] * 2


REMEMBERS = """\
import numpy as np

kept = {}


def by_seed(data, rng):
    return kept.setdefault(float(data[0]), rng.random())


def by_system(data):
    return kept.setdefault(float(data[0]), np.random.default_rng().random())


def make():
    return lambda data: by_system(data)


class Both:
    kept = {}

    def __call__(self, data):
        return self.kept.setdefault(float(data[0]), np.random.default_rng().random())
"""


@pytest.mark.parametrize("name", ["by_seed", "by_system", "make", "Both"])
def test_a_module_that_was_used_before_is_read_anew(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Permanent answers of earlier calls were in every instance: no noise, said the audit."""
    (tmp_path / "remembers.py").write_text(REMEMBERS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "remembers", raising=False)
    given = getattr(importlib.import_module("remembers"), name)
    made = PythonBlackBox.made_by(given) if name == "make" else PythonBlackBox(given)
    made.function(DATA[0], *[default_rng()] * (name == "by_seed"))
    with Instances(made, DATA) as instances:
        found = [unit.outputs for unit in instances.answered(lives(6))]
        assert instances.assumptions == ()
    assert all(first == again for first, again, _ in found)
    assert len({answer for life in found for answer in life}) == 12


def test_a_module_that_was_set_at_run_time_is_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "import secrets\n\nSIDES = 6\n\n\ndef roll(data):\n    return secrets.randbelow(SIDES)\n"
    (tmp_path / "rolls.py").write_text(code)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "rolls", raising=False)
    rolls, largest = importlib.import_module("rolls"), {}
    for sides in (6, 1):
        monkeypatch.setattr(rolls, "SIDES", sides)
        with Instances(PythonBlackBox(rolls.roll), DATA) as instances:
            found = [unit.outputs for unit in instances.answered(lives(12))]
        largest[sides] = max(answer for life in found for answer in life)
    assert largest[1] == 0 < largest[6]


AUDITS = """\
from audit.blackbox.python import PythonBlackBox
from audit.errors import BlackBoxError
from audit.sampling.independence.instances import Instances

try:
    with Instances(PythonBlackBox(len), ([],)):
        refused = ""
except BlackBoxError as error:
    refused = str(error)


def mechanism(data):
    return refused
"""


def test_an_audit_on_import_is_refused_inside_an_instance(tmp_path: Path) -> None:
    """Each instance started audits of its own, which waited for each other."""
    (tmp_path / "audits.py").write_text(AUDITS)
    given = PythonBlackBox.at(f"{tmp_path / 'audits.py'}:mechanism")
    assert given.function([]) == ""
    ((found,),) = outputs(given, 1, ((0, 1),))
    assert 'if __name__ == "__main__"' in found


def test_one_line_names_what_cannot_be_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "FORKS", False)
    with pytest.raises(BlackBoxError, match=r"cannot pickle '_thread.lock'.*factory="):
        Instances(PythonBlackBox(Locked()), DATA)


def test_a_constructor_that_fails_everywhere_is_named() -> None:
    def fails() -> Any:
        raise OSError("no such device")

    with pytest.raises(BlackBoxError, match="no such device"):
        Instances(PythonBlackBox(Locked(), factory=fails), DATA)
    with pytest.raises(InputError, match=r"fails failed .*no such device"):
        PythonBlackBox.made_by(fails)


class Drawn:
    """Memoizes the noise that its constructor drew."""

    def __init__(self, scale: float) -> None:
        self.noise = np.random.default_rng().laplace(0.0, scale)

    def __call__(self, data: Any) -> float:
        return len(data) + float(self.noise)


@pytest.mark.slow
@pytest.mark.lives
def test_noise_of_a_constructor_is_drawn_anew_where_a_factory_is_given() -> None:
    kept, broken = (
        audit.run(
            factory=partial(Drawn, scale),
            epsilon=1.0,
            data=[],
            neighbors=[[1]],
            max_samples=2000,
            alpha=0.05,
        )
        for scale in (1.0, 0.2)
    )
    assert (kept.verdict, kept.assumptions) == ("not-refuted", ())
    assert (broken.verdict, broken.assumptions) == ("violation", ())


class OfNoise(Drawn):
    """The same, made without arguments."""

    def __init__(self) -> None:
        super().__init__(1.0)


@pytest.mark.parametrize("given", [OfNoise, OfNoise()], ids=["a class", "an object"])
def test_a_class_is_made_anew_in_every_life_and_an_object_is_not(given: Any) -> None:
    with Instances(PythonBlackBox(given), DATA) as instances:
        found = [unit.outputs for unit in instances.answered(lives(6))]
        assert instances.assumptions == (() if given is OfNoise else ("shared-constructor",))
    assert [len(set(map(str, life))) for life in found] == [1] * 6
    assert len({str(life) for life in found}) == (6 if given is OfNoise else 1)


def test_a_mechanism_or_a_factory_of_it_is_given() -> None:
    with pytest.raises(InputError, match="a mechanism and a factory are given"):
        audit.run(Drawn(1.0), factory=partial(Drawn, 1.0), epsilon=1.0, data=[])
    with pytest.raises(InputError, match="no mechanism is given"):
        audit.run(epsilon=1.0, data=[])


@pytest.fixture
def numbers() -> Iterator[list[int]]:
    """Process numbers of servers, all gone at the end."""
    found: list[int] = []
    yield found
    for number in found:
        with pytest.raises(ProcessLookupError):
            os.kill(number, 0)


def test_nothing_is_left_after_the_end(numbers: list[int]) -> None:
    with Instances(box("given"), DATA, workers=2) as instances:
        numbers += instances.processes
        instances.answered(lives(4))
        assert len(numbers) == 2
    with Instances(PythonBlackBox(Locked()), DATA, workers=2) as instances:
        numbers += instances.processes
    assert not server_process._ours


def test_a_mechanism_of_the_catalogue_is_pickled() -> None:
    from mechanisms import CATALOG

    entry = next(
        e for e in CATALOG.values() if hasattr(e.mechanism, "release") and e.data is not None
    )
    given = PythonBlackBox(entry.mechanism.release, entry.name)
    with Instances(given, [entry.data]) as instances:
        assert instances.assumptions == ("shared-constructor",)
        assert instances.is_lean
        units: list[Answered] = instances.answered(lives(2, ((0, 1),)))
    assert not isinstance(units[0].outputs[0], Failure)
    assert units[0].outputs != units[1].outputs


@dataclass(frozen=True)
class Drawing:
    """Noise of a constructor, which follows from the seed of the audit."""

    scale: float
    drawn: list[float] = field(default_factory=lambda: [np.random.laplace()], init=False)  # noqa: NPY002

    @property
    def claim(self) -> Claim:
        return PureDP(1 / self.scale)

    def release(self, data: Any) -> float:
        return len(data) + self.scale * self.drawn[0]


@pytest.mark.lives
def test_a_mechanism_of_a_catalogue_is_made_from_its_parameters_in_every_life() -> None:
    entry = Entry(name="drawing", group="own", summary="", mechanism=Drawing(1.0))
    found = audit.run(entry, data=[], neighbors=[[1]], max_samples=600, alpha=0.05)
    assert (found.verdict, found.assumptions) == ("not-refuted", ())


def test_the_order_of_units_is_that_of_the_lives() -> None:
    wanted = lives(9)
    random.Random(0).shuffle(wanted)
    with Instances(box("given"), DATA, workers=2) as instances:
        assert [unit.number for unit in instances.answered(wanted)] == [w.number for w in wanted]


@pytest.mark.parametrize("workers", [1, 2])
def test_instances_find_loaded_what_calls_load(workers: int) -> None:
    """An import in the body of a function was made in every instance: 286 s where 12 are enough."""
    found = {}
    for asked in (False, True):
        with Instances(box("loads_late"), DATA * asked, workers=workers) as instances:
            place = instances.add_dataset(DATA[0])
            answers = instances.answered(lives(4, ((place, 1),)))
        found[asked] = [unit.outputs for unit in answers]
    assert found == {asked: [[asked]] * 4 for asked in (False, True)}


@pytest.mark.parametrize(
    ("trial", "timeout", "seconds"), [(True, 60.0, 5.0), (True, None, 5.0), (False, 60.0, 60.0)]
)
def test_a_trial_call_may_not_hang_for_long(
    trial: bool, timeout: float | None, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits: list[float] = []
    monkeypatch.setattr(living, "_limit", limits.append)
    making = Making(lambda: marked, False, "marked", None, timeout, frozenset(), None)
    start: Any = SimpleNamespace(making=making, described=False)
    answers = living.Answers(start, -1, trial=trial)
    assert answers._output(PythonBlackBox(marked), DATA[0], 1) == 0
    assert limits == [seconds]
