"""Checks of a caller's values: numbers and their ranges, and values of the environment.

What a check refuses raises `InputError`, in a claim its `ClaimError`: the message names the first
value that is wrong, and says what was expected.
"""

from __future__ import annotations

import inspect
import math
import numbers
import os
import re
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, NoReturn

from audit.errors import ClaimError, InputError, shown

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(nan|inf(inity)?)", re.IGNORECASE)
_WHOLE = re.compile(r"[+-]?\d{1,400}")


def is_number(value: object) -> bool:
    """True if it is a real number, Python's own or numpy's; truth values are none, NaN is one."""
    real = isinstance(value, (int, float)) or (_of_numpy(value) and isinstance(value, numbers.Real))
    return real and not isinstance(value, bool)


def is_truth(value: object) -> bool:
    """True if it is a truth value, Python's own or numpy's."""
    own = isinstance(value, bool)
    return own or (_of_numpy(value) and type(value).__name__ in ("bool", "bool_"))


def is_whole(value: object) -> bool:
    """True if it is of a type of integers, Python's own or numpy's; truth values are none."""
    whole = isinstance(value, int) or (_of_numpy(value) and isinstance(value, numbers.Integral))
    return whole and not isinstance(value, bool)


def _of_numpy(value: object) -> bool:
    """True if it is a scalar of numpy; the test plugin does without loading numpy for that."""
    kind = type(value)
    return kind.__module__ == "numpy" and kind.__name__ != "ndarray"


def shape_of_numbers(values: list[Any]) -> tuple[int, ...] | None:
    """The shape of the array that a list of numbers, or of equally long lists of them, would be.

    That is `(n,)` for n numbers, also for none at all; `(n, d)` for n lists of d numbers; None for
    anything else.
    """
    if all(map(is_number, values)):
        return (len(values),)
    rows = all(isinstance(row, list) and len(row) == len(values[0]) for row in values)
    if rows and all(is_number(cell) for row in values for cell in row):
        return len(values), len(values[0])
    return None


def number_in(text: str) -> float | int | None:
    """The number that a text is, None where it is none; digits alone make an integer."""
    if _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else None


def native(value: Any) -> Any:
    """A scalar of numpy as Python's own number, text or truth value; anything else as it is."""
    return value.item() if _of_numpy(value) and hasattr(value, "item") else value


def nearest_float(number: float) -> float:
    """The number as a float; integers beyond the range of floats become infinite."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


def check_positive(name: str, value: Any, largest: float) -> None:
    """Refuse a part of a claim that is no number above 0 and up to the largest."""
    if not (is_number(value) and 0 < value <= largest):
        wrong = f"{name} {shown(value)} is not a number above 0 and up to {largest:g}"
        raise ClaimError(wrong, value)


def check_epsilon(value: Any, largest: float) -> None:
    """Refuse an epsilon of a claim that is no number of at least 0 and up to the largest."""
    if not (is_number(value) and 0 <= value <= largest):
        wrong = f"epsilon {shown(value)} is not a number of at least 0 and up to {largest:g}"
        raise ClaimError(wrong, value)


def order_and_epsilon(renyi: Any) -> tuple[Any, Any]:
    """The two parts of a Rényi claim, which must be a pair; they are not checked yet."""
    if not (isinstance(renyi, (tuple, list)) and len(renyi) == 2):
        raise ClaimError(
            f"renyi {shown(renyi)} is not an order and an epsilon; use for example (2, 0.5)", renyi
        )
    return native(renyi[0]), native(renyi[1])


def variable(name: str) -> str:
    """The value of an environment variable, which must be set to what can be sent."""
    value = os.environ.get(name, "")
    if not value.strip() or not value.isprintable():
        raise InputError(f"environment variable {name!r} is not set; export it first", name)
    return value


def filled(text: str) -> str:
    """A text as it is; of $NAME the value of that variable."""
    return variable(text[1:]) if text.startswith("$") else text


MOST_SAMPLES = 10**15
"""No audit lasts so long; much larger integers leave the range of floats."""
MOST_WORKERS = 256
"""More processes than that fill a machine before the first of them has drawn anything."""
_MOST_BINS = 1_000
"""Tables with more are none that people read."""
_LONGEST_RUN, _LONGEST_AUDIT = 10**8, 10**9


@dataclass(frozen=True, slots=True)
class Amount:
    """Domain of a number: its allowed values, and the words for them.

    Attributes:
        contains: whether a value is one of them.
        words: what they are, to follow "is not".
        example: one of them.
    """

    contains: Callable[[Any], bool]
    words: str
    example: str


def _whole(least: int, example: str, most: float = math.inf) -> Amount:
    words = f"of at least {least}" if math.isinf(most) else f"from {least} to {most:,}"
    return Amount(lambda v: is_whole(v) and least <= v <= most, f"a whole number {words}", example)


def _seconds(most: int, example: str) -> Amount:
    words = f"a number of seconds above 0 and up to {most:,}"
    return Amount(lambda v: is_number(v) and 0 < v <= most, words, example)


def _share(example: str) -> Amount:
    return Amount(lambda v: is_number(v) and 0 < v < 1, "a number between 0 and 1", example)


AMOUNTS = {
    "alpha": _share("0.001"),
    "probability": _share("0.5"),
    "bins": _whole(1, "20", _MOST_BINS),
    "max_samples": _whole(1, "10000", MOST_SAMPLES),
    "max_samples_per_example": _whole(1, "5000", MOST_SAMPLES),
    "seed": _whole(0, "0"),
    "shuffle": _whole(0, "1"),
    "workers": _whole(1, "2", MOST_WORKERS),
    "timeout": _seconds(_LONGEST_RUN, "10"),
    "max_seconds": _seconds(_LONGEST_AUDIT, "60"),
}


def check_amounts(naming: Callable[[str], str] = str, **given: Any) -> None:
    """Refuse numbers, named as the caller calls them, that no audit can be made with."""
    for name, value in given.items():
        amount = AMOUNTS[name]
        if not amount.contains(value):
            wrong = f"{naming(name)} {shown(value)} is not {amount.words}"
            raise InputError(f"{wrong}; give for example {amount.example}", value)


def as_flag(name: str) -> str:
    """Name of the number as a flag of the command line."""
    return f"--{name.replace('_', '-')}"


def closest(name: str, known: Iterable[str]) -> str | None:
    """The known name closest to another one, in which samples may be called runs."""
    import difflib

    found = difflib.get_close_matches(name.replace("runs", "samples"), list(known), n=1)
    return found[0] if found else None


_CLAIMS = {
    "rho": "audit.ZCDP(...)",
    "mu": "audit.claims.GaussianDP(...)",
    "renyi": "audit.claims.RenyiDP(...)",
    "profile": "audit.claims.profile_claim(...)",
}
"""Claims of the kinds that the command line has a flag for."""


def refuse_unknown(
    function: Callable[..., Any], unknown: Collection[str], more: Iterable[str] = ()
) -> None:
    """Refuse arguments that a function does not have, neither in its signature nor as `more`.

    Raises:
        TypeError: there is one; the message names the closest argument.
    """
    __tracebackhide__ = True
    if unknown:
        name = min(unknown)
        near = closest(name, [*inspect.signature(function).parameters, *more])
        meant = f"; did you mean {near}=?" if near else ""
        meant = f"; give claim={_CLAIMS[name]}" if name in _CLAIMS else meant
        raise TypeError(f"{function.__name__}() got an unexpected keyword argument {name!r}{meant}")


def check_kind(name: str, value: object, kind: type, example: str) -> None:
    """Refuse what is of another class than an argument is; None is accepted."""
    if not (value is None or isinstance(value, kind)):
        refuse(name, value, f"of type {type(value).__name__}", example)


def check_truth(**given: object) -> None:
    """Refuse what is neither true nor false."""
    for name, value in given.items():
        if not is_truth(value):
            refuse(name, value, "neither true nor false", "True")


def check_path(name: str, value: object) -> None:
    """Refuse what names no file, neither text nor a path; None for no file is accepted."""
    path = os.fspath(value) if isinstance(value, os.PathLike) else value
    if not (path is None or isinstance(path, str)):
        refuse(name, value, "no path of a file", f'"{name}.sqlite"')


def refuse(name: str, value: object, what: str, example: str) -> NoReturn:
    """Say that an argument is not what it must be."""
    raise InputError(f"{name} {shown(value)} is {what}; give for example {name}={example}", value)
