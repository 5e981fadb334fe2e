"""Domains given as a Hypothesis strategy for one record."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from audit.errors import DomainError, InputError, reason_of
from audit.neighbors.domain.record import ANY, Sizes, distinct, in_words, key
from audit.source_code import file_module
from audit.validation import nearest_float

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_EXAMPLES = 100
_EXTREMES = 8


@dataclass(frozen=True, slots=True)
class StrategyDomain:
    """Records drawn from a strategy that is loaded when it is first needed.

    Attributes:
        path: the Python file.
        name: the strategy's name in it.
        sizes: how many records a dataset may have.
    """

    path: str
    name: str
    sizes: Sizes = ANY

    @property
    def strategy(self) -> SearchStrategy[Any]:
        """The strategy itself.

        Raises:
            DomainError: the file fails, or has no strategy of that name.
        """
        return _load(self.path, self.name)

    @property
    def ends(self) -> tuple[Any, Any]:
        """The smallest and largest of a hundred examples, the longest when not numbers."""
        ordered = sorted(_examples(self.path, self.name), key=_size)
        return ordered[0], ordered[-1]

    @property
    def extremes(self) -> tuple[Any, ...]:
        """Both ends, then the first examples, which Hypothesis makes the simplest."""
        return distinct((*self.ends, *_examples(self.path, self.name)))[:_EXTREMES]

    def contains(self, record: object) -> bool:
        """Always true: a strategy draws records but cannot recognize one."""
        return True

    def opposite(self, record: Any) -> Any:
        """The end farther from a number, else an end that is another record."""
        low, high = self.ends
        if all(isinstance(x, (int, float)) for x in (record, low, high)):
            at, bottom, top = map(nearest_float, (record, low, high))
            return high if abs(top - at) >= abs(at - bottom) else low
        return low if key(record) == key(high) else high

    def dataset(self, records: Sequence[Any]) -> Any:
        """An array of numbers, a DataFrame of mappings with equal names, or a list.

        The kind and the dtypes are those of a dataset of all examples.

        Raises:
            DomainError: a record does not go with them.
        """
        try:
            return _together(records, _examples(self.path, self.name))
        except (OverflowError, TypeError, ValueError) as error:
            raise DomainError(
                f"domain {str(self)!r} gives records that do not go together ({reason_of(error)}); "
                "let it give records of one kind",
                records,
            ) from error

    def __str__(self) -> str:
        return f"{self.path}:{self.name}{self.sizes}"


def _together(records: Sequence[Any], examples: Sequence[Any]) -> Any:
    if all(isinstance(record, Mapping) for record in examples):
        import pandas as pd

        frame = pd.DataFrame(list(examples))
        return pd.DataFrame(list(records), columns=frame.columns).astype(frame.dtypes.to_dict())
    try:
        like = np.array(examples)
    except ValueError:  # lists of unequal lengths
        return list(records)
    if like.dtype.kind not in "biuf":
        return list(records)
    return np.array(records, dtype=like.dtype).reshape(len(records), *like.shape[1:])


def _size(record: Any) -> tuple[float, int, str]:
    number = isinstance(record, (int, float)) and record == record
    return (nearest_float(record) if number else 0.0, len(in_words(record)), in_words(record))


@functools.cache
def _load(path: str, name: str) -> SearchStrategy[Any]:
    from hypothesis.strategies import SearchStrategy

    try:
        module = file_module(Path(path))
    except InputError as error:
        raise DomainError(f"domain: {error}", path) from error
    found = getattr(module, name, None)
    if not isinstance(found, SearchStrategy):
        kind = "has nothing called" if found is None else "has no Hypothesis strategy called"
        raise DomainError(f"domain: {path!r} {kind} {name!r}; define one at top level", found)
    return found


@functools.cache
def _examples(path: str, name: str) -> tuple[Any, ...]:
    """Distinct examples of the strategy, always the same, the simplest first."""
    from hypothesis import HealthCheck, Phase, given, settings

    found: list[Any] = []

    @settings(
        max_examples=_EXAMPLES,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(_load(path, name))
    def collect(record: Any) -> None:
        found.append(record)

    try:
        collect()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise DomainError(
            f"domain {f'{path}:{name}'!r} gives no records ({reason_of(error)}); mend the strategy",
            path,
        ) from error
    return distinct(found)
