"""A program as a black box: its input file, and its name in results."""

from __future__ import annotations

import contextlib
import difflib
import os
import re
import shlex
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from numpy.random import Generator

from audit.blackbox.exchange import JSON_LINES, check_records, file_of
from audit.blackbox.interface import Bound
from audit.blackbox.output import MOST_NUMBERS, MOST_PARTS, taken
from audit.blackbox.process import Limits, lines_of, run_program, value_of, values_of
from audit.blackbox.time_limit import Patience, check_seconds
from audit.errors import BlackBoxError, InputError, reason_of
from audit.lazy_modules import loaded_pandas as pd

_NAMES = ("data", "output", "epsilon", "size", "seed")
PLACEHOLDER = re.compile(rf"\{{({'|'.join(_NAMES)})\}}")
_WORD = re.compile(r"(?<![${])\{(\w+)\}")
"""A word alone in braces, not a variable of a shell."""
LARGEST_SEED = 2**31 - 1
OUTPUT_LIMIT = 64 * 2**20


class CommandBlackBox:
    """A program that reads a file and prints its output.

    In its arguments, wherever they stand, {data} becomes a file with one record
    per line (see `file_of`), {output} a file that it shall write, {epsilon} the claimed
    epsilon, {size} the number of outputs wanted and {seed} a seed. What it
    writes to {output}, else to standard output, is its output: with {size} one
    per line; else one line is one value, several lines are a list (thousands of
    numbers an array), no line is None. Blank lines do not count. How a line is
    read is told in `value_of`.

    With both {seed} and {size} the seed makes runs repeat, but two datasets must
    not share it: where a program draws more random numbers for one of them,
    output i of one side would share noise with output i + 1 of the other.

    An exit code other than 0, a signal, too much output, a missing {output} and
    running too long are outputs.

    Attributes:
        name: the name of its file (see `program_name`).
        seeded: whether two datasets can share the randomness of a run.
        many: whether it is told how many outputs to print.
        takes_seed: whether it is told a seed.
        starts: every call starts a process.
        at_once: several of its processes may run at the same time.
        records: how it wants its records.
    """

    starts = True
    at_once = True

    def __init__(
        self,
        arguments: Sequence[str],
        epsilon: float | None = None,
        timeout: float | None = 10.0,
        output_limit: int = OUTPUT_LIMIT,
        records: str | None = None,
    ) -> None:
        """Find the program and read the placeholders.

        Args:
            arguments: the program and its arguments.
            epsilon: what {epsilon} becomes.
            timeout: seconds for one run, None for no limit.
            output_limit: bytes that a run may write to any one file.
            records: "json" for one JSON value a line in {data} (see `file_of`).

        Raises:
            InputError: no such program, no {data}, {epsilon} without a value, a misspelled
                placeholder, or records of another kind.
        """
        self._arguments = tuple(arguments)
        self._program = program_at(self._arguments)
        used = placeholders_in("\0".join(self._arguments[1:]), epsilon)
        if "data" not in used:
            raise InputError(
                f"command {' '.join(arguments)!r} has no {{data}}, so the program would never "
                "see the dataset; put {data} where it takes the name of its input file",
                arguments,
            )
        self._epsilon = epsilon
        self._writes_file = "output" in used
        self._limits = Limits(check_seconds(timeout), output_limit)
        self.records = check_records(records, JSON_LINES, "a program")
        self.name = program_name(self._arguments)
        self._patience = Patience(self.name, timeout)
        self.takes_seed = "seed" in used
        self.many = "size" in used
        self.seeded = self.takes_seed and not self.many

    @property
    def identity(self) -> tuple[Any, ...]:
        """Everything but data and randomness that outputs depend on; files by their contents."""
        words = (self._program, *self._arguments[1:])
        files = [Path(word) for word in words if os.path.isfile(word)]
        return self._arguments, files, self._epsilon, self._limits, self.records

    def bind(self, data: Any) -> Bound:
        """See `BlackBox.bind`; the dataset is written to a file."""
        records = RecordsFile(data, self.records)
        return Bound(partial(self._draw, records), partial(self._later, records))

    def _draw(self, records: RecordsFile, rng: Generator, size: int) -> Any:
        if not self.many:
            return self._later(records, rng)()
        written = self._written(records, self._seed(rng), size)
        most = max(size, MOST_NUMBERS)
        lines = lines_of(written, most)
        if len(lines) != size:
            wrote = f"more than {most}" if len(lines) > most else str(len(lines))
            raise BlackBoxError(
                f"{self.name} wrote {wrote} lines where {size} outputs were asked for; "
                "let it print one output per line, or leave {size} out",
                lines[:3],
            )
        return values_of(lines)

    def _later(self, records: RecordsFile, rng: Generator) -> Callable[[], Any]:
        return partial(self._one, records, self._seed(rng))

    def _seed(self, rng: Generator) -> int:
        return int(rng.integers(LARGEST_SEED)) if self.takes_seed else 0

    def _one(self, records: RecordsFile, seed: int) -> Any:
        return _whole(lines_of(self._written(records, seed, 1), MOST_NUMBERS))

    def _written(self, records: RecordsFile, seed: int, size: int) -> bytes:
        """Bytes that one run writes; its files are removed when this returns."""
        with (
            self._patience,
            writing(),
            tempfile.TemporaryDirectory(prefix="audit-", ignore_cleanup_errors=True) as folder,
        ):
            return self._run(Path(folder), records, seed, size)

    def _run(self, folder: Path, records: RecordsFile, seed: int, size: int) -> bytes:
        output = folder / "output.txt" if self._writes_file else None
        values = {
            "data": str(records.into(folder)),
            "output": str(output),
            "epsilon": repr(self._epsilon),
            "size": str(size),
            "seed": str(seed),
        }
        filled = [PLACEHOLDER.sub(lambda found: values[found[1]], a) for a in self._arguments]
        return run_program(self._program, filled, folder, output, self._limits)


def _whole(lines: list[str]) -> Any:
    if not lines:
        return None
    if len(lines) == 1:
        return taken(value_of(lines[0]))
    # A long list of numbers is an array, of which more can be kept apart.
    return taken(values_of(lines) if len(lines) >= MOST_PARTS else [*map(value_of, lines)])


def placeholders_in(text: str, epsilon: float | None, where: str = "command") -> set[str]:
    """Names of the placeholders in a template; InputError at one misspelled or without a value."""
    for word in _WORD.findall(text):
        near = difflib.get_close_matches(word.lower(), _NAMES, n=1)
        if near and word not in _NAMES:
            raise InputError(
                f"{{{word}}} is no placeholder, so nothing would be filled in; did you mean "
                f"{{{near[0]}}}? If it is meant as it stands, write {{ {word} }}",
                word,
            )
    used = set(PLACEHOLDER.findall(text))
    if "epsilon" in used and epsilon is None:
        raise InputError(f"the {where} has {{epsilon}}, but no epsilon is given; add `epsilon`")
    return used


def program_at(arguments: tuple[str, ...]) -> str:
    """Absolute path of the program; InputError if there is none, or it cannot be executed."""
    if not arguments:
        raise InputError("no program is given; write it behind --, as in: -- ./program {data}")
    program = arguments[0]
    found = shutil.which(program)
    if found is not None:
        return str(Path(found).absolute())
    # os.path, which takes names that no file can have for names of none.
    if os.path.isdir(program or "."):
        why = "is a folder; name the program in it"
    elif os.path.isfile(program):
        name = Path(program).name
        why = f"cannot be executed; run chmod +x {program}, write ./{name} where it is in "
        why += "this folder, or put its interpreter in front"
    else:
        why = "is not there; check its path"
    raise InputError(f"program {program!r} {why}", program)


_INTERPRETER = re.compile(
    r"(python|pypy|ruby|perl|php|lua|tclsh|guile)[\d.]*|node|nodejs|deno|bun|java|julia|Rscript|"
    r"octave|racket|sh|bash|dash|zsh|ksh|env"
)
_MODULE = "-m"
_CODE = re.compile(r"-([A-Za-z]*c|e|E|p)|--eval|--print")
"""Flags behind which stands a program's text."""
_SHELL = re.compile(r"sh|bash|dash|zsh|ksh")


def program_name(words: Sequence[str]) -> str:
    """Name of a program in results: that of its file.

    Where that is an interpreter, the name of the script or of the module (-m) that it runs, if
    there is one; of the text of a shell (-c) that of the last program in a pipeline.
    """
    own, *arguments = words
    name = Path(own).name
    if not _INTERPRETER.fullmatch(name):
        return name
    for place, word in enumerate(arguments):
        if word == _MODULE and place + 1 < len(arguments):
            return arguments[place + 1]
        if _CODE.fullmatch(word):
            return _name_in_shell(arguments[place + 1 :], name) if _SHELL.fullmatch(name) else name
        if os.path.isfile(word):
            # Behind `env` stands a program, and its arguments.
            return program_name(arguments[place:])
    return name


def _name_in_shell(texts: Sequence[str], shell: str) -> str:
    """Name of the program that a shell's text runs last; of the shell if that is none."""
    try:
        words = shlex.split("".join(texts[:1]).rpartition("|")[2])
    except ValueError:
        return shell
    return program_name(words) if words and shutil.which(words[0]) else shell


_LONG_AGO = (0, 0)
"""Times of access and change, which no program leaves behind that writes to the file."""


class RecordsFile:
    """The file behind {data}; it is gone when nobody holds this any more.

    A run gets a link to it in a folder of its own: what a program leaves beside the
    file, or puts in its place, is gone with that folder. What it writes into the file
    shows in the file's time, and the file is written anew before the next run.
    """

    def __init__(self, data: Any, records: str | None) -> None:
        """Write the file.

        Args:
            data: the dataset.
            records: how programs want their records (see `file_of`).

        Raises:
            BlackBoxError: the dataset cannot be written.
        """
        self._data, self._records = data, records
        self._lock = threading.Lock()
        self.name = f"data.{_suffix_of(data, records)}"
        content = file_of(data, records)
        with writing():
            folder = tempfile.mkdtemp(prefix="audit-")
            weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
            self._file = Path(folder) / self.name
            self._state = self._written(content)

    def into(self, folder: Path) -> Path:
        """The file, whole and unchanged, in an empty folder.

        In the main thread it is a link. Elsewhere others are given the file at the same
        time, which would see what a program writes into it: there it is a copy.
        """
        given = folder / self.name
        with self._lock:
            if _state_of(self._file) != self._state:
                self._state = self._written(file_of(self._data, self._records))
            if threading.current_thread() is threading.main_thread():
                # Not every file system has links.
                with contextlib.suppress(OSError):
                    given.hardlink_to(self._file)
                    return given
            shutil.copyfile(self._file, given)
        return given

    def _written(self, content: bytes) -> tuple[int, ...]:
        # What another hand has changed may be a link, a folder or gone.
        with contextlib.suppress(OSError):
            self._file.unlink()
        self._file.parent.mkdir(exist_ok=True)
        self._file.write_bytes(content)
        os.utime(self._file, ns=_LONG_AGO)
        state = _state_of(self._file)
        assert state is not None
        return state


@contextlib.contextmanager
def writing() -> Iterator[None]:
    """Write files for a program; a full disk is an error of one line.

    Raises:
        BlackBoxError: a file cannot be written.
    """
    try:
        yield
    except OSError as error:
        raise BlackBoxError(
            f"files for a run cannot be written to {tempfile.gettempdir()!r} "
            f"({reason_of(error)}); free some space there, or set TMPDIR"
        ) from error


def _state_of(file: Path) -> tuple[int, ...] | None:
    """State of a file that any change alters; None if there is no file."""
    try:
        found = file.lstat()
    except OSError:
        return None
    return found.st_ino, found.st_mode, found.st_size, found.st_mtime_ns


def _suffix_of(data: Any, records: str | None) -> str:
    if records == JSON_LINES:
        return "jsonl"
    return "csv" if isinstance(data, pd.DataFrame) else "txt"
