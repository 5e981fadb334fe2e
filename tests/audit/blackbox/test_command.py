"""Programs of every behaviour: each has one defined answer, and leaves nothing behind."""

from __future__ import annotations

import gc
import os
import pickle
import signal
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.random import default_rng
from scipy import stats

from audit.blackbox.command import CommandBlackBox
from audit.blackbox.exchange import file_of
from audit.blackbox.interface import RunTimeout
from audit.blackbox.process import ExitCode, NoOutputFile, OutputLimit
from audit.errors import BlackBoxError, InputError

AGES = np.array([17, 22, 26, 31, 40, 58, 73])
LIMIT = 10_000


@pytest.fixture(autouse=True)
def own_temporary_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    yield folder
    gc.collect()  # a traceback may hold a program that was given its dataset
    assert list(folder.iterdir()) == []


def shell(script: str, *more: str, **options: Any) -> CommandBlackBox:
    """A shell script that finds the data file as $1 and `more` behind it."""
    return CommandBlackBox(["sh", "-c", script, "sh", "{data}", *more], **options)


def output_of(script: str, *more: str, data: Any = (1, 2), size: int = 1, **options: Any) -> Any:
    return shell(script, *more, **options).bind(data).draw(default_rng(0), size)


@pytest.mark.slow
def test_compiled_program_draws_from_its_distribution(noisy_average: str) -> None:
    flags = [
        "-i",
        "{data}",
        "-o",
        "{output}",
        "-e",
        "{epsilon}",
        "-t",
        "{size}",
        "--seed",
        "{seed}",
    ]
    box = CommandBlackBox([noisy_average, *flags], epsilon=0.5)
    assert (box.name, box.seeded, box.many) == ("noisy_average", False, True)
    draws = box.bind(AGES).draw(default_rng(0), 5000)
    seen = AGES[AGES > 25]
    scale = (seen.max() - seen.min()) / len(seen) / 0.5
    right = stats.kstest(draws, stats.laplace(seen.mean(), scale).cdf)
    wrong = stats.kstest(draws, stats.laplace(seen.mean(), scale * 0.7).cdf)
    assert right.pvalue > 1e-9 > wrong.pvalue


@pytest.mark.slow
def test_compiled_program_repeats_by_its_seed(noisy_average: str) -> None:
    flags = ["-i", "{data}", "-t", "{size}", "--seed", "{seed}"]
    box = CommandBlackBox([noisy_average, *flags])
    first, again = (box.bind(AGES).draw(default_rng(1), 4) for _ in range(2))
    assert np.array_equal(first, again)
    assert not np.array_equal(first, box.bind(AGES).draw(default_rng(2), 4))


@pytest.mark.slow
def test_compiled_program_shares_randomness_by_its_seed(noisy_average: str) -> None:
    box = CommandBlackBox([noisy_average, "-i", "{data}", "-t", "1", "--seed", "{seed}"])
    assert box.seeded
    assert not box.many
    noise = [
        (box.bind(ages).draw(default_rng(1), 1) - ages.mean()) / np.ptp(ages) * len(ages)
        for ages in (AGES[AGES > 25], np.array([30, 35]))
    ]
    assert noise[0] == pytest.approx(noise[1], abs=1e-6)


def test_compiled_program_refuses_unknown_flags(noisy_average: str) -> None:
    box = CommandBlackBox([noisy_average, "-i", "{data}", "--runs", "{size}"])
    with pytest.raises(ExitCode, match=r"unknown flag --runs") as caught:
        box.bind(AGES).draw(default_rng(0), 10)
    assert caught.value.outcome_name == "exit code 1"


def test_compiled_program_refuses_data_without_grown_ups(noisy_average: str) -> None:
    box = CommandBlackBox([noisy_average, "-i", "{data}", "-t", "1"])
    assert not box.seeded
    assert not box.many
    with pytest.raises(ExitCode, match="exit code 1: noisy_average: no record is above 25"):
        box.bind(np.array([3, 4])).draw(default_rng(0), 1)


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (np.array([1, -2]), "1\n-2\n"),
        (np.array([0.1, 1e300, np.nan, np.inf]), "0.1\n1e+300\nnan\ninf\n"),
        (np.array([[1.5, 2.0], [3.0, 4.0]]), "1.5,2.0\n3.0,4.0\n"),
        (["a b", "c,d", "é"], "a b\nc,d\né\n"),
        (["a", 1, None, True, [1, "x"]], "a\n1\nnull\ntrue\n1,x\n"),
        ([np.int64(3), np.float32(0.5)], "3\n0.5\n"),
        (np.array([]), ""),
        (7, "7\n"),
        (pd.DataFrame({"age": [1, 2], "sex": ["f", "m"]}), "age,sex\n1,f\n2,m\n"),
        (pd.Series([1.0, 2.0]), "1.0\n2.0\n"),
        (["\ud800"], None),
    ],
)
def test_program_reads_one_record_per_line(data: Any, text: str | None, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    output_of(f'cp "$1" {copy}', data=data)
    assert copy.exists() if text is None else copy.read_text() == text


@pytest.mark.parametrize("record", ["a\nb", "a\rb", {1}, object(), ["x\ny"]])
def test_records_that_cannot_be_written_end_the_audit(record: Any) -> None:
    with pytest.raises(BlackBoxError, match="record"):
        output_of("cat $1", data=[record])


@pytest.mark.parametrize(
    ("printed", "expected"),
    [
        ("", None),
        ("3", 3.0),
        ("  3.5e2  \n\n", 350.0),
        ("-inf", -np.inf),
        ("NaN", np.nan),
        ("0x1.8p1", 3.0),
        ("9007199254740993", 9007199254740993),
        ("[1, 2.5]", [1, 2.5]),
        ("[0.5, nan, -inf]", [0.5, np.nan, -np.inf]),
        ('{"a": 1}', {"a": 1}),
        ("true", True),
        ("null", None),
        ('"quoted"', "quoted"),
        ("yes, no", "yes, no"),
        ("1, 2.5", [1.0, 2.5]),
        ("1_000", "1_000"),
        ("[1, 2", "[1, 2"),
        ("[" * 5000, "[" * 5000),
        ("1\n2\nx", [1.0, 2.0, "x"]),
        ("0x", "0x"),
    ],
)
def test_printed_values(printed: str, expected: Any, tmp_path: Path) -> None:
    file = tmp_path / "printed"
    file.write_text(printed)
    assert_same(output_of(f"cat {file}"), expected)
    assert_same(output_of(f'cp {file} "$2"', "{output}"), expected)


def assert_same(found: Any, expected: Any) -> None:
    assert type(found) is type(expected)
    np.testing.assert_equal(found, expected)


def test_many_outputs() -> None:
    script = 'for i in $(seq "$2"); do echo "$i"; done'
    draws = output_of(script, "{size}", size=5)
    assert isinstance(draws, np.ndarray)
    assert draws.tolist() == [1.0, 2.0, 3.0, 4.0, 5.0]
    mixed = output_of('echo 1; echo; echo "[2, 3]"; echo none', "{size}", size=3)
    assert mixed == [1.0, [2, 3], "none"]
    assert output_of("echo 9007199254740993; echo 2", "{size}", size=2)[0] == 9007199254740993


@pytest.mark.parametrize("size", [1, 3])
def test_wrong_number_of_lines_ends_the_audit(size: int) -> None:
    with pytest.raises(BlackBoxError, match=f"wrote 2 lines where {size} outputs"):
        output_of("echo 1; echo 2", "{size}", size=size)


def test_placeholders_are_filled_in_anywhere_and_once() -> None:
    script = 'echo "$2"; cat "$1"'
    more = "e={epsilon};s={size};{unknown};{}"
    found = CommandBlackBox(["sh", "-c", script, "sh", "{data}", more], epsilon=0.25)
    assert found.bind(["{seed}"]).draw(default_rng(0), 2) == ["e=0.25;s=2;{unknown};{}", "{seed}"]


@pytest.mark.parametrize(
    "word",
    ["{print}", '{"sed":1}', "{ sed }", "${sed}", "{{sed}}", "{sed,dat}", "{n++} END {print n}"],
)
def test_other_braces_are_passed_on(word: str) -> None:
    box = CommandBlackBox(["echo", word, "{data}"])
    assert box.bind([]).draw(default_rng(0), 1).startswith(f"{word} /")


def test_arguments_pass_no_shell() -> None:
    box = CommandBlackBox(["echo", "$(touch x);`id`|*", "{data}"])
    assert box.bind([]).draw(default_rng(0), 1).startswith("$(touch x);`id`|* ")


def test_seeds_fit_31_bits_and_follow_the_generator() -> None:
    box = shell('echo "$2"', "{seed}")
    rng = default_rng(3)
    seeds = [box.bind([]).draw(rng, 1) for _ in range(5)]
    assert len(set(seeds)) == 5
    assert all(0 <= seed < 2**31 for seed in seeds)
    assert seeds[0] == box.bind([]).draw(default_rng(3), 1)


@pytest.mark.parametrize(
    ("script", "name"),
    [
        ("echo 1; exit 3", "exit code 3"),
        ("exit 255", "exit code 255"),
        ("kill -SEGV $$", "killed by SIGSEGV"),
        ("kill -KILL $$", "killed by SIGKILL"),
        ("kill -40 $$", "killed by signal 40"),
    ],
)
def test_failures_are_outputs_by_their_code(script: str, name: str) -> None:
    with pytest.raises(ExitCode) as caught:
        output_of(script)
    assert caught.value.outcome_name == name


def test_last_words_are_kept_in_one_line() -> None:
    with pytest.raises(ExitCode, match="exit code 1: cannot open it") as caught:
        output_of("echo cannot >&2; echo open it >&2; exit 1")
    assert "\n" not in str(caught.value)


def raised(box: CommandBlackBox, kind: type[Exception]) -> Exception:
    with pytest.raises(kind) as caught:
        box.bind([1]).draw(default_rng(0), 1)
    return caught.value


def times_out(script: str) -> None:
    raised(shell(script, timeout=0.3), RunTimeout)


@pytest.mark.slow
def test_hanging_program_is_killed_with_all_of_its_group(tmp_path: Path) -> None:
    numbers, late = tmp_path / "numbers", tmp_path / "late"
    script = f"sleep 60 & echo $! > {numbers}; (sleep 60; : > {late}) & echo $! >> {numbers}; wait"
    times_out(script)
    assert all(is_gone(int(line)) for line in numbers.read_text().split())
    assert not late.exists()


@pytest.mark.slow
def test_program_that_ignores_signals_is_killed(tmp_path: Path) -> None:
    late = tmp_path / "late"
    times_out(f"trap '' TERM INT HUP ALRM; for i in $(seq 60); do sleep 1; done; : > {late}")
    assert not late.exists()


def is_gone(number: int) -> bool:
    for _ in range(100):
        try:
            with open(f"/proc/{number}/stat") as stat:
                if stat.read().rpartition(")")[2].split()[0] == "Z":
                    return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


def test_descendant_holding_the_output_open_delays_nothing(tmp_path: Path) -> None:
    number, late = tmp_path / "number", tmp_path / "late"
    assert output_of(f"(sleep 60; : > {late}) & echo $! > {number}; echo 5") == 5.0
    assert is_gone(int(number.read_text()))
    assert not late.exists()


def test_descendant_that_left_the_group_delays_nothing(tmp_path: Path) -> None:
    number, late = tmp_path / "number", tmp_path / "late"
    sleeper = f"setsid sh -c 'echo $$ > {number}; sleep 60; : > {late}'"
    script = f"{sleeper} & until [ -s {number} ]; do :; done; echo 5"
    assert output_of(script) == 5.0
    assert not late.exists()
    os.killpg(int(number.read_text()), signal.SIGKILL)


@pytest.mark.parametrize("place", ["1", "2", "output"])
def test_endless_output_is_an_output_and_takes_no_space(place: str) -> None:
    where = ">&2" if place == "2" else '> "$2"' if place == "output" else ""
    more = ("{output}",) if place == "output" else ()
    box = shell(f"yes 0.12345 {where}", *more, output_limit=LIMIT)
    error = raised(box, OutputLimit)
    assert error.outcome_name == f"more than {LIMIT} bytes of output"  # type: ignore[attr-defined]


def test_program_that_ignores_the_limit_is_stopped() -> None:
    script = "trap '' XFSZ; while :; do echo 0.12345; done 2>/dev/null"
    raised(shell(script, output_limit=LIMIT), OutputLimit)


def test_output_of_just_the_limit_is_read() -> None:
    assert len(output_of(f"head -c {LIMIT} /dev/zero", output_limit=LIMIT)) == LIMIT
    with pytest.raises(OutputLimit):
        output_of(f"head -c {LIMIT + 1} /dev/zero", output_limit=LIMIT)


@pytest.mark.slow
def test_megabytes_of_output_are_read() -> None:
    draws = output_of("yes 0.5 | head -n 500000", "{size}", size=500_000)
    assert draws.shape == (500_000,)


def test_garbage_is_text() -> None:
    garbage = output_of(r"printf '\377\376\000\001abc\n'")
    assert isinstance(garbage, str)
    assert garbage.endswith("abc")


@pytest.mark.parametrize(
    "script",
    ["echo 1", 'mkdir "$2"', 'mkfifo "$2"', 'ln -s /dev/zero "$2"', 'ln -s nowhere "$2"'],
)
def test_missing_output_file_is_an_output(script: str) -> None:
    error = raised(shell(script, "{output}"), NoOutputFile)
    assert error.outcome_name == "no output file"  # type: ignore[attr-defined]


def test_output_file_comes_before_standard_output() -> None:
    assert output_of('echo 1; echo 2 > "$2"', "{output}") == 2.0


def test_standard_input_is_empty() -> None:
    assert output_of("cat; echo 1") == 1.0


@pytest.mark.parametrize(
    "changing",
    [
        'echo 9 > "$1"',
        'echo 5.0 > "$1"',
        'echo 9 >> "$1"',
        'chmod 000 "$1"',
        'rm "$1"',
        'echo 9 > "$1.new"; mv "$1.new" "$1"',
        'echo 9 > "$(dirname "$1")/seen"',
        'rm "$1"; mkdir "$1"',
        "",
    ],
)
def test_program_that_changes_its_data_changes_nothing(changing: str) -> None:
    box = shell(f'[ -e "$(dirname "$1")/seen" ] && echo 1; cat "$1"; {changing}')
    bound = box.bind(np.array([4.0]))
    assert [bound.draw(default_rng(0), 1) for _ in range(3)] == [4.0] * 3


def test_the_dataset_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Any] = []

    def noted(data: Any, records: Any) -> bytes:
        written.append(data)
        return file_of(data, records)

    monkeypatch.setattr("audit.blackbox.command.file_of", noted)
    bound = shell('cat "$1"').bind([4])
    assert [bound.draw(default_rng(0), 1) for _ in range(3)] == [4.0] * 3
    assert written == [[4]]


def test_without_links_every_run_gets_a_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: Any) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", refused)
    bound = shell('cat "$1"; echo 9 > "$1"').bind([4])
    assert [bound.draw(default_rng(0), 1) for _ in range(2)] == [4.0, 4.0]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "no program is given"),
        (["no-such-program-here", "{data}"], "is not there"),
        (["./no-such-program-here", "{data}"], "is not there"),
        (["{folder}", "{data}"], "is a folder"),
        (["{folder}/plain", "{data}"], "cannot be executed"),
        (["cat"], "has no {data}"),
        (["cat", "{data}", "{epsilon}"], "add `epsilon`"),
        (["cat", "{dat}"], r"{dat} is no placeholder.*did you mean {data}\?"),
        (["cat", "{data}", "--seed={sed}"], r"did you mean {seed}\?.*write { sed }"),
        (["cat", "{data}", "{Seed}"], r"did you mean {seed}\?"),
        (["cat", "{data}", "{eps}"], r"did you mean {epsilon}\?"),
    ],
)
def test_wrong_commands(arguments: list[str], words: str, tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("echo 1\n")
    filled = [argument.replace("{folder}", str(tmp_path)) for argument in arguments]
    with pytest.raises(InputError, match=words) as caught:
        CommandBlackBox(filled)
    assert "\n" not in str(caught.value)


def test_programs_that_cannot_be_started_end_the_audit(tmp_path: Path) -> None:
    program = tmp_path / "program"
    program.write_bytes(b"\x7fELF garbage")
    program.chmod(0o755)
    box = CommandBlackBox([str(program), "{data}"])
    for _ in range(2):
        with pytest.raises(BlackBoxError, match="cannot be started"):
            box.bind([1]).draw(default_rng(0), 1)
        program.unlink(missing_ok=True)
    with pytest.raises(BlackBoxError, match="cannot be started"):
        CommandBlackBox(["echo", "a\0b", "{data}"]).bind([1]).draw(default_rng(0), 1)


def test_full_disk_ends_the_audit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    box = shell("echo 1")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with pytest.raises(BlackBoxError, match="set TMPDIR"):
        box.bind([1]).draw(default_rng(0), 1)
    monkeypatch.undo()

    def full(*_: Any) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "write_bytes", full)
        with pytest.raises(BlackBoxError, match="No space left"):
            box.bind([1]).draw(default_rng(0), 1)


def test_relative_program_survives_a_change_of_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "program"
    program.write_text("#!/bin/sh\necho 4\n")
    program.chmod(0o755)
    monkeypatch.chdir(tmp_path)
    box = CommandBlackBox(["./program", "{data}"])
    monkeypatch.chdir("/")
    assert box.name == "program"
    assert pickle.loads(pickle.dumps(box)).bind([1]).draw(default_rng(0), 1) == 4.0


def test_interrupt_kills_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    number = tmp_path / "number"

    def interrupted(*_: Any) -> bool:
        while not number.exists() or not number.read_text().strip():
            time.sleep(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr("audit.blackbox.process._ended", interrupted)
    with pytest.raises(KeyboardInterrupt):
        output_of(f"echo $$ > {number}; exec sleep 60")
    assert is_gone(int(number.read_text()))


@pytest.mark.slow
def test_without_kernel_help_the_answers_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("audit.blackbox.process.prlimit", None)
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    assert output_of("echo 5") == 5.0
    late = tmp_path / "late"
    times_out(f"sleep 60; : > {late}")
    assert not late.exists()
    script = "while :; do echo 0.12345; done"
    raised(shell(script, output_limit=LIMIT), OutputLimit)
    with pytest.raises(ExitCode, match="exit code 3"):
        output_of("exit 3")
