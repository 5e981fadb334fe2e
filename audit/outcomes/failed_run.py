"""Failed runs: as outputs, as messages about the first of them, and hints at common causes.

A hint is a guess from what was raised and what the mechanism was given. It is for
people whose mechanism fails on everything; nothing else follows from it.
"""

from __future__ import annotations

import os
import re
import traceback
from dataclasses import dataclass
from typing import Any

import numpy as np

from audit.blackbox.exchange import DICTS, JSON_LINES, dicts_of
from audit.blackbox.http_service import NotReached, Status
from audit.blackbox.process import ExitCode
from audit.errors import BlackBoxError, clipped_message, shown
from audit.lazy_modules import loaded_pandas as pd
from audit.outcomes.leaves import Failure
from audit.source_code import is_installed

_NAMES_OF_COLUMNS = re.compile(
    r"string indices must be integers|'str' object has no attribute '(get|keys|values|items)'"
    r"|'(int|str)' object is not subscriptable"
)
_TRUTH = re.compile(r"truth value of an? (empty )?(array|DataFrame)")
_OF_A_LIST = re.compile(
    r"'numpy\.ndarray' object has no attribute "
    r"'(append|extend|insert|pop|remove|index|count|clear|reverse)'"
)
_COLUMN_OF_NUMBERS = re.compile(
    r"only integers, slices|invalid index to scalar variable|object is not subscriptable"
)
_GENERATOR = re.compile(r"\bGenerator\b")
_OLD_NAME = re.compile(r"Generator' object has no attribute '(\w+)'")
_NEW_NAMES = {
    "randint": "integers",
    "random_integers": "integers",
    "randrange": "integers",
    "rand": "random",
    "random_sample": "random",
    "randn": "standard_normal",
    "gauss": "normal",
    "normalvariate": "normal",
    "expovariate": "exponential",
    "choices": "choice",
    "sample": "choice",
}
"""Methods of other generators, and what a numpy.random.Generator has instead."""
_JSON = re.compile(
    r"JSON|Expecting value|Expecting property name|Extra data: |cannot unmarshal|"
    r"looking for beginning of value|parse error: |expected value at line",
    re.IGNORECASE,
)


_PATH = "check the path of the address; URL is asked by POST, --url-template by GET"
_ACCESS = "check --bearer-env and --header, which bring what the service asks for"
_STATUSES = {404: _PATH, 405: _PATH, 401: _ACCESS, 403: _ACCESS}
"""What to try at a status that is about the request, not about the dataset."""


def hint_for(error: BaseException, data: Any, records: str | None = None) -> str:
    """One line that says what to try, given what a run raised; empty if it is anybody's guess.

    Records are named as the black box wants them.
    """
    told = _said_by(error)
    if isinstance(error, ExitCode):
        return _of_program(told, records)
    if isinstance(error, NotReached):
        return "check the address of the service, and that it is running"
    if isinstance(error, Status):
        return _STATUSES.get(error.status, "")
    if _GENERATOR.search(told):
        return _of_generator(told)
    if isinstance(data, pd.DataFrame) and records != DICTS:
        return _of_table(error, told, data)
    if isinstance(data, np.ndarray):
        return next((hint for words, hint in _ARRAY_HINTS if words.search(told)), "")
    return ""


def _said_by(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # not every exception can be shown
        return ""


def _of_program(told: str, records: str | None) -> str:
    if not _JSON.search(told):
        return ""
    if records != JSON_LINES:
        return (
            "{data} is a file with one record a line, a table is CSV; if the program reads "
            "JSON, give `records='json'`, which writes one JSON value a line"
        )
    if "Extra data" in told or "after JSON" in told or "after top-level value" in told:
        return "{data} has one JSON value a line, so read it line by line, not as a whole"
    return ""


def _of_generator(told: str) -> str:
    old = _OLD_NAME.search(told)
    if old is None:
        return (
            "the second parameter is given a numpy.random.Generator; if it stands for the "
            "number of outputs wanted, call it size or num_samples"
        )
    new = _NEW_NAMES.get(old[1])
    instead = f"; it has {new} instead" if new else ""
    return f"what is given is a numpy.random.Generator, which has no {old[1]}{instead}"


def _of_table(error: BaseException, told: str, table: pd.DataFrame) -> str:
    if _TRUTH.search(told):
        return "data is a pandas.DataFrame; ask for len(data) instead of its truth value"
    key = error.args[0] if isinstance(error, KeyError) and error.args else None
    if _NAMES_OF_COLUMNS.search(told) or isinstance(key, (int, np.integer)):
        column = repr(table.columns[0]) if len(table.columns) else "name"
        return (
            "data is a pandas.DataFrame, and going through it gives the names of its columns; "
            f"use data[{column}], or give `records='dict'` for a list of dicts"
        )
    return ""


_ARRAY_HINTS = (
    (_TRUTH, "data is a numpy.ndarray; ask for len(data) instead of its truth value"),
    (_OF_A_LIST, "data is a numpy.ndarray; data.tolist() makes a list of it"),
    (
        _COLUMN_OF_NUMBERS,
        (
            "data is a numpy.ndarray of numbers without named columns; give a table as `data` "
            "without `column`, or name columns in `domain`, as in age=int:0:120"
        ),
    ),
)


_ADDRESS = re.compile(r"0x[0-9A-Fa-f]+")
_NOT_OF_INPUT = frozenset(
    kind.__name__
    for kind in (
        *(ImportError, ModuleNotFoundError, NameError, NotImplementedError, SyntaxError),
        *(ConnectionError, ConnectionRefusedError, FileNotFoundError, PermissionError),
    )
)
"""Types of exceptions that other records would raise as well."""
_OWN = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


@dataclass(frozen=True, slots=True)
class FailedRun:
    """The first failed run of an audit, for messages and results.

    Attributes:
        kind: the exception's type, "timed out", or how a program ended.
        message: of the exception, in one line.
        where: file, line and function in the mechanism's code; None if there is none.
        dataset: its input, in one short line.
        call: its number among all runs of the audit, from 1; approximate if runs are
            made on other machines.
        hint: a well-known fix, in one line; empty if none is known.
    """

    kind: str
    message: str
    where: str | None
    dataset: str
    call: int
    hint: str = ""

    @classmethod
    def of(cls, error: Exception, data: Any, call: int, records: str | None = None) -> FailedRun:
        """The failed run of an exception on a dataset, by the number of the run.

        Records are named as in `--records`.
        """
        name = failure_of(error).name
        kind = type(error).__name__ if name == f"raised {type(error).__name__}" else name
        hint = hint_for(error, data, records)
        # Programs name how they ended in the message, too.
        message = clipped_message(error).removeprefix(name).removeprefix(": ")
        return cls(kind, message, _where(error), in_one_line(data), call, hint)

    @property
    def cause(self) -> str:
        """Type, message and line of code, in one line."""
        said = f"{self.kind}: {self.message}" if self.message else self.kind
        return f"{said} ({self.where})" if self.where else said

    @property
    def line(self) -> str:
        """Cause, dataset and hint in one line."""
        hint = f"; {self.hint}" if self.hint else ""
        return f"{self.cause} on the dataset {self.dataset}{hint}"

    def as_json(self) -> dict[str, Any]:
        """As in the result."""
        shown = ("message", "where", "dataset", "call")
        return {"type": self.kind} | {name: getattr(self, name) for name in shown}


def in_one_line(data: Any) -> str:
    """A dataset in one short line, a table as its records."""
    return shown(dicts_of(data) if isinstance(data, pd.DataFrame) else data)


def failure_of(error: Exception) -> Failure:
    """An exception as an output: its type, and its message without addresses in memory.

    How a program or a service ended has a name of its own and no message.
    """
    try:
        name = getattr(error, "outcome_name", None)
    except Exception:  # an exception of somebody's own may fail when it is looked at
        name = None
    if name and isinstance(name, str):
        return Failure(name)
    return Failure(f"raised {type(error).__name__}", _ADDRESS.sub("0x", clipped_message(error)))


def _where(error: Exception) -> str | None:
    """The innermost line of the user's code; of a library where there is none."""
    every = reversed(traceback.extract_tb(error.__traceback__))
    frames = [f for f in every if not os.path.abspath(f.filename).startswith(_OWN + os.sep)]
    for frame in (*(one for one in frames if not is_installed(one.filename)), *frames):
        return f"{os.path.basename(frame.filename)}:{frame.lineno} in {frame.name}"
    return None


def hopeless(name: str, first: FailedRun | None, advice: str = "") -> BlackBoxError:
    """The error of an audit whose first runs all fail in the same way.

    The advice is a fix for wrong input; it is left out if the input is not the cause.
    """
    if first is None:
        return BlackBoxError(f"every run of {name} fails in the same way; run it by itself")
    wrong_input = "" if first.kind in _NOT_OF_INPUT else advice
    fixes = [first.hint] if first.hint else [wrong_input, f"run {name} by itself"]
    fix = " or ".join(filter(None, fixes))
    return BlackBoxError(f"{first.cause} on every dataset tried, such as {first.dataset}; {fix}")
