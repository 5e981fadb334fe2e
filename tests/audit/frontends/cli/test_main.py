"""Exit codes, and one clear line on standard error for everything that goes wrong."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import audit.frontends.cli.carrying_out as carrying_out
from audit.errors import Interrupted
from audit.frontends.cli.app import COMMANDS
from audit.frontends.cli.main import main
from tests.audit.report.sample_results import not_refuted

from .conftest import Audit

pytestmark = pytest.mark.lowest

SLOW = "import time\ndef slow(data):\n    time.sleep(0.01)\n"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ([], "nothing to audit"),
        (["noisy-averge"], "did you mean noisy-average"),
        (["lits"], "did you mean list?"),
        (["nothing-like-it"], "`audit list` shows all"),
        (["MECHANISM"], "stands for the name of one"),
        (["laplace", "--epsilom", "1"], "Did you mean --epsilon?"),
        (
            ["laplace", "--max-runs", "1000"],
            "Unknown option: --max-runs. Did you mean --max-samples?",
        ),
        (["laplace", "--xyzxyz", "1"], "Unknown option: --xyzxyz"),
        (["laplace", "--epsilon", "much"], '"much"'),
        (["laplace", "--delta", "1e-"], '--delta "1e-" is not a number; write for example --delta'),
        (["laplace", "--sensitivity", "x"], '--sensitivity "x" is not a number; write for example'),
        (["laplace", "--epsilon", "-1"], "-1.0 is not a number of at least 0"),
        (["laplace", "--epsilon", "nan"], "nan is not a number of at least 0"),
        (["laplace", "--delta", "2"], "delta 2.0 is not between 0 and 1"),
        (["laplace", "--rho", "1", "--mu", "1"], "state two claims"),
        (["laplace", "--renyi", "2"], "write for example 2:0.5"),
        (["laplace", "--profile", "gone.csv"], "curve 'gone.csv' cannot be read"),
        (["laplace", "--profile", "gone.py:delta"], "'gone.py' does not exist"),
        (["laplace", "--profile", "gone.csv", "--mu", "1"], "mu and profile state two claims"),
        (["laplace", "--relation", "substitut"], "did you mean substitute?"),
        (["laplace", "--max-samples", "1.5"], "'1.5' is not a whole number"),
        (["laplace", "--max-samples", "0"], "from 1 to 1,000,000,000,000,000; give for example"),
        (["laplace", "--alpha", "1"], "--alpha 1.0 is not a number between 0 and 1; give for"),
        (["laplace", "--bins", "0"], "--bins 0 is not a whole number from 1 to 1,000; give for"),
        (["laplace", "--seed", "-1"], "--seed -1 is not a whole number of at least 0; give"),
        (["laplace", "--timeout", "0"], "--timeout 0.0 is not a number of seconds above 0"),
        (["python", "gone.py:f", "--epsilon", "1", "--timeout", "-1"], "--timeout -1.0 is not a"),
        (["laplace", "--timeout", "1e300"], "--timeout 1e+300 is not a number of seconds above 0"),
        (["laplace", "--max-seconds", "inf"], "--max-seconds inf is not a number of seconds above"),
        (["laplace", "--workers", "0"], "from 1 to 256; give for example 2"),
        (["laplace", "--workers", "300"], "--workers 300 is not a whole number from 1 to 256"),
        (["all", "--workers", "100000"], "--workers 100000 is not a whole number from 1 to 256"),
        (["canaries", "gone.csv", "--mu", "1", "--alpha", "2"], "--alpha 2.0 is not a number"),
        (["canaries", "gone.csv", "--mu", "1", "--probability", "2"], "--probability 2.0 is not"),
        (["laplace", "--search", "--no-search"], "--search and --no-search say two things; give"),
        (["laplace", "--epsilon", "1", "--epsilon", "2"], "--epsilon is given more than once"),
        (["laplace", "--epsilon"], "--epsilon has no value; write one behind it"),
        (["python", "--epsilon", "1"], "FILE.py:FUNCTION is missing; write for example: audit"),
        (["init", "release.py:f"], "--domain is missing; write for example: audit init release.py"),
        (["sql"], "QUERY is missing; write for example: audit sql --epsilon 1 --domain int:0:9 "),
        (["render"], "RESULT.json is missing; write for example: audit render result.json"),
        (["canaries", "--mu", "1"], "SCORES.csv is missing; write for example: audit canaries "),
        (["compare", "old"], "NEW is missing; write for example: audit compare reports.old"),
        (
            ["python", "json:dumps", "--epsilon", "1", "--domain", "int:0:9", "--no-search"],
            "give --data, or leave --no-search out",
        ),
        (
            ["python", "json:dumps", "--mu", "1", "--data", "[1]", "--neighbor", "[]", "--search"],
            "a search with --neighbor needs to know what a record is; give --domain, or leave",
        ),
        (
            ["all", "--config", "gone.toml"],
            "--config 'gone.toml' cannot be read (No such file or directory); check the path",
        ),
        (
            ["noisy-average", "--epsilon", "0"],
            "none follows from 0; give one above 0, or to claim 0",
        ),
        (["laplace", "--epsilon", "0"], "--profile FILE with the two lines epsilon,delta and 0,0"),
        (["laplace", "--workers", "2", "--cluster", "tcp://a:1"], "say two things"),
        (["laplace", "--store", "/no/such/folder/s.db"], "cannot be written"),
        (["laplace", "--column", "age"], "--column 'age' needs a table"),
        (["laplace", "--data", "[1"], "is not JSON"),
        (["laplace", "--data", "gone.csv"], "neither a JSON list nor a file that exists"),
        (["laplace", "--domain", "intt:0:1"], "domain 'intt:0:1' cannot be read"),
        (["laplace", "--output", "/no/such/folder/x"], "--output '/no/such/folder/x' cannot"),
        (["laplace", "extra"], "'extra' is one argument too many"),
        (["python", "gone.py:f", "--epsilon", "1"], "'gone.py' does not exist"),
        (["command", "--epsilon", "1"], "no program is given"),
        (["samples", "a.txt", "b.txt"], "recorded outputs state no claim"),
        (["render", "gone.json"], "gone.json cannot be read"),
        (["benchmark"], "name one of: dp-sum"),
        (["benchmark", "dp-summ"], "'dp-summ' is no benchmark"),
        (["all", "--group", "Trap"], "did you mean 'Traps'?"),
    ],
    ids=" ".join,
)
def test_bad_usage_is_one_line_and_exit_code_2(
    audit: Audit, words: list[str], expected: str
) -> None:
    run = audit(*words)
    assert run.code == 2
    assert run.out == ""
    assert run.err.startswith("audit: ")
    assert run.err.count("\n") == 1
    assert expected in run.err


def broken(*_: object, **__: object) -> None:
    raise ZeroDivisionError("told\nin two lines")


def test_an_internal_error_is_one_line_without_a_traceback(
    audit: Audit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(carrying_out, "run", broken)
    run = audit("laplace")
    assert run.code == 2
    assert run.err.count("\n") == 1
    assert "internal error: ZeroDivisionError: told in two lines" in run.err


def test_debug_shows_the_traceback(audit: Audit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(carrying_out, "run", broken)
    for words in (["laplace", "--debug"], ["--debug", "laplace"]):
        run = audit(*words)
        assert run.code == 2
        assert "Traceback (most recent call last)" in run.err
        assert run.err.splitlines()[-1].startswith("audit: internal error")


def test_an_interrupt_ends_with_130(audit: Audit, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(carrying_out, "run", interrupted)
    run = audit("laplace")
    assert (run.code, run.out, run.err) == (130, "", "audit: interrupted\n")


@pytest.mark.slow
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_in_a_terminal_ends_with_130(here: Path, way: signal.Signals) -> None:
    (here / "slow.py").write_text(SLOW)
    words = [sys.executable, "-m", "audit", "python", "slow.py:slow", "--epsilon", "1"]
    process = subprocess.Popen(
        [*words, "--domain", "bool", "--progress", "on"], stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    assert "runs" in process.stderr.readline()
    process.send_signal(way)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    last = err.splitlines()[-1]
    assert re.fullmatch(r"audit: interrupted in the search after \S+ of at most 400,000 runs", last)
    assert "Traceback" not in err


def test_a_signal_shows_the_evidence_so_far(audit: Audit, monkeypatch: pytest.MonkeyPatch) -> None:
    """And the handler of whoever calls the command in this process is put back."""
    handlers = []

    def ended(*_: object, **__: object) -> None:
        handlers.append(signal.getsignal(signal.SIGTERM))
        raise Interrupted(not_refuted())

    monkeypatch.setattr(carrying_out, "run", ended)
    before = signal.getsignal(signal.SIGTERM)
    run = audit("laplace")
    assert run.code == 130 and "no violation of" in run.out
    assert handlers == [signal.default_int_handler]
    assert signal.getsignal(signal.SIGTERM) == before


def test_version(audit: Audit) -> None:
    run = audit("--version")
    assert run.code == 0
    assert run.out.startswith("dp-audit ")


@pytest.mark.parametrize("name", COMMANDS)
def test_help_of_every_command_shows_examples(audit: Audit, name: str) -> None:
    run = audit(name, "--help")
    assert run.code == 0
    assert run.err == ""
    assert f"Usage: audit {name}" in run.out
    for example in COMMANDS[name].examples:
        assert " ".join(example.split()) in " ".join(run.out.split())


LONG_ARGUMENTS = ("SELECT", "--url-template", "/completions/")
"""Arguments for which no line is wide enough."""


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_is_not_broken_in_the_middle_of_a_line(name: str) -> None:
    known = COMMANDS[name]
    long = [text for text in (*known.examples, *known.arrives) if wider_than_a_terminal(text)]
    assert not [text for text in long if not any(part in text for part in LONG_ARGUMENTS)]


def wider_than_a_terminal(text: str) -> bool:
    """Whether a line of help, after its margin of two blanks, has more than 80 columns."""
    return len(text) + 2 > 80


def test_a_line_that_would_be_broken_is_caught() -> None:
    assert wider_than_a_terminal("x" * 79)
    assert not wider_than_a_terminal("x" * 78)


def test_help_lists_every_command(audit: Audit) -> None:
    run = audit("--help")
    assert run.code == 0
    for name in COMMANDS:
        assert f"│ {name} " in run.out
    assert "130 interrupted" in " ".join(run.out.split())


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from audit.frontends.cli.main import main; main(['--help']); "
        "print([m for m in ('numpy', 'pandas', 'duckdb') if m in sys.modules],"
        " file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stderr == "[]\n"


SLOW_TO_LOAD = (
    "pandas",
    "pyarrow",
    "duckdb",
    "joblib",
    "scipy.optimize",
    "scipy.stats",
    "sqlite3",
    "statsmodels",
)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "others"),
    [
        (["noisy-average", "--max-samples", "20"], ("scipy",)),
        (["noisy-average", "--max-samples", "200"], ("asyncio",)),
        (["noisy-average", "--help"], ("hypothesis", "scipy")),
        (["laplace", "--max-samples", "2000", "--no-search"], ("hypothesis",)),
    ],
)
def test_a_verdict_loads_only_what_it_needs(arguments: list[str], others: tuple[str, ...]) -> None:
    assert loaded(arguments, (*SLOW_TO_LOAD, *others)) == "[]\n"


def loaded(arguments: list[str], modules: tuple[str, ...]) -> str:
    """Which of these modules a process has loaded after such a command, as a list in text.

    The last line: what takes long may be told of before, and a first import does now and then.
    """
    code = (
        "import sys; from audit.frontends.cli.main import main; "
        f"main({arguments}); "
        f"print([m for m in {modules} if m in sys.modules], file=sys.stderr)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return run.stderr.splitlines(keepends=True)[-1]


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_a_full_disk_is_one_line() -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        run = subprocess.run(
            [sys.executable, "-m", "audit", "list"], stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert run.returncode == 2
    assert run.stderr.startswith("audit: standard output cannot be written")
    assert run.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "audit", "list"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    assert process.wait(30) == 141
    assert process.stderr.read() == ""
    process.stderr.close()


def test_a_working_directory_that_is_gone_is_one_line(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    code = (
        "import os, sys; from audit.frontends.cli.main import main; os.rmdir(os.getcwd()); "
        "sys.exit(main(['laplace', '--max-samples', '2000']))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=gone, check=False
    )
    assert run.returncode == 2
    assert run.stderr == "audit: the working directory is gone; cd to one that exists\n"


@pytest.mark.parametrize(("own", "expected"), [(None, "4"), ("20", "20")])
def test_threads_of_openblas_sleep_soon_unless_somebody_has_set_that(
    own: str | None, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENBLAS_THREAD_TIMEOUT", own or "")
    if own is None:
        monkeypatch.delenv("OPENBLAS_THREAD_TIMEOUT")
    main(["--version"])
    assert os.environ["OPENBLAS_THREAD_TIMEOUT"] == expected
