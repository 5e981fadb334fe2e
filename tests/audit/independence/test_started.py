from __future__ import annotations

import sys

from audit.blackbox.command import CommandBlackBox
from audit.blackbox.served import ServedBlackBox
from audit.independence.life import Life
from audit.independence.started import StartedInstances
from audit.outcomes.leaves import Failure

COUNTING = """
import json, os, random, sys, time
kept, calls = random.SystemRandom().random(), 0
for line in sys.stdin:
    asked, calls = json.loads(line), calls + 1
    what = asked["data"][0]
    if calls == 2 and what == 1:
        sys.exit(3)
    if calls == 2 and what == 2:
        time.sleep(30)
    answer = {"error": "no"} if calls == 2 and what == 3 else [[calls, kept, asked["seed"]]]
    print(json.dumps(answer), flush=True)
"""
PYTHON = [sys.executable, "-SEs", "-c"]


def lives(count: int, index: int = 0, answers: int = 3) -> list[Life]:
    return [Life(number, (number // 2,), ((index, 1),) * answers) for number in range(count)]


def test_a_program_that_stays_is_started_for_each_life() -> None:
    with StartedInstances(ServedBlackBox([*PYTHON, COUNTING]), [[0]]) as instances:
        found = [unit.outputs for unit in instances.answered(lives(3))]
    assert [[calls for calls, _, _ in life] for life in found] == [[1, 2, 3]] * 3
    assert [len({kept for _, kept, _ in life}) for life in found] == [1] * 3
    assert len({kept for life in found for _, kept, _ in life}) == 3
    seeds = [[seed for _, _, seed in life] for life in found]
    assert seeds[0] == seeds[1] != seeds[2]


def test_after_the_end_of_a_program_answers_are_missing_and_after_an_error_they_are_not() -> None:
    box = ServedBlackBox([*PYTHON, COUNTING], timeout=2.0)
    with StartedInstances(box, [[0], [1], [2]]) as instances:
        assert instances.add_dataset([3]) == 3
        ended, late, failed = (instances.answered(lives(1, index))[0] for index in (1, 2, 3))
    assert ended.outputs[1:] == [Failure("crash")] * 2
    assert ended.first_failure is not None
    assert ended.first_failure.kind == "exit code 3"
    assert late.outputs[1:] == [Failure("timeout")] * 2
    assert failed.outputs[1].name == "answered with an error"
    assert failed.outputs[2][0] == 3


def test_a_program_that_is_started_for_every_run_answers_once_a_start() -> None:
    code = "import random, sys\nsys.exit(4) if '7' in open(sys.argv[1]).read() else print(RANDOM)"
    code = code.replace("RANDOM", "random.random()")
    box = CommandBlackBox([*PYTHON, code, "{data}"])
    with StartedInstances(box, [[1.0], [7.0]], workers=2) as instances:
        found = [unit.outputs for unit in instances.answered(lives(4, answers=1))]
        failed = instances.answered(lives(1, 1, answers=2))[0]
    assert len({answer for (answer,) in found}) == 4
    assert [answer.name for answer in failed.outputs] == ["exit code 4"] * 2
