"""Text that programs and services exchange: records, and questions and answers in JSON.

A JSON question is an object {"data": [...], "size": 1, "seed": s}; an answer is a list of
one output, or {"error": "..."}.
"""

from __future__ import annotations

import datetime
import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.random import Generator

from audit.blackbox.interface import Bound
from audit.blackbox.output import MOST_PARTS, taken
from audit.blackbox.process import EXACT
from audit.errors import BlackBoxError, InputError, shown
from audit.lazy_modules import loaded_pandas as pd
from audit.validation import native

_WORDS = re.compile(r'"(?:[^"\\]|\\.)*"|\b(?:nan|inf)\b')
_SPELLED = {"nan": "NaN", "inf": "Infinity"}


class ErrorAnswer(Exception):
    """The answer was {"error": "..."}; an output by its kind, as exceptions are."""

    outcome_name = "answered with an error"


class NoAnswer(Exception):
    """Answer that is no JSON, or not a list of as many outputs as requested."""

    outcome_name = "an answer that is no list of outputs"


def question(data: bytes, seed: int) -> bytes:
    """The object that is sent for one output; data is a JSON list of records."""
    return b'{"data": %s, "size": 1, "seed": %d}' % (data, seed)


def output_in(answer: bytes) -> Any:
    """The one output of an answer.

    Raises:
        ErrorAnswer: it is {"error": "..."}.
        NoAnswer: it is something else than a list of one output.
        OutcomeError: the output is too large.
    """
    found = value_in(answer)
    if isinstance(found, dict) and "error" in found:
        raise ErrorAnswer(shown(found["error"]))
    if not isinstance(found, list) or len(found) != 1:
        raise NoAnswer(f"{_told(answer)} is no JSON list of 1 output")
    return output_of(found[0])


def value_in(text: bytes) -> Any:
    """A JSON value, or NoAnswer; `nan` and `inf` are read however they are spelled.

    Numbers below 2**53 are floats, as text has no types: 1 and 1.0 are the same.
    """
    words = text.decode("utf-8", errors="replace")
    for spelled in (words, _WORDS.sub(lambda w: _SPELLED.get(w[0], w[0]), words)):
        try:
            return json.loads(spelled, parse_int=_integer)
        except (ValueError, RecursionError):
            continue
    raise NoAnswer(f"{_told(text)} is no JSON")


def output_of(value: Any) -> Any:
    """A JSON value as an output: a long list of numbers is an array, of which more can be kept.

    Raises:
        OutcomeError: it is too large.
    """
    if isinstance(value, list) and len(value) >= MOST_PARTS and {float} == {*map(type, value)}:
        value = np.array(value)
    return taken(value)


def _told(answer: bytes) -> str:
    return shown(answer.decode("utf-8", errors="replace").strip())


def _integer(digits: str) -> float | int:
    # Python reads no integer of thousands of digits, which as a float would be infinite.
    number = int(digits) if len(digits) < MOST_PARTS else float(digits)
    return float(number) if abs(number) < EXACT else number


class AskedBlackBox(ABC):
    """A black box that gets its dataset with every question, and shows nothing of itself.

    Attributes:
        many: false, as each question asks for one output.
        at_once: several questions may wait for their answers at the same time.
    """

    many = False
    at_once = True

    def bind(self, data: Any) -> Bound:
        """See `BlackBox.bind`; the dataset becomes JSON."""
        text = f"[{', '.join(json_lines(data))}]".encode("utf-8", errors="surrogatepass")

        def draw(rng: Generator, _size: int) -> Any:
            return self._asked(text, rng)()

        def ready() -> Callable[[Generator, int], Any]:
            self._prepare()
            return draw

        return Bound(draw, partial(self._asked, text), ready)

    @abstractmethod
    def _asked(self, data: bytes, rng: Generator) -> Callable[[], Any]:
        """One question about a dataset in JSON, with a seed of its own.

        Returns:
            What asks it and gives one output. It raises whatever is an output by its type, or
            BlackBoxError where nothing can be asked.
        """

    def _prepare(self) -> None:  # noqa: B027  only few have to
        """Do what comes before a question and is no part of its answer."""


DICTS, JSON_LINES = "dict", "json"
"""Ways in which records can be asked for; those of `--records`."""
_NOT_JSON = re.compile(r'"(?:[^"\\]|\\.)*"|NaN|-?Infinity')
_JSON = {"NaN": "null", "Infinity": "1e999", "-Infinity": "-1e999"}


def check_records(records: str | None, known: str, owner: str) -> str | None:
    """Requested form of records; InputError where it is not the one that is known here."""
    if records is not None and records != known:
        raise InputError(
            f"`records={shown(records)}` is nothing that {owner} can be given; "
            f"write `records={known!r}`, or leave it out",
            records,
        )
    return records


def dicts_of(table: pd.DataFrame) -> list[dict[Any, Any]]:
    """The records of a table, each as a dict by column, of Python's own types."""
    names = list(table.columns)
    columns = [table.iloc[:, place].tolist() for place in range(len(names))]
    if not columns:
        return [{} for _ in range(len(table))]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def file_of(data: Any, records: str | None = None) -> bytes:
    """The dataset as UTF-8 text.

    Where `records` is None, numbers with all their digits, rows separated by commas, text as it
    is, true, false and null as in JSON, and a DataFrame as CSV with a header. With `JSON_LINES`
    one JSON value a line, of a DataFrame an object by column. JSON has no NaN, which becomes null
    there, and no infinity, which becomes the number 1e999.

    Raises:
        BlackBoxError: a record that holds a line break, or is no text, number or row.
    """
    as_json = records == JSON_LINES
    text = "".join(f"{line}\n" for line in json_lines(data)) if as_json else _text_of(data)
    # Lone surrogates can come from JSON and must not fail here or become equal.
    return text.encode("utf-8", errors="surrogatepass")


def _text_of(data: Any) -> str:
    if isinstance(data, pd.DataFrame):
        return str(data.to_csv(index=False))
    return "".join(f"{_line_of(record)}\n" for record in _listed(data))


def json_lines(data: Any) -> list[str]:
    """Each record as JSON in one line; of a DataFrame an object by column.

    Raises:
        BlackBoxError: a record that JSON has no word for.
    """
    records = dicts_of(data) if isinstance(data, pd.DataFrame) else _listed(data)
    return [_json_of(record) for record in records]


def _listed(data: Any) -> Any:
    if isinstance(data, (pd.Series, np.ndarray)):
        data = data.tolist()
    return data if isinstance(data, (list, tuple)) else [data]


def _json_of(record: Any) -> str:
    try:
        text = json.dumps(record, default=_plain)
    except (TypeError, ValueError):
        raise _not_written(record) from None
    return _NOT_JSON.sub(lambda found: _JSON.get(found[0], found[0]), text)


def _plain(value: Any) -> Any:
    """Value in the words of JSON, also if JSON has none for it."""
    if value is pd.NaT or value is pd.NA:
        return None
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, datetime.date):
        return value.isoformat()
    plain = native(value)
    if plain is value:
        raise TypeError
    return plain


def _line_of(record: Any) -> str:
    row = record.tolist() if isinstance(record, np.ndarray) else record
    line = ",".join(map(_field_of, row)) if isinstance(row, (list, tuple)) else _field_of(row)
    if "\n" in line or "\r" in line:
        raise BlackBoxError(
            f"record {record!r} holds a line break, which a program would read as two records; "
            "give text of one line, or write `records='json'`",
            record,
        )
    return line


def _field_of(value: Any) -> str:
    if isinstance(value, str):
        return value
    value = native(value)
    if isinstance(value, float):
        return repr(value)
    try:
        return json.dumps(value)
    except (TypeError, ValueError):
        raise _not_written(value) from None


def _not_written(value: Any) -> BlackBoxError:
    return BlackBoxError(
        f"a record of type {type(value).__name__} cannot be written for a program; "
        "use numbers, text, or lists of them",
        value,
    )
