"""Questions of a session, and pairs of datasets that are asked the same ones.

What is asked is part of a dataset for the search, and the same for both of a pair.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from audit.errors import InputError
from audit.neighbors.domain import Domain, parse_domain
from audit.neighbors.domain.record import distinct, in_words
from audit.neighbors.pair import Pair

_LONGEST = 12
"""Questions of a session where nobody says how many."""
_LENGTHS = (1, 2, 3, 4, 6, 8, 12)
_KINDS = 3
"""Questions that listed sequences are made of."""
_DATA, _QUESTIONS = "data", "questions"
_ASKED = "; asked "


@dataclass(frozen=True, slots=True)
class Questions:
    """Possible questions, in their order.

    Attributes:
        domain: what one question may be, None where the sequence is given.
        fixed: the sequence that is given.
    """

    domain: Domain | None
    fixed: tuple[Any, ...] = ()

    @classmethod
    def of(cls, given: str | Domain | Sequence[Any]) -> Questions:
        """Questions from a domain, its notation, or one sequence of questions.

        Raises:
            DomainError: it is a text, and no notation of a domain.
            InputError: it is an empty sequence, or none.
        """
        if isinstance(given, str):
            return cls(parse_domain(given))
        if isinstance(given, (list, tuple)) and given:
            return cls(None, tuple(given))
        if isinstance(given, Sequence) or not hasattr(given, "extremes"):
            raise InputError(
                f"questions {given!r} are neither a domain, such as int:0:9[1..6], nor a list of "
                "questions",
                given,
            )
        return cls(given)

    def __str__(self) -> str:
        return str(self.domain) if self.domain is not None else f"{[*self.fixed]}"

    @property
    def fewest(self) -> int:
        return max(1, 0 if self.domain is None else self.domain.sizes.least)

    @property
    def most(self) -> int:
        most = None if self.domain is None else self.domain.sizes.most
        return max(self.fewest, _LONGEST if most is None else most)

    def listed(self) -> tuple[tuple[Any, ...], ...]:
        """Sequences worth trying first, the shorter before the longer.

        The same again and again, two in turns, and one after many of another.
        """
        if self.domain is None:
            return (self.fixed,)
        kinds = self.domain.extremes[:_KINDS]
        lengths = [n for n in _LENGTHS if self.fewest <= n <= self.most] or [self.fewest]
        found = []
        for length, first, second in product(lengths, kinds, kinds):
            found.append(((first, second) * length)[:length])
            found.append((first,) * (length - 1) + (second,))
        return distinct(found)


def asked(pair: Pair, questions: Sequence[Any]) -> Pair:
    """The pair whose datasets come with the same questions."""
    dataset, neighbor = (
        {_DATA: data, _QUESTIONS: [*questions]} for data in (pair.dataset, pair.neighbor)
    )
    difference = f"{pair.difference}{_ASKED}{', '.join(map(in_words, questions))}"
    return Pair(pair.name, dataset, neighbor, pair.relation, difference)


def unasked(pair: Pair) -> tuple[Pair, tuple[Any, ...]]:
    """The pair of the datasets alone, as `asked` was given it, and what is asked about them."""
    dataset, neighbor = pair.dataset[_DATA], pair.neighbor[_DATA]
    difference = pair.difference.partition(_ASKED)[0]
    alone = replace(pair, dataset=dataset, neighbor=neighbor, difference=difference)
    return alone, tuple(pair.dataset[_QUESTIONS])
