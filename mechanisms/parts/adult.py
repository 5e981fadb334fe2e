"""Ages and education levels of the UCI Adult data, and a reader of its original file.

The shipped table counts the records of each age and education level; the other
thirteen columns are not needed by any mechanism here.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from audit.errors import InputError

_AGE = re.compile(r"[0-9]{1,3}")


@dataclass(frozen=True, slots=True)
class AgeFile:
    """Contents of a comma-separated file with the age in its first column.

    Attributes:
        ages: shape (records,), in the order of the file.
        blank: lines with nothing on them.
        malformed: lines whose first field is not a whole number; a header is not one of them.
    """

    ages: NDArray[np.float64]
    blank: int
    malformed: int

    @property
    def skipped(self) -> int:
        """Lines that hold no record."""
        return self.blank + self.malformed


def load_ages(path: str | Path) -> AgeFile:
    """Ages from a file laid out like `adult.data`: one record per line, age first.

    A first line that is no record is taken for a header.

    Raises:
        InputError: the file cannot be read, or no line of it starts with an age.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig", errors="replace")
    except OSError as problem:
        raise InputError(
            f"{str(path)!r} cannot be read ({problem.strerror}); "
            "give a comma-separated file with the age first",
            path,
        ) from problem
    fields = [line.split(",", 1)[0].strip() for line in text.splitlines()]
    written = [first for line, first in zip(text.splitlines(), fields, strict=True) if line.strip()]
    ages = [float(first) for first in written if _AGE.fullmatch(first)]
    if not ages:
        raise InputError(
            f"{str(path)!r} holds no age; the first field of each line must be a whole number",
            path,
        )
    header = _AGE.fullmatch(written[0]) is None
    return AgeFile(np.array(ages), len(fields) - len(written), len(written) - len(ages) - header)


def read_ages(path: str) -> tuple[NDArray[np.float64], tuple[str, ...]]:
    """The ages in a file, and how many of its lines were left out.

    Raises:
        InputError: as `load_ages`.
    """
    found = load_ages(path)
    note = (
        f"{path}: {found.skipped} lines left out, {found.blank} of them blank and "
        f"{found.malformed} without an age"
    )
    return found.ages, (note,) if found.skipped else ()


@cache
def _table() -> tuple[tuple[int, str, int], ...]:
    """Rows (age, education, records) of the shipped table, by age."""
    text = files("mechanisms.parts").joinpath("adult_age_education.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    return tuple((int(r["age"]), r["education"], int(r["count"])) for r in rows)


def ages() -> NDArray[np.float64]:
    """The 32,561 ages in ascending order, shape (records,)."""
    return np.repeat([float(age) for age, _, _ in _table()], [count for _, _, count in _table()])


def education_levels() -> tuple[str, ...]:
    """The sixteen education levels, alphabetically."""
    return tuple(sorted({level for _, level, _ in _table()}))


def education_counts() -> NDArray[np.int64]:
    """Records of each of `education_levels()`, shape (16,)."""
    counts = Counter[str]()
    for _, level, count in _table():
        counts[level] += count
    return np.array([counts[level] for level in education_levels()])


def educations() -> list[str]:
    """The education level of each of the 32,561 records, grouped by level."""
    counted = zip(education_levels(), education_counts(), strict=True)
    return [level for level, count in counted for _ in range(count)]
