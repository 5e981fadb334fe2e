"""Both datasets of a pair are asked under the same conditions, and in no fixed order.

Whatever an instance shows of its clock, its process or its interpreter tells nothing of the dataset
that it was asked about.
"""

from __future__ import annotations

import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import audit
from audit.blackbox.python import PythonBlackBox
from audit.errors import Interrupted
from audit.progress import Event, Looked
from audit.sampling.independence import preliminary_sample
from audit.sampling.independence.instances import Instances
from audit.sampling.independence.life import Life
from audit.verdict.result import AuditResult, Verdict
from tests.timeless import timeless

pytestmark = [pytest.mark.lives, pytest.mark.slow]
BOXES = Path(__file__).with_name("boxes.py")
WORDS_IN_ORDER = "from boxes import WORDS; print(*WORDS)"


def audited(name: str, workers: int = 1, **more: Any) -> AuditResult:
    given: dict[str, Any] = {"epsilon": 1.0, "data": [1.0], "neighbors": [[]], "alpha": 0.05}
    box = PythonBlackBox.at(f"{BOXES}:{name}")
    return audit.run(box, workers=workers, **given | {"max_samples": 3000} | more)


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("with_the_second", Verdict.NOT_REFUTED),
        ("with_the_date", Verdict.NOT_REFUTED),
        ("with_the_process", Verdict.NOT_REFUTED),
        ("with_words", Verdict.INCONCLUSIVE),
        ("with_a_set", Verdict.NOT_REFUTED),
    ],
)
def test_right_ones_that_show_time_process_or_order_are_not_accused(
    name: str, verdict: Verdict, workers: int
) -> None:
    """All forks share the order of a set of texts, which is not that of other interpreters."""
    assert audited(name, workers, until="budget").verdict is verdict


def test_the_time_of_an_instance_is_not_read_and_the_rest_is() -> None:
    found = audited("with_the_second_and_too_little")
    assert found.verdict is Verdict.VIOLATION
    assert any("the time at which they were made" in note for note in found.notes)


def test_the_order_of_a_set_is_the_same_for_any_number_of_workers() -> None:
    assert timeless(audited("with_words", 1)) == timeless(audited("with_words", 2))


def test_the_order_of_a_set_is_that_of_the_hash_seed_which_the_user_has_set(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    orders = []
    for seed in ("0", "1"):
        monkeypatch.setenv("PYTHONHASHSEED", seed)
        command = [sys.executable, "-c", WORDS_IN_ORDER]
        told = subprocess.run(command, capture_output=True, text=True, check=True, cwd=BOXES.parent)
        with Instances(PythonBlackBox.at(f"{BOXES}:with_words"), [[1.0]]) as instances:
            (life,) = instances.answered([Life(0, (1,), ((0, 1),))])
        orders.append([word for word, _ in life.outputs[0]])
        assert orders[-1] == told.stdout.split()
    assert orders[0] != orders[1]


def test_processes_that_an_instance_starts_have_the_hash_seed_of_the_user(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("PYTHONHASHSEED", raising=False)
    with Instances(PythonBlackBox.at(f"{BOXES}:with_the_variable"), [[1.0]]) as instances:
        (life,) = instances.answered([Life(0, (1,), ((0, 1),))])
    assert life.outputs == ["none"]


def test_both_instances_of_a_pair_have_one_clock() -> None:
    with Instances(PythonBlackBox.at(f"{BOXES}:clocks"), [[1.0]]) as instances:
        lives = [Life(number, (number,), ((0, 1),)) for number in range(6)]
        told = [life.outputs[0][0] for life in instances.answered(lives, 2)]
        begun, ended = instances.moments
    apart = [second - first for first, second in pairwise(told)]
    assert max(abs(seconds) for seconds in apart[::2]) < 0.5
    assert all(abs(seconds) > 3600.0 for seconds in apart[1::2])
    assert begun <= min(told) and max(told) <= ended


def test_clocks_of_units_show_any_part_of_a_second() -> None:
    with Instances(PythonBlackBox.at(f"{BOXES}:clocks"), [[1.0]]) as instances:
        lives = [Life(number, (number,), ((0, 1),)) for number in range(60)]
        told = [life.outputs[0][0] for life in instances.answered(lives)]
    assert len({int(10 * (now % 1.0)) for now in told}) >= 9
    assert len({int(now) for now in told}) == 60


@pytest.mark.parametrize("last", [0.0, 1e6])
def test_an_interrupt_states_nothing_before_the_preliminary_sample_is_complete(
    last: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last burst is due at once, or never."""
    monkeypatch.setattr(preliminary_sample, "_BURSTS", (0.0, 0.0, last))

    def stops(event: Event) -> None:
        if isinstance(event, Looked) and event.refuted:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as interrupt:
        audited(
            "with_the_second_and_too_little", until="budget", max_samples=100_000, on_event=stops
        )
    found = interrupt.value.result
    if not last:
        assert found.verdict is Verdict.VIOLATION and found.epsilon_lower >= 1.0
    else:
        assert found.verdict is Verdict.INCONCLUSIVE and found.epsilon_lower == 0.0
        assert "before the preliminary sample was complete" in found.reason
