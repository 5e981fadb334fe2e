"""From what a caller gives to a case: claim, relation, datasets, domain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from audit.blackbox.command_input import DICTS
from audit.blackbox.interface import BlackBox
from audit.blackbox.python import PythonBlackBox, name_of
from audit.blackbox.transcript import transcripts_of
from audit.case import Case, datasets_in
from audit.claims import Claim, check_claim
from audit.declaration import Declared, Entry, Mechanism, declared_by, parameters_of
from audit.errors import ClaimError, InputError
from audit.lazy_modules import loaded_pandas as pd
from audit.neighbors import Pair, check_pair, classic_pairs, neighboring, worst_pairs
from audit.neighbors.domain import (
    Domain,
    DomainLike,
    StrategyDomain,
    TableDomain,
    domain_of,
    with_special,
)
from audit.neighbors.questions import Questions, asked
from audit.neighbors.table_domain import domain_of_tables
from audit.relation import AnyRelation, Relation
from audit.validation import shape_of_numbers


def as_dataset(data: Any) -> Any:
    """Data as black boxes get them: lists of numbers become arrays, everything else stays.

    An empty list becomes an empty 1-d float array; equal-length rows of numbers
    a 2-d array.
    """
    if not isinstance(data, list) or shape_of_numbers(data) is None:
        return data
    return np.asarray(data)


def case_for(
    mechanism: Any,
    *,
    claim: Claim | None = None,
    relation: AnyRelation | None = None,
    data: Any = None,
    more_data: Sequence[Any] = (),
    neighbors: Sequence[Any] = (),
    domain: DomainLike | None = None,
    search: bool | None = None,
    special: bool = False,
    records: str | None = None,
    timeout: float = 10.0,
    name: str | None = None,
    command: str = "",
    null: bool = False,
    questions: str | Domain | Sequence[Any] | None = None,
) -> Case:
    """Everything an audit needs, from what was given and what the mechanism declares.

    Args:
        mechanism: a catalogue entry, a mechanism, a black box, or a callable.
        claim: overrides the mechanism's own.
        relation: the same; add-remove where nobody says.
        data: the dataset D; the mechanism's own where there is one.
        more_data: further datasets, each of whose neighbors are built from it.
        neighbors: D1, D2, ...; built from D where none is given.
        domain: one record; a specification as in `--domain`, a domain, or a dict of columns;
            derived from a table where none is given and neighbors are searched for.
        search: whether to look for worse pairs; by default where no neighbor was given.
        special: whether NaN and the infinities are records of its floats as well.
        records: how records with named columns arrive, as in `--records`.
        timeout: seconds for one run.
        name: how results call it.
        command: what repeats this audit.
        null: D alone is enough, it is audited against itself.
        questions: what a session is asked, where the mechanism opens sessions: a domain, or
            one sequence; the mechanism's own where there are some.

    Raises:
        InputError: something is missing or makes no sense; the message says
            what to give.
    """
    entry = mechanism if isinstance(mechanism, Entry) else None
    declared = _declared(mechanism)
    asking = _questions(questions, entry)
    box = _box(mechanism, name, timeout, records, asking is not None)
    stated = _claim(claim or declared.claim, box, mechanism)
    related = relation or declared.relation or Relation.ADD_REMOVE
    given = _given(entry, data, more_data, neighbors)
    space = _domain(declared.domain if domain is None else domain, special)
    looked = not given.named if search is None else search
    plan = _Plan(given, related, space, looked, null, asking)
    if search and space is None and not plan.built:
        raise _unsearchable(given.named, search)
    _check_more(given, null)
    plan = replace(plan, domain=_like(space, given.dataset))
    known = plan.pairs()
    _check_records(records, known, plan.domain)
    derived = plan.derived_domain()
    if not known and not (plan.searched and plan.domain is not None):
        raise _incomparable(box.name, related, plan.domain, data)
    underived = plan.domain is not None and derived is None
    return Case(
        box=box,
        claim=stated,
        relation=related,
        pairs=known if asking is None else _asked(known, asking, null),
        domain=derived or (plan.domain if plan.searched else None),
        built=plan.built and looked and not underived and questions is None,
        name=name or box.name,
        parameters=parameters_of(mechanism if entry is None else entry.mechanism),
        command=command,
        summary="" if entry is None else entry.summary,
        questions=asking if plan.asks else None,
        known=known if plan.asks else (),
    )


@dataclass(frozen=True, slots=True)
class _Given:
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
class _Plan:
    """Datasets to compare, and the search for further ones.

    Attributes:
        given: the datasets that are known.
        relation: the adjacency relation.
        domain: of one record, None where nobody says.
        looked: whether worse pairs are looked for.
        null: whether D is compared with itself.
        asking: the questions of a session, None for other mechanisms.
    """

    given: _Given
    relation: AnyRelation
    domain: Domain | None
    looked: bool
    null: bool
    asking: Questions | None

    @property
    def built(self) -> bool:
        """True if neighbors are built from D."""
        return self.given.built and not self.null and self.relation is not Relation.DECLARED

    @property
    def searched(self) -> bool:
        """True if pairs may be made up."""
        return self.looked and self.relation is not Relation.DECLARED

    @property
    def asks(self) -> bool:
        """True if the search chooses the questions of a session, or its datasets."""
        if self.asking is None or self.null:
            return False
        return self.asking.domain is not None or (self.looked and self.domain is not None)

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


def _given(
    entry: Entry | None, data: Any, more_data: Sequence[Any], neighbors: Sequence[Any]
) -> _Given:
    """The datasets of an audit.

    Raises:
        InputError: a list of datasets is something else.
    """
    named = datasets_in("neighbors", neighbors, data)
    more = datasets_in("more_data", more_data, data)
    own = entry is not None and data is None
    beside = entry.neighbors if entry is not None and own and not named else named
    dataset = entry.data if entry is not None and own else data
    return _Given(dataset, tuple(map(as_dataset, beside)), more, bool(named), own)


def _questions(given: str | Domain | Sequence[Any] | None, entry: Entry | None) -> Questions | None:
    """The questions that a caller names, or else the entry's own."""
    found = entry.questions if given is None and entry is not None else given
    return None if found is None else Questions.of(found)


def _claim(claim: Claim | None, box: BlackBox, mechanism: Any) -> Claim:
    """The claim, checked.

    Raises:
        ClaimError: there is none, or it makes no sense.
    """
    if claim is None:
        raise ClaimError(
            f"{box.name} states no claim; give `epsilon` (with `delta`), `rho`, `mu`, `renyi` or "
            "`profile`",
            mechanism,
        )
    check_claim(claim)
    return claim


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


def _incomparable(name: str, relation: AnyRelation, domain: Domain | None, data: Any) -> InputError:
    """There is no pair of datasets, and none may be made up."""
    if relation is Relation.DECLARED:
        lacking = (
            f"{name} has no neighbors, and under the relation declared only a caller knows them; "
            "give `data` with `neighbors`"
        )
    elif domain is not None:
        lacking = (
            f"{name} has no dataset, and none is made from its domain where `search=False` is set; "
            "give `data`, or leave `search=False` out"
        )
    else:
        lacking = (
            f"{name} has no dataset and no record domain; give `data`, `domain`, or `data` with "
            "`neighbors`"
        )
    return InputError(f"nothing to compare: {lacking}", data)


def _asked(pairs: tuple[Pair, ...], questions: Questions, null: bool) -> tuple[Pair, ...]:
    """The pairs with what is asked; none where that is still to be chosen."""
    if questions.domain is not None and not null:
        return ()
    first = questions.listed()[0]
    return tuple(asked(pair, first) for pair in pairs)


def _declared(mechanism: Any) -> Declared:
    if isinstance(mechanism, Entry):
        return Declared(mechanism.mechanism.claim, mechanism.relation, mechanism.domain)
    found = declared_by(mechanism)
    if found.claim is None and isinstance(mechanism, Mechanism):
        own = mechanism.claim
        return Declared(own if isinstance(own, Claim) else None, found.relation, found.domain)
    return found


def _box(
    mechanism: Any, name: str | None, timeout: float, records: str | None, opens: bool
) -> BlackBox:
    """The black box of a mechanism, `opens` where it opens sessions."""
    if isinstance(mechanism, Entry):
        function: Any = mechanism.mechanism.release
        function = transcripts_of(function) if opens else function
        return PythonBlackBox(function, name or mechanism.name, timeout, records)
    if all(hasattr(mechanism, part) for part in ("bind", "seeded", "many", "name")):
        box: BlackBox = mechanism
        if records is not None and getattr(box, "records", None) != records:
            raise InputError(
                f"`records={records}` is for functions (dict) and programs (json); {box.name} "
                "takes records in its own way, so leave it out",
                records,
            )
        return box
    function = transcripts_of(mechanism) if opens else mechanism
    return PythonBlackBox(function, name or name_of(mechanism), timeout, records)


def _check_more(given: _Given, null: bool) -> None:
    """Refuse what makes no sense beside several datasets.

    Raises:
        InputError: the message says what to leave out.
    """
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


def _further(
    more_data: Sequence[Any], known: int, relation: AnyRelation, domain: Domain | None
) -> tuple[Pair, ...]:
    """Neighbors of further datasets, numbered on from those that are known."""
    made = [
        pair for data in more_data for pair in classic_pairs(as_dataset(data), relation, domain)
    ]
    return tuple(replace(pair, name=f"D{known + i}") for i, pair in enumerate(made, 1))


def _check_records(records: str | None, pairs: Sequence[Pair], domain: Domain | None) -> None:
    """Refuse to ask for dicts where no record has a column that could be a key."""
    if records != DICTS or isinstance(domain, (TableDomain, StrategyDomain)):
        return
    if not any(isinstance(pair.dataset, pd.DataFrame) for pair in pairs):
        raise InputError(
            "`records='dict'` needs records with named columns, which neither the data nor the "
            "domain have; leave it out, or give a table",
            records,
        )


def _domain(given: DomainLike | None, special: bool) -> Domain | None:
    if given is None:
        if special:
            raise InputError("`special` widens a domain; give `domain`", special)
        return None
    found = domain_of(given)
    return with_special(found) if special else found


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
