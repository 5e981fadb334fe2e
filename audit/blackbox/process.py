"""One run of a program, never longer and never with more output than allowed, and its values."""

from __future__ import annotations

import contextlib
import io
import json
import locale
import os
import re
import select
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from audit.blackbox.interface import RunTimeout
from audit.blackbox.output import check_text
from audit.errors import BlackBoxError, reason_of
from audit.validation import number_in

try:
    from resource import RLIMIT_FSIZE, prlimit
except ImportError:  # not Linux: the sizes are only watched
    prlimit = None  # type: ignore[assignment]

EXACT = 2.0**53
"""Integers from here on are no longer all floats."""
_LOOK_EVERY = 0.05
SHOWN_OF_STDERR = 300


class ExitCode(Exception):
    """The program failed: it returned a code other than 0, or a signal ended it."""

    def __init__(self, code: int, message: str = "") -> None:
        self.code = code
        self.outcome_name = f"exit code {code}" if code >= 0 else f"killed by {_signal_name(-code)}"
        super().__init__(f"{self.outcome_name}: {message}" if message else self.outcome_name)


class OutputLimit(Exception):
    """The program wrote more than allowed and was stopped."""

    def __init__(self, limit: int) -> None:
        self.outcome_name = f"more than {limit} bytes of output"
        super().__init__(self.outcome_name)


class NoOutputFile(Exception):
    """The program ended well without writing the file it was told to write."""

    outcome_name = "no output file"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one run.

    Attributes:
        seconds: wall-clock time, None for no limit.
        size: bytes it may write to any one file, standard output included.
    """

    seconds: float | None
    size: int


def run_program(
    program: str, arguments: Sequence[str], folder: Path, output: Path | None, limits: Limits
) -> bytes:
    """Run a program without a shell and return what it wrote.

    It runs in a session of its own; when it ends or must end, all that is left
    of its process group is killed. Its standard output goes to a file in
    `folder`, not to a pipe, so that a descendant holding it open delays nothing.

    The arguments begin with the name that it is called by, the folder is empty, and `output` is
    the file it writes its output to, None for standard output.

    Raises:
        RunTimeout: the time is up.
        OutputLimit: it wrote too much.
        ExitCode: it failed.
        NoOutputFile: `output` is not there.
        BlackBoxError: it could not be started.
    """
    printed, complained = folder / "stdout", folder / "stderr"
    files = [file for file in (printed, complained, output) if file is not None]
    with printed.open("wb") as out, complained.open("wb") as err:
        streams = {"stdin": subprocess.DEVNULL, "stdout": out, "stderr": err}
        process = started(program, arguments, folder, **streams)
    try:
        _restrain(process.pid, limits.size)
        in_time = _wait(process, files, limits)
    finally:
        end(process)
    if any(_size_of(file) > limits.size for file in files):
        raise OutputLimit(limits.size)
    if not in_time:
        raise RunTimeout(f"no output within {limits.seconds:g} s")
    if process.returncode != 0:
        with complained.open("rb") as stream:
            stream.seek(max(0, _size_of(complained) - SHOWN_OF_STDERR))
            raise ExitCode(process.returncode, last_words(stream.read()))
    return _content_of(output or printed, limits.size)


def started(
    program: str, arguments: Sequence[str], folder: str | Path, **streams: Any
) -> subprocess.Popen[bytes]:
    """A process in a session of its own, with a folder of its own for temporary files.

    Raises:
        BlackBoxError: it could not be started.
    """
    own = Path(folder, "tmp")
    own.mkdir()
    try:
        return subprocess.Popen(
            list(arguments),
            executable=program,
            env={**os.environ, "TMPDIR": str(own)},
            start_new_session=True,
            **streams,
        )
    except (OSError, ValueError) as error:
        raise BlackBoxError(
            f"program {arguments[0]!r} cannot be started ({reason_of(error)}); "
            "check that it runs on its own",
            program,
        ) from error


def _restrain(pid: int, size: int) -> None:
    """Let the kernel stop writes beyond the limit; one byte more shows that it was met."""
    if prlimit is not None:
        # It may have ended already, or run under a stricter limit.
        with contextlib.suppress(OSError, ValueError):
            prlimit(pid, RLIMIT_FSIZE, (size + 1, size + 1))


def _wait(process: subprocess.Popen[bytes], files: list[Path], limits: Limits) -> bool:
    """Until it has ended, or written too much: True; until the time is up: False."""
    deadline = None if limits.seconds is None else time.monotonic() + limits.seconds
    descriptor = os.pidfd_open(process.pid) if hasattr(os, "pidfd_open") else None
    try:
        while True:
            left = _LOOK_EVERY if deadline is None else deadline - time.monotonic()
            if left <= 0:
                return False
            if _ended(process, descriptor, min(left, _LOOK_EVERY)):
                return True
            if any(_size_of(file) > limits.size for file in files):
                return True
    finally:
        if descriptor is not None:
            os.close(descriptor)


def _ended(process: subprocess.Popen[bytes], descriptor: int | None, seconds: float) -> bool:
    """True if the process ends within some seconds; with a descriptor it is not reaped."""
    if descriptor is None:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(seconds)
        return process.returncode is not None
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    return bool(poll.poll(max(1.0, seconds * 1000)))


def end(process: subprocess.Popen[bytes]) -> None:
    """Kill what is left of its group, then reap it: a reaped process's number may be reused."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _content_of(file: Path, size: int) -> bytes:
    # A pipe or device put in the file's place could be read forever.
    if not file.is_file():
        raise NoOutputFile(f"the program wrote no file {file.name}")
    with file.open("rb") as stream:
        content = stream.read(size + 1)
    if len(content) > size:
        raise OutputLimit(size)
    return content


def _size_of(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0


def last_words(complained: bytes) -> str:
    """The end of what a program wrote to standard error, in one line."""
    return " ".join(complained[-SHOWN_OF_STDERR:].decode("utf-8", errors="replace").split())


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


_HEXADECIMAL = re.compile(r"[+-]?0x[0-9a-f]*\.?[0-9a-f]*(p[+-]?\d+)?", re.IGNORECASE)
_DECIMAL = re.compile(r"([+-]?\d+),(\d+)")


def lines_of(printed: bytes, most: int) -> list[str]:
    """The lines that are not blank; bytes that are no UTF-8 become replacement characters.

    Of more lines than the `most` that are of use, one more is returned.

    Raises:
        OutcomeError: a line is longer than the longest text.
    """
    lines: list[str] = []
    # Line by line, as a list of all lines can take ten times the memory of the text.
    for line in io.BytesIO(printed.strip()):
        text = line.decode("utf-8", errors="replace").strip()
        if text:
            check_text(text)
            lines.append(text)
            if len(lines) > most:
                break
    return lines


def values_of(lines: list[str]) -> Any:
    """One value per line: a float array where all are numbers, else a list."""
    try:
        numbers = np.array([float(line) for line in lines])
    except ValueError:
        return [value_of(line) for line in lines]
    plain = bool(np.all(np.abs(np.nan_to_num(numbers)) < EXACT))
    return numbers if plain and not any("_" in line for line in lines) else [*map(value_of, lines)]


def value_of(line: str) -> Any:
    """One printed value.

    A number (also nan, inf, and hexadecimal floats as C's %a prints them), a
    JSON value, several numbers with commas between them as a list, else the
    text itself. Text has no types, so 1 and 1.0 are the same number; only
    integers beyond 2**53 stay integers, to keep all their digits. A line such as 3,14
    is one number where the locale has decimal commas, and elsewhere no list where the
    second part has a leading zero, which only digits behind a comma have.
    """
    number = _number(line)
    if number is not None:
        return number
    if line[0] in '[{"' or line in ("true", "false", "null"):
        return _from_json(line)
    decimal = _DECIMAL.fullmatch(line)
    if decimal is not None and decimal_comma():
        return float(f"{decimal[1]}.{decimal[2]}")
    if decimal is not None and len(decimal[2]) > 1 and decimal[2].startswith("0"):
        return line
    return _list_in(line) or line


def _list_in(line: str) -> list[Any] | None:
    parts = [_number(part.strip()) for part in line.split(",")]
    return parts if len(parts) > 1 and None not in parts else None


@cache
def decimal_comma() -> bool:
    """True if numbers have a decimal comma, by the locale of this process."""
    before = locale.setlocale(locale.LC_NUMERIC)
    try:
        locale.setlocale(locale.LC_NUMERIC, "")
        return locale.localeconv()["decimal_point"] == ","
    except locale.Error:  # the environment names one that is not there
        return False
    finally:
        locale.setlocale(locale.LC_NUMERIC, before)


def _number(text: str) -> float | int | None:
    number = number_in(text)
    if number is not None:
        return float(number) if abs(number) < EXACT else number
    if _HEXADECIMAL.fullmatch(text):
        try:
            return float.fromhex(text)
        except (ValueError, OverflowError):
            return None
    return None


def _from_json(line: str) -> Any:
    # Python prints nan and inf inside of lists, where JSON wants other words.
    spelled = re.sub(r"\binf\b", "Infinity", re.sub(r"\bnan\b", "NaN", line))
    for text in (line, spelled):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            continue
    return line
