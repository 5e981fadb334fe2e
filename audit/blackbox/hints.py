"""Why a run may have failed, where the cause is a well-known one, and what to do about it.

A hint is a guess from what was raised and what the mechanism was given. It is for
people whose mechanism fails on everything; nothing else follows from it.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from audit.blackbox.command_input import DICTS, JSON_LINES
from audit.blackbox.isolation.process import ExitCode
from audit.lazy_modules import loaded_pandas as pd

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


def hint_for(error: BaseException, data: Any, records: str | None = None) -> str:
    """One line that says what to try; empty where the cause is anybody's guess.

    Args:
        error: what a run raised.
        data: the dataset it was given.
        records: how the black box wants its records.
    """
    told = _message(error)
    if isinstance(error, ExitCode):
        return _of_program(told, records)
    if _GENERATOR.search(told):
        return _of_generator(told)
    if isinstance(data, pd.DataFrame) and records != DICTS:
        return _of_table(error, told, data)
    return _of_array(told) if isinstance(data, np.ndarray) else ""


def _message(error: BaseException) -> str:
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


def _of_array(told: str) -> str:
    if _TRUTH.search(told):
        return "data is a numpy.ndarray; ask for len(data) instead of its truth value"
    if _OF_A_LIST.search(told):
        return "data is a numpy.ndarray; data.tolist() makes a list of it"
    if _COLUMN_OF_NUMBERS.search(told):
        return (
            "data is a numpy.ndarray of numbers without named columns; give a table as `data` "
            "without `column`, or name columns in `domain`, as in age=int:0:120"
        )
    return ""
