"""Datasets that an audit compares, and the search for further ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from audit.case import Case
from audit.declaration import Entry
from audit.engine.progress import Progress
from audit.errors import InputError
from audit.lazy_modules import loaded_pandas as pd
from audit.neighbors import Pair, check_pair, classic_pairs, neighboring, worst_pairs
from audit.neighbors.domain import Domain, TableDomain
from audit.neighbors.domain.derived import domain_of_tables
from audit.neighbors.questions import Questions, asked
from audit.neighbors.search.search_result import marked
from audit.relation import AnyRelation, Relation
from audit.sampling.units import UnitBatch
from audit.validation import is_number, refuse, shape_of_numbers
from audit.verdict.findings import Search


def as_dataset(data: Any) -> Any:
    """Data as black boxes get them: lists of numbers become arrays, everything else stays.

    An empty list becomes an empty 1-d float array; equal-length rows of numbers
    a 2-d array.
    """
    if not isinstance(data, list) or shape_of_numbers(data) is None:
        return data
    return np.asarray(data)


@dataclass(frozen=True, slots=True)
class Given:
    """The datasets of an audit, as a caller or a catalogue entry has them.

    Attributes:
        dataset: D, None where only a domain is known.
        neighbors: D1, D2, ..., as black boxes get them; empty when they are built from D.
        more: further datasets.
        named: whether the caller named the neighbors.
        own: whether the dataset is that of a catalogue entry.
    """

    dataset: Any
    neighbors: tuple[Any, ...]
    more: tuple[Any, ...]
    named: bool
    own: bool

    @property
    def built(self) -> bool:
        """True if neighbors are built from D."""
        return self.dataset is not None and not self.neighbors


@dataclass(frozen=True, slots=True)
class Plan:
    """Datasets to compare, and the search for further ones.

    Attributes:
        given: the datasets that are known.
        relation: the adjacency relation.
        domain: of one record, None where nobody says.
        looked: whether worse pairs are looked for.
        null: whether D is compared with itself.
        asking: the questions of a session, None for other mechanisms.
    """

    given: Given
    relation: AnyRelation
    domain: Domain | None
    looked: bool
    null: bool
    asking: Questions | None

    @classmethod
    def of(
        cls,
        given: Given,
        relation: AnyRelation | None,
        domain: Domain | None,
        search: bool | None,
        null: bool,
        asking: Questions | None,
    ) -> Plan:
        """What the caller wants, with defaults.

        Raises:
            InputError: nothing says what a search could try, or datasets make no sense together.
        """
        if relation is None and isinstance(domain, TableDomain) and domain.user is not None:
            raise InputError(
                f"column {domain.user!r} of the domain names users, and no relation is given; give "
                "relation user to add or remove all records of one user, or add-remove for one "
                "record",
                domain,
            )
        looked = not given.named if search is None else search
        related = relation or Relation.ADD_REMOVE
        plan = cls(given, related, domain, looked, null, asking)
        if search and domain is None and not plan.built:
            raise _unsearchable(given.named, search)
        _check_more(given, null)
        return replace(plan, domain=_like(domain, given.dataset))

    @property
    def built(self) -> bool:
        """True if neighbors are built from D."""
        return self.given.built and not self.null and self.relation is not Relation.DECLARED

    @property
    def searched_domain(self) -> Domain | None:
        """The domain that pairs may be made up from."""
        searched = self.looked and self.relation is not Relation.DECLARED
        return self.domain if searched else None

    def built_from(self, derived: Domain | None) -> bool:
        """True if the search looks at neighbors of D, in the domain derived from it if any."""
        return self.built and self.looked and (self.domain is None or derived is not None)

    def asked(
        self, known: tuple[Pair, ...]
    ) -> tuple[tuple[Pair, ...], Questions | None, tuple[Pair, ...]]:
        """Pairs with their questions; the questions and the pairs to choose from, if any."""
        if self.asking is None:
            return known, None, ()
        pairs = _asked(known, self.asking, self.null)
        looked = self.looked and self.domain is not None
        if self.null or not (self.asking.domain is not None or looked):
            return pairs, None, ()
        return pairs, self.asking, known

    def pairs(self) -> tuple[Pair, ...]:
        """Pairs of the known datasets, those of D first."""
        data = as_dataset(self.given.dataset)
        pairs = _pairs(data, self.given.neighbors, self.relation, self.domain, self.null)
        return pairs + _further(self.given.more, len(pairs), self.relation, self.domain)

    def derived_domain(self) -> Domain | None:
        """The domain of the user's own tables, None if none is to be derived from them."""
        if not (self.built and self.looked) or self.asking is not None or self.given.own:
            return None
        tables = [self.given.dataset, *self.given.more]
        return domain_of_tables(tables, self.relation, self.domain)


def datasets_given(
    entry: Entry | None, data: Any, more_data: Sequence[Any], neighbors: Sequence[Any]
) -> Given:
    """The datasets of an audit.

    Raises:
        InputError: a list of datasets is something else.
    """
    named = datasets_in("neighbors", neighbors, data)
    more = datasets_in("more_data", more_data, data)
    own = entry is not None and data is None
    beside = entry.neighbors if entry is not None and own and not named else named
    dataset = entry.data if entry is not None and own else data
    return Given(dataset, tuple(map(as_dataset, beside)), tuple(more), bool(named), own)


def _pairs(
    data: Any, neighbors: Sequence[Any], relation: AnyRelation, domain: Domain | None, null: bool
) -> tuple[Pair, ...]:
    if data is None:
        if neighbors:
            raise InputError("a neighbor without the dataset D; give `data`", neighbors)
        return worst_pairs(domain, relation)[:1] if null and domain is not None else ()
    if null:
        return (neighboring("D0", data, data, relation),)
    if not neighbors:
        return classic_pairs(data, relation, domain)
    pairs = tuple(neighboring(f"D{i}", data, n, relation) for i, n in enumerate(neighbors, 1))
    for place, pair in enumerate(pairs):
        check_pair(pair, domain, dataset_checked=place > 0)
    return pairs


def _further(
    more_data: Sequence[Any], known: int, relation: AnyRelation, domain: Domain | None
) -> tuple[Pair, ...]:
    """Neighbors of further datasets, numbered on from those that are known."""
    made = [
        pair for data in more_data for pair in classic_pairs(as_dataset(data), relation, domain)
    ]
    return tuple(replace(pair, name=f"D{known + i}") for i, pair in enumerate(made, 1))


def _asked(pairs: tuple[Pair, ...], questions: Questions, null: bool) -> tuple[Pair, ...]:
    """The pairs with what is asked; none where that is still to be chosen."""
    if questions.domain is not None and not null:
        return ()
    first = questions.listed()[0]
    return tuple(asked(pair, first) for pair in pairs)


def _like(domain: Domain | None, dataset: Any) -> Domain | None:
    """The domain, whose tables have the dtypes of D where that is a table."""
    tables = isinstance(domain, TableDomain) and isinstance(dataset, pd.DataFrame)
    return domain.like(dataset) if tables and isinstance(domain, TableDomain) else domain


def _unsearchable(named: bool, search: bool | None) -> InputError:
    """Nothing says what a search could try."""
    beside = " with `neighbors`" if named else ""
    other = "leave `search` out" if named else "`data`, whose other neighbors it looks at"
    return InputError(
        f"a search{beside} needs to know what a record is; give `domain`, or {other}", search
    )


def _check_more(given: Given, null: bool) -> None:
    """Refuse what makes no sense beside several datasets."""
    if not given.more:
        return
    if given.dataset is None:
        raise InputError("more data without a first dataset; give `data`", given.more)
    if given.named or null:
        what = "`null` audits one dataset" if null else "`neighbors` is of one dataset"
        raise InputError(
            f"{what}, and {1 + len(given.more)} are given; give one `data`, or leave it out",
            given.more,
        )


def datasets_in(name: str, value: Any, beside: object = None) -> tuple[Any, ...]:
    """The datasets of a list of them.

    Args:
        name: of the argument.
        value: the list.
        beside: another dataset; where that has records, no number is one.

    Raises:
        InputError: it is no list of datasets, but one of them, say.
    """
    one = isinstance(value, str | bytes | Mapping | pd.DataFrame) or not isinstance(value, Iterable)
    found = () if one else tuple(value)
    if one or (isinstance(beside, list | tuple | np.ndarray) and any(map(is_number, found))):
        refuse(name, value, "no list of datasets", "[D1]")
    return found


@dataclass(frozen=True, slots=True)
class Chosen:
    """The pairs to bet on: those given, and those that the search found.

    Attributes:
        pairs: both.
        learned: outputs of the search on each pair, by its index.
        search: effort of the search; None without one.
        smallest: index of the smallest pair that it refuted; None if it refuted none.
        misfit: why the domain does not fit, as a clause; empty if it may.
    """

    pairs: tuple[Pair, ...]
    learned: Mapping[int, Sequence[UnitBatch]] = field(default_factory=dict)
    search: Search | None = None
    smallest: int | None = None
    misfit: str = ""


def pairs_of(case: Case, progress: Progress) -> Chosen:
    """The pairs to bet on, after the search if there is one.

    Raises:
        InputError: the domain and the relation allow no pair.
        BlackBoxError: no pair can be bet on.
    """
    settings = progress.settings
    if settings.null:
        first = case.pairs[0]
        same = replace(first, name="D0", neighbor=first.dataset, difference="the same dataset")
        return Chosen((same,))
    if case.domain is None and case.questions is None and not case.built:
        return Chosen(case.pairs)
    # The search takes long to load, and many audits are given their pairs.
    from audit.betting.probe import find_pairs

    draws, known = progress.draws, len(case.pairs)
    budget = replace(settings.budget, max_samples=draws.budgets[0])
    with progress.stage("search"):
        found, learned = find_pairs(
            case, draws, replace(settings, budget=budget), progress.deadline("search")
        )
    if not case.pairs and found.hopeless is not None:
        raise found.hopeless
    progress.notes += found.notes
    # A session's dataset is the given one with questions that the search chose.
    chosen = found.pairs if case.questions else marked(found.pairs, case.pairs)
    pairs = (*case.pairs, *chosen)
    return Chosen(
        pairs,
        dict(enumerate(learned, known)),
        Search(pairs=known + found.tried, shrinks=found.shrinks, samples=progress.effort["search"]),
        known if found.refuted else None,
        "" if pairs else f"{found.misfit}",
    )
