"""The table of the witness's pair counts the runs that the witness was measured by."""

from __future__ import annotations

from typing import Any

from numpy.random import Generator

import audit


def half_the_noise(data: Any, rng: Generator, size: int) -> Any:
    return len(data) + rng.laplace(scale=0.5, size=size)


def audited(**more: Any) -> audit.AuditResult:
    return audit.run(half_the_noise, epsilon=1.0, data=[1, 2, 3], max_samples=20_000, **more)


def test_its_table_costs_no_runs() -> None:
    result = audited(neighbors=[[1, 2]])
    (table,) = result.pairs
    draws = table.draws[0]
    assert result.witness is not None and result.witness.draws >= draws == table.draws[1]
    assert result.effort["tables"] == 0


def test_other_neighbors_are_drawn_for_their_tables() -> None:
    result = audited(neighbors=[[1, 2], [2, 3]])
    draws = result.pairs[0].draws[0]
    assert [table.draws for table in result.pairs[:2]] == [(draws, draws)] * 2
    assert result.effort["tables"] == draws


def test_without_a_witness_all_of_it_is_drawn() -> None:
    result = audit.run(half_the_noise, epsilon=2.0, data=[1], neighbors=[[]], max_samples=20_000)
    assert result.witness is None
    draws = result.pairs[0].draws[0]
    assert result.effort["tables"] == 2 * draws
