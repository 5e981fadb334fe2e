"""From what a caller gives to a case: claim, relation, datasets, domain."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import is_dataclass
from functools import partial
from typing import Any

from audit.blackbox.callables import name_of, transcripts_of
from audit.blackbox.exchange import DICTS
from audit.blackbox.interface import BlackBox
from audit.blackbox.python import PythonBlackBox
from audit.case import Case, Options
from audit.claims import Claim, check_claim
from audit.declaration import Declared, Entry, Mechanism, declared_by, parameters_of
from audit.engine.plan import Given, Plan, datasets_given
from audit.errors import ClaimError, InputError
from audit.lazy_modules import loaded_pandas as pd
from audit.neighbors import Pair
from audit.neighbors.domain import (
    Domain,
    DomainLike,
    StrategyDomain,
    TableDomain,
    domain_of,
    with_special,
)
from audit.neighbors.pair import check_columns
from audit.neighbors.questions import Questions
from audit.neighbors.rows import USER_COLUMN, USERS_REPEAT, column_names, owners
from audit.relation import AnyRelation, Relation

_PLAIN = Options()


def case_for(
    mechanism: Any,
    *,
    claim: Claim | None = None,
    relation: AnyRelation | None = None,
    data: Any = None,
    neighbors: Sequence[Any] = (),
    domain: DomainLike | None = None,
    timeout: float = 10.0,
    options: Options = _PLAIN,
) -> Case:
    """Everything an audit needs, from what was given and what the mechanism declares.

    Args:
        mechanism: a catalogue entry, a mechanism, a black box, or a callable.
        claim: overrides the mechanism's own.
        relation: the same; add-remove where nobody says.
        data: the dataset D; the mechanism's own where there is one.
        neighbors: D1, D2, ...; built from D where none is given.
        domain: one record; a specification as in `--domain`, a domain, or a dict of columns;
            derived from a table where none is given and neighbors are searched for.
        timeout: seconds for one run.
        options: the rest.

    Raises:
        InputError: something is missing or makes no sense; the message says
            what to give.
    """
    entry = mechanism if isinstance(mechanism, Entry) else None
    asking = _questions(options.questions, entry)
    box = _box(mechanism, timeout, options, asking is not None)
    mechanism = mechanism if asking is not None else _made(mechanism, box)
    declared = _declared(mechanism)
    stated = _claim(claim or declared.claim, box, mechanism)
    given = datasets_given(entry, data, options.more_data, neighbors)
    space = _domain(declared.domain if domain is None else domain, options.special)
    relation = relation or declared.relation
    plan = Plan.of(given, relation, space, options.search, options.null, asking)
    known, derived = plan.pairs(), plan.derived_domain()
    _check_records(options.records, known, plan.domain)
    _check_search(plan, derived, given.dataset, options.null)
    if not known and plan.searched_domain is None:
        raise _incomparable(box.name, plan.relation, plan.domain, data)
    pairs, chosen, known = plan.asked(known)
    parameters, summary = _described(mechanism)
    return Case(
        box=box,
        claim=stated,
        relation=plan.relation,
        pairs=pairs,
        domain=derived or plan.searched_domain,
        built=plan.built_from(derived) and options.questions is None,
        name=options.name or box.name,
        parameters=parameters,
        command=options.command or "",
        summary=summary,
        questions=chosen,
        known=known,
        independent_calls=entry is not None and entry.independent_calls,
        given_data=given.dataset is not None and not given.own,
        notes=tuple(_notes(box, relation, given)),
    )


def _made(mechanism: Any, box: BlackBox) -> Any:
    """The callable of a black box, the object of a class, which know their claims; or as it is."""
    given = inspect.isclass(mechanism) or mechanism is box
    return box.mechanism if given and isinstance(box, PythonBlackBox) else mechanism


def _notes(box: BlackBox, relation: AnyRelation | None, given: Given) -> Iterator[str]:
    """Notes on the relation that nobody gave, and on a black box without a seed."""
    if relation is None and (most := _most_rows_of_a_user([given.dataset, *given.more])) > 1:
        yield (
            f"{USERS_REPEAT}(up to {most:,} rows a user); one record is protected here, not one "
            f"user: `relation='{Relation.USER}'`"
        )
    if not (box.seeded or getattr(box, "takes_seed", False)):
        yield f"{box.name} takes no seed, so a repetition draws other outputs"


def _most_rows_of_a_user(datasets: Iterable[Any]) -> int:
    """The most rows that one user has, 0 if no dataset has a column of users."""
    named = (data for data in datasets if USER_COLUMN in column_names(data))
    counts = (Counter(owners(data, USER_COLUMN)) for data in named)
    return max((rows for counted in counts for rows in counted.values()), default=0)


def _check_search(plan: Plan, derived: Domain | None, dataset: Any, null: bool) -> None:
    """Refuse a domain that was given and leaves out columns of D."""
    searched = plan.searched_domain
    if derived is None and searched is not None and not null:
        check_columns(dataset, searched)


def _described(mechanism: Any) -> tuple[dict[str, Any], str]:
    """Parameters and summary of a mechanism."""
    if isinstance(mechanism, Entry):
        return parameters_of(mechanism.mechanism), mechanism.summary
    return parameters_of(mechanism), ""


def _questions(given: str | Domain | Sequence[Any] | None, entry: Entry | None) -> Questions | None:
    """The questions that a caller names, or else the entry's own."""
    found = entry.questions if given is None and entry is not None else given
    return None if found is None else Questions.of(found)


def _claim(claim: Claim | None, box: BlackBox, mechanism: Any) -> Claim:
    """The claim, checked."""
    if claim is None:
        raise ClaimError(
            f"{box.name} states no claim; give `epsilon` (with `delta`), or another kind of claim",
            mechanism,
        )
    check_claim(claim)
    return claim


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


def _declared(mechanism: Any) -> Declared:
    if isinstance(mechanism, Entry):
        return Declared(mechanism.mechanism.claim, mechanism.relation, mechanism.domain)
    if isinstance(mechanism, PythonBlackBox):
        return _declared(mechanism.mechanism)
    found = declared_by(mechanism)
    if found.claim is None and isinstance(mechanism, Mechanism):
        own = mechanism.claim
        return Declared(own if isinstance(own, Claim) else None, found.relation, found.domain)
    return found


def _box(mechanism: Any, timeout: float, options: Options, opens: bool) -> BlackBox:
    """The black box of a mechanism, `opens` where it opens sessions."""
    name, records = options.name, options.records
    if isinstance(mechanism, Entry):
        called = name or mechanism.name
        if _follows_from_parameters(mechanism.mechanism):
            make = partial(_made_again, mechanism.mechanism, opens)
            return PythonBlackBox.made_by(make, called, timeout, records)
        return PythonBlackBox(_released(mechanism.mechanism, opens), called, timeout, records)
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


def _released(mechanism: Mechanism, opens: bool) -> Callable[..., Any]:
    return transcripts_of(mechanism.release) if opens else mechanism.release


def _follows_from_parameters(mechanism: Mechanism) -> bool:
    """Whether a mechanism can be made again: some constructors take more than is kept."""
    own = parameters_of(mechanism)
    return is_dataclass(mechanism) and {*inspect.signature(type(mechanism)).parameters} == {*own}


def _made_again(mechanism: Mechanism, opens: bool) -> Callable[..., Any]:
    """What is called of a mechanism that is made from its parameters in every fresh instance."""
    return _released(type(mechanism)(**parameters_of(mechanism)), opens)


def _check_records(records: str | None, pairs: Sequence[Pair], domain: Domain | None) -> None:
    """Refuse to ask for dicts where no record has a column that could be a key."""
    if records != DICTS or isinstance(domain, (TableDomain, StrategyDomain)):
        return
    if not any(_has_names(data) for pair in pairs for data in (pair.dataset, pair.neighbor)):
        raise InputError(
            "`records='dict'` needs records with named columns, which neither the data nor the "
            "domain have; leave it out, or give a table",
            records,
        )


def _has_names(data: Any) -> bool:
    """True if the columns of records have names."""
    rows = isinstance(data, list) and bool(data)
    return isinstance(data, pd.DataFrame) or (rows and isinstance(data[0], dict))


def _domain(given: DomainLike | None, special: bool) -> Domain | None:
    if given is None:
        if special:
            raise InputError("`special` widens a domain; give `domain`", special)
        return None
    found = domain_of(given)
    return with_special(found) if special else found
