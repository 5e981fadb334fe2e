"""Text that programs and services exchange: outputs one a line, questions and answers in JSON.

A JSON question is an object {"data": [...], "size": n, "seed": s}; an answer is a list of
n outputs, or {"error": "..."}.
"""

from __future__ import annotations

import io
import json
import locale
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.random import Generator

from audit.blackbox.command_input import json_lines
from audit.blackbox.interface import Bound
from audit.blackbox.output import MOST_PARTS, check_text, taken
from audit.errors import shown
from audit.validation import number_in

_HEXADECIMAL = re.compile(r"[+-]?0x[0-9a-f]*\.?[0-9a-f]*(p[+-]?\d+)?", re.IGNORECASE)
_DECIMAL = re.compile(r"([+-]?\d+),(\d+)")
_EXACT = 2.0**53


def lines_of(printed: bytes, most: int) -> list[str]:
    """The lines that are not blank; bytes that are no UTF-8 become replacement characters.

    Args:
        printed: all that was printed.
        most: how many lines are of use; of more than these, one more is returned.

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
    plain = bool(np.all(np.abs(np.nan_to_num(numbers)) < _EXACT))
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
    """Several numbers with commas between them; None for anything else."""
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
        return float(number) if abs(number) < _EXACT else number
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


_WORDS = re.compile(r'"(?:[^"\\]|\\.)*"|\b(?:nan|inf)\b')
_SPELLED = {"nan": "NaN", "inf": "Infinity"}


class ErrorAnswer(Exception):
    """The answer was {"error": "..."}; an output by its kind, as exceptions are."""

    outcome_name = "answered with an error"


class NoAnswer(Exception):
    """Answer that is no JSON, or not a list of as many outputs as requested."""

    outcome_name = "an answer that is no list of outputs"


def data_text(data: Any) -> bytes:
    """The records of a dataset as a JSON list; a table as one of objects by column.

    JSON has no NaN, which becomes null, and no infinity, which becomes 1e999.

    Raises:
        BlackBoxError: a record that JSON has no word for.
    """
    return f"[{', '.join(json_lines(data))}]".encode("utf-8", errors="surrogatepass")


def question(data: bytes, size: int, seed: int) -> bytes:
    """The object that is sent; `data` as `data_text` gives it."""
    return b'{"data": %s, "size": %d, "seed": %d}' % (data, size, seed)


def outputs_in(answer: bytes, size: int) -> list[Any]:
    """The outputs of an answer.

    Raises:
        ErrorAnswer: it is {"error": "..."}.
        NoAnswer: it is something else than a list of `size` outputs.
        OutcomeError: an output is too large.
    """
    found = value_in(answer)
    if isinstance(found, dict) and "error" in found:
        raise ErrorAnswer(shown(found["error"]))
    if not isinstance(found, list) or len(found) != size:
        raise NoAnswer(f"{_told(answer)} is no JSON list of {size} output{'s' * (size != 1)}")
    return [output_of(value) for value in found]


def value_in(text: bytes) -> Any:
    """A JSON value; `nan` and `inf` are read however they are spelled.

    Numbers below 2**53 are floats, as text has no types: 1 and 1.0 are the same.

    Raises:
        NoAnswer: the text is no JSON.
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
    return float(number) if abs(number) < _EXACT else number


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
        text = data_text(data)

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
