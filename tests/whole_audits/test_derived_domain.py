"""Tables without a domain: the search uses one derived from them, and prints it."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pandas as pd
import pytest

import audit
from audit.case import Options
from audit.claims import PureDP
from audit.engine.preparation import case_for
from audit.errors import BlackBoxError, DomainError, InputError
from audit.neighbors import Pair
from audit.neighbors.domain import TableDomain, parse_domain
from audit.neighbors.search.find import search_derived
from audit.neighbors.search.search_result import Appetite
from audit.relation import Relation, relation_named
from tests.oracles import Known, told_apart

ADD, SUBSTITUTE = Relation.ADD_REMOVE, Relation.SUBSTITUTE
SALARIES = pd.DataFrame(
    {
        "department": ["sales", "sales", "law", "law", "sales", "law"],
        "salary": [31_000, 42_000, 74_300, 88_000, 39_000, 66_000],
    }
)
SPEC = "department=choice:law,sales,salary=int:30000:90000"
THRIFTY = Appetite.of(100_000, many=False)


def of_groups(names: Callable[[pd.DataFrame], Any]) -> Callable[..., list[dict[str, float]]]:
    """Noisy counts of groups, one dict for each run; only which groups they are may be wrong."""

    def counts(people: pd.DataFrame, rng: np.random.Generator, size: int) -> list[dict[str, float]]:
        true = people["department"].value_counts()
        noisy = {
            name: true.get(name, 0) + np.round(rng.laplace(0, 2, size)) for name in names(people)
        }
        return [{name: float(draws[i]) for name, draws in noisy.items()} for i in range(size)]

    return counts


@pytest.mark.slow
def test_keys_that_come_from_the_data_are_found() -> None:
    wrong = of_groups(lambda people: sorted(set(people["department"])))
    result = audit.run(wrong, epsilon=1.0, data=SALARIES, max_samples=3_000)
    assert result.verdict == "violation"
    assert any(shlex.quote(SPEC) in note for note in result.notes)


@pytest.mark.slow
def test_keys_that_are_listed_keep_their_claim() -> None:
    right = of_groups(lambda people: ("law", "sales"))
    result = audit.run(right, epsilon=1.0, data=SALARIES, max_samples=3_000)
    assert result.verdict == "not-refuted"
    assert any(shlex.quote(SPEC) in note for note in result.notes)


def case(relation: str = "add-remove", **given: Any) -> Any:
    def anything(people: Any, rng: Any) -> float:
        return 0.0

    chosen = {field.name for field in fields(Options)} & given.keys()
    options = Options(**{name: given.pop(name) for name in chosen})
    return case_for(
        anything, claim=PureDP(1.0), relation=relation_named(relation), options=options, **given
    )


def test_a_domain_is_derived_where_neighbors_are_built_from_a_table() -> None:
    assert str(case(data=SALARIES).domain) == SPEC
    assert case(data=SALARIES, search=False).domain is None
    assert case(data=SALARIES, null=True).domain is None
    assert case(data=SALARIES, neighbors=[SALARIES.iloc[1:]]).domain is None
    assert case(data=[1, 2, 3]).domain is None
    wide = "department=choice:law,sales,salary=int:0:9000000"
    assert str(case(data=SALARIES, domain=wide).domain) == wide


def test_a_domain_that_leaves_out_a_column_of_the_data_is_refused() -> None:
    given = {"salary": "int:0:9e6"}
    with pytest.raises(DomainError, match="column 'department' of D is not in the domain") as told:
        case(data=SALARIES, domain=given)
    assert (
        "add it to `domain` with its kind, such as department=choice:law,sales, or remove"
        in str(told.value)
    )
    with pytest.raises(DomainError, match="column 'department' of D"):
        case(data=SALARIES.to_dict("records"), domain=given)
    assert case(data=SALARIES, domain=given, search=False).pairs
    assert case(data=SALARIES, domain=given, null=True).pairs
    assert case(data=SALARIES[["salary"]], domain=given).pairs


def test_a_domain_that_names_a_column_of_its_own_is_refused() -> None:
    wrong = {"department": "text", "salry": "int:0:9e6"}
    for data in (SALARIES, SALARIES.to_dict("records")):
        with pytest.raises(DomainError, match="D has no column 'salry'.* department, salary$"):
            case(data=data, domain=wrong)


def test_further_tables_are_counted_in() -> None:
    other = pd.DataFrame({"department": ["it"], "salary": [9_000]})
    domain = case(data=SALARIES, more_data=[other]).domain
    assert str(domain) == "department=choice:it,law,sales,salary=int:0:90000"


@pytest.mark.parametrize("relation", ["substitute", "changes:2"])
def test_where_their_number_is_public_datasets_have_as_many_records(relation: str) -> None:
    assert str(case(relation, data=SALARIES).domain) == f"{SPEC}[6]"


def test_a_table_has_no_distance_of_numbers() -> None:
    with pytest.raises(audit.errors.InputError):
        case("l1:1", data=SALARIES)


def test_a_user_column_names_owners_under_user_alone() -> None:
    orders = pd.DataFrame({"user": [1, 2, 1], "spent": [5, 9, 3]})
    assert str(case("user", data=orders).domain) == "user=user:2,spent=int:3:9"
    assert str(case(data=orders).domain) == "user=int:1:2,spent=int:3:9"


def test_a_domain_with_users_asks_for_the_relation() -> None:
    given: dict[str, Any] = {"epsilon": 1.0, "domain": {"user": "user:5", "v": "int:0:9"}}
    more: dict[str, Any] = {"max_samples": 400, "assume": ("independent-calls",)}
    with pytest.raises(InputError, match=r"'user' of the domain names users, and no relation"):
        audit.run(lambda data: float(len(data)), **given, **more)
    for relation in ("user", "add-remove"):
        found = audit.run(lambda data: float(len(data)), relation=relation, **given, **more)
        assert found.verdict == "violation"


@pytest.mark.parametrize(("given", "rows"), [("who=user", 2), ("who=user:5", 5)])
def test_a_domain_of_the_user_column_leaves_the_others_to_be_derived(given: str, rows: int) -> None:
    orders = pd.DataFrame({"who": ["x", "y", "x"], "spent": [5, 9, 3]})
    domain = case("user", data=orders, domain=given).domain
    assert str(domain) == f"who=user:{rows},spent=int:3:9"
    assert str(case("user", domain=given).domain) == given


def test_without_a_user_column_the_message_says_how_to_name_it() -> None:
    orders = pd.DataFrame({"who": ["x", "y", "x"], "spent": [5, 9, 3]})
    with pytest.raises(
        audit.errors.InputError, match="one called 'user', of `domain` one of kind user, such as"
    ):
        case("user", data=orders, neighbors=[orders.iloc[:1]])


def test_without_a_domain_for_its_columns_a_table_is_audited_by_its_neighbors() -> None:
    assert case(data=pd.DataFrame({"a": [[1], [2]]})).domain is None
    assert case("substitute", data=pd.DataFrame({"a": ["x", "x"], "b": [1, 2]})).domain is not None


def test_made_up_tables_have_the_dtypes_of_the_data() -> None:
    table = pd.DataFrame(
        {"sex": pd.Categorical(["f", "m"]), "age": np.array([3, 90], "uint8"), "share": [0, 1]}
    )
    domain = case(data=table, domain="sex=choice:f,m,age=int:0:120,share=float:0:1").domain
    made = domain.dataset([{"sex": "m", "age": 120, "share": 0.5}])
    assert made.dtypes[["sex", "age"]].equals(table.dtypes[["sex", "age"]])
    assert made["share"].tolist() == [0.5]


KNOWN = case(data=SALARIES).pairs
DOMAIN = parse_domain(SPEC)


def derived(growth: Callable[[Pair], float], kind: Callable[[Any], str] = lambda _: "dict") -> Any:
    assert isinstance(DOMAIN, TableDomain)
    return search_derived(Known(growth, kind), KNOWN, DOMAIN, THRIFTY, 0)


def test_an_empty_group_is_tried_before_the_neighbors_of_the_data() -> None:
    found = derived(told_apart(lambda people: "law" in set(people["department"])))
    assert found.refuted
    assert [len(found.pairs[0].dataset), len(found.pairs[0].neighbor)] == [0, 1]


@pytest.mark.slow
def test_a_flaw_that_only_the_data_have_is_found_as_well() -> None:
    found = derived(told_apart(lambda people: 74_300 in set(people["salary"])))
    assert found.refuted
    assert 74_300 in set(SALARIES["salary"]) - set(found.pairs[0].neighbor["salary"])
    assert re.match(r"the search tried \S+ neighbors of D\b", found.reach[0])


@pytest.mark.slow
def test_users_are_removed_whatever_their_column_is_called() -> None:
    orders = pd.DataFrame({"who": list("xyxzx"), "spent": [5, 9, 3, 8, 1]})
    made = case("user", data=orders, domain="who=user")
    flawed = Known(lambda pair: 0.5 if pair.difference == "user 'y' with 1 row removed" else 0.0)
    known = [pair for pair in made.pairs if "'y'" not in pair.difference]
    found = search_derived(flawed, known, made.domain, THRIFTY, 0)
    assert found.refuted
    assert list(found.pairs[0].neighbor["who"]) == list("xxzx")


@pytest.mark.slow
def test_without_a_flaw_pairs_of_both_are_bet_on() -> None:
    found = derived(told_apart(lambda people: 0))
    assert not found.refuted
    sizes = {len(pair.dataset) for pair in found.pairs}
    assert 6 in sizes
    assert sizes - {6}


@pytest.mark.slow
def test_a_domain_that_does_not_fit_leaves_the_neighbors_of_the_data() -> None:
    def kind(people: Any) -> str:
        fits = set(people["salary"]) <= set(SALARIES["salary"])
        return "dict" if fits and len(people) else "raised KeyError"

    found = derived(told_apart(lambda people: 0), kind)
    assert found.misfit is not None
    assert found.pairs
    assert all(len(pair.dataset) == 6 for pair in found.pairs)


def test_an_error_on_every_dataset_asks_about_the_data_not_about_a_domain() -> None:
    def fails(people: pd.DataFrame) -> float:
        raise KeyError("wage")

    with pytest.raises(BlackBoxError, match="if the dataset is wrong, check `data`"):
        audit.run(fails, epsilon=1.0, data=SALARIES, max_samples=3_000)
    with pytest.raises(BlackBoxError, match="if the records are wrong, check `domain`"):
        audit.run(fails, epsilon=1.0, domain=SPEC, max_samples=3_000)


def test_the_search_counts_the_known_pairs_as_the_note_on_neighbors_does() -> None:
    def counted(data: Any, rng: np.random.Generator, size: int) -> Any:
        return len(data) + rng.laplace(size=size)

    given: dict[str, Any] = {"epsilon": 1.0, "data": [1, 2, 3], "max_samples": 4_000}
    result = audit.run(counted, **given)
    assert result.search is not None
    assert result.notes[0].startswith(f"the search tried {result.search.pairs} neighbors of D")
    assert audit.run(counted, **given, search=False).search is None
