"""Tables of recorded outputs: bins that the counts did not choose, intervals that hold."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

from audit.claims import PureDP
from audit.verdict.recorded.files import of_json
from audit.verdict.recorded.recording import Recording, gathered
from audit.verdict.recorded.run import samples
from audit.verdict.recorded.tables import RecordedTables


def recording(name: str, outputs: Any) -> Recording:
    return Recording(name, name, gathered(list(map(of_json, outputs))))


def tables(
    *outputs: Any, bins: int = 5, alpha: float = 0.01, epsilon: float = 1.0
) -> RecordedTables:
    held = [recording(f"D{k}" if k else "D", o) for k, o in enumerate(outputs)]
    return RecordedTables.of(held, PureDP(epsilon), bins, alpha)


@pytest.mark.slow
@pytest.mark.parametrize("behind", [1e6, -1e6, "'a label'", "nan"])
def test_forged_outputs_move_no_edge_and_add_no_symbol(tmp_path: Path, behind: Any) -> None:
    """One output among those that are counted must not decide how they are counted."""
    rng = np.random.default_rng(1)
    found = []
    for last in ("0.5", behind):
        paths = []
        for name in ("D", "D1"):
            lines = [*map(str, rng.uniform(0.0, 1.0, 200)), last]
            lines[:25] = map(str, np.linspace(0.0, 1.0, 25))
            paths.append(tmp_path / f"{name}.txt")
            paths[-1].write_text("\n".join(map(str, lines)))
        table = samples(paths, PureDP(1.0), bins=4).pairs[0]
        found.append([(b.low, b.high) for b in table.bins if b.low is not None])
        assert {b.label for b in table.bins if b.low is None} <= {"is any other value"}
    assert found[0] == found[1]
    assert [low for low, _ in found[0]] == [-math.inf, 0.25, 0.5, 0.75]


def test_the_first_outputs_are_not_counted() -> None:
    (table,) = tables([9.0] * 10 + [1.0] * 70, [9.0] * 5 + [1.0] * 35).pairs
    assert table.draws == (70, 35)
    (counted,) = (b for b in table.bins if b.p.estimate)
    assert (counted.p.estimate, counted.q.estimate) == (1.0, 1.0)
    assert counted.high == 9.0


def test_all_neighbors_pooled_are_known_as_well_as_each_of_them() -> None:
    """The means of their bounds, each in proportion to its draws."""
    rng = np.random.default_rng(5)
    one, other, pooled = tables(*(rng.integers(0, 3, n) for n in (800, 800, 400))).pairs
    assert pooled.draws == (700, 1050)
    for first, second, both in zip(one.bins, other.bins, pooled.bins, strict=True):
        assert both.p == first.p == second.p
        for name in ("estimate", "low", "high"):
            mean = (2 * getattr(first.q, name) + getattr(second.q, name)) / 3
            assert getattr(both.q, name) == pytest.approx(mean)


@pytest.mark.slow
def test_intervals_of_all_neighbors_pooled_hold_where_files_depend_on_each_other() -> None:
    """Of 200 with a level of .2 together; counted as independent, most of them missed."""
    rng, missed = np.random.default_rng(6), 0
    for _ in range(200):
        lines = rng.integers(0, 10, 400).astype(float)
        pooled = tables(lines, *[lines] * 8, bins=10, alpha=0.2).pairs[-1]
        missed += any(not b.q.low <= 0.1 <= b.q.high for b in pooled.bins)
    assert missed <= binom.isf(1e-6, 200, 0.2)


def test_labels_that_hardly_repeat_are_no_evidence_about_single_ones() -> None:
    """At level .5 the tables with a wrong interval stay below what 1e-9 allows for half of them.

    Every label has the same tiny probability. Were the labels with a bin those that
    were counted, each would be seen once, and no interval would reach down to it.
    """
    rng = np.random.default_rng(2)
    truth, audits = 1e-9, 40
    wrong = 0
    for _ in range(audits):
        sides = [[f"label {k}" for k in rng.integers(0, 10**9, 80)] for _ in range(2)]
        (table,) = tables(*sides, alpha=0.5).pairs
        known = [b for b in table.bins if "any other" not in b.label]
        wrong += any(not e.low <= truth <= e.high for b in known for e in (b.p, b.q))
    assert wrong <= binom.isf(1e-9, audits, 0.5)


@pytest.mark.parametrize("epsilon", [0.5, 1.0])
def test_intervals_of_numbers_hold_together(epsilon: float) -> None:
    """At level .5, on uniform numbers, whose chance of every bin is its width."""
    rng = np.random.default_rng(3)
    audits = 60
    wrong = 0
    for _ in range(audits):
        found = tables(*rng.uniform(0.0, 1.0, (3, 120)), alpha=0.5, epsilon=epsilon)
        for table in found.pairs:
            ends = [(max(0.0, b.low or 0.0), min(1.0, b.high or 1.0)) for b in table.bins]
            missed = [
                not e.low <= high - low <= e.high
                for b, (low, high) in zip(table.bins, ends, strict=True)
                for e in (b.p, b.q)
            ]
            if any(missed):
                wrong += 1
                break
    assert wrong <= binom.isf(1e-9, audits, 0.5)


def test_all_neighbors_pooled_are_one_more_table() -> None:
    rng = np.random.default_rng(4)
    found = tables(*rng.uniform(0.0, 1.0, (3, 160))).pairs
    assert [table.name for table in found] == ["D1", "D2", "pooled"]
    assert found[2].draws == (140, 280)
    assert found[2].difference == "D1, D2 pooled"
    assert len({tuple(b.low for b in table.bins) for table in found}) == 1


def test_a_table_breaks_a_claim_only_where_its_intervals_do() -> None:
    sides = ["a", "a", "a", "b"] * 400, ["a", "b"] * 800
    assert not tables(*sides, epsilon=1.0).flagged
    assert tables(*sides, epsilon=0.3).flagged
    assert tables(*sides, epsilon=0.3).event("is 'b'").description == "the output is 'b'"


def test_what_cannot_be_counted_has_no_table() -> None:
    found = tables([1.0], [1.0, 2.0])
    assert found.pairs == () and not found.flagged
