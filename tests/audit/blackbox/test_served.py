"""Programs that stay: started once, one answer a question, one defined answer to each behavior."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng

import audit
from audit.blackbox.exchange import ErrorAnswer, NoAnswer
from audit.blackbox.interface import RunTimeout
from audit.blackbox.process import ExitCode, OutputLimit
from audit.blackbox.served import Ended, ServedBlackBox
from audit.errors import BlackBoxError, InputError, OutcomeError
from audit.frontends.cli.main import main
from audit.sampling.workers import forget_executors
from tests.docs.pages import blocks_of, text_of

PAGE = "reference/served-programs.md"
PYTHON = [sys.executable, "-SEs"]


def words(body: str, *more: str, before: str = "") -> list[str]:
    loop = f"for line in sys.stdin:\n    {body}\n    sys.stdout.flush()"
    return [*PYTHON, "-c", f"import sys, json, os, time, random\n{before}\n{loop}", *more]


def program(body: str, *more: str, **options: Any) -> ServedBlackBox:
    """A Python program: `body` is run for each `line`, and prints the answer."""
    return ServedBlackBox(words(body, *more), **options)


def answer(body: str, **options: Any) -> Any:
    """The output of one question to such a program."""
    return program(body, **options).bind([1, 2]).draw(default_rng(0), 1)


def audited(arguments: list[str], **more: Any) -> audit.AuditResult:
    given: dict[str, Any] = {"data": [1, 0, 1], "neighbors": [[1, 0]], "max_samples": 30_000}
    return audit.run(ServedBlackBox(arguments), epsilon=1.0, **given | more)


def compiled(name: str, compiler: str, folder: Path) -> list[str]:
    found = shutil.which(compiler)
    if found is None:
        pytest.skip(f"{compiler} is not installed")
    made = folder / "count"
    flags = ["-O"] if compiler == "rustc" else ["-O2", "-std=c++17"]
    done = subprocess.run([found, *flags, str(folder / name), "-o", str(made)], capture_output=True)
    if done.returncode and b"linker" in done.stderr:
        pytest.skip(f"{compiler} finds no linker")
    assert done.returncode == 0, done.stderr
    return [str(made)]


@pytest.fixture(scope="module", params=["python", "cpp", "javascript", "rust"])
def counting(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The same program in several languages: the code of the page."""
    folder = tmp_path_factory.mktemp("served")
    (block,) = (b for b in blocks_of(text_of(PAGE)) if b.title and b.language == request.param)
    (folder / block.title).write_text(block.source, encoding="utf-8")
    if request.param == "cpp":
        return compiled(block.title, "c++", folder)
    if request.param == "rust":
        return compiled(block.title, "rustc", folder)
    if request.param == "javascript":
        if shutil.which("node") is None:
            pytest.skip("node is not installed")
        return ["node", str(folder / block.title)]
    return [sys.executable, str(folder / block.title)]


@pytest.mark.slow
def test_the_programs_of_the_page_follow_the_seed(counting: list[str]) -> None:
    one, half = (ServedBlackBox([*counting, scale]) for scale in ("1.0", "0.5"))
    asked = {(box, n): box.bind([1] * n) for box in (one, half) for n in (2, 3)}
    noise = np.array(
        [[bound.draw(default_rng(k), 1) - n for k in range(50)] for (_, n), bound in asked.items()]
    )
    assert len(set(noise[0])) == 50
    assert noise[0] == pytest.approx(noise[1])
    assert noise[:2] == pytest.approx(2 * noise[2:], abs=1e-6)
    again = [asked[one, 2].draw(default_rng(k), 1) - 2 for k in range(50)]
    assert (noise[0] == again).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("counting", "assume"),
    [("python", ["independent-calls"]), ("cpp", [])],
    indirect=["counting"],
    ids=["calls", "lives"],
)
def test_a_right_program_is_not_accused_and_a_wrong_one_is(
    counting: list[str], assume: list[str]
) -> None:
    right, wrong = (
        audited([*counting, scale], max_samples=3000, assume=assume) for scale in ("1.0", "0.5")
    )
    assert right.verdict is audit.Verdict.NOT_REFUTED
    assert wrong.verdict is audit.Verdict.VIOLATION
    assert right.coupled
    assert wrong.coupled
    assert 1.0 < wrong.epsilon_lower <= 2.0
    assert right.epsilon_lower <= 1.0


@pytest.mark.slow
@pytest.mark.parametrize(("scale", "code"), [("1.0", 0), ("0.5", 1)])
def test_the_command_of_the_page_ends_as_it_says(
    counting: list[str], scale: str, code: int
) -> None:
    flags = ["--serve", "--epsilon", "1", "--domain", "int:0:9", "--max-samples", "3000"]
    assert main(["command", *flags, "--", *counting, scale]) == code


@pytest.mark.slow
def test_it_is_started_once_and_ends_with_its_black_box() -> None:
    box = program("print([os.getpid()])")
    bound, other = box.bind([1]), box.bind([1, 2])
    numbers = {bound.draw(default_rng(0), 1), other.draw(default_rng(1), 1)}
    assert len(numbers) == 1
    (number,) = map(int, numbers)
    del box, bound, other
    gc.collect()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


@pytest.mark.slow
def test_what_arrives_and_what_may_be_answered() -> None:
    echo = program("print(json.dumps([json.loads(line)]))")
    asked = [echo.bind([1, 2]).draw(rng, 1) for rng in (default_rng(0), default_rng(0))]
    assert asked[0] == asked[1]
    assert asked[0] == {"data": [1.0, 2.0], "size": 1.0, "seed": asked[0]["seed"]}
    assert echo.bind([1, 2]).draw(default_rng(1), 1)["seed"] != asked[0]["seed"]
    table = pd.DataFrame({"a": [1, 2], "b": ["x", None]})
    assert echo.bind(table).draw(default_rng(0), 1)["data"] == [
        {"a": 1.0, "b": "x"},
        {"a": 2.0, "b": None},
    ]
    assert echo.bind(np.array([[1.5, np.nan]])).draw(default_rng(0), 1)["data"] == [[1.5, None]]
    for text, output in [
        ("[1]", 1.0),
        ("[true]", True),
        ("[[1, 2.5]]", [1.0, 2.5]),
        ("[NaN]", np.nan),
        ("[-inf]", -np.inf),
        ("[null]", None),
        ('["inf"]', "inf"),
        ("[9007199254740993]", 9007199254740993),
        ("[1]\\r", 1.0),
    ]:
        found = answer(f"print('{text}')")
        assert found == output or (found != found and output != output)
        assert type(found) is type(output)
    many = answer("print(json.dumps([[0.5] * 5000]))")
    assert isinstance(many, np.ndarray)
    assert many.shape == (5000,)
    long = b"7" * 100_000
    assert program("print([len(line)])").bind([long.decode()]).draw(default_rng(0), 1) > 100_000


FAILURES: dict[str, tuple[str, type[Exception], str]] = {
    "exits": ("sys.exit(3)", ExitCode, "exit code 3"),
    "complains": ("sys.exit('no such table')", ExitCode, "exit code 1: no such table"),
    "is killed": ("os.kill(os.getpid(), 9)", ExitCode, "killed by SIGKILL"),
    "ends": ("sys.exit(0)", Ended, "ended without an answer"),
    "closes": ("os.close(1)", Ended, "ended without an answer"),
    "is late": ("time.sleep(60)", RunTimeout, "no answer within"),
    "error": ("print(json.dumps({'error': 'at 7'}))", ErrorAnswer, "at 7"),
    "garbage": ("print('hello')", NoAnswer, "'hello' is no JSON"),
    "blank": ("print()", NoAnswer, "'' is no JSON"),
    "bytes": ("os.write(1, b'\\xff\\xfe\\n')", NoAnswer, "is no JSON"),
    "too many": ("print('[1, 2]')", NoAnswer, "no JSON list of 1 output"),
    "none": ("print('[]')", NoAnswer, "no JSON list of 1 output"),
    "value": ("print('1.5')", NoAnswer, "no JSON list of 1 output"),
    "deep": ("print('[' * 100000)", NoAnswer, "is no JSON"),
    "huge": ("print(json.dumps(['x' * 200000]))", OutputLimit, "more than 100000 bytes"),
    "endless": ("[os.write(1, b'x' * 9999) for _ in iter(int, 1)]", OutputLimit, "100000 bytes"),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", FAILURES)
def test_failures_are_outputs_and_the_next_question_is_answered(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    body, error, words = FAILURES[kind]
    monkeypatch.setattr("audit.blackbox.served._STARTING", 5.0)
    once = tmp_path / "once"
    first = f"once = {str(once)!r}; new = not os.path.exists(once); open(once, 'w').close()"
    box = program(
        f"{first}\n    if new: {body}\n    else: print([7])",
        timeout=0.2 if kind == "is late" else 30.0,
        output_limit=100_000,
    )
    if kind == "is late":
        monkeypatch.setattr("audit.blackbox.served._STARTING", 1.0)
    bound = box.bind([1])
    with pytest.raises(error, match=words) as caught:
        bound.draw(default_rng(0), 1)
    assert getattr(caught.value, "outcome_name", None)
    monkeypatch.setattr("audit.blackbox.served._STARTING", 60.0)
    assert bound.draw(default_rng(0), 1) == 7.0
    caught.value.__traceback__ = None


@pytest.mark.parametrize("body", ["print('[1]\\nmore')", "print('[1]'); print('[2]')"])
def test_lines_that_nobody_asked_for_end_the_audit(body: str) -> None:
    box = program(f"{body}; sys.stdout.flush()")
    with pytest.raises(BlackBoxError, match="more than one line for a question"):
        audit.run(box, epsilon=1.0, data=[1], max_samples=100)


def test_what_it_says_besides_neither_stops_it_nor_fills_anything() -> None:
    body = "sys.stderr.write('x' * 300000); sys.stderr.flush(); print([1])"
    bound = program(body).bind([1])
    assert [bound.draw(default_rng(0), 1) for _ in range(3)] == [1.0] * 3


def test_questions_larger_than_a_pipe_to_a_program_that_writes_first() -> None:
    source = (
        "import sys\nwhile sys.stdin.read(1):\n sys.stdout.write('[' + ' ' * 300000)\n"
        " sys.stdout.write(f'{len(sys.stdin.readline())}]\\n'); sys.stdout.flush()"
    )
    bound = ServedBlackBox([*PYTHON, "-c", source]).bind(["y" * 300_000])
    assert bound.draw(default_rng(0), 1) > 300_000


def test_outputs_too_large_to_be_told_apart_end_the_audit() -> None:
    with pytest.raises(OutcomeError, match="more than 4096 parts"):
        answer("print(json.dumps([['a'] * 5000]))")


def test_programs_that_cannot_be_served() -> None:
    with pytest.raises(InputError, match="not as an argument; leave that out"):
        ServedBlackBox(["cat", "{data}", "{seed}"])
    with pytest.raises(InputError, match="no epsilon is given; add `epsilon`"):
        ServedBlackBox(["cat", "{epsilon}"])
    with pytest.raises(InputError, match=r"did you mean {epsilon}\?"):
        ServedBlackBox(["cat", "{eps}"])
    with pytest.raises(InputError, match="is not there"):
        ServedBlackBox(["no-such-program"])
    filled = program("print(json.dumps(sys.argv[1:]))", "{epsilon}", epsilon=0.5)
    assert filled.bind([]).draw(default_rng(0), 1) == "0.5"


NOISE = "random.expovariate({0}) - random.expovariate({0})"
OWN = f"print([len(json.loads(line)['data']) + {NOISE}])"


@pytest.mark.slow
def test_right_noise_of_its_own_is_not_accused() -> None:
    result = audited(words(OWN.format(1)), max_samples=1500)
    assert result.verdict is audit.Verdict.NOT_REFUTED


@pytest.mark.slow
def test_noise_that_is_the_same_after_every_start_is_none() -> None:
    result = audited(words(OWN.format(1), before="random.seed(4)"), max_samples=1500)
    assert result.verdict is audit.Verdict.VIOLATION


@pytest.mark.slow
def test_wrong_noise_of_its_own_is_caught_by_starts() -> None:
    result = audited(words(OWN.format(2)), max_samples=3000)
    assert result.verdict is audit.Verdict.VIOLATION


@pytest.mark.slow
@pytest.mark.parametrize("counting", ["python"], indirect=True)
def test_workers_have_a_program_each_and_change_nothing(counting: list[str]) -> None:
    arguments = [*counting, "1.0"]
    one, two = (audited(arguments, max_samples=1500, workers=workers) for workers in (1, 2))
    forget_executors()
    assert (one.epsilon_lower, one.samples) == (two.epsilon_lower, two.samples)
    assert one.log_evalue == two.log_evalue


@pytest.mark.slow
def test_deaths_are_outputs_on_which_bets_are_won() -> None:
    body = "d = json.loads(line); r = __import__('random').Random(d['seed']).random()"
    ends = "os._exit(5) if r < (.02, .3)[len(d['data']) - 1] else print([1])"
    given: dict[str, Any] = {"data": [1, 1], "neighbors": [[1]], "max_samples": 1500}
    result = audit.run(program(f"{body}; {ends}"), epsilon=0.5, until="violation", **given)
    assert result.verdict is audit.Verdict.VIOLATION
    assert result.failure is not None
    assert result.failure.kind == "exit code 5"


@pytest.mark.slow
def test_one_that_keeps_its_noise_is_not_accused_of_having_none() -> None:
    keeps = "n = len(json.loads(line)['data']); print([kept.setdefault(n, n + random.gauss(0, 9))])"
    result = audited(words(keeps, before="kept = {}"), max_samples=1500)
    assert result.verdict is audit.Verdict.NOT_REFUTED
    exact = audited(words("print([len(json.loads(line)['data'])])"), max_samples=1500)
    assert exact.verdict is audit.Verdict.VIOLATION
