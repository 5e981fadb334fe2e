"""The walks of PipelineDP and SmartNoise SQL, as far as neither library is needed."""

from __future__ import annotations

from typing import Any

from audit.claims import ApproxDP, PureDP
from mechanisms.external.pipeline_dp import Asked, people, words
from mechanisms.external.walks.pipeline_dp.asking import refused
from mechanisms.external.walks.smartnoise_sql import tables


def test_the_claim_is_the_budget_of_the_accountant() -> None:
    assert Asked(("COUNT",)).claim == PureDP(1.0)
    assert Asked(("COUNT",), epsilon=2.0, delta=0.1).claim == ApproxDP(2.0, 0.1)


def test_a_call_names_what_sets_it_apart_from_the_usual_one() -> None:
    usual = {"noise_kind": "laplace", "max_partitions_contributed": 1}
    assert words(Asked(("COUNT", "SUM"), usual)) == "COUNT and SUM()"
    options = {**usual, "max_partitions_contributed": 2, "min_value": 1}
    shown = words(Asked(("SUM",), options, None, delta=0.01))
    assert shown == (
        "SUM(max_partitions_contributed=2, min_value=1, private partitions, total_delta=0.01)"
    )


def test_people_have_one_row_each() -> None:
    assert people(0.5, 1.0) == [(0, "a", 0.5), (1, "a", 1.0)]


def test_a_call_that_is_refused_for_one_dataset_only_is_kept() -> None:
    def picky(data: Any) -> Any:
        if not data:
            raise ValueError("must be non-empty")
        return len(data)

    assert not refused(picky, ([1], []))
    assert refused(picky, ([], []))


def test_tables_differ_by_the_rows_of_one_user_in_groups_that_others_have() -> None:
    for rows in (1, 3):
        more, rest = tables({"max_ids": rows, "x": {"lower": 90.0, "upper": 100.0}}, 18)
        added = more[more["uid"] == 99]
        assert len(more) - len(rest) == len(added) == rows
        assert set(added["g"]) <= set(rest["g"])
        assert set(added["x"]) == {100.0}
        assert set(rest["x"]) == {95.0}
        assert rest["uid"].is_unique
