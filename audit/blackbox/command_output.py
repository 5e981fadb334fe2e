"""Outputs of a program, one a line."""

from __future__ import annotations

import io
import json
import locale
import re
from functools import cache
from typing import Any

import numpy as np

from audit.blackbox.output_size import check_text
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
